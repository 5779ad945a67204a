package markdown_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/markdown"
)

// FuzzRender takes any JSON object for an item, and anything else, JSON or not,
// for the value of one field.
func FuzzRender(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.json")
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	for _, seed := range []string{
		``, `{}`, `null`, `"\ud800"`, `{"":{"":[{}]}}`, `{"title":[],"summary":{},"title":"x"}`, `[{"a":1,"a":2}]`,
		`{"rules":[{"title":"\u2028"},[],[[]],[{"code":"A"}]]}`, `not JSON`, "\"\xff\"",
		`{"a` + "\xc2" + `":"` + "\xe2\x80" + `"}`,
		strings.Repeat("[", 200) + strings.Repeat("]", 200),
		strings.Repeat(`{"a":`, 50) + `"|"` + strings.Repeat("}", 50),
	} {
		f.Add([]byte(seed))
	}
	schema := served(content.Guidelines)
	f.Fuzz(func(t *testing.T, raw []byte) {
		var item content.Object
		if json.Unmarshal(raw, &item) != nil {
			item = content.Object{{Name: string(raw), Value: raw}, {Name: "rules", Value: raw}}
		}
		wellFormed(t, markdown.Render(item, schema))
		wellFormed(t, markdown.Render(item, nil))
	})
}
