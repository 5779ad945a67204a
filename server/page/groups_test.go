package page

import (
	"fmt"
	"strings"
	"testing"

	"rulestore/content"
)

// Many groups of words are folded, a line each; a few, and what says more, are drawn as ever.
func TestGroups(t *testing.T) {
	words := &content.Field{Name: "words", Title: "Слова", Items: &content.Field{}}
	schema := &content.Field{Fields: []*content.Field{{Name: "synonyms", Title: "Слова об одном", Unique: "code",
		Items: &content.Field{Fields: []*content.Field{{Name: "code", Title: "Код"}, words}}}}}
	draw := func(n int, last string) string {
		groups := make([]string, n)
		for i := range groups {
			groups[i] = fmt.Sprintf(`{"code":"code_%d","words":["<b>","вклад на %d"]}`, i, i)
		}
		groups[n-1] = last
		return whole(Draw(tree(t, `{"synonyms":[`+strings.Join(groups, ",")+`]}`, schema), Drawing{}))
	}
	const plain = `{"code":"last","words":["раз","два"]}`
	for what, want := range map[string]string{
		"the number":      "<details><summary>Показать все: 12</summary>",
		"a line each":     `<li id="synonyms/code_3"><code>code_3</code>: &lt;b&gt;, вклад на 3</li>`,
		"the end":         `<code>last</code>: раз, два</li>` + "\n</ul>\n</details>",
		"still a section": `<h2 id="synonyms">Слова об одном`,
	} {
		if got := draw(12, plain); !strings.Contains(got, want) {
			t.Errorf("%s: no %s in\n%s", what, want, got)
		}
	}
	long := tree(t, `{"synonyms":[`+strings.Repeat(plain+",", 500)+plain+`]}`, schema)
	const link = `<a href="/taxonomy?section=synonyms">Показать все: 501</a>`
	if got := whole(Draw(long, Drawing{Path: "/taxonomy"})); !strings.Contains(got, link) ||
		strings.Contains(got, "<li") {
		t.Errorf("many have no page of their own\n%.500s", got)
	}
	for what, got := range map[string]string{
		"a few":           draw(11, plain),
		"a sentence":      draw(12, `{"code":"last","words":["`+strings.Repeat("длинно ", 20)+`"]}`),
		"no code":         draw(12, `{"title":"last","words":["раз"]}`),
		"more than words": draw(12, `{"code":"last","words":["раз"],"note":"x"}`),
		"other words":     draw(12, `{"code":"last","words":[{"x":"y"}]}`),
	} {
		if strings.Contains(got, "<details>") {
			t.Errorf("%s: folded\n%s", what, got)
		}
	}
}
