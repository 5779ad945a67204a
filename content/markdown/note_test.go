package markdown_test

import (
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/markdown"
)

// A change note is what a git message says: its lists are lists.
func TestNote(t *testing.T) {
	for note, want := range map[string]string{
		"Первая публикация":                    "Первая публикация",
		"Сценарий\n\n- раз\n- два\n\nПодробно": "Сценарий\n\n- раз\n- два\n\nПодробно",
		"- раз\n  и ещё\n- два":                "- раз и ещё\n- два",
		"- раз\n\n- два":                       "- раз\n- два",
		"- раз\nне пункт\n\nабзац":             "- раз\n\nне пункт\n\nабзац",
		"- раз\n\n  абзац":                     "- раз\n\nабзац",
		"раз:\n- два":                          "раз:\n\n- два",
		"- # не заголовок\n- 1. не номер":      "- \\# не заголовок\n- 1\\. не номер",
		"- *звёзды* и `код`":                   "- \\*звёзды\\* и \\`код\\`",
		"- \n-\n--":                            "\\-\\\n\\-\\\n\\--",
		"* раз\n+ два":                         "\\* раз\\\n\\+ два",
		"первая\nвторая":                       "первая\\\nвторая",
		"- раз\r\n- два":                       "- раз\n- два",
		"\n\n- раз\n":                          "- раз",
	} {
		t.Run(note, func(t *testing.T) {
			item := content.Object{{Name: "title", Value: content.String("Название")},
				{Name: "change_note", Value: content.String(note)}}
			got := markdown.Render(item, nil)
			wellFormed(t, got)
			_, got2, _ := strings.Cut(string(got), "## `change_note`\n\n")
			if got2 != want+"\n" {
				t.Errorf("%q: got\n%s\nwant\n%s", note, got2, want)
			}
		})
	}
}
