package api

import (
	"slices"
	"strings"

	"rulestore/content"
)

// What a search finds besides items and the records of registries with an address of their
// own: records of others, and calculations.
const (
	FoundRecord      = "record"
	FoundCalculation = "calculation"
)

// Narrowing are the parameters of a search that say what is searched for.
var Narrowing = []string{"q", "kind", "scenario", "product_type", "signal"}

// RecordKind is what a search calls the records of a registry.
func RecordKind(registry string) string {
	for _, r := range addressed[content.Registries] {
		if r.item == registry && r.record != nil {
			return r.record.found
		}
	}
	return FoundRecord
}

// FoundKinds lists the kinds of what a search finds.
func FoundKinds() (all []string) {
	for _, k := range content.Kinds {
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

// foundKind is the component for the kind of what is found.
func foundKind() content.Object {
	return object("description", "Вид найденного.", "type", "string", "enum", FoundKinds())
}
