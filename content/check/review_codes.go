package check

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"rulestore/content"
)

// codeList is a list of a registry whose records have codes that others refer to.
type codeList struct {
	of     *opened
	codes  []string            // in the order of the list
	places map[string][]string // of the codes
	used   bool                // another file refers to codes of the list
}

// collect collects the codes of a registry.
func (r *reviewer) collect(o *opened) {
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
func (r *reviewer) codes(o *opened) {
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

// unused finds, in the wanted files, records that nothing refers to, in lists to whose codes
// others refer, and unarchived parameters that nothing refers to.
func (r *reviewer) unused(files []*opened, wanted func(path string) bool) {
	r.unusedCodes(files, wanted)
	unnamed := map[string]*opened{}
	for _, o := range files {
		if o.Kind == content.Parameters && wanted(o.doc.Path) {
			unnamed[o.Name] = o
		}
	}
	for _, o := range files {
		o.removeNamed(unnamed)
	}
	for _, m := range r.Marks {
		if name, ok := strings.CutPrefix(m.Item, content.Parameters.Folder+"/"); ok && m.Version == "" &&
			m.Status == content.Archived {
			delete(unnamed, name) // not meant to be referred to
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unnamed)) {
		o := unnamed[name]
		r.add(o, []string{o.Kind.ID}, content.Note, say("unused", "parameter", nil))
	}
}

// removeNamed removes the parameters that a file mentions anywhere.
func (o *opened) removeNamed(parameters map[string]*opened) {
	if len(parameters) == 0 {
		return
	}
	isOther := func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-'
	}
	for word := range bytes.FieldsFuncSeq(o.Raw, isOther) {
		if name := string(bytes.Trim(word, ".-")); parameters[name] != nil && parameters[name] != o {
			delete(parameters, name)
		}
	}
}

func (r *reviewer) unusedCodes(files []*opened, wanted func(path string) bool) {
	unwanted := func(list string) bool { return !wanted(r.lists[list].of.doc.Path) }
	lists := slices.DeleteFunc(slices.Sorted(maps.Keys(r.lists)), unwanted)
	if len(lists) == 0 {
		return
	}
	named := r.countNames(files)
	for _, list := range lists {
		l := r.lists[list]
		codes := slices.DeleteFunc(slices.Clone(l.codes), func(c string) bool { return named[c] > 1 })
		if !l.used || len(codes) == 0 {
			continue
		}
		s := say("unused", "codes", args{"unused": len(codes), "all": len(l.codes), "list": list, "codes": codes})
		r.add(l.of, l.places[codes[0]], content.Note, s)
	}
}

// countNames counts the occurrences of each string in the files, and marks the lists that are
// used. A record's own code is one occurrence. Values of enumerations do not count.
func (r *reviewer) countNames(files []*opened) map[string]int {
	count := map[string]int{}
	for _, o := range files {
		o.each(func(_ []string, value any, f *content.Field) {
			s, ok := value.(string)
			if ok && (len(f.Values) == 0 || f.Codes != "") {
				count[s]++
			}
			if l := r.lists[f.Codes]; ok && l != nil && l.of.Item() != o.Item() {
				l.used = true
			}
		})
	}
	return count
}
