package site

import (
	"cmp"
	"encoding/json"

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

// titlesOf returns the titles of a list of codes, nil if it is none.
func titlesOf(list json.RawMessage) map[string]string {
	var records []content.Object
	if json.Unmarshal(orEmptyList(list), &records) != nil {
		return nil
	}
	titles := make(map[string]string, len(records))
	for _, r := range records {
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
