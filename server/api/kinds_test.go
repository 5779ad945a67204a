package api

import (
	"testing"

	"rulestore/content"
)

// A name of several words is one name in the description.
func TestNamesOfNewKind(t *testing.T) {
	w := wordsOf(&content.Kind{Folder: "court-fees", Title: "Пошлины", Name: "court_fee", ID: "court_fee_id"})
	if w.schema != "CourtFee" || w.plural != "CourtFees" || w.param.Key != "CourtFeeName" {
		t.Errorf("%q, %q, %q", w.schema, w.plural, w.param.Key)
	}
}
