package api

import (
	"sync"

	"rulestore/content"
	"rulestore/server/calc"
)

// An Endpoint is an address with its name in the manifest.
type Endpoint struct {
	Name string
	Path string // parts in braces are parameters
	Of   *Operation
	Kind *content.Kind // of the one item at the address; nil if there is none
	Item string
}

// Endpoints lists the addresses in the order of the operations; an operation with individual
// addresses of interest is followed by these.
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
	{"feed", "getFeed", FeedsPath + "all.atom", ""},
	{
		"product_analysis_output_schema", "getOutputSchema",
		content.OutputSchemas.ItemPath("product-analysis-output"), "product-analysis-output",
	},
	{"math_loan_comparison", "getCalculation", ToolsPath + calc.CompareLoansID, ""},
}
