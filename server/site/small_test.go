package site

import (
	"testing"

	"rulestore/content"
	"rulestore/content/search"
)

// What the tests of authors ask of a site: what is found, sections, and sizes.
func TestForCases(t *testing.T) {
	s := Build(nil, lastStore(), config)
	item := s.Snapshot.Item(content.Guidelines, "product.deposit.001")
	if found := s.FindAll(search.Query{Text: "Разбор вклада и счёта"}); len(found) == 0 || found[0].ID != item.Name {
		t.Errorf("found %.300v", found)
	}
	title, ok := s.Section(item.Current, "title")
	if _, other := s.Section(item.Current, "nothing"); !ok || other || string(title) != `"Разбор вклада и счёта"` {
		t.Errorf("the title is %s", title)
	}
	secret := s.Snapshot.Item(content.Guidelines, "investment.secret.001").Entries[0]
	whole, brief := s.Size(item.Current, false), s.Size(item.Current, true)
	if whole == 0 || brief == 0 || whole == brief || s.Size(secret, false) != 0 {
		t.Errorf("%d bytes, %d of the brief", whole, brief)
	}
}
