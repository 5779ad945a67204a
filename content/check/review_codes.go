package check

import (
	"fmt"
	"maps"
	"slices"

	"rulestore/content"
)

// codeList is a list of a registry whose records go by codes that others use.
type codeList struct {
	of     *opened
	places map[string][]string // the pointer to each code
	needed bool                // another file takes codes from the list
}

// collect takes note of the codes that a registry has.
func (r *reviewer) collect(o *opened) {
	if o.Kind != content.Registries {
		return
	}
	for _, list := range o.root.Fields {
		elements, ok := o.doc.value.(map[string]any)[list.Name].([]any)
		if !ok || list.Unique == "" {
			continue
		}
		l := &codeList{of: o, places: map[string][]string{}}
		for i, e := range elements {
			record, _ := e.(map[string]any)
			if code, ok := record[list.Unique].(string); ok {
				l.places[code] = []string{list.Name, fmt.Sprint(i), list.Unique}
			}
		}
		r.lists[o.Name+"/"+list.Name] = l
	}
}

// codes finds codes that the registry they come from does not have.
func (r *reviewer) codes(o *opened) {
	o.each(func(at []string, value any, f *content.Field) {
		code, ok := value.(string)
		l := r.lists[f.Codes]
		if !ok || l == nil {
			return
		}
		l.needed = l.needed || l.of.Item() != o.Item()
		if _, known := l.places[code]; !known {
			r.add(o, at, "unknown-code", content.Error, fmt.Sprintf("the code %q is not in %s", code, f.Codes),
				didYouMean(code, slices.Sorted(maps.Keys(l.places)), "add a record to "+l.of.doc.Path+", or correct the code"))
		}
	})
}

// unused finds records whose code nobody names, in lists that others take codes
// from, and parameters that nobody refers to.
func (r *reviewer) unused(files []*opened) {
	named, referred := named(files), map[string]bool{}
	for _, list := range slices.Sorted(maps.Keys(r.lists)) {
		l := r.lists[list]
		for _, code := range slices.Sorted(maps.Keys(l.places)) {
			if l.needed && named[code] < 2 {
				r.add(l.of, l.places[code], "unused", content.Note, fmt.Sprintf("nothing uses %q of %s", code, list), "use it where it applies; if it has outlived its use, remove it in a new major version")
			}
		}
	}
	for _, o := range files {
		for _, ref := range o.References {
			referred[ref.Item] = true
		}
	}
	for _, o := range files {
		if o.Kind == content.Parameters && !referred[o.Item()] {
			r.add(o, []string{o.Kind.ID}, "unused", content.Note, "no instruction refers to this parameter", "name it in the external_parameters of the instruction that needs it")
		}
	}
}

// named counts how often each string stands in the files; a record's own code is
// one of them.
func named(files []*opened) map[string]int {
	count := map[string]int{}
	for _, o := range files {
		o.each(func(_ []string, value any, _ *content.Field) {
			if s, ok := value.(string); ok {
				count[s]++
			}
		})
	}
	return count
}
