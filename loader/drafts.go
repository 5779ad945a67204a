package loader

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// draft adds what no tag has published: files at the head of the branch, and in
// the work tree if it belongs to the branch, that differ from the highest
// publication of their item.
func (b *build) draft() error {
	highest := map[string]*content.Publication{}
	for _, p := range b.publications {
		if h := highest[p.Item()]; h == nil || h.Version.LessThan(p.Version) {
			highest[p.Item()] = p
		}
	}
	files := map[string]draftFile{}
	for _, f := range b.history.Paths(b.refs.Commit) {
		files[f.Path] = draftFile{File: f}
	}
	b.overlay(files)
	var size together
	for _, f := range sortedDrafts(files) {
		t, ok := itemFile(f.Path)
		if !ok {
			continue
		}
		published := highest[t.Item()]
		if published != nil && published.Blob == f.OID.String() {
			continue
		}
		if err := b.addDraft(t, f, published, &size); err != nil {
			return err
		}
	}
	return nil
}

// draftFile is a file that may be a draft.
type draftFile struct {
	gitrepo.File
	dirty bool // not committed
	raw   []byte
}

func sortedDrafts(files map[string]draftFile) []draftFile {
	var all []draftFile
	for _, f := range files {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b draftFile) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

// itemFile says which item a path holds.
func itemFile(path string) (content.Tag, bool) {
	folder, rest, _ := strings.Cut(path, "/")
	name, yaml := strings.CutSuffix(rest, ".yaml")
	kind := content.KindOf(folder)
	return content.Tag{Kind: kind, Name: name}, kind != nil && yaml && kind.ValidName(name)
}

// addDraft adds a draft under its pseudo-version, or reports why it cannot be
// served; then the item keeps what is published of it.
func (b *build) addDraft(t content.Tag, f draftFile, published *content.Publication, size *together) error {
	at, committed := b.history.At(b.refs.Commit, f.Path)
	if !committed {
		at.Changed, _ = b.history.Commit(b.refs.Commit)
	}
	t.Version = pseudoVersion(published, at.Changed, f.dirty)
	it, err := b.draftItem(t, f)
	if err == nil {
		err = size.add(f.Path, it.size)
	}
	if err != nil {
		return err
	}
	if r := it.open(); !r.OK() {
		b.report.Refuse(t.String(), r.Findings...)
		return nil
	}
	sum, err := it.checksum(t)
	if err != nil {
		b.report.Refuse(t.String(), b.noChecksum(f.Path, err))
		return nil
	}
	var since gitrepo.OID
	if published != nil {
		since, _ = gitrepo.ParseOID(published.Commit)
	}
	b.publications = append(b.publications, &content.Publication{
		Kind: t.Kind, Name: t.Name, Version: t.Version, Draft: true,
		Text: it.text(), Checksum: sum,
		UpdatedAt:  at.Changed.Committed,
		ChangeNote: subjects(b.history.Since(b.refs.Commit, since, f.Path)),
		Blob:       f.OID.String(),
	})
	return nil
}

func (b *build) draftItem(t content.Tag, f draftFile) (*item, error) {
	if !f.dirty {
		return b.item(t, f.File)
	}
	return openItem(t, b.opened.open(t, f.raw).Result, len(f.raw)), nil
}

// pseudoVersion names a draft as the Go command names an untagged commit: after
// v1.2.0 comes 1.2.1-0.20261120112100-abcdef123456, after v1.3.0-rc.1 comes
// 1.3.0-rc.1.0.20261120112100-abcdef123456, and before any tag
// 0.0.0-20261120112100-abcdef123456. The commit is the last that changed the
// file; .dirty says that the work tree differs from it.
func pseudoVersion(published *content.Publication, c gitrepo.Commit, dirty bool) *semver.Version {
	stamp := c.Committed.UTC().Format("20060102150405") + "-" + c.OID.String()[:12]
	if dirty {
		stamp += ".dirty"
	}
	major, minor, patch, pre := uint64(0), uint64(0), uint64(0), stamp
	if published != nil {
		v := published.Version
		major, minor, patch, pre = v.Major(), v.Minor(), v.Patch()+1, "0."+stamp
		if v.Prerelease() != "" {
			patch, pre = v.Patch(), v.Prerelease()+".0."+stamp
		}
	}
	return semver.New(major, minor, patch, pre, "")
}

var draftTag = regexp.MustCompile(`^[^/]+/.*[.-]\d{14}-[0-9a-f]{12}(\.dirty)?$`)

// IsDraft says whether a tag that a report names is none, but the pseudo-version of
// a draft.
func IsDraft(tag string) bool { return draftTag.MatchString(tag) }

// overlay lays the work tree, if there is one, over the files of the head.
func (b *build) overlay(files map[string]draftFile) {
	if b.work == nil {
		return
	}
	for _, f := range b.work.files {
		if !strings.Contains(f.path, "/") && content.KindOf(f.path) == nil {
			continue // a file of the root is read where it is valid
		}
		if b.report.Add(f.refusal...); len(f.refusal) > 0 {
			continue
		}
		oid := gitrepo.BlobOID(f.raw)
		if committed, ok := files[f.path]; !ok || committed.OID != oid {
			files[f.path] = draftFile{File: gitrepo.File{Path: f.path, Mode: gitrepo.Regular, OID: oid}, dirty: true, raw: f.raw}
		}
	}
}

// future is the finding about a date that has not come yet.
func future(date time.Time) content.Finding {
	return warning("", "future", "the date of publication is in the future: "+date.Format(time.RFC3339), "it is served from that day on; if the clock was wrong, make the tag again")
}
