package check

import (
	"encoding/json"
	"fmt"
	"slices"

	"rulestore/content"
)

// Cases checks a file of cases. A file with findings returns no cases.
func Cases(schemas content.Schemas, path string, raw []byte) ([]content.Case, []content.Finding) {
	doc, findings := Parse(path, raw)
	if doc == nil || len(findings) > 0 {
		return nil, findings
	}
	formats := schemas.Formats(content.CasesFolder)
	format := formats[len(formats)-1]
	found := doc.violations(schemas, content.CasesFolder, format)
	if len(found) > 0 {
		return nil, Capped(found)
	}
	return doc.cases()
}

// cases reads the elements of the list, each with its place.
func (d *Document) cases() ([]content.Case, []content.Finding) {
	text, err := json.Marshal(d.value)
	var all []content.Case
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, []content.Finding{d.finding(nil, say("schema", "other", args{"problem": err}))}
	}
	for i := range all {
		all[i].Path = d.Path
		all[i].Line, all[i].Column = d.Position(fmt.Sprint(i))
	}
	return slices.Clip(all), nil
}
