package check

import (
	"slices"

	"rulestore/content"
)

// codeList is a list of a registry whose records have codes that others refer to.
type codeList struct {
	of     *File
	codes  []string            // in the order of the list
	places map[string][]string // of the codes
}

// collect collects the codes of a registry.
func (r *reviewer) collect(o *File) {
	if o.Kind != content.Registries {
		return
	}
	for _, list := range o.root.Fields {
		if _, ok := o.Value(list.Name).([]any); ok && list.Unique != "" {
			r.lists[o.Name+"/"+list.Name] = &codeList{of: o, places: map[string][]string{}}
		}
	}
	for _, n := range o.own() {
		if l := r.lists[n.List]; l != nil {
			l.codes = append(l.codes, n.Text)
			l.places[n.Text] = n.Pointer
		}
	}
}

// codes finds codes that their registry does not have.
func (r *reviewer) codes(o *File) {
	o.each(func(at []string, value any, f *content.Field) {
		code, ok := value.(string)
		l := r.lists[f.Codes]
		if !ok || l == nil {
			return
		}
		if !slices.Contains(l.codes, code) && !r.isFull(o.doc.Path, content.Error) {
			s := say("unknown-code", "code", args{"code": code, "list": f.Codes, "file": l.of.doc.Path})
			r.add(o, at, content.Error, s.Guess(Nearest(code, l.codes)))
		}
	})
}
