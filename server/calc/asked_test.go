package calc

import "testing"

// Every calculation has the words in which people ask for it, and nothing else has.
func TestAsked(t *testing.T) {
	known := map[string]bool{}
	for tool := range New().Tools() {
		known[tool.ID] = true
		if len(tool.Asked()) == 0 {
			t.Errorf("%s: words.yaml has no questions for it", tool.ID)
		}
	}
	for id := range words().Asked {
		if !known[id] {
			t.Errorf("%s is no tool", id)
		}
	}
}
