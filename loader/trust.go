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

// vouch finds who signed a tag or, if nobody trusted did, the commit that it
// points to; what is then said in the tag alone is not believed, as if it were
// lightweight. The finding says why nobody vouches for it.
func (b *build) vouch(name string, ref gitrepo.OID, tag gitrepo.Tag) (gitrepo.Tag, *content.Signature, *content.Finding, error) {
	if b.Signers == nil {
		return tag, nil, nil, nil
	}
	why := "it is lightweight, which nobody can sign"
	if tag.Annotated {
		v, err := b.judge(ref)
		switch {
		case err != nil:
			return tag, nil, nil, err
		case v.err == nil && v.tag == name:
			return tag, &v.by, nil, nil
		case v.err == nil: // else an old tag could be passed off as a new one
			v.err = fmt.Errorf("it was signed as %q", v.tag)
		}
		why = v.err.Error()
	}
	tag = gitrepo.Tag{Commit: tag.Commit}
	v, err := b.judge(tag.Commit)
	switch {
	case err != nil:
		return tag, nil, nil, err
	case v.err == nil:
		return tag, &v.by, nil, nil
	}
	f := finding("", "unsigned", fmt.Sprintf("neither the tag nor the commit %s is signed by a trusted signer; the tag: %s; the commit: %s", tag.Commit.String()[:12], why, v.err),
		"have a trusted signer make the tag with `git tag -s`, or seal the publication in a signed commit")
	return tag, nil, &f, nil
}

// vouchSeals says, of lines of rulestore.sum that are new in a state of the
// branch, who signed a commit that added them: the one that brought them to the
// branch, a merge for instance, or one beside it. Dates play no part in that,
// anybody can choose those.
func (b *build) vouchSeals(at span, lines []string) (map[string]content.Signature, error) {
	commits := b.history.Since(at.until, at.after, content.SealsFile)
	if on, ok := b.history.Commit(at.on); ok {
		on.Parents = on.Parents[:min(len(on.Parents), 1)] // to the branch, it adds what beside it may be old
		commits = append(commits, on)
	}
	vouched := map[string]content.Signature{}
	for _, c := range commits {
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
				vouched[line] = v.by
			}
		}
	}
	return vouched, nil
}

// added returns the lines that a commit's rulestore.sum has and those of its
// parents have not.
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
		if raw, err = b.sealsAt(parent); err != nil {
			return nil, err
		}
		for _, text := range numbered(raw) {
			delete(added, text)
		}
	}
	return added, nil
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
