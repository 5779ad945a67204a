//go:build slow

package server_test

import (
	"html"
	"maps"
	"regexp"
	"strings"
	"testing"
)

// Whatever is entered into whichever field, what is wrong is told in words: no name, form or value of
// a program, and a field without the explanation in its title.
func TestFaultsInWords(t *testing.T) {
	c := ask(t, starterSite())
	program := regexp.MustCompile(`[a-z]+_[a-z_]+|\d{4}-\d\d-\d\d|\^\[|JSON|логическ|стро[кч]|\b(?:true|false|null)\b|^[^:]*;`)
	listed := regexp.MustCompile(`(?s)<section class="faults".*?</section>`)
	item := regexp.MustCompile(`(?s)<li>(.*?)</li>`)
	for _, tool := range tools() {
		form := exampleOf(t, tool.ID, 1)
		for name := range form {
			for _, typed := range []string{"", "абв <b>", "-1", "31.02.2026", "999999999999999"} {
				changed := maps.Clone(form)
				changed[name] = []string{typed}
				r := c.postForm(toolsPath+tool.ID, changed)
				for _, m := range item.FindAllStringSubmatch(listed.FindString(string(r.body)), -1) {
					said := html.UnescapeString(markup.ReplaceAllString(m[1], ""))
					if program.MatchString(strings.ReplaceAll(said, ", строка ", " ")) ||
						strings.Contains(said, "не сочетается") && name == "inputs.rule" {
						t.Errorf("%s: %s of %q: %s", tool.ID, name, typed, said)
					}
				}
			}
		}
	}
}
