package calc

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// labelled gives words to the codes in figures of the tool that name something: other tools, fields
// and places of the request.
func (t *Tool) labelled(figures []Figure) []Figure {
	for i := range figures {
		f := &figures[i]
		switch {
		case f.Name == "tool_id":
			f.Label = toolTitle(f.Text)
		case f.Name == evidenceName:
			for j := range f.Parts {
				t.labelEvidence(&f.Parts[j])
			}
		default:
			t.labelled(f.Parts)
		}
	}
	return figures
}

// toolTitle is the title of the tool with that id, "" if there is none.
func toolTitle(id string) string {
	for _, t := range everyTool() {
		if t.ID == id {
			return t.Title
		}
	}
	return ""
}

// labelEvidence gives a value that a filter stopped on its title and unit: those of the field with
// its name.
func (t *Tool) labelEvidence(f *Figure) {
	if field := t.named(f.Name); field != nil {
		own := field.figure()
		f.Title, f.Unit, f.Type = own.Title, own.Unit, own.Type
	}
	f.Title = cmp.Or(words().Evidence[f.Name], f.Title)
	switch f.Name {
	case "amount_not_counted":
		f.Unit, f.Type = "RUB", kinds[moneyKind].name
	case "tool_id":
		f.Label = toolTitle(f.Text)
	case "by":
		if field := t.named(f.Text); field != nil {
			f.Label, _, _ = strings.Cut(field.Title, ": ")
		}
	case "pointer", "repeats":
		f.Label = t.placeOf(f.Text)
	}
}

// named is the first field with that name in the outputs, the inputs and their parts; nil if there is none.
func (t *Tool) named(name string) *Field { return namedIn(slices.Concat(t.Outputs, t.Inputs), name) }

func namedIn(fields []Field, name string) *Field {
	for i := range fields {
		f := &fields[i]
		if f.Name == name {
			return f
		}
		parts := f.fields
		if f.kind == listKind {
			parts = f.item.fields
		}
		if within := namedIn(parts, name); within != nil {
			return within
		}
	}
	return nil
}

// placeOf says where in the inputs a JSON pointer leads: the title of the list, and the number of
// the row.
func (t *Tool) placeOf(pointer string) string {
	parts := strings.Split(strings.TrimPrefix(pointer, "/inputs/"), "/")
	i := indexOf(t.Inputs, parts[0])
	if i < 0 || len(parts) < 2 {
		return pointer
	}
	row, err := strconv.Atoi(parts[1])
	if err != nil {
		return pointer
	}
	return "«" + t.Inputs[i].Title + "», строка " + strconv.Itoa(row+1)
}
