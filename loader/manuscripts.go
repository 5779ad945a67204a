package loader

import (
	"slices"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/loader/git"
)

// previewLines is the number of lines that a preview shows before and after the one that prevents
// parsing.
const previewLines = 5

// tryManuscripts calls manuscripts, if drafts are served, and recovers from a panic.
func (b *build) tryManuscripts(from candidates) (all []*content.Manuscript, err error) {
	if !b.Drafts || b.unreviewed {
		return nil, nil
	}
	if crashed := crash.Do(func() { all, err = b.manuscripts(from) }); crashed != nil {
		b.report.Add(b.crashFinding("", "reviewing the drafts", crashed))
		return nil, nil
	}
	return all, err
}

// manuscripts returns the files of the work tree that have findings, by the rules of validate;
// without a work tree, those at the head. They are checked against what was served before.
func (b *build) manuscripts(from candidates) ([]*content.Manuscript, error) {
	if err := b.work.read(b.repo); err != nil {
		return nil, err
	}
	t := b.work.tree(b.Config, b.cache.opened.open)
	for _, err := range t.Crashes {
		b.reportCrash(err)
	}
	t.check(b.seals, b.history, content.NewSnapshot(content.Input{Publications: from.hold(false, b.ahead).served}))
	t.Today = b.today
	t.Review(b.Schemas)
	t.Findings = append(t.Findings, b.unreportedHolds(t, from.publications)...)
	return t.manuscripts(), nil
}

// unreportedHolds lists the reasons why drafts are held that the review of their files has not
// reported: they may wait for an invalid file.
func (b *build) unreportedHolds(t *Tree, publications []*content.Publication) (found []content.Finding) {
	drafts := map[string]bool{}
	for _, p := range publications {
		drafts[p.Tag()] = p.Draft
	}
	for _, f := range b.report.Findings {
		said := func(g content.Finding) bool { return g.Path == f.Path && g.Rule == f.Rule && g.Line == f.Line }
		if drafts[f.Tag] && slices.Contains(b.report.Held, f.Tag) && !slices.ContainsFunc(t.Findings, said) {
			f.Tag = ""
			found = append(found, f)
		}
	}
	return found
}

// manuscripts groups the findings of a tree by file, in the order of the paths.
func (t *Tree) manuscripts() (all []*content.Manuscript) {
	files := make(map[string]check.File, len(t.Items))
	for _, f := range t.Items {
		files[f.Path()] = f
	}
	report := content.Report{Findings: t.Findings}
	report.Sort()
	for _, f := range report.Findings {
		if len(all) == 0 || all[len(all)-1].Path != f.Path {
			all = append(all, t.manuscript(f, files[f.Path]))
		}
		m := all[len(all)-1]
		m.Remarks = append(m.Remarks, t.remark(f, files[f.Path]))
	}
	return all
}

// manuscript describes the file of a finding; own is zero if it is not an item's.
func (t *Tree) manuscript(f content.Finding, own check.File) *content.Manuscript {
	m := &content.Manuscript{Path: f.Path, Kind: own.Kind, Name: own.Name, Body: own.Body}
	if tag, ok := itemAt(f.Path); ok && m.Kind == nil { // there is no file, or none that can be opened
		m.Kind, m.Name = tag.Kind, tag.Name
	}
	if raw, ok := t.Raw[f.Path]; ok {
		m.Blob = git.BlobOID(raw).String()
		if m.Body == nil && f.Line > 0 {
			m.Passage = content.PassageAt(raw, f.Line, previewLines)
		}
	}
	return m
}

func (t *Tree) remark(f content.Finding, own check.File) content.Remark {
	r := content.Remark{Finding: f}
	if f.Line > 0 {
		r.Pointer = own.Pointer(f.Line, f.Column)
		r.Excerpt, _ = content.ExcerptAt(t.Raw[f.Path], f.Line, f.Column)
	}
	return r
}

// fileKey is the content of a file of an item.
type fileKey struct {
	kind *content.Kind
	name string
	blob git.OID
}

// openedFiles caches the files that a preview checked, so that the next load checks only those
// saved since.
type openedFiles struct {
	Config
	known memo[fileKey, check.File]
}

// open checks the file of an item, unless it is cached. It is safe for concurrent use.
func (o *openedFiles) open(t content.Tag, raw []byte) check.File {
	key := fileKey{t.Kind, t.Name, git.BlobOID(raw)}
	if f, ok := o.known.get(key); ok {
		return f
	}
	return o.known.keep(key, o.openItemFile(t, raw))
}
