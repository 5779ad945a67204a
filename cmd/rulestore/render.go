package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/i18n"
)

// formats are the forms in which findings are printed.
var formats = []string{"text", "json", "sarif", "github"}

// checked is what a command found in content.
type checked struct {
	Findings []content.Finding
	Files    int               // number of files read
	Unseen   []unchecked       // what could not be checked, with the reasons
	raw      map[string][]byte // the files, for excerpts
}

// outcome is what a command has to say: what it found, and what stands beside that.
type outcome struct {
	checked
	text     func(page)                       // for people, after the findings
	notes    []remark                         // for a host that annotates changes
	document func(findings []jsonFinding) any // for programs: all of it
}

// print prints a result in a form. What could not be checked is told people, whatever the form.
func (e *env) print(format string, r outcome) error {
	p := page{e, e.colours(), bufio.NewWriter(e.stdout)}
	if format == "text" {
		for _, f := range r.Findings {
			p.finding(r.checked, f)
		}
		r.text(p)
	} else {
		p.w = bufio.NewWriter(e.stderr)
	}
	for _, u := range r.Unseen {
		p.line("not seen: %s", u.in(e.printer))
	}
	if err := p.w.Flush(); err != nil {
		return err
	}
	switch format {
	case "json":
		return writeJSON(e.stdout, r.document(r.json()))
	case "sarif":
		return writeJSON(e.stdout, r.sarif())
	case "github":
		return r.github(e.stdout, r.notes)
	}
	return nil
}

func (r checked) count(s content.Severity) int {
	report := content.Report{Findings: r.Findings}
	return report.Count(s)
}

// totals counts the findings.
func (r checked) totals() i18n.Text {
	counts := []any{i18n.Count{N: r.count(content.Error), Noun: "error"}}
	if n := r.count(content.Warning); n > 0 {
		counts = append(counts, i18n.Count{N: n, Noun: "warning"})
	}
	if n := r.count(content.Note); n > 0 {
		counts = append(counts, i18n.Count{N: n, Noun: "note"})
	}
	return i18n.New("%s in %s", i18n.Join(", ", counts...), i18n.Count{N: r.Files, Noun: "file"})
}

// unchecked is something that could not be checked, with the first line of the reason.
type unchecked struct{ i18n.Text }

func (u unchecked) in(p *i18n.Printer) string {
	line, _, _ := strings.Cut(p.Sprint(u.Text), "\n")
	return line
}

// MarshalText writes it into JSON, in English.
func (u unchecked) MarshalText() ([]byte, error) { return []byte(u.in(nil)), nil }

// advice is the hint of a finding and the description of its field: its content and an example.
func advice(p *i18n.Printer, f content.Finding) (lines []string) {
	if f.Hint != "" {
		lines = append(lines, f.Hint)
	}
	if a := f.About; a != (content.About{}) {
		lines = append(lines, fmt.Sprintf("%s, «%s»: %s", a.Field, a.Title, a.Description))
		if a.Example != "" {
			lines = append(lines, p.Sprintf("example: %s", a.Example))
		}
	}
	for i, line := range lines {
		lines[i] = content.Printable(line)
	}
	return lines
}

// location names where a finding is, as compilers do.
func location(f content.Finding) string {
	where := f.Path
	if f.Tag != "" {
		where = strings.TrimSuffix(f.Tag+": "+f.Path, ": ")
	}
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d:%d", where, f.Line, f.Column)
	}
	return where
}

// excerpt cuts the line of a finding from its file.
func (r checked) excerpt(f content.Finding) (content.Excerpt, bool) {
	raw, ok := r.raw[f.Path]
	if !ok {
		return content.Excerpt{}, false
	}
	return content.ExcerptAt(raw, f.Line, f.Column)
}

// jsonFinding is a finding with the line that it is about.
type jsonFinding struct {
	content.Finding
	Snippet string `json:"snippet,omitempty"`
}

func (r checked) json() []jsonFinding {
	findings := make([]jsonFinding, len(r.Findings))
	for i, f := range r.Findings {
		e, _ := r.excerpt(f)
		findings[i] = jsonFinding{Finding: f, Snippet: e.Text}
	}
	return findings
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

// object is an object of JSON whose form another standard says.
type object map[string]any

// sarif is the findings for programs that collect those of many tools: the parts of SARIF 2.1.0 (OASIS) that a
// checker of files needs. Its levels have the names of our severities.
func (r checked) sarif() object {
	text := func(s string) object { return object{"text": s} }
	rules, index, results := []object{}, map[string]int{}, []object{}
	for i, rule := range check.Rules() {
		index[rule.ID] = i
		rules = append(rules, object{
			"id": rule.ID, "shortDescription": text(rule.Summary), "help": text(rule.Text),
			"defaultConfiguration": object{"level": rule.Severity},
		})
	}
	for _, f := range r.Findings {
		uri := url.URL{Path: f.Path}
		at := object{"artifactLocation": object{"uri": uri.EscapedPath(), "uriBaseId": "%SRCROOT%"}}
		if f.Line > 0 {
			region := object{"startLine": f.Line, "startColumn": max(f.Column, 1)}
			if e, ok := r.excerpt(f); ok {
				region["snippet"] = text(e.Text)
			}
			at["region"] = region
		}
		results = append(results, object{
			"ruleId": f.Rule, "ruleIndex": index[f.Rule], "level": f.Severity,
			"message":   text(strings.Join(append([]string{f.Message}, advice(nil, f)...), "\n")),
			"locations": []object{{"physicalLocation": at}},
		})
	}
	driver := object{"name": "rulestore", "version": release, "rules": rules}
	return object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{{"tool": object{"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}},
	}
}

// remark is what a host shows at a line of a change.
type remark struct {
	level, path    string
	line, column   int
	title, message string
}

// githubLevels are the workflow commands that annotate a pull request.
var githubLevels = map[content.Severity]string{
	content.Error: "error", content.Warning: "warning", content.Note: "notice",
}

// github writes workflow commands, from which GitHub makes annotations:
// ::error file=…,line=…,col=…,title=…::message.
func (r checked) github(to io.Writer, notes []remark) error {
	w := bufio.NewWriter(underlying(to))
	all := make([]remark, 0, len(r.Findings)+len(notes))
	for _, f := range r.Findings {
		message := strings.Join(append([]string{content.Printable(f.Message)}, advice(nil, f)...), "\n")
		all = append(all, remark{githubLevels[f.Severity], f.Path, f.Line, f.Column, f.Rule, message})
	}
	for _, a := range append(all, notes...) {
		var properties []string
		add := func(name, value string) {
			properties = append(properties, name+"="+githubProperty.Replace(content.Printable(value)))
		}
		if a.path != "" {
			add("file", a.path)
		}
		if a.line > 0 {
			add("line", fmt.Sprint(a.line))
			add("col", fmt.Sprint(a.column))
		}
		add("title", a.title)
		fmt.Fprintf(w, "::%s %s::%s\n", a.level, strings.Join(properties, ","), githubData.Replace(a.message))
	}
	return w.Flush()
}

// What a workflow command escapes in its message and in its properties.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
