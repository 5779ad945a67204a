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
	for _, r := range addressed[content.Registries] {
		if r.item == registry && r.record != nil {
			return r.record.found
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
	registries := slices.Clone(addressed[content.Registries])
	slices.SortFunc(registries, func(a, b own) int { return strings.Compare(a.item, b.item) })
	for _, r := range registries {
		if r.record != nil {
			all = append(all, r.record.found)
		}
	}
	return append(all, FoundRecord, FoundCalculation)
}
