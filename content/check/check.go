// Package check has the rules for content: it turns the bytes of a file into an item and
// findings, each with its line, its reason and the remedy. The loader and the commands
// for authors use the same rules.
//
// A file is checked in three stages. [Parse] reads YAML as strictly as JSON: no
// anchors, no duplicate keys, no scalar that two parsers could interpret
// differently, no number that two programs could print differently. [Item]
// then checks it against the format that the file names, against the name of
// the file, and against what no schema can express: a value fits its type and unit,
// periods follow each other without overlap, steps are numbered in order, no character is
// invisible or changes the text direction, no name has letters that only look Latin. All findings
// of a stage are reported together; a file that fails one stage does not reach the next. Fields
// with names that the service derives are removed first and reported.
//
// Content that was sealed before a rule came into force is still served
// ([Checked.Outlives]). So a rule that is added or made stricter is a new rule
// with its day in its file; it belongs after the second stage, as content that was not checked
// against its format is never served.
//
// A finding about a field includes the field's description in its format, with an example
// ([content.About]).
//
// For authors there is more: [Review] checks all files together for problems that no single
// file shows, [Style] reports leftovers of editing, [Fix] fixes what is mechanical, and
// [Rules] explains every rule with an example that violates it and one that conforms.
// For editors, [File.Names] lists the names that a file uses.
//
// # A new rule
//
// A finding is a rule and its arguments. A new rule takes a file and a call. The file is
// rules/<id>.txtar: the severity, the reason for the rule, examples, and the messages and hints
// of its findings, by key, in English and in Russian:
//
//	error, since 2027-01-31: two steps have one title
//
//	People tell steps apart by their titles. Give each a title of its own.
//	-- ru --
//	у двух шагов один заголовок
//
//	Люди различают шаги по заголовкам. Дайте каждому свой.
//	-- messages --
//	title
//		step {step} has the title "{title}" of step {other}
//		у шага {step} заголовок «{title}», как у шага {other}
//	-- hints --
//	title
//		give it a title of its own
//		Дайте ему свой заголовок.
//	-- bad/instructions/test.yaml --
//	…
//
// The call names the rule, the key of the message, and its arguments:
//
//	d.finding(at, say("step-title", "title", args{"step": 3, "title": title, "other": 1}))
//
// The hint with the same key is added to the message, with the same arguments; [content.RuleText]
// can be given other hints, and a suggestion. In quotes an argument is
// escaped, {days|day|days} is the form of the word for a number ({days|день|дня|дней} in
// Russian), and a [content.Word] is a word of shared.txt, which has it in both
// languages. Tests check each call against the files. [Find] makes the English finding for
// programs and keeps its arguments; [Text], [Told] and [Russian] write it in the language
// of a person.
package check

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"rulestore/content"
)

// Checked is the result of [Item] for a file.
type Checked struct {
	Body       content.Object // the author's content, in the order of the schema; nil if the file cannot be parsed
	References []content.Reference
	Findings   []content.Finding

	checked bool     // the format that the file names is known, and the file was checked against it
	broken  []string // the rules with an error, including those of findings that were left out
}

// OK reports whether the content may be served.
func (r Checked) OK() bool {
	return r.Body != nil &&
		!slices.ContainsFunc(r.Findings, func(f content.Finding) bool { return f.Severity == content.Error })
}

// Item checks the file of an item. The name is the one in its path.
func Item(schemas content.Schemas, k *content.Kind, name string, raw []byte) Checked {
	doc, findings := parse(k.File(name), raw, reserved(k))
	return doc.item(schemas, k, name, findings)
}

// Proven reads the file of an item of which a test has proved that [Item] finds nothing in it.
func Proven(schemas content.Schemas, k *content.Kind, name string, raw []byte) Checked {
	doc, findings := parse(k.File(name), raw, reserved(k))
	if doc == nil || len(findings) > 0 {
		return Checked{Findings: findings}
	}
	root := schemas.Schema(content.FormatsOf(schemas, k, name), doc.Body.Text(k.Format)).Root()
	return Checked{Body: ordered(doc.Body, root), References: doc.references(root), checked: true}
}

// item checks a parsed file with the findings of parsing; d is nil if it cannot be parsed.
func (d *Document) item(schemas content.Schemas, k *content.Kind, name string, findings []content.Finding) Checked {
	if d == nil {
		return Checked{Findings: findings}
	}
	r := Checked{Body: d.Body, Findings: findings}
	if len(findings) > 0 {
		return r
	}
	r.Findings = slices.Concat(d.dropped, d.identity(k, name))
	schema := d.format(schemas, content.FormatsOf(schemas, k, name), k.Format, &r.Findings)
	if schema == nil {
		return r
	}
	folder, version := content.FormatsOf(schemas, k, name), d.Body.Text(k.Format)
	format := folder + "/" + version
	r.Findings = append(r.Findings, d.violations(schemas, folder, version)...)
	r.Findings = append(r.Findings, withoutPlacesOf(d.semantics(schema.Root(), k), r.Findings)...)
	r.Body = ordered(d.Body, schema.Root())
	r.References = d.references(schema.Root())
	r.checked, r.broken = true, broken(r.Findings)
	r.Findings = Capped(d.withAbout(r.Findings, format, schema.Root()))
	return r
}

// Settings checks rulestore.yaml. The settings are nil if there are findings.
func Settings(schemas content.Schemas, raw []byte) (*content.Settings, []content.Finding) {
	s, findings := root[content.Settings](schemas, content.SettingsFile, raw)
	if s == nil {
		return nil, findings
	}
	if _, err := time.LoadLocation(s.TimeZone); err != nil || s.TimeZone == "Local" {
		doc, _ := Parse(content.SettingsFile, raw)
		return nil, []content.Finding{doc.finding(
			[]string{"time_zone"}, say("time-zone", "unknown", args{"zone": s.TimeZone}),
		)}
	}
	return s, nil
}

// Lifecycle checks lifecycle.yaml. The marks may be used only if there are no findings.
func Lifecycle(schemas content.Schemas, raw []byte) ([]content.Mark, []content.Finding) {
	l, findings := root[struct{ Marks []content.Mark }](schemas, content.LifecycleFile, raw)
	if l == nil {
		return nil, findings
	}
	return l.Marks, nil
}

// RootFormats returns the folder of the schemas for a root file of a repository, "" if it has
// none.
func RootFormats(path string) string {
	return map[string]string{content.SettingsFile: "rulestore", content.LifecycleFile: "lifecycle"}[path]
}

// root checks a root file of a repository.
func root[T any](schemas content.Schemas, path string, raw []byte) (*T, []content.Finding) {
	doc, findings := Parse(path, raw)
	if doc == nil || len(findings) > 0 {
		return nil, findings
	}
	folder := RootFormats(path)
	schema := doc.format(schemas, folder, "schema_version", &findings)
	if schema == nil {
		return nil, findings
	}
	if findings = doc.violations(schemas, folder, doc.Body.Text("schema_version")); len(findings) > 0 {
		return nil, Capped(findings)
	}
	v := new(T)
	if err := json.Unmarshal(doc.Body.AppendJSON(nil), v); err != nil {
		return nil, []content.Finding{doc.finding(nil, say("schema", "other", args{"problem": err}))}
	}
	return v, nil
}

// identity finds an id that differs from the file's name, where they must be equal.
func (d *Document) identity(k *content.Kind, name string) []content.Finding {
	id := d.Body.Text(k.ID)
	if !k.NameIsID || id == "" || id == name {
		return nil // a missing id is found by the schema
	}
	return []content.Finding{d.finding([]string{k.ID}, say("id", "file", args{"file": name, "id": id}))}
}

// format returns the schema that the document names, or adds a finding.
func (d *Document) format(schemas content.Schemas, folder, field string, findings *[]content.Finding) content.Schema {
	known := schemas.Formats(folder)
	schema := schemas.Schema(folder, d.Body.Text(field))
	if schema != nil {
		return schema
	}
	f := d.finding(
		[]string{field}, say("format", "unknown", args{"format": d.written(field), "formats": quoted(known)}),
	)
	if d.Body.Get(field) == nil {
		f = d.finding(nil, say("missing-field", "format", args{"field": field, "formats": quoted(known)}))
	}
	if len(known) > 0 {
		newest := known[len(known)-1]
		f.About = about(folder+"/"+newest, []string{field}, schemas.Schema(folder, newest).Root())
	}
	*findings = append(*findings, f)
	return nil
}

// quoted puts each text in quotes.
func quoted(texts []string) []string {
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = strconv.Quote(t)
	}
	return all
}

// violations checks the document against a released format.
func (d *Document) violations(schemas content.Schemas, folder, version string) (found []content.Finding) {
	schema := schemas.Schema(folder, version)
	for _, v := range schema.Validate(d.value) {
		if len(found) <= maxFindings || !breaks(found, v.Text.Rule) {
			v.Text = d.withNewer(schemas, folder, version, v)
			found = append(found, d.violation(v, folder+"/"+version, schema.Root()))
		}
	}
	return append(found, d.duplicates(schema.Root())...)
}

// withNewer is the text of a violation; of an unknown field or value it names the first of the later
// formats that has it.
func (d *Document) withNewer(schemas content.Schemas, folder, version string, v content.Violation) content.RuleText {
	formats := schemas.Formats(folder)
	for _, format := range formats[slices.Index(formats, version)+1:] {
		f := schemas.Schema(folder, format).Root().At(v.Pointer...)
		switch {
		case v.Text.Rule == "unknown-field" && f.Field(v.Key) != nil:
			return v.Text.Advise(say("unknown-field", "newer", args{"newer": strconv.Quote(format)}))
		case v.Text.Rule == "unknown-value" && slices.Contains(valuesOf(f), d.at(v.Pointer).Value):
			return v.Text.Advise(say("unknown-value", "newer", args{"newer": strconv.Quote(format)}))
		}
	}
	return v.Text
}

// violation is the finding of a violation, with the suggested correction and the description
// of the field.
func (d *Document) violation(v content.Violation, format string, root *content.Field) content.Finding {
	n, f := d.at(v.Pointer), content.Finding{}
	s := v.Text.Guess(d.suggest(v, root))
	switch {
	case v.Key != "":
		n = keyNode(n, v.Key)
		f = d.keyFinding(v.Pointer, v.Key, s)
	default:
		f = d.finding(v.Pointer, s)
	}
	switch s.Rule {
	case "wrong-form", "unknown-field":
		f = d.atLetter(f, n, nil)
	case "unknown-value":
		f = d.atLetter(f, n, valuesOf(root.At(v.Pointer...)))
	}
	f.About = d.aboutViolation(v, format, root)
	return f
}

// valuesOf lists the values of an enumeration.
func valuesOf(f *content.Field) []string {
	if f == nil {
		return nil
	}
	return f.Values
}

// semantics finds violations that no schema can express: values that their units exclude,
// periods and steps out of order, and deceptive characters.
func (d *Document) semantics(root *content.Field, k *content.Kind) []content.Finding {
	found := slices.Concat(
		d.hidden(), d.decomposed(), indents(d.Path, d.raw, math.MaxInt), d.names(root), d.steps(root), d.validity(root),
	)
	if k == content.Parameters {
		found = append(found, d.values()...)
		found = append(found, d.periods()...)
	}
	return found
}

// withoutPlacesOf removes findings at the places of others: a value of the wrong type or form
// would be reported several times.
func withoutPlacesOf(found, others []content.Finding) []content.Finding {
	type place struct{ line, column int }
	taken := map[place]bool{}
	for _, f := range others {
		taken[place{f.Line, f.Column}] = true
	}
	return slices.DeleteFunc(found, func(f content.Finding) bool { return taken[place{f.Line, f.Column}] })
}

// duplicates finds elements of an array that have the same code.
func (d *Document) duplicates(root *content.Field) (found []content.Finding) {
	walk(d.value, root, func(at []string, value any, f *content.Field) {
		list, _ := value.([]any)
		if f.Unique == "" {
			return
		}
		first := map[string]int{}
		for i, e := range list {
			object, _ := e.(map[string]any)
			code, ok := object[f.Unique].(string)
			if j, seen := first[code]; seen {
				found = append(found, d.finding(below(below(at, strconv.Itoa(i)), f.Unique), say(
					"duplicate", "code", args{"field": f.Unique, "code": code, "element": j + 1},
				)))
			} else if ok {
				first[code] = i
			}
		}
	})
	return found
}

// references lists the items that the document refers to.
func (d *Document) references(root *content.Field) (refs []content.Reference) {
	walk(d.value, root, func(at []string, value any, f *content.Field) {
		if name, ok := value.(string); ok && f.Reference != "" {
			line, column := d.position(at)
			refs = append(refs, content.Reference{Item: f.Names(name), Line: line, Column: column})
		}
	})
	return refs
}

// walk visits all values that a format describes, outermost first. The place of a value is valid
// during its visit.
func walk(value any, root *content.Field, visit func(at []string, value any, f *content.Field)) {
	var at []string
	var in func(value any, f *content.Field)
	step := func(name string, value any, f *content.Field) {
		at = append(at, name)
		in(value, f)
		at = at[:len(at)-1]
	}
	in = func(value any, f *content.Field) {
		if f == nil {
			return
		}
		visit(at, value, f)
		switch v := value.(type) {
		case map[string]any:
			for _, g := range f.Fields {
				if inner, ok := v[g.Name]; ok {
					step(g.Name, inner, g)
				}
			}
		case []any:
			for i, e := range v {
				step(strconv.Itoa(i), e, f.Items)
			}
		}
	}
	in(value, root)
}

func below(at []string, step string) []string { return append(at[:len(at):len(at)], step) }

// ordered sorts the fields in the order of the schema, unknown ones last.
func ordered(o content.Object, root *content.Field) content.Object {
	rank := func(m content.Member) int {
		i := slices.IndexFunc(root.Fields, func(f *content.Field) bool { return f.Name == m.Name })
		if i < 0 {
			return len(root.Fields)
		}
		return i
	}
	sorted := slices.Clone(o)
	slices.SortStableFunc(sorted, func(a, b content.Member) int { return rank(a) - rank(b) })
	return sorted
}
