package site_test

import (
	"encoding/json"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/schemas"
	"rulestore/server/site"
)

// What a server of others sends is rendered as far as it can be, whatever it is.
func FuzzMarkdownOfServed(f *testing.F) {
	f.Add(`{"guideline_id":"a","schema_version":"1.0","title":"Т","rules":[{"rule_id":"x"}],"fetched_at":"x"}`)
	f.Add(`{"rules":{"a":[[1]]},"sources":null,"applicability":[1,"x"],"total":{}}`)
	f.Add(`{"a":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`)
	f.Add(`{"a":` + strings.Repeat(`{"a":`, 3000) + "1" + strings.Repeat("}", 3000) + `}`)
	c := site.Config{Version: "test", Schemas: schemas.Embedded()}
	f.Fuzz(func(t *testing.T, raw string) {
		var item content.Object
		if json.Unmarshal([]byte(raw), &item) != nil {
			return
		}
		for _, k := range content.Kinds {
			if c.Markdown(k, "taxonomy", item) == nil && len(item) > 0 {
				t.Errorf("nothing of %.100s", raw)
			}
		}
	})
}
