package markdown_test

import (
	"encoding/json"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/markdown"
)

// Whatever form a value takes, its place is where its text begins, or that of what
// it is part of.
func TestLocate(t *testing.T) {
	var item content.Object
	if err := json.Unmarshal([]byte(`{
		"title": "Заголовок", "summary": "Кратко.", "status": "готово", "empty": null,
		"codes": ["A_B", "C_D"],
		"points": ["Первое предложение, оно длинное.", "Второе предложение."],
		"rows": [{"code": "X_1", "days": 1}, {"code": "X_2", "days": 2}],
		"steps": [{"title": "Шаг", "texts": ["Раз, это текст.", "Два, это тоже."], "deep": {"in": {"x": "здесь, внутри"}}}]
	}`), &item); err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{
		"title":                 "Заголовок",
		"summary":               "Кратко.",
		"status":                "готово",
		"empty":                 "—",
		"codes":                 "`codes`",
		"codes/1":               "`C_D`",
		"points":                "`points`",
		"points/1":              "Второе предложение.",
		"points/7":              "`points`",
		"rows/1":                "`X_2`",
		"rows/1/days":           "2 |",
		"steps/0":               "1. Шаг",
		"steps/0/title":         "1. Шаг",
		"steps/0/texts/1":       "Два, это тоже.",
		"steps/0/deep/in/x":     "**`x`:**",
		"steps/0/deep/in/x/y/z": "**`x`:**",
		"nothing":               "",
		"":                      "",
	} {
		located := markdown.Locate(item, nil, [][]string{strings.Split(pointer, "/")})
		text, at := located.Text, located.Offsets
		switch {
		case want == "" && at[0] != -1:
			t.Errorf("%s is at %d", pointer, at[0])
		case want != "" && (at[0] < 0 || !strings.HasPrefix(string(text[at[0]:]), want)):
			t.Errorf("%s is at %d, not at %s in\n%s", pointer, at[0], want, text)
		}
	}
}
