package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
)

// completion answers textDocument/completion: the offers at the cursor.
func (q *query) completion(ctx context.Context, p documentParams) (any, error) {
	if q.entry.path == content.LifecycleFile { // marks can be for a version
		if err := q.wait(ctx, versions); err != nil {
			return nil, err
		}
	}
	t := q.target(p.Position)
	offers, all := t.matching(t.offers())
	list := completionList{Items: []completionItem{}, IsIncomplete: !all}
	for i, o := range offers {
		list.Items = append(list.Items, t.completionItem(o, i))
	}
	return list, nil
}

// maxOffers is the maximum number of offers in an answer.
const maxOffers = 200

// matching returns all offers, or, if there are too many, those that match the text before
// the cursor. If it is not complete, the client asks again when more is typed.
func (t *target) matching(all []offer) (some []offer, complete bool) {
	if len(all) <= maxOffers {
		return all, true
	}
	typed := strings.ToLower(t.text.slice(span{t.word.start, t.at}))
	for _, o := range all {
		if len(some) < maxOffers && strings.Contains(strings.ToLower(o.label+" "+o.title), typed) {
			some = append(some, o)
		}
	}
	return some, false
}

// offer is a text that completion inserts.
type offer struct {
	insert string // the code or name, with the punctuation that the place needs
	label  string // as in the file
	title  string // for people
	about  string
	kind   completionItemKind
}

// offers lists the offers at the cursor, required ones first.
func (t *target) offers() []offer {
	switch {
	case t.field == nil:
	case t.role == nameRole:
		return t.fields(t.field, "", t.siblingFields)
	case t.role == valueRole && t.inList() && !t.flow && len(t.field.Fields) > 0:
		return t.fields(t.field, t.gap(), nil)
	case t.role == valueRole:
		return t.values(t.field, t.gap())
	case t.role == nestedValueRole && len(t.field.Fields) > 0:
		return t.fields(t.field, "", nil)
	case t.role == nestedValueRole && t.field.Items != nil:
		return t.elements(t.field.Items)
	case t.role == nestedValueRole:
		return t.values(t.field, "")
	case t.role == dashRole:
		return t.elements(t.field)
	}
	return nil
}

// elements lists the beginnings of an element of a list, with its dash.
func (t *target) elements(f *content.Field) []offer {
	if len(f.Fields) > 0 {
		return t.fields(f, "- ", nil)
	}
	return t.values(f, "- ")
}

// inList reports whether the value at the cursor is an element.
func (t *target) inList() bool {
	if len(t.place.path) == 0 {
		return false
	}
	list := t.root.At(t.place.path[:len(t.place.path)-1]...)
	return list != nil && list.Items != nil
}

// gap is the space after a colon or dash if it is missing.
func (t *target) gap() string {
	if t.needsSpace {
		return " "
	}
	return ""
}

// fields lists the names of missing fields, required ones first.
func (t *target) fields(of *content.Field, before string, siblings []string) (all []offer) {
	for _, g := range of.Fields {
		if slices.Contains(siblings, g.Name) {
			continue
		}
		about := t.can.completion.plain(g.About)
		o := offer{before + g.Name + t.colon(g), g.Name, g.Title, about, fieldKind}
		if g.Required {
			o.title += " (" + t.tongue.say(saysRequired) + ")"
		}
		all = append(all, o)
	}
	slices.SortStableFunc(all, func(a, b offer) int { return rank(of, a) - rank(of, b) })
	return all
}

func rank(of *content.Field, o offer) int {
	if of.Field(o.label).Required {
		return 0
	}
	return 1
}

// colon is the text after the name of a field.
func (t *target) colon(f *content.Field) string {
	switch {
	case t.hasColon:
		return ""
	case !t.flow && (f.Items != nil || len(f.Fields) > 0):
		return ":"
	}
	return ": "
}

// values lists the known values of a field; of a list, those that it does not contain.
func (t *target) values(f *content.Field, before string) (all []offer) {
	all = t.knownValues(f)
	siblings := t.siblings()
	all = slices.DeleteFunc(all, func(o offer) bool { return slices.Contains(siblings, o.label) })
	for i := range all {
		all[i].insert = before + t.spelled(all[i].insert)
	}
	return all
}

// knownValues lists the known values of a field.
func (t *target) knownValues(f *content.Field) (all []offer) {
	about := t.can.completion.plain(f.About)
	switch to := check.TargetOf(t.entry.path, t.place.path, f); {
	case to.List != "":
		return t.codes(to.List)
	case to != (check.Target{}):
		return t.items(to)
	case t.entry.path == content.LifecycleFile && f.Name == "version":
		return t.versions()
	case len(f.Values) > 0:
		for _, v := range f.Values {
			all = append(all, offer{v, v, f.Labels[v], "", enumMemberKind})
		}
		return all
	case f.Boolean:
		for _, v := range []string{"true", "false"} {
			all = append(all, offer{v, v, "", about, valueKind})
		}
		return all
	}
	var example string
	// texts and addresses are not reusable
	if json.Unmarshal(f.Example, &example) == nil && example != "" && !f.Prose && !strings.Contains(example, "://") {
		all = append(all, offer{example, example, "", about, constantKind})
	}
	return all
}

// codes lists the codes of a list of a registry.
func (t *target) codes(list string) (all []offer) {
	for _, r := range t.records(list) {
		root := r.schema(t.schemas)
		about := r.contents(t.can.completion, root)
		all = append(all, offer{r.Text, r.Text, r.title(root), about, referenceKind})
	}
	return all
}

// items lists the items that a value may refer to.
func (t *target) items(to check.Target) (all []offer) {
	for _, e := range t.all() {
		if !e.isItem() || !to.Items && e.file.Kind.Folder != to.Folder {
			continue
		}
		name := e.file.Name
		if to.Items {
			name = e.file.Item()
		}
		about := t.can.completion.plain(e.file.Body.Text("summary"))
		all = append(all, offer{name, name, e.file.Body.Text("title"), about, fileKind})
	}
	return all
}

// versions lists the published versions of the item of a mark.
func (t *target) versions() (all []offer) {
	n := t.outline().at(t.place.path)
	if n.parent == nil || t.published == nil {
		return nil
	}
	item := n.parent.child("item")
	if item == nil {
		return nil
	}
	for _, it := range t.published.Items {
		if it.ID() != t.text.slice(item.value) {
			continue
		}
		for _, e := range it.Entries {
			version := e.Version.String()
			all = append(all, offer{version, version, t.status(e.Status), "", constantKind})
		}
	}
	return all
}

// siblings lists the other elements of the list that the cursor is in.
func (t *target) siblings() (all []string) {
	if !t.inList() {
		return nil
	}
	at := t.place.path
	for _, c := range t.outline().at(at[:len(at)-1]).children {
		if c.shape == scalar && c.value != t.word {
			all = append(all, t.text.slice(c.value))
		}
	}
	return all
}

// misread matches texts that YAML parsers do not read as strings without quotes: numbers,
// keywords, indicators.
var misread = regexp.MustCompile(`^$|^[-+]?[\d_]*\.?[\d_]*([eE][-+]?\d+)?$|^0[xo][0-9a-fA-F]+$|^\d+(:\d+)+$|` +
	`^(?i:true|false|null|yes|no|on|off|y|n|~)$|^[^\pL\pN_]|: |:$| #|[\x00-\x1f,\[\]{}]`)

// spelled formats a value for the place of the cursor, in quotes if necessary.
func (t *target) spelled(value string) string {
	if t.quote != 0 || t.field.Boolean || !misread.MatchString(value) {
		return value
	}
	raw, _ := json.Marshal(value)
	return string(raw)
}

// completionItem converts an offer to the protocol. The client filters by the typed text, which
// can be a code or a title.
func (t *target) completionItem(o offer, i int) completionItem {
	label, title := content.Printable(o.label), oneLine(o.title)
	item := completionItem{
		Label: label, Kind: o.kind, SortText: fmt.Sprintf("%05d", i),
		FilterText: strings.TrimSpace(label + " " + title),
		TextEdit:   textEdit{Range: t.units.rangeOf(t.text, t.word), NewText: o.insert},
	}
	if title != "" {
		item.Detail = title
		item.LabelDetails = &labelDetails{title}
	}
	if o.about != "" {
		item.Documentation = t.can.completion.content(o.about)
	}
	return item
}
