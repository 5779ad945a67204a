package site

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/document"
	"rulestore/server/page"
)

// Preview returns the author's view of a path at which programs get another resource or none:
// the page of a file that cannot be served. It is nil if there is no such file.
func (s *Site) Preview(path string) *Resource { return s.previews[path] }

// readManuscripts finds the manuscript of each item.
func (s *Site) readManuscripts() map[string]*content.Manuscript {
	all := map[string]*content.Manuscript{}
	for _, m := range s.Snapshot.Manuscripts {
		if m.Kind != nil {
			all[m.Item()] = m
		}
	}
	return all
}

// manuscriptOf returns the manuscript with the text of a version, nil if there is none. Remarks
// about a deleted file are shown with the current version.
func (s *Site) manuscriptOf(item *content.Item, e *content.Entry) *content.Manuscript {
	m := s.manuscripts[item.ID()]
	switch {
	case m == nil:
		return nil
	case m.Blob == "" && e == item.Current:
		return m
	case m.Blob == "" || textOf(item, m) != e:
		return nil
	}
	return m
}

// textOf returns the highest version with the text of a manuscript, nil if there is none.
func textOf(item *content.Item, m *content.Manuscript) *content.Entry {
	i := slices.IndexFunc(item.Entries, func(e *content.Entry) bool { return e.Blob == m.Blob })
	if i < 0 {
		return nil
	}
	return item.Entries[i]
}

// addPreviews adds pages for the manuscripts whose text no version has.
func (s *Site) addPreviews() {
	s.previews = map[string]*Resource{}
	for _, m := range s.manuscripts {
		item := s.Snapshot.Item(m.Kind, m.Name)
		if item != nil && (textOf(item, m) != nil || m.Blob == "" && item.Current != nil) {
			continue
		}
		s.previews[m.Kind.ItemPath(m.Name)] = PageOnly(func(s *Site) page.Page { return s.manuscriptPage(item, m) })
	}
}

// manuscriptPage makes the page of a file that cannot be served; item is nil if no version of it
// is.
func (s *Site) manuscriptPage(item *content.Item, m *content.Manuscript) page.Page {
	schema, frame := s.config.schemaOf(m), s.frame
	p := page.Item{
		Head: page.Head{
			Title: cmp.Or(m.Body.Text("title"), m.Name), Path: frame.Root + m.Kind.ItemPath(m.Name),
			Crumbs: kindCrumbs(frame, m.Kind),
		},
		Kind: m.Kind.Title, ID: cmp.Or(m.Body.Text(m.Kind.ID), m.Name),
		Status: page.Status{Code: "error", Title: "черновик с ошибками"},
		Notice: notServed(frame, item),
	}
	if schema != nil {
		p.Kind = schema.Title
	}
	if item != nil {
		p.Versions, p.History = s.history(item, nil), frame.Root+m.Kind.ItemPath(m.Name)+"/versions"
	}
	p.Remarks = remarks(m)
	if m.Body == nil {
		p.Source = source(m)
		return p
	}
	drawing := s.drawing(nil, true)
	drawing.Remarks = p.Remarks
	p.Document = page.Draw(document.Read(m.Body, schema), drawing)
	return p
}

// schemaOf describes the format of a manuscript, the newest if it names an unknown one; nil if its
// files have no format.
func (c Config) schemaOf(m *content.Manuscript) *content.Field {
	if format := c.formatOf(m.Kind, m.Name, m.Body.Text(m.Kind.Format)); format != nil {
		return format.Root()
	}
	return nil
}

// notServed tells what readers get in place of the file.
func notServed(frame *page.Frame, item *content.Item) *page.Notice {
	if item == nil || item.Current == nil {
		return &page.Notice{
			Text: "Этот файл нельзя отдать: исправьте ошибки. Пока читатели не получают по этому адресу ничего.",
		}
	}
	e := item.Current
	return &page.Notice{
		Text:  "Этот файл нельзя отдать: исправьте ошибки. Пока читатели получают прежний текст:",
		Links: []page.Link{{Title: "версия " + e.Version.String(), Href: frame.Root + e.Path()}},
	}
}

// source is the passage of a file that cannot be parsed.
func source(m *content.Manuscript) *page.Source {
	if len(m.Passage.Lines) == 0 {
		return nil
	}
	s := &page.Source{Path: m.Path}
	for i, text := range m.Passage.Lines {
		n := m.Passage.First + i
		broken := slices.ContainsFunc(m.Remarks, func(r content.Remark) bool { return r.Line == n })
		s.Lines = append(s.Lines, page.SourceLine{Number: n, Text: text, Broken: broken})
	}
	return s
}

// remarks are the remarks of a manuscript for its page; m may be nil.
func remarks(m *content.Manuscript) (all []page.Remark) {
	if m == nil {
		return nil
	}
	for i, r := range m.Remarks {
		all = append(
			all, page.Remark{Finding: finding(r), ID: "f-" + strconv.Itoa(i+1), Line: r.Line, Pointer: r.Pointer},
		)
	}
	return all
}

// finding is a finding for a page.
func finding(r content.Remark) page.Finding {
	f := page.Finding{Severity: string(r.Severity), Place: r.Path}
	f.Message, f.Hint = check.Russian(r.Finding)
	f.Hint = strings.TrimSpace(f.Hint + " " + onField(r.About))
	if r.Line > 0 {
		f.Place = fmt.Sprintf("%s:%d:%d", r.Path, r.Line, r.Column)
	}
	if r.Excerpt != (content.Excerpt{}) {
		f.Excerpt = &page.Excerpt{Line: r.Line, Text: r.Excerpt.Text, Caret: r.Excerpt.Caret}
	}
	return f
}

// onField describes the field that a finding is about.
func onField(a content.About) string {
	if a == (content.About{}) {
		return ""
	}
	text := fmt.Sprintf("%s, «%s»: %s", a.Field, a.Title, a.Description)
	if a.Example != "" {
		text += " Например: " + a.Example
	}
	return text
}

// addRowRemarks adds the remarks about records to their rows as far as a table has them. r and m
// may be nil.
func (r *records) addRowRemarks(t *page.Records, m *content.Manuscript, all []page.Remark) {
	if r == nil || m == nil {
		return
	}
	for i, about := range m.Remarks {
		if len(about.Pointer) < 2 || about.Pointer[0] != r.field.Name {
			continue
		}
		n, err := strconv.Atoi(about.Pointer[1])
		if err != nil || n >= len(r.all) {
			continue
		}
		id := anchor(r.code(r.all[n]))
		row := slices.IndexFunc(t.Rows, func(row page.Row) bool { return row.ID == id })
		if all[i].Placed = row >= 0; row >= 0 {
			t.Rows[row].Remarks = append(t.Rows[row].Remarks, all[i])
		}
	}
}

const (
	// maxManuscripts is the maximum number of files on the first page.
	maxManuscripts = 50
	// maxFindings is the maximum number of findings there of a file without a page.
	maxFindings = 10
)

// manuscriptList lists the files with remarks, those with errors first; left is the number of
// those omitted.
func (s *Site) manuscriptList() (all []page.Manuscript, left int) {
	for _, m := range s.Snapshot.Manuscripts {
		shown := page.Manuscript{Path: m.Path}
		if m.Kind != nil {
			shown.Href = s.frame.Root + m.Kind.ItemPath(m.Name)
		}
		for _, r := range m.Remarks {
			if r.Severity == content.Error {
				shown.Errors++
			} else {
				shown.Others++
			}
			if m.Kind == nil && len(shown.Findings) < maxFindings {
				shown.Findings = append(shown.Findings, finding(r))
			}
		}
		all = append(all, shown)
	}
	slices.SortStableFunc(all, func(a, b page.Manuscript) int { return min(b.Errors, 1) - min(a.Errors, 1) })
	left = max(0, len(all)-maxManuscripts)
	return all[:len(all)-left], left
}
