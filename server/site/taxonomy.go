package site

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"rulestore/content"
)

// taxonomy has the titles of codes in the current taxonomy.
type taxonomy struct{ scenarios, products map[string]string }

func (s *Site) readTaxonomy() (t taxonomy) {
	if e := s.current(content.Registries, "taxonomy"); e != nil {
		body := e.Body()
		t.scenarios, t.products = titlesOf(body.Get("scenarios")), titlesOf(body.Get("product_types"))
	}
	return t
}

// titlesOf returns the titles of a list of codes.
func titlesOf(list json.RawMessage) map[string]string {
	titles := map[string]string{}
	for _, r := range readObjects(list) {
		titles[r.Text("code")] = r.Text("title")
	}
	return titles
}

// ScenarioTitle returns the title of a scenario: that of the taxonomy, else of the format of
// guidelines.
func (s *Site) ScenarioTitle(code string) string {
	if title := s.taxonomy().scenarios[code]; title != "" {
		return title
	}
	return s.newest(content.Guidelines).Field("scenario").Label(code)
}

// ProductTitle returns the title of a product type, the code if it has none.
func (s *Site) ProductTitle(code string) string { return cmp.Or(s.taxonomy().products[code], code) }

// scenariosByItem returns the scenarios of the current items, by folder and name. An item can name
// them itself. Those of an instruction can also be in a list of scenarios of another one, such as
// the instruction for assistants. The parameters and registries that an instruction uses have
// its scenarios too.
func (s *Site) scenariosByItem() map[string][]string {
	all := map[string][]string{}
	add := func(item string, scenarios []string) {
		for _, s := range scenarios {
			if !slices.Contains(all[item], s) {
				all[item] = append(all[item], s)
			}
		}
	}
	instructions := s.lists[content.Instructions]
	for _, p := range instructions {
		add(p.entry.Item(), scenariosOf(p.entry))
	}
	for _, p := range instructions {
		for _, a := range s.assignments(p.entry) {
			add(content.Instructions.Folder+"/"+a.instruction, []string{a.scenario})
		}
	}
	for _, p := range instructions {
		for _, used := range s.usedBy(p.entry) {
			add(used, all[p.entry.Item()])
		}
	}
	return all
}

// usedBy lists the parameters that an instruction refers to and the registries whose
// addresses the service adds to it.
func (s *Site) usedBy(e *content.Entry) (used []string) {
	for _, r := range e.References() {
		if strings.HasPrefix(r.Item, content.Parameters.Folder+"/") {
			used = append(used, r.Item)
		}
	}
	for _, l := range s.format(e.Publication).Root().Discovery {
		for _, p := range s.lists[content.Registries] {
			if content.Registries.ItemPath(p.entry.Name) == l.Path {
				used = append(used, p.entry.Item())
			}
		}
	}
	return used
}

// assignment is a scenario and its instruction.
type assignment struct{ scenario, instruction string }

// assignments reads the lists of an item whose elements have a scenario and an instruction.
func (c Config) assignments(e *content.Entry) (all []assignment) {
	for _, f := range c.format(e.Publication).Root().Fields {
		scenario, instruction := refersTo(f.Items, content.Scenarios), refersTo(f.Items, content.Instructions)
		if scenario == "" || instruction == "" {
			continue
		}
		for _, o := range readObjects(e.Body().Get(f.Name)) {
			all = append(all, assignment{o.Text(scenario), o.Text(instruction)})
		}
	}
	return all
}

// refersTo returns the field of an object that refers to items of a kind, "" if there is
// none.
func refersTo(f *content.Field, k *content.Kind) string {
	if f == nil {
		return ""
	}
	for _, g := range f.Fields {
		if g.Reference == k.Folder {
			return g.Name
		}
	}
	return ""
}
