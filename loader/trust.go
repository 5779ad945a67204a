package loader

import (
	"errors"
	"fmt"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// verdict is what the signature of a commit or tag comes to.
type verdict struct {
	by  content.Signature
	tag string // the name that a tag signed says it has
	err error  // why it does not count; nil if it does
}

// judge verifies the signature of a commit or tag. An object never changes, and
// neither do the signers, so no signature is verified twice.
func (b *build) judge(id gitrepo.OID) (verdict, error) {
	if v, ok := b.verdicts[id]; ok {
		b.judged[id] = v
		return v, nil
	}
	if v, ok := b.judged[id]; ok {
		return v, nil
	}
	v, err := b.verify(id)
	if err == nil {
		b.judged[id] = v
	}
	return v, err
}

// verify verifies the signature of a commit or tag.
func (b *build) verify(id gitrepo.OID) (v verdict, err error) {
	o, err := b.repo.Object(id)
	switch {
	case errors.Is(err, gitrepo.ErrTooLarge):
		return verdict{err: err}, nil
	case err != nil:
		return v, err
	}
	signer, tag, why := b.Signers.Judge(o.Kind, o.Raw)
	v = verdict{content.Signature{Signer: signer.Name, Key: signer.Key, Object: content.SignedCommit}, tag, why}
	if o.Kind == "tag" {
		v.by.Object = content.SignedTag
	}
	return v, nil
}

// vouch finds who signed a tag. Nothing of what nobody trusted signed is believed: the
// commit that it points to may well be signed, but under which version it is published,
// and that it is at all, the tag alone says.
func (b *build) vouch(r *ref, tag gitrepo.Tag) error {
	if r.tag = tag; b.Signers == nil {
		return nil
	}
	commit, err := b.judge(tag.Commit)
	if err != nil {
		return err
	}
	r.undated = commit.err != nil
	own, err := b.judgeTag(r, tag)
	switch {
	case err != nil:
		return err
	case own.err == nil:
		r.by = &own.by
		return nil
	}
	r.tag, r.unsigned = gitrepo.Tag{Commit: tag.Commit}, unsignedTag(r.Tag, own.err)
	return nil
}

// judgeTag verifies the signature of a tag itself.
func (b *build) judgeTag(r *ref, tag gitrepo.Tag) (verdict, error) {
	if !tag.Annotated {
		return verdict{err: errors.New("it is lightweight, which nobody can sign")}, nil
	}
	v, err := b.judge(r.oid)
	if err == nil && v.err == nil && v.tag != r.name { // else an old tag could be passed off as a new one
		v.err = fmt.Errorf("it was signed as %q", v.tag)
	}
	return v, err
}

// unsignedTag is the finding about a tag that nobody trusted signed. A seal can stand in
// for that of an item, not for that of a release.
func unsignedTag(t content.Tag, why error) *content.Finding {
	hint := "have a trusted signer make the tag with `git tag -s`, or seal the publication in a signed commit"
	if t.Kind == nil {
		hint = "have a trusted signer make the tag with `git tag -s`"
	}
	f := finding("", "unsigned", fmt.Sprintf("the tag is not signed by a trusted signer: %s", why), hint)
	return &f
}

// vouched says whether what a commit says of itself, its date and its message, may
// reach readers.
func (b *build) vouched(commit gitrepo.OID) (bool, error) {
	if b.Signers == nil {
		return true, nil
	}
	v, err := b.judge(commit)
	return err == nil && v.err == nil, err
}

// voucher is who signed a line of rulestore.sum, and the commit that added it.
type voucher struct {
	by     content.Signature
	commit gitrepo.OID
}

// vouchSeals says, of lines of rulestore.sum that are new in a state of the branch, who
// signed a commit that added them, on the branch or beside it. Dates play no part in
// that, anybody can choose those.
func (b *build) vouchSeals(at span, lines []string) (map[string]voucher, error) {
	vouched := map[string]voucher{}
	for _, c := range b.history.Since(at.until, at.after, content.SealsFile) {
		v, err := b.judge(c.OID)
		if err != nil {
			return nil, err
		}
		if v.err != nil {
			continue
		}
		added, err := b.added(c)
		if err != nil {
			return nil, err
		}
		v.by.Object = content.SignedSeal
		for _, line := range lines {
			if added[line] {
				vouched[line] = voucher{v.by, c.OID}
			}
		}
	}
	return vouched, nil
}

// added returns the lines that a commit's rulestore.sum has and that of none of its
// parents has: what a merge only passes on, it does not vouch for.
func (b *build) added(c gitrepo.Commit) (map[string]bool, error) {
	raw, err := b.sealsAt(c.OID)
	if err != nil {
		return nil, err
	}
	added := map[string]bool{}
	for _, text := range numbered(raw) {
		added[text] = true
	}
	for _, parent := range c.Parents {
		if brought, err := b.bringsBack(c, parent); brought || err != nil {
			return nil, err
		}
		if err := b.withoutLastSeals(added, parent); err != nil {
			return nil, err
		}
	}
	return added, nil
}

// bringsBack reports whether a commit has the file again that a parent has not, or not as
// one that is read. Git may have taken its lines from where another file was renamed to it,
// and a revert from what a stranger put in its place. A first version brings nothing back.
func (b *build) bringsBack(c gitrepo.Commit, parent gitrepo.OID) (bool, error) {
	at, there := b.history.At(parent, content.SealsFile)
	if there {
		_, read, err := b.sealsOf(at.File)
		return !read, err
	}
	return len(c.Parents) > 1 || at.Changed.OID != (gitrepo.OID{}), nil
}

// withoutLastSeals takes out the lines that rulestore.sum had at a commit or, where there
// was none that is read, before it, along all parents: whoever brings the file back
// vouches for nothing that stood in it.
func (b *build) withoutLastSeals(added map[string]bool, commit gitrepo.OID) error {
	seen := map[gitrepo.OID]bool{}
	for todo := []gitrepo.OID{commit}; len(todo) > 0 && len(added) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[id] {
			continue
		}
		seen[id] = true
		at, _ := b.history.At(id, content.SealsFile)
		raw, read, err := b.sealsOf(at.File)
		if err != nil {
			return err
		}
		for _, text := range numbered(raw) {
			delete(added, text)
		}
		if c, _ := b.history.Commit(id); !read {
			todo = append(todo, c.Parents...)
		}
	}
	return nil
}

// untrusted finds lines of the newest rulestore.sum that nobody trusted added.
func (l *sealLog) untrusted() (found []content.Finding) {
	for n, text := range numbered(l.head) {
		if last, ok := l.unsigned[text]; !ok || last != len(l.read)-1 {
			continue
		}
		if len(found) == maxSealFindings {
			return append(found, sealFinding(n, "more", "there are more lines that no trusted signer added from here on", "mend what is above"))
		}
		seal, _ := content.ParseSeal(text) // parsed when it was read
		f := sealFinding(n, "unsigned", "the line was added in a commit that no trusted signer signed, so it does not count", "take it out, and have a trusted signer add it in a signed commit: `git commit -S`")
		f.Severity, f.Tag = content.Warning, seal.Tag
		found = append(found, f)
	}
	return found
}
