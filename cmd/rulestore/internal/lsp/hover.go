package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/schemas"
)

// hover answers textDocument/hover: it describes the value at the cursor and its findings.
func (q *query) hover(ctx context.Context, p documentParams) (any, error) {
	t := q.target(p.Position)
	if t.symbol.item != "" {
		if err := t.wait(ctx, versions); err != nil {
			return nil, err
		}
	}
	m := q.can.hover
	parts := append(t.explain(m), t.findingsHere(m)...)
	if len(parts) == 0 {
		return nil, nil
	}
	r := t.units.rangeOf(t.text, t.word)
	h := hover{Contents: m.content(strings.Join(parts, "\n\n"))}
	if t.word != (span{}) {
		h.Range = &r
	}
	return h, nil
}

// explain describes the value at the cursor.
func (t *target) explain(m markup) []string {
	switch {
	case t.symbol.item != "":
		return []string{t.about(m, t.symbol.item)}
	case t.symbol.code != "":
		r, ok := t.view.record(t.symbol.list, t.symbol.code)
		if !ok {
			return nil
		}
		root := r.schema(t.schemas)
		return []string{m.bold(r.Text) + " — " + m.plain(oneLine(r.title(root))), r.contents(m, root)}
	case t.role == nameRole:
		return t.describe(m, t.field.Field(t.step))
	case t.role != valueRole && t.role != nestedValueRole || t.field == nil:
	case t.field.Labels[t.text.slice(t.word)] != "":
		value := t.text.slice(t.word)
		return append([]string{m.bold(value) + " — " + m.plain(t.field.Labels[value])}, t.describe(m, t.field)...)
	case t.word.start != t.word.end && !t.field.Prose:
		return t.describe(m, t.titled())
	}
	return nil
}

// titled returns the field of the value at the cursor, or that of the list if its elements
// have no description.
func (t *target) titled() *content.Field {
	if t.field.Title == "" && t.inList() {
		return t.root.At(t.place.path[:len(t.place.path)-1]...)
	}
	return t.field
}

// describe describes a field, with an example.
func (t *target) describe(m markup, f *content.Field) []string {
	if f == nil {
		return nil
	}
	head := m.bold(f.Title)
	if f.Name != "" {
		head += " (" + m.plain(f.Name) + ")"
	}
	if f.Required {
		head += ", " + t.tongue.say(saysRequired)
	}
	parts := []string{head, m.plain(f.About)}
	if len(f.Types) > 0 {
		parts = append(parts, t.tongue.say(saysType, strings.Join(t.types(f), ", ")))
	}
	if len(f.Values) > 0 {
		parts = append(parts, t.tongue.say(saysValues)+":\n"+listed(m, f))
	}
	if f.Example != nil {
		parts = append(parts, t.tongue.say(saysExample, m.plain(string(f.Example))))
	}
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// types names the types that a value may have.
func (t *target) types(f *content.Field) (all []string) {
	for _, name := range f.Types {
		all = append(all, t.tongue.Sprint(types[name]))
	}
	return all
}

// listed lists the values of an enumeration.
func listed(m markup, f *content.Field) string {
	var b strings.Builder
	for _, v := range f.Values {
		fmt.Fprintf(&b, "\n- %s", m.plain(v))
		if label := f.Labels[v]; label != "" {
			fmt.Fprintf(&b, " — %s", m.plain(label))
		}
	}
	return b.String()
}

// contents says what a record of a registry has to say in short texts and codes.
func (r named) contents(m markup, root *content.Field) string {
	at := r.Pointer[:len(r.Pointer)-1]
	fields, _ := r.file.Value(at...).(map[string]any)
	f := root.At(at...)
	var b strings.Builder
	for _, g := range f.Fields {
		text, ok := fields[g.Name].(string)
		if !ok || g.Name == r.Pointer[len(r.Pointer)-1] || g.Name == "title" {
			continue
		}
		if label := g.Labels[text]; label != "" {
			text = label
		}
		fmt.Fprintf(&b, "- %s: %s\n", m.plain(g.Title), m.plain(oneLine(text)))
	}
	return strings.TrimSpace(b.String())
}

// about describes an item: its title and its published version.
func (t *target) about(m markup, id string) string {
	e := t.view.item(id)
	it := t.publishedItem(id)
	title := ""
	switch {
	case e != nil && e.readableLast() != nil:
		title = e.readableLast().file.Body.Text("title")
	case it != nil && it.Current != nil:
		title = it.Current.Body().Text("title")
	case e == nil && it == nil:
		return t.tongue.say(saysNoItem, m.plain(id))
	}
	return m.bold(title) + " (" + m.plain(id) + ")\n\n" + m.plain(t.publishedVersion(id))
}

// publishedVersion describes the published version of an item and its status.
func (t *target) publishedVersion(id string) string {
	it := t.publishedItem(id)
	switch {
	case t.published == nil:
		return t.tongue.say(saysUnseen)
	case it == nil || change.Published(it, false) == nil:
		return t.tongue.say(saysNone)
	case it.Current != nil:
		return t.tongue.say(saysStatus, it.Current.Version, t.status(it.Current.Status))
	}
	e := it.Entries[0]
	return t.tongue.say(saysStatus, e.Version, t.status(e.Status))
}

// publishedItem returns the published item, nil if there is none.
func (v *view) publishedItem(id string) *content.Item {
	if v.published == nil {
		return nil
	}
	folder, name, _ := strings.Cut(id, "/")
	if k := content.KindOf(folder); k != nil {
		return v.published.Item(k, name)
	}
	return nil
}

// status is the name of a status.
func (q *query) status(s content.Status) string {
	if label := schemas.Embedded().Derived().Field("status").Labels[string(s)]; label != "" && !q.tongue.IsEnglish() {
		return label
	}
	return string(s)
}

// findingsHere lists the findings at the cursor with their rules.
func (t *target) findingsHere(m markup) (all []string) {
	o := t.outline()
	for _, x := range t.current() {
		if x.Line == 0 || !o.around(t.text, x).contains(t.at) {
			continue
		}
		message, hint := t.tongue.finding(x)
		all = append(all, m.plain(strings.TrimSpace(message+"\n\n"+hint)))
		all = append(all, m.bold(x.Rule)+": "+m.plain(t.tongue.rule(x.Rule)))
	}
	return all
}
