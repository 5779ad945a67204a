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

// cases reads the elements of the list, each with its place. Of a conversation every turn is a case.
func (d *Document) cases() (all []content.Case, found []content.Finding) {
	text, err := json.Marshal(d.value)
	var written []struct {
		content.Case
		Conversation struct {
			Title string         `json:"title"`
			Turns []content.Case `json:"turns"`
		} `json:"conversation"`
	}
	if err == nil {
		err = json.Unmarshal(text, &written)
	}
	if err != nil {
		return nil, []content.Finding{d.finding(nil, say("schema", "other", args{"problem": err}))}
	}
	add := func(c content.Case, at ...string) {
		c.Path = d.Path
		c.Line, c.Column = d.Position(at...)
		all = append(all, c)
	}
	for i, w := range written {
		for j, turn := range w.Conversation.Turns {
			turn.Conversation = w.Conversation.Title
			add(turn, fmt.Sprint(i), "conversation", "turns", fmt.Sprint(j))
		}
		if len(w.Conversation.Turns) == 0 {
			add(w.Case, fmt.Sprint(i))
		}
	}
	return slices.Clip(all), nil
}
