package calc

import (
	"strings"
	"testing"
)

// What leads an answer is an output of the tool, and an example shows it first.
func TestLeading(t *testing.T) {
	shown := map[string]bool{}
	for tool := range New().Tools() {
		for _, e := range tool.Examples {
			a, err := tool.Calculate([]byte(e.Request), testFacts)
			if err != nil {
				t.Fatal(err)
			}
			results := a.resultSection()
			for i, path := range leading[tool.ID] {
				found := results.figuresAt(path)
				shown[tool.ID+" "+path] = shown[tool.ID+" "+path] || found != nil
				name := path[strings.LastIndexByte(path, '.')+1:]
				if all := a.Leading(); i == 0 && found != nil && found[0].Text != "" &&
					(len(all) == 0 || all[0].Name != name) {
					t.Errorf("%s: %s does not lead", tool.ID, path)
				}
			}
		}
	}
	for id, paths := range leading {
		for _, path := range paths {
			if !shown[id+" "+path] {
				t.Errorf("%s: no example has %s", id, path)
			}
		}
	}
}
