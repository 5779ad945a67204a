package loader

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// drafts is the part of stage 5 that is about files which no tag has published.
type drafts struct {
	*facts
	report *content.Report
}

// read returns unpublished content: files at the head of the branch, and in the work tree if
// it belongs to the branch, that differ from the highest publication of their item.
func (ds *drafts) read(publications []*content.Publication) (drafts []*content.Publication, err error) {
	highest := map[string]*content.Publication{}
	for _, p := range publications {
		if h := highest[p.Item()]; h == nil || h.Version.LessThan(p.Version) {
			highest[p.Item()] = p
		}
	}
	files := ds.draftFiles()
	twice := ambiguousDrafts(files)
	var size worktree.Size
	for _, f := range files {
		t, ok := worktree.ItemAt(f.Path)
		if !ok {
			continue
		}
		published := highest[t.Item()]
		if why, is := twice[t.Item()]; is {
			head, _ := ds.history.Commit(ds.refs.Commit)
			t.Version = f.version(published, head)
			if why[0].Path == f.Path { // it is refused once
				ds.report.Refuse(t.String(), why...)
			}
			continue
		}
		if published != nil && published.Blob == f.OID.String() {
			continue
		}
		draft, err := ds.draft(t, f, published, &size)
		if err != nil {
			return nil, err
		}
		if draft != nil {
			drafts = append(drafts, draft)
		}
	}
	return drafts, nil
}

// draftFile is a file that may be a draft.
type draftFile struct {
	git.File
	file  *worktree.File // nil if it is as in the commit
	dirty bool           // not committed
}

// draftFiles lists the files of the state that is served unpublished, by path. What is wrong with one that is
// not committed is reported.
func (ds *drafts) draftFiles() (files []draftFile) {
	for _, f := range ds.work.Same {
		files = append(files, draftFile{File: f})
	}
	for i := range ds.work.Files {
		f := &ds.work.Files[i]
		if !strings.Contains(f.Path, "/") && content.KindOf(f.Path) == nil {
			continue // a file of the root is read where it is valid
		}
		if ds.report.Add(f.Refusal...); len(f.Refusal) > 0 {
			continue
		}
		oid := git.BlobOID(f.Raw)
		at, _ := ds.history.At(ds.refs.Commit, f.Path)
		files = append(files, draftFile{git.File{Path: f.Path, Mode: git.Regular, OID: oid}, f, at.OID != oid})
	}
	slices.SortFunc(files, func(x, y draftFile) int { return strings.Compare(x.Path, y.Path) })
	return files
}

// ambiguousDrafts reports items that have no draft because they have several files, so that the
// draft is ambiguous.
func ambiguousDrafts(files []draftFile) map[string][]content.Finding {
	paths := make([]string, 0, len(files))
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	twice := map[string][]content.Finding{}
	for _, f := range worktree.InTwoPlaces(paths) {
		t, _ := worktree.ItemAt(f.Path)
		twice[t.Item()] = append(twice[t.Item()], f)
	}
	return twice
}

// draft returns a draft under its pseudo-version; nil, with a report, if it cannot be served: the
// item keeps its published versions.
func (ds *drafts) draft(
	t content.Tag, f draftFile, published *content.Publication, size *worktree.Size,
) (*content.Publication, error) {
	at, committed := ds.history.At(ds.refs.Commit, f.Path)
	if !committed {
		at.Changed, _ = ds.history.Commit(ds.refs.Commit)
	}
	t.Version = f.version(published, at.Changed)
	var it *itemFile
	var err error
	if f.file != nil {
		it = ds.cache.filesOf(t.Item()).keep(f.OID, ds.unparsed(t, f.file.Raw))
	} else {
		it, err = ds.itemFile(t, f.File)
	}
	if err == nil {
		err = size.Add(f.Path, it.size)
	}
	if err != nil {
		return nil, err
	}
	if r := it.parsed(); !r.OK() {
		ds.report.Refuse(t.String(), r.Findings...)
		return nil, nil
	}
	sum, err := it.checksum(t)
	if err != nil {
		ds.report.Refuse(t.String(), ds.noChecksum(f.Path, err))
		return nil, nil
	}
	var since git.OID
	if published != nil {
		since, _ = git.ParseOID(published.Commit)
	}
	commits := ds.history.Since(ds.refs.Commit, since, f.Path)
	for _, c := range commits {
		if !utf8.ValidString(content.ParseMessage(c.Message).Subject) {
			s := say("encoding", "commit", args{"commit": c.OID.String()[:12]})
			ds.report.Refuse(t.String(), finding(f.Path, s.Advise(say("encoding", "reword", args{"item": t.Item()}))))
			return nil, nil
		}
	}
	return &content.Publication{
		Kind: t.Kind, Name: t.Name, Version: t.Version, Draft: true,
		Text: it.text(), Checksum: sum,
		UpdatedAt:  at.Changed.Committed,
		ChangeNote: subjects(commits),
		Blob:       f.OID.String(),
	}, nil
}

// version names the draft: c is the last commit that changed the file.
func (f draftFile) version(published *content.Publication, c git.Commit) *semver.Version {
	var after *semver.Version
	if published != nil {
		after = published.Version
	}
	return content.DraftVersion(after, c.OID.String(), c.Committed, f.dirty)
}
