package site

import (
	"encoding/json"
	"slices"

	"rulestore/content"
)

// Filter chooses from the list of a kind. An empty field chooses everything.
type Filter struct {
	Scenario    string
	Status      content.Status
	ProductType string
}

// addList adds the list of a kind's current versions.
func (s *Site) addList(k *content.Kind) {
	r := s.List(k, Filter{})
	r.Query = true
	s.resources[k.Path] = r
}

// List makes the list of a kind: each item's current version, or, if the filter
// asks for a status, its newest version of that status. What is archived is
// listed only when it is asked for.
func (s *Site) List(k *content.Kind, f Filter) *Resource {
	var chosen []Body
	for _, p := range s.candidates(k, f.Status) {
		if f.matches(p.listed(s.config)) {
			chosen = append(chosen, p.summary)
		}
	}
	return jsonResource(func() Body {
		var o object
		o.value("total", len(chosen))
		o.fetchedAt()
		o.array(k.Folder, chosen)
		return o.end()
	})
}

func (s *Site) candidates(k *content.Kind, status content.Status) []*entryPages {
	if status == "" {
		return s.lists[k]
	}
	var all []*entryPages
	for _, item := range s.Snapshot.Items {
		if item.Kind != k {
			continue
		}
		if i := slices.IndexFunc(item.Entries, func(e *content.Entry) bool { return e.Status == status }); i >= 0 {
			all = append(all, s.entries[item.Entries[i].Publication])
		}
	}
	return all
}

func (f Filter) matches(p *entryPages) bool {
	if f.Scenario != "" && p.entry.Body.Text("scenario") != f.Scenario {
		return false
	}
	return f.ProductType == "" || slices.Contains(p.products, f.ProductType)
}

// productTypes are those that a guideline applies to, or a scenario covers.
func productTypes(e *content.Entry) []string {
	var body struct {
		ProductTypes  []string `json:"product_types"`
		Applicability struct {
			ProductTypes []string `json:"product_types"`
		} `json:"applicability"`
	}
	var own content.Object
	for _, name := range []string{"product_types", "applicability"} {
		if v := e.Body.Get(name); v != nil {
			own = own.With(name, v)
		}
	}
	if json.Unmarshal(own.AppendJSON(nil), &body) != nil {
		return nil // not of a format with product types
	}
	return append(body.ProductTypes, body.Applicability.ProductTypes...)
}

// Scenarios lists the scenarios that a kind's items may have, nil if they have
// none.
func (s *Site) Scenarios(k *content.Kind) []string {
	formats := s.config.Schemas.Formats(k.Folder)
	if f := s.config.Schemas.Schema(k.Folder, formats[len(formats)-1]).Root().Field("scenario"); f != nil {
		return f.Values
	}
	return nil
}
