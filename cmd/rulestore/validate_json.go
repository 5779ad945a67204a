package main

import (
	"encoding/json"
	"io"

	"rulestore/content"
)

// jsonFinding is a finding with the line that it is about.
type jsonFinding struct {
	content.Finding
	Snippet string `json:"snippet,omitempty"`
	Schema  string `json:"schema,omitempty"` // the file that has the format of the field
}

// printJSON writes the result for a program.
func (v *validation) printJSON() error {
	r := v.result
	findings := make([]jsonFinding, len(r.Findings))
	for i, f := range r.Findings {
		e, _ := r.excerpt(f)
		findings[i] = jsonFinding{Finding: f, Snippet: e.Text}
		if r.hasSchemas && f.About != (content.About{}) {
			findings[i].Schema = schemaFile(f.About.Format)
		}
	}
	return writeJSON(v.stdout, struct {
		Folder   string        `json:"folder,omitempty"` // of the repository, in which the paths are
		Findings []jsonFinding `json:"findings"`
		Files    int           `json:"files"`
		Errors   int           `json:"errors"`
		Warnings int           `json:"warnings"`
		Notes    int           `json:"notes"`
		Unseen   []unchecked   `json:"unseen"`
		Change   *comparison   `json:"change,omitempty"`
	}{
		r.folder, findings, r.Files, r.count(content.Error), r.count(content.Warning), r.count(content.Note),
		list(r.Unseen), r.Change,
	})
}

// writeJSON writes a value as indented JSON.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// list makes no elements an empty list in JSON.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
