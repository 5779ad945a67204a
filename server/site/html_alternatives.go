package site

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rulestore/server/calc"
	"rulestore/server/page"
)

// fieldChoice is a choice between groups of fields of which a request has one.
type fieldChoice struct {
	key          string     // the field of the form that selects an alternative, within the group
	by           *formField // the input that selects it; nil if only the form has it
	fields       []*formField
	alternatives []alternative
}

// alternative is a group of fields.
type alternative struct {
	when              string // the value that selects it
	required, allowed []string
}

// readFieldChoices adds the choices between the fields of a group.
func (in *formField) readFieldChoices(choices [][]calc.Way) {
	for i, ways := range choices {
		k := &fieldChoice{key: "way-" + strconv.Itoa(i)}
		for _, f := range in.fields {
			if slices.ContainsFunc(ways, func(w calc.Way) bool {
				return f.name != w.By && slices.Contains(slices.Concat(w.Required, w.Excluded), f.name)
			}) {
				k.fields = append(k.fields, f)
			}
		}
		for _, w := range ways {
			own := alternative{when: w.When}
			for _, f := range k.fields {
				if slices.Contains(w.Required, f.name) {
					own.required = append(own.required, f.name)
				}
				if !slices.Contains(w.Excluded, f.name) {
					own.allowed = append(own.allowed, f.name)
				}
			}
			k.by, k.alternatives = in.field(w.By), append(k.alternatives, own)
		}
		in.fieldChoices = append(in.fieldChoices, k)
	}
}

// choiceOf returns the choice that a field belongs to, or selects; nil if there is none.
func (in *formField) choiceOf(f *formField) *fieldChoice {
	for _, k := range in.fieldChoices {
		if k.by == f || slices.Contains(k.fields, f) {
			return k
		}
	}
	return nil
}

// selector is the name of the field that selects the alternative, in a group.
func (k *fieldChoice) selector(group string) string {
	if k.by != nil {
		return group + "." + k.by.name
	}
	return group + "." + k.key
}

// alternative returns the one that a value selects, nil if there is none.
func (k *fieldChoice) alternative(value string) *alternative {
	for i := range k.alternatives {
		if k.by != nil && k.alternatives[i].when == value || k.by == nil && strconv.Itoa(i) == value {
			return &k.alternatives[i]
		}
	}
	return nil
}

// chosenAlternative is the alternative that was selected; nil if none was, so that the filled fields decide.
func (k *fieldChoice) chosenAlternative(group string, sent url.Values) *alternative {
	value := sent.Get(k.selector(group))
	if value == "" && k.by != nil {
		value = k.by.preset
	}
	return k.alternative(value)
}

// bestAlternative is the index of the alternative with most filled fields of its own and fewest of others.
func (k *fieldChoice) bestAlternative(group string, sent url.Values) (best int) {
	highest := 0
	for i, w := range k.alternatives {
		rank := 0
		for _, f := range k.fields {
			switch given := sent.Get(group+"."+f.name) != "" || anyBelow(sent, group+"."+f.name); {
			case given && slices.Contains(w.allowed, f.name):
				rank += 2
			case given:
				rank--
			}
		}
		if i == 0 || rank > highest {
			best, highest = i, rank
		}
	}
	return best
}

// form is the input for the choice: the selector, then the fields of all alternatives.
func (k *fieldChoice) form(group string, with filled) page.Input {
	p := page.Input{Name: k.selector(group), Title: "Что указать"}
	if k.by != nil {
		p = k.by.form(p.Name, with)
	} else {
		chosen := k.chosenAlternative(group, with.sent)
		if chosen == nil {
			chosen = &k.alternatives[k.bestAlternative(group, with.sent)]
		}
		for i := range k.alternatives {
			w := &k.alternatives[i]
			p.Choices = append(p.Choices, page.Choice{Value: strconv.Itoa(i), Title: k.title(w), Chosen: w == chosen})
		}
	}
	p.Kind = page.Ways
	for _, f := range k.fields {
		input := f.form(group+"."+f.name, with)
		for i, c := range p.Choices {
			if w := k.alternative(c.Value); w != nil && slices.Contains(w.allowed, f.name) {
				input.Ways = strings.TrimPrefix(input.Ways+" "+strconv.Itoa(i), " ")
				input.Required = input.Required || slices.Contains(w.required, f.name)
			}
		}
		p.Inputs = append(p.Inputs, input)
	}
	return p
}

// title names an alternative by the fields that it requires.
func (k *fieldChoice) title(w *alternative) string {
	var titles []string
	for _, f := range k.fields {
		if slices.Contains(w.required, f.name) {
			title, _, _ := strings.Cut(f.title, ";") // the part before an explanation
			title, _, _ = strings.Cut(title, ":")
			titles = append(titles, title)
		}
	}
	switch n := len(titles); n {
	case 0:
		return "ничего из этого"
	case 1:
		return titles[0]
	default:
		return "«" + strings.Join(titles[:n-1], "», «") + "» и «" + titles[n-1] + "»"
	}
}

// excluded reports whether a field belongs to alternatives that were not chosen.
func (in *formField) excluded(f *formField, group string, sent url.Values) bool {
	k := in.choiceOf(f)
	if k == nil || k.by == f {
		return false
	}
	w := k.chosenAlternative(group, sent)
	return w != nil && !slices.Contains(w.allowed, f.name)
}

// missing lists the fields that the chosen alternatives require and nothing was sent for.
func (in *formField) missing(name string, sent url.Values) (all []string) {
	for _, k := range in.fieldChoices {
		if w := k.chosenAlternative(name, sent); w != nil {
			for _, needed := range w.required {
				if in.field(needed).value(name+"."+needed, sent) == nil {
					all = append(all, name+"."+needed)
				}
			}
		}
	}
	for _, f := range in.fields {
		if !in.excluded(f, name, sent) {
			all = append(all, f.missingBelow(name+"."+f.name, sent)...)
		}
	}
	return all
}

// missingBelow is missing for a filled input: a group, or the rows of a list.
func (in *formField) missingBelow(name string, sent url.Values) (all []string) {
	switch {
	case in.value(name, sent) == nil:
	case in.kind == page.Group:
		return in.missing(name, sent)
	case in.kind == page.Several:
		for _, i := range rowsOf(sent, name) {
			all = append(all, in.item.missingBelow(rowName(name, i), sent)...)
		}
	}
	return all
}

// alternativeFaults are the faults of a form. If an alternative was chosen, its missing fields are reported
// in place of those of the one that the engine assumes.
func (in *formField) alternativeFaults(found []calc.Fault, sent url.Values) []calc.Fault {
	missing := in.field(inputsField).missing(inputsField, sent)
	if missing == nil {
		return found
	}
	about := map[string]bool{}
	var all []calc.Fault
	for _, name := range missing {
		pointer := "/" + strings.ReplaceAll(name, ".", "/")
		about[pointer[:strings.LastIndexByte(pointer, '/')]] = true
		all = append(all, calc.Fault{Pointer: pointer, Code: calc.FaultRequired})
	}
	for _, f := range found {
		group := f.Pointer[:max(0, strings.LastIndexByte(f.Pointer, '/'))]
		if f.Code != calc.FaultRequired || !about[f.Pointer] && !(about[group] && in.isAlternative(f.Pointer)) {
			all = append(all, f)
		}
	}
	return all
}

// isAlternative reports whether the field at a pointer belongs to a choice.
func (in *formField) isAlternative(pointer string) bool {
	at := in
	for name := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch {
		case at.kind == page.Several:
			at = at.item
			continue
		case at.field(name) == nil:
			return false
		}
		if k := at.choiceOf(at.field(name)); k != nil && k.by != at.field(name) {
			return true
		}
		at = at.field(name)
	}
	return false
}
