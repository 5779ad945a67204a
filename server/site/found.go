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

// foundKind says of a kind what is found of it: what one is called, where a page says it,
// and what several are, and what it is worth beside others that have the same words.
type foundKind struct {
	name, title, titles string
	weight              float64
}

// recordKinds are what people call the records of registries, by what a search calls them,
// and how much it prefers them.
var recordKinds = map[string]foundKind{
	"term":           {"term", "Термин", "Термины", 0.75},
	"signal":         {"signal", "Признак", "Признаки", 1},
	"state":          {"state", "Состояние", "Состояния", 1},
	"fraud_scenario": {"fraud_scenario", "Схема мошенничества", "Схемы мошенничества", 1},
	"route":          {"route", "Маршрут", "Маршруты", 1},
	"authority":      {"authority", "Ведомство", "Ведомства", 1},
	api.FoundRecord:  {api.FoundRecord, "Запись справочника", "Записи справочников", 1},
}

// recordKind is what the records of a registry are.
func recordKind(registry string) foundKind { return recordKinds[api.RecordKind(registry)] }

// calculationKind is what calculations are.
var calculationKind = foundKind{api.FoundCalculation, "Расчёт", "Расчёты", 1}

// calculating is what people say who want a calculation.
const calculating = "расчёт рассчитать посчитать вычислить калькулятор"

// searchTerms is the field of items and records with the words of people for them. They
// are names, as synonyms are: no snippet is taken from them.
const searchTerms = "search_terms"

// findable is something that a search can find.
type findable struct {
	entry *search.Entry // as it was read; an index has it in its scenarios
	pages *entryPages   // of the item that it is, or is a record of
	tool  *calc.Tool    // or the calculation
	path  string
	kind  foundKind

	partial bool   // it is a record of the pages' registry
	target  string // how references name it
}

// findables lists what the pages of a current version give a search. It is made
// once, so that a swap costs what changed.
func (c Config) findables(p *entryPages) []findable {
	p.foundOnce.Do(func() {
		e := p.entry
		d := c.document(e, e.Kind != content.Registries || c.recordsOf(p) == nil)
		whole := findable{entry: search.Analyse(d), pages: p, path: e.Kind.ItemPath(e.Name), target: e.Item()}
		p.found = append([]findable{whole}, c.recordFindables(p)...)
	})
	return p.found
}

// tools are the calculations that a search can find, read once.
func (c Config) findableTools() (all []findable) {
	for t := range c.Math.Tools() {
		d := search.Document{
			Kind: calculationKind.name, ID: t.ID, Title: t.Title, Weight: calculationKind.weight,
			Text: []search.Passage{{Text: t.Description}}, Codes: append([]string{t.ID, calculating}, t.Asked()...),
		}
		for _, field := range slices.Concat(t.Inputs, t.Outputs) {
			d.Text = append(d.Text, search.Passage{Text: field.Title})
		}
		all = append(all, findable{entry: search.Analyse(d), tool: t, path: ToolsPath + t.ID, kind: calculationKind, target: toolTarget(t.ID)})
	}
	return all
}

// tryFindables is findables of an item that may be more than that was made for: it is
// not found then, and the others are.
func (s *Site) tryFindables(p *entryPages) (all []findable, err error) {
	err = crash.Do(func() { all = s.config.findables(p) })
	return all, err
}

// document is an item as a search reads it: as a whole, or what it says of itself.
func (c Config) document(e *content.Entry, whole bool) search.Document {
	d := search.Document{
		Kind: e.Kind.Name, ID: e.ID(), Title: e.Body().Text("title"), Weight: e.Kind.Weight,
		Scenarios: scenariosOf(e), ProductTypes: productTypes(e),
	}
	about := slices.IndexFunc(e.Body(), func(m content.Member) bool { return m.Name == "title" }) + 1
	said := slices.DeleteFunc(slices.Clone(e.Body()[about:]), func(m content.Member) bool { // what comes before tells machines what it is
		dictionary := m.Name == "synonyms" // that questions are read by, and says nothing else
		return m.Name == searchTerms || dictionary || !whole && !slices.Contains(aboutFields, m.Name)
	})
	root := document.Read(said, c.format(e.Publication).Root())
	d.Text = passages(root)
	for i := range root.Kids {
		d.Text = append(d.Text, amounts(root, &root.Kids[i])...)
	}
	d.Signals = signalCodes(d.Text)
	d.Codes = appendTexts([]string{d.ID}, orEmpty(e.Body().Get(searchTerms)))
	return d
}

// passages are the texts of a tree, each with its section.
func passages(of *document.Node) (all []search.Passage) {
	for section, text := range of.Passages() {
		all = append(all, search.Passage{Section: section, Text: text})
	}
	return all
}

// valueField and unitField are the fields of a parameter, and of each of its periods, that
// say how much it is.
const valueField, unitField = "value", "unit"

// amounts are the values of a parameter with their units, as people ask for them: the number
// alone is no text. A term of thirty days is the value of many, and says nothing of one.
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
				all = append(all, search.Passage{Section: n.Name, Text: v.Text + " " + cmp.Or(unitOf(period), unitOf(root))})
			}
		}
	}
	return all
}

// unitOf is what people call the unit of an object, "" if it has none.
func unitOf(n *document.Node) string {
	if unit := n.Member(unitField); unit != nil {
		return unit.EnumLabel()
	}
	return ""
}

// scenariosOf are those that an item names.
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

func (c Config) recordFindables(p *entryPages) (all []findable) {
	r := c.recordsOf(p)
	if r == nil {
		return nil
	}
	kind := recordKind(p.entry.Name)
	base := p.entry.Kind.ItemPath(p.entry.Name)
	for _, record := range r.all {
		id := record.Text(r.field.Unique)
		all = append(all, findable{
			entry: search.Analyse(r.document(record, id, p.entry, kind)), pages: p, path: base + "/" + id, kind: kind,
			partial: true, target: r.target(p.entry.Name, id),
		})
	}
	return all
}

// document is a record as a search reads it. What its registry is of belongs to it: no signal
// of fraud says of itself that a fraudster does it, and people ask so.
func (r *records) document(record content.Object, id string, of *content.Entry, kind foundKind) search.Document {
	d := search.Document{Kind: kind.name, ID: id, Title: title(record), Codes: []string{id}, Weight: kind.weight}
	var said content.Object
	for _, m := range record {
		switch f := r.field.Items.Field(m.Name); {
		case m.Name == r.field.Unique || m.Name == "title" || m.Name == "term":
		case m.Name == "synonyms" || m.Name == searchTerms:
			d.Codes = appendTexts(d.Codes, m.Value)
		case f != nil && f.Items != nil && f.Items.Reference != "": // says nothing of the record
		default:
			said = append(said, m)
		}
	}
	d.Text = append(passages(document.Read(said, r.field.Items)), search.Passage{Text: of.Body().Text("title")})
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

// signalCodes are the codes of signals that texts name.
func signalCodes(texts []search.Passage) []string {
	var codes []string
	for _, t := range texts {
		codes = append(codes, signalCode.FindAllString(t.Text, -1)...)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}
