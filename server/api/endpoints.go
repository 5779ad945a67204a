package api

import (
	"sync"

	"rulestore/content"
	"rulestore/server/calc"
)

// An Endpoint is an address of the interface by the name that the manifest has for it.
type Endpoint struct {
	Name string
	Path string // a part in braces is to be filled in
	Of   *Operation
	Kind *content.Kind // of the one item that is there; nil if that is no item
	Item string
}

// Endpoints lists the addresses in the order of the operations; those that an operation has
// for one thing, and which people look for, follow it.
var Endpoints = sync.OnceValue(func() (all []Endpoint) {
	for _, o := range Operations() {
		if o.Name != "" {
			all = append(all, Endpoint{o.Name, o.Path, o, o.Kind, o.Item})
		}
		for _, p := range prominent {
			if p.of == o.ID {
				all = append(all, Endpoint{p.name, p.path, o, o.Kind, p.item})
			}
		}
	}
	return all
})

// prominent are addresses that a template has, too, and which have a name of their own.
var prominent = []struct{ name, of, path, item string }{
	{"feed", "getFeed", "/feeds/all.atom", ""},
	{
		"product_analysis_output_schema", "getOutputSchema",
		content.OutputSchemas.ItemPath("product-analysis-output"), "product-analysis-output",
	},
	{"math_loan_comparison", "getCalculation", "/api/v1/math/tools/" + calc.CompareLoansID, ""},
}
