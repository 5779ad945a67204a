package site

import (
	"rulestore/content"
	"rulestore/schemas"
)

// RecordField describes a field of the records of a registry, in its newest format; nil
// if there is none.
func RecordField(registry, array, field string) *content.Field {
	set := schemas.Embedded()
	folder := content.Registries.Folder + "/" + registry
	formats := set.Formats(folder)
	if len(formats) == 0 {
		return nil
	}
	return set.Schema(folder, formats[len(formats)-1]).Root().Field(array).At("0", field)
}
