package loader

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// listed is what a load starts from, and the state of the refs that it loads: stage 1.
type listed struct {
	Config
	options
	cache *cache
	repo  *git.Repo
	now   time.Time
	today string // in the time zone of the last load's settings

	refs  git.Refs
	hash  string            // of the refs
	work  *worktree.Content // of the branch, else its commit; nil without drafts
	dirty string            // hash of the work tree
}

// list reads the refs and everything else that determines the state.
func (l *Loader) list(repo *git.Repo, o options) (ls *listed, err error) {
	ls = &listed{Config: l.Config, options: o, cache: l.cache, repo: repo, now: l.Now().UTC()}
	ls.Proven = l.Proven && !o.complete
	ls.today = ls.now.In(l.state.settings.Zone()).Format(content.Date)
	if ls.refs, err = repo.RefsOf(l.Branch, mayPublish); err != nil {
		return nil, err
	}
	ls.hash = ls.refs.Hash()
	if !l.Drafts {
		return ls, nil
	}
	if l.Source.WorkTree() == "" || !ls.refs.Head {
		ls.work, err = worktree.OfCommit(repo, ls.refs.Commit)
		return ls, err
	}
	if ls.work, err = l.workTree(repo, l.Source.WorkTree()).Read(repo); err != nil {
		return nil, i18n.Errorf("read the work tree: %w", err)
	}
	ls.dirty = ls.work.Hash()
	return ls, nil
}

// state identifies the state that is loaded, with the day.
func (ls *listed) state(today string) string {
	return strings.TrimSpace(ls.hash + " " + today + " " + ls.dirty)
}

// ref is a tag with the facts that depend on the tag alone: an unchanged ref is not read again.
type ref struct {
	content.Tag // without a kind it is a product release
	name        string
	oid         git.OID // zero if there is only a seal
	tag         git.Tag
	merged      *git.History // that has the commit, see [ref.isMerged]

	// Why it publishes nothing. Of tags with wrong names there may be very many, so nothing else is kept of them.
	misnamed bool
	refused  *content.Finding // the object is no commit, or damaged

	// With trusted signers.
	signature *content.Signature // the signer of the tag, or of its commit
	unsigned  *content.Finding   // why the signature does not count
	undated   bool               // the commit is not signed: its date does not count
}

// newRef parses the name of a tag.
func newRef(name string) (*ref, error) {
	t, err := content.ParseTag(name)
	return &ref{Tag: t, name: name}, err
}

// item returns folder and name of the item. Neither it nor the path is kept: there may be very many tags.
func (r *ref) item() string { return itemName(r.name) }

// filePath returns the path of the file that the tag publishes.
func (r *ref) filePath() string { return r.Kind.File(r.Name) }

// itemName returns folder and name of a tag's item.
func itemName(tag string) string { return tag[:max(0, strings.LastIndexByte(tag, '/'))] }

// tagged reports whether there is a tag, and not only a seal.
func (r *ref) tagged() bool { return !r.oid.IsZero() }

// readTags resolves the tags to their commits. It returns them by name. An invalid tag is refused; a foreign one is
// ignored.
func (ls *listed) readTags() (tags []*ref, err error) {
	before := ls.cache.tags // by name, too
	tags = make([]*ref, 0, len(ls.refs.Tags))
	var added []*ref
	var ids []git.OID
	for _, t := range ls.refs.Tags {
		for len(before) > 0 && before[0].name < t.Name {
			before = before[1:]
		}
		if len(before) > 0 && before[0].name == t.Name && before[0].oid == t.OID && !before[0].damaged() {
			tags = append(tags, before[0])
			continue
		}
		r := newTag(t)
		if tags = append(tags, r); r.isSound() {
			added, ids = append(added, r), append(ids, r.oid)
		}
	}
	ls.repo.Ahead(ids)
	for _, r := range added {
		if err := ls.tryTag(r); err != nil {
			return nil, err
		}
	}
	ls.cache.tags = tags
	return tags, nil
}

// damaged reports whether the content of the tag is unknown.
func (r *ref) damaged() bool { return r.refused != nil && r.refused.Rule == "damaged" }

// isSound reports whether the tag publishes something, as far as it is known.
func (r *ref) isSound() bool { return !r.misnamed && r.refused == nil }

// isMerged reports whether the branch has the commit of the tag: what a history has, it has as long as it grows.
func (r *ref) isMerged(h *git.History) bool {
	if r.merged != h {
		r.merged = nil
		if h.Contains(r.tag.Commit) {
			r.merged = h
		}
	}
	return r.merged != nil
}

// newTag returns a tag that is not read yet; it will not be if it is not sound.
func newTag(t git.Ref) *ref {
	r, err := newRef(t.Name)
	if r.oid = t.OID; err != nil {
		return &ref{name: t.Name, oid: t.OID, misnamed: true}
	}
	if t.OID.IsZero() {
		r.refused = new(finding("", say("damaged", "ref", args{"tag": t.Name}).Advise(say("damaged", "file", nil))))
	}
	return r
}

// tryTag reads a tag, and recovers from a panic.
func (ls *listed) tryTag(r *ref) (err error) {
	if crashed := crash.Do(func() { err = ls.readTag(r) }); crashed != nil {
		*r = ref{name: r.name, oid: r.oid, refused: new(ls.crashFinding("", "reading the tag", crashed))}
	}
	return err
}

func (ls *listed) readTag(r *ref) error {
	tag, err := ls.repo.Tag(r.oid)
	switch {
	case errors.Is(err, git.ErrNotCommit):
		r.refused = new(finding("", say("tag", "other", args{"problem": err}).Advise(say("tag", "commit", nil))))
		return nil
	case err == nil && ls.Signers != nil:
		err = ls.verifyTag(r, tag)
	case err == nil:
		r.tag = tag
	}
	if git.IsDamaged(err) {
		r.refused = new(worktree.Damaged("", err))
		return nil
	}
	return err
}

// refusedTag returns the reason why a name is not that of a publishing tag.
func refusedTag(err error) content.Finding {
	s := say("tag", "other", args{"problem": err}).Advise(say("tag", "again", nil))
	if e, ok := errors.AsType[*content.TagError](err); ok {
		s = e.Text.Advise(say("tag", "again", nil))
		if e.Form != "" {
			s = e.Text.Advise(say("tag", "form", args{"form": e.Form}))
		}
	}
	return finding("", s)
}

// publishedAt is the tagger's time, or the commit's for a lightweight tag, and never
// before the commit's, if that counts.
func (r *ref) publishedAt(c git.Commit) time.Time {
	if r.tag.Annotated && (r.undated || r.tag.Tagged.After(c.Committed)) {
		return r.tag.Tagged
	}
	return c.Committed
}

func (fs *facts) notMerged(path string, commit git.OID) content.Finding {
	return finding(path, say("not-merged", "commit", args{"commit": commit.String()[:12], "branch": fs.refs.Branch}))
}

// refNamed returns the valid tag with a name, of tags by name; nil if there is none.
func refNamed(tags []*ref, name string) *ref {
	i, ok := slices.BinarySearchFunc(
		tags, name, func(r *ref, name string) int { return strings.Compare(r.name, name) },
	)
	if !ok || !tags[i].isSound() {
		return nil
	}
	return tags[i]
}

// mayPublish reports whether a tag is looked at: it is a version of the product, or begins with the folder of a kind.
// Of others there may be hundreds of thousands, and every look at the repository lists them.
func mayPublish(name string) bool {
	folder, _, nested := strings.Cut(name, "/")
	if !nested {
		return len(name) > 1 && name[0] == 'v' && '0' <= name[1] && name[1] <= '9'
	}
	return content.KindOf(folder) != nil
}

// maxMisnamed is the maximum number of findings about tags with wrong names, since somebody else's may be many.
const maxMisnamed = 20

// reportMisnamed refuses tags whose names are wrong.
func (fs *facts) reportMisnamed(report *content.Report, tags []*ref) {
	for i, r := range tags {
		var found []content.Finding
		if i < maxMisnamed {
			_, err := content.ParseTag(r.name)
			found = append(found, refusedTag(err))
		}
		fs.refuse(report, r.name, found...)
	}
	if more := len(tags) - maxMisnamed; more > 0 {
		report.Add(warning("", say("tag", "more", args{"more": more})))
	}
}

// safeRef matches names that need no quoting in a shell.
var safeRef = regexp.MustCompile(`^[A-Za-z0-9:][A-Za-z0-9._/:-]*$`)

// quotedRef quotes the name of a ref for a shell, since names are untrusted.
func quotedRef(name string) string {
	if safeRef.MatchString(name) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
