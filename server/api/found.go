package api

import (
	"slices"
	"strings"

	"rulestore/content"
)

// Kinds of search results beside items and the records with an address of their own: other
// records, and calculations.
const (
	FoundRecord      = "record"
	FoundCalculation = "calculation"
)

// Narrowing are the filter parameters of a search.
var Narrowing = []string{"q", "kind", "scenario", "product_type", "signal"}

// RecordKind returns the search kind of a registry's records.
func RecordKind(registry string) string {
	for _, r := range wordsOf(content.Registries).Own {
		if r.Item == registry && r.Record != nil {
			return r.Record.Found
		}
	}
	return FoundRecord
}

// FoundKinds lists the kinds of search results.
func FoundKinds() []string { return foundKinds(content.Kinds) }

func foundKinds(kinds []*content.Kind) (all []string) {
	for _, k := range kinds {
		all = append(all, k.Name)
	}
	registries := slices.Clone(wordsOf(content.Registries).Own)
	slices.SortFunc(registries, func(a, b own) int { return strings.Compare(a.Item, b.Item) })
	for _, r := range registries {
		if r.Record != nil {
			all = append(all, r.Record.Found)
		}
	}
	return append(all, FoundRecord, FoundCalculation)
}
