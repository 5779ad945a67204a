package site

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/document"
	"rulestore/content/search"
	"rulestore/server/api"
	"rulestore/server/calc"
)

// foundKind is a kind of search results: its name, its singular and plural for people, and
// its weight in the ranking.
type foundKind struct {
	name, title, titles string
	weight              float64
}

// recordKinds are the kinds of records of registries, by their names in a search.
var recordKinds = map[string]foundKind{
	"term":           {"term", "Термин", "Термины", 0.75},
	"signal":         {"signal", "Признак", "Признаки", 1},
	"state":          {"state", "Состояние", "Состояния", 1.05},
	"fraud_scenario": {"fraud_scenario", "Схема мошенничества", "Схемы мошенничества", 1},
	"route":          {"route", "Маршрут", "Маршруты", 1.1},
	"authority":      {"authority", "Ведомство", "Ведомства", 1},
	api.FoundRecord:  {api.FoundRecord, "Запись справочника", "Записи справочников", 1},
}

// recordKind is the kind of a registry's records.
func recordKind(registry string) foundKind { return recordKinds[api.RecordKind(registry)] }

// calculationKind is the kind of calculations.
var calculationKind = foundKind{api.FoundCalculation, "Расчёт", "Расчёты", 0.9}

// calculating has words of people who want a calculation.
const calculating = "расчёт рассчитать посчитать вычислить калькулятор"

// searchTerms is the field of items and records with the words of people for them. They are
// names like synonyms: snippets do not show them.
const searchTerms = "search_terms"

// findable is something that a search can find.
type findable struct {
	entry *search.AnalysedDocument // as analysed; an index has it with its scenarios
	pages *preparedVersion         // of the item, or of the registry of a record
	tool  *calc.Tool               // of a calculation
	path  string
	kind  foundKind

	partial bool   // a record of the registry
	target  string // its name in references
}

// findables lists the findable parts of a current version. It is made once, so that the cost
// of a swap depends on what changed.
func (c Config) findables(p *preparedVersion) []findable {
	return p.found.get(func() []findable {
		e := p.entry
		d := c.document(e, e.Kind != content.Registries || c.recordsOf(p) == nil)
		whole := findable{entry: search.Analyse(d), pages: p, path: e.Kind.ItemPath(e.Name), target: e.Item()}
		return append([]findable{whole}, c.recordFindables(p)...)
	})
}

// findableTools are the calculations that a search can find.
func (c Config) findableTools() (all []findable) {
	for t := range c.Math.Tools() {
		d := search.Document{
			Kind: calculationKind.name, ID: t.ID, Title: t.Title, Weight: calculationKind.weight,
			Text:  []search.Passage{{Text: t.Description}},
			Codes: append([]string{t.ID + " " + calculating}, t.Asked()...),
		}
		for _, field := range slices.Concat(t.Inputs, t.Outputs) {
			d.Text = append(d.Text, search.Passage{Text: field.Title})
		}
		all = append(
			all,
			findable{
				entry: search.Analyse(d), tool: t, path: api.ToolsPath + t.ID, kind: calculationKind,
				target: ToolTarget(t.ID),
			},
		)
	}
	return all
}

// tryFindables is findables with an error in place of a panic: the item is then not found,
// but others are.
func (s *Site) tryFindables(p *preparedVersion) (all []findable, err error) {
	err = crash.Do(func() { all = s.findables(p) })
	return all, err
}

// document is an item for the search: the whole text, or its description.
func (c Config) document(e *content.Entry, whole bool) search.Document {
	d := search.Document{
		Kind: e.Kind.Name, ID: e.ID(), Title: e.Body().Text("title"), Weight: e.Kind.Weight,
		Scenarios: scenariosOf(e), ProductTypes: productTypes(e),
	}
	about := slices.IndexFunc(e.Body(), func(m content.Member) bool { return m.Name == "title" }) + 1
	// the fields before it are for programs
	fields := slices.DeleteFunc(slices.Clone(e.Body()[about:]), func(m content.Member) bool {
		dictionary := m.Name == "synonyms" // synonyms are used for reading queries
		return m.Name == searchTerms || dictionary || !whole && !slices.Contains(AboutFields, m.Name)
	})
	root := document.Read(fields, c.format(e.Publication).Root())
	d.Text = passages(root)
	for i := range root.Kids {
		d.Text = append(d.Text, amounts(root, &root.Kids[i])...)
	}
	d.Signals = signalCodes(d.Text)
	d.Codes = appendTexts([]string{d.ID}, orEmptyList(e.Body().Get(searchTerms)))
	return d
}

// passages are the texts of a tree, each with its section.
func passages(of *document.Node) (all []search.Passage) {
	for section, text := range of.Passages() {
		all = append(all, search.Passage{Section: section, Text: text})
	}
	return all
}

// valueField and unitField are the fields of a parameter, and of each of its periods, with
// its value.
const valueField, unitField = "value", "unit"

// amounts are the values of a parameter with their units, as in queries. Terms are left out:
// thirty days are the value of many parameters.
func amounts(root, n *document.Node) (all []search.Passage) {
	kind := root.Member("value_type")
	switch {
	case kind == nil || kind.Text != "money" && kind.Text != "percentage":
	case n.Name == valueField && n.Kind == document.Number:
		all = append(all, search.Passage{Section: n.Name, Text: n.Text + " " + unitOf(root)})
	case n.Kind == document.Array && n.Unique() != "":
		for i := range n.Kids {
			period := &n.Kids[i]
			if v := period.Member(valueField); v != nil && v.Kind == document.Number {
				all = append(
					all, search.Passage{Section: n.Name, Text: v.Text + " " + cmp.Or(unitOf(period), unitOf(root))},
				)
			}
		}
	}
	return all
}

// unitOf is the name of the unit of an object, "" if it has none.
func unitOf(n *document.Node) string {
	if unit := n.Member(unitField); unit != nil {
		return unit.EnumLabel()
	}
	return ""
}

// AboutFields are the fields that describe an item or a record.
var AboutFields = []string{"description", "definition", "summary"}

// scenariosOf are the scenarios that an item names.
func scenariosOf(e *content.Entry) []string {
	if s := e.Body().Text("scenario"); s != "" {
		return []string{s}
	}
	var list []string
	if json.Unmarshal(e.Body().Get("scenarios"), &list) != nil {
		return nil
	}
	return list
}

func (c Config) recordFindables(p *preparedVersion) (all []findable) {
	r := c.recordsOf(p)
	if r == nil {
		return nil
	}
	kind := recordKind(p.entry.Name)
	base := p.entry.Kind.ItemPath(p.entry.Name)
	for _, record := range r.All {
		id := r.Code(record)
		all = append(all, findable{
			entry: search.Analyse(r.document(record, id, p.entry, kind)), pages: p, path: base + "/" + id, kind: kind,
			partial: true, target: r.Target(p.entry.Name, id),
		})
	}
	return all
}

// document is a record for the search. It includes the subject of its registry, which queries
// mention and records do not: no signal of fraud mentions a fraudster.
func (r *Records) document(record content.Object, id string, of *content.Entry, kind foundKind) search.Document {
	d := search.Document{Kind: kind.name, ID: id, Title: title(record), Codes: []string{id}, Weight: kind.weight}
	var fields content.Object
	for _, m := range record {
		switch f := r.Field.Items.Field(m.Name); {
		case m.Name == r.Field.Unique || m.Name == "title" || m.Name == "term":
		case m.Name == "synonyms" || m.Name == searchTerms:
			d.Codes = appendTexts(d.Codes, m.Value)
		case f != nil && f.Items != nil && f.Items.Reference != "": // a reference does not describe the record
		default:
			fields = append(fields, m)
		}
	}
	d.Text = append(passages(document.Read(fields, r.Field.Items)), search.Passage{Text: of.Body().Text("title")})
	d.Signals = signalCodes(append(d.Text[:len(d.Text):len(d.Text)], search.Passage{Text: id}))
	return d
}

func title(record content.Object) string {
	if t := record.Text("title"); t != "" {
		return t
	}
	return record.Text("term")
}

// appendTexts appends the strings of a JSON value, in order.
func appendTexts(texts []string, value json.RawMessage) []string {
	switch value[0] {
	case '"':
		var s string
		if json.Unmarshal(value, &s) == nil {
			texts = append(texts, s)
		}
	case '[':
		var elements []json.RawMessage
		if json.Unmarshal(value, &elements) == nil {
			for _, e := range elements {
				texts = appendTexts(texts, e)
			}
		}
	case '{':
		var o content.Object
		if json.Unmarshal(value, &o) == nil {
			for _, m := range o {
				texts = appendTexts(texts, m.Value)
			}
		}
	}
	return texts
}

var signalCode = regexp.MustCompile(`\b[A-Z][A-Z0-9]+(_[A-Z0-9]+)+\b`)

// signalCodes are the codes of signals in texts.
func signalCodes(texts []search.Passage) []string {
	var codes []string
	for _, t := range texts {
		codes = append(codes, signalCode.FindAllString(t.Text, -1)...)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}
