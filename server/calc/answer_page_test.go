package calc

import (
	"regexp"
	"strings"
	"testing"
)

// Every example of every tool reads as Markdown: each table has as many cells in
// every row as in its head, and each value computed is there with its title.
func TestMarkdown(t *testing.T) {
	for _, tool := range all() {
		wellFormed(t, tool.ID, string(tool.Markdown()))
		for _, e := range tool.Examples {
			a, err := tool.Calculate([]byte(strings.Replace(e.Request, `{"inputs"`,
				`{"options":{"include_schedule":true},"inputs"`, 1)), testFacts)
			if err != nil { // the example has options of its own
				a, _ = tool.Calculate([]byte(e.Request), testFacts)
			}
			text := string(a.Markdown())
			wellFormed(t, tool.ID, text)
			for _, o := range a.Outputs() {
				value := o.Value
				if strings.ContainsAny(value, "[{") || value == "true" || value == "false" || value == "null" {
					value = ""
				}
				if !strings.Contains(text, escaped(o.Title)) || !strings.Contains(text, value) {
					t.Errorf("%s: %q: %s = %s is missing in\n%s", tool.ID, e.Title, o.Title, o.Value, text)
				}
			}
			if !strings.Contains(text, a.InputsHash()) || a.Reason != "" && !strings.Contains(text, a.Reason) {
				t.Errorf("%s: the hash or the reason is missing in\n%s", tool.ID, text)
			}
		}
	}
}

var bar = regexp.MustCompile(`(^|[^\\])\|`)

func wellFormed(t *testing.T, id, text string) {
	t.Helper()
	cells := 0
	for n, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "|") {
			cells = 0
			continue
		}
		got := len(bar.FindAllString(line, -1))
		if cells == 0 {
			cells = got
		}
		if got != cells || got < 2 {
			t.Errorf("%s: line %d has %d bars, expected %d:\n%s", id, n+1, got, cells, line)
		}
	}
	if !strings.HasPrefix(text, "# ") || !strings.HasSuffix(text, "\n") || strings.Contains(text, "\n\n\n") {
		t.Errorf("%s: not well formed:\n%s", id, text)
	}
}

// What comes from a request cannot become markup.
func TestEscaped(t *testing.T) {
	if got, want := escaped("a|b*c`d<e[f\\g\nh"), "a\\|b\\*c\\`d\\<e\\[f\\\\g h"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
