package html

import (
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/document"
)

// tree reads an item by a schema.
func tree(t testing.TB, text string, schema *content.Field) *document.Node {
	t.Helper()
	var o content.Object
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return document.Read(o, schema)
}

// ruleSchema has what makes a difference to how a value is drawn.
var ruleSchema = &content.Field{Fields: []*content.Field{
	{Name: "title", Title: "Название"}, {Name: "summary"}, {Name: "unit", Title: "Единица",
		Labels: map[string]string{"RUB": "рублей"}},
	{Name: "value", Title: "Значение"}, {Name: "status", Title: "Статус",
		Labels: map[string]string{"current": "действует"}},
	{Name: "rules", Title: "Правила", Unique: "rule_id", Items: &content.Field{Title: "Правило",
		Fields: []*content.Field{
			{Name: "rule_id", Title: "Код"}, {Name: "title", Title: "Название", Prose: true},
			{Name: "action", Title: "Действие", Prose: true},
			{Name: "severity", Title: "Важность", Labels: map[string]string{"high": "высокая"}},
			{Name: "stop", Title: "Остановка"}, {Name: "see", Title: "См.",
				Items: &content.Field{Reference: "guidelines"}},
			{Name: "steps", Title: "Шаги", Ordered: true, Items: &content.Field{Prose: true}},
		}}},
	{Name: "states", Title: "Состояния", Unique: "state", Ordered: true, Items: &content.Field{Fields: []*content.Field{
		{Name: "state"}, {Name: "title"}, {Name: "about"}, {Name: "allowed_next_states",
			Items: &content.Field{Labels: map[string]string{"END": "Конец"}}},
	}}},
	{Name: "rows", Title: "Ряды", Items: &content.Field{Fields: []*content.Field{{Name: "day", Title: "День"},
		{Name: "n", Title: "Число"}}}},
}}

const ruleText = `{"title":"Правило","summary":"О чём.\n\nЕщё.","value":1500000.5,"unit":"RUB","status":"current",
"rules":[{"rule_id":"first","title":"Раз","action":"Сделать.\nПотом ещё.","severity":"high","stop":true,"see":["a.b.001"],"steps":["Шаг","Ещё"]},{"rule_id":"second","action":"Два"}],
"states":[{"state":"A","title":"Первое","about":"x","allowed_next_states":["END"]},{"state":"END","title":"Последнее","about":"x","allowed_next_states":[]}],
"rows":[{"day":"2026-05-01","n":1},{"day":"2026-06-02","n":12345}]}`

// What has a code and no title is listed by how its text begins; a code that only repeats the
// title above it leads to what it names, without the title.
func TestCalled(t *testing.T) {
	long := strings.Repeat("слово ", 20)
	root := tree(t, `{"rules":[{"rule_id":"only_code","action":"`+long+
		`"},{"rule_id":"short","action":"Два слова"},{"rule_id":"named","title":"Имя"}],"rows":[{"n":1,"title":"Раз"}]}`, ruleSchema)
	d := Draw(root, Drawing{Names: func(_ *document.Node, word string) (Link, bool) {
		return Link{Title: "Имя", Href: "/" + word}, word == "named"
	}})
	within := d.Contents[0].Within
	if want := strings.TrimSpace(strings.Repeat("слово ", 10)) + "…"; within[0].Text != want ||
		within[1].Text != "Два слова" || within[2].Text != "Имя" {
		t.Errorf("the contents are %q", within)
	}
	if want := `<p class="meta id"><span class="id"><a href="/named" title="Имя"><code>named</code></a></span></p>`; !strings.Contains(whole(d), want) {
		t.Errorf("no %s in\n%s", want, whole(d))
	}
}

// Identifiers in prose are code, or linked by the title of what they name; those in brackets after words are shown
// with the codes only; addresses stay as they are.
func TestIdentifiersInProse(t *testing.T) {
	root := tree(t, `{"rules":[{"rule_id":"r","title":"Раз","action":"Если sufficient_for_stop, то named_one; см. `+
		`example.org/a_b и остановки (for_stop), что-то."}]}`, ruleSchema)
	d := Draw(root, Drawing{Names: func(_ *document.Node, word string) (Link, bool) {
		return Link{Title: "Имя", Href: "/x"}, word == "named_one"
	}})
	const want = `Если <code>sufficient_for_stop</code>, то <a href="/x">«Имя»</a><code class="id"> named_one</code>; см. ` +
		`example.org/a_b и остановки<span class="id"> (<code>for_stop</code>)</span>, что-то.`
	if !strings.Contains(whole(d), want) {
		t.Errorf("no %s in\n%s", want, whole(d))
	}
}

// The number of a step stands in its heading, and not again below it.
func TestNumberedOnce(t *testing.T) {
	schema := &content.Field{Fields: []*content.Field{{Name: "steps", Title: "Шаги", Unique: "code", Ordered: true,
		Items: &content.Field{Fields: []*content.Field{
			{Name: "step", Title: "Номер"}, {Name: "code"}, {Name: "title"},
			{Name: "about", Title: "О чём", Prose: true}}}}}}
	for step, again := range map[string]bool{"1": false, "7": true} {
		d := Draw(tree(t, `{"steps":[{"step":`+step+`,"code":"A_B","title":"Раз","about":"Первая.\nВторая."}]}`,
			schema), Drawing{})
		if got := strings.Contains(whole(d), "Номер"); got != again || !strings.Contains(whole(d), ">1. Раз") {
			t.Errorf("step %s:\n%s", step, whole(d))
		}
	}
}

func TestHeadline(t *testing.T) {
	unit := &content.Field{Fields: []*content.Field{{Name: "unit", Labels: map[string]string{"furlong": "фарлонгов"}}}}
	for text, want := range map[string]string{
		`{"value":500000,"unit":"RUB","inclusive":true,"valid_from":"2018-09-03"}`: "500\u00a0000\u00a0₽, включительно, с\u00a03\u00a0сентября\u00a02018",
		`{"unit":"percent","value":18.5,"inclusive":false}`:                        "18,5\u00a0%, не включая",
		`{"value":1,"unit":"business_day"}`:                                        "1\u00a0рабочий день",
		`{"value":22,"unit":"calendar_day"}`:                                       "22\u00a0календарных дня",
		`{"value":15,"unit":"year"}`:                                               "15\u00a0лет",
		`{"value":7,"unit":"furlong"}`:                                             "7\u00a0фарлонгов",
		`{"value":1e3,"unit":"month","valid_from":"вчера"}`:                        "1e3",
		`{"value":3}`: "3", `{"value":["a"]}`: "", `{"value":"x"}`: "", `{}`: "",
	} {
		if got := Headline(tree(t, text, unit)); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// whole is all of a document, its facts included.
func whole(d Document) string {
	facts := ""
	for _, f := range d.Facts {
		facts += fmt.Sprintf("<dt>%s<dd>%s", f.Name, f.Value)
	}
	return string(d.Lead) + facts + string(d.Body)
}

// Content is hostile: whatever is written, the page has no element that is not ours, and
// no link that a reader should not follow.
func TestDrawHostile(t *testing.T) {
	for text, want := range map[string]string{
		"<script>alert(1)</script>":               "&lt;script&gt;alert(1)&lt;/script&gt;",
		"javascript:alert(1)":                     "javascript:alert(1)",
		"<javascript:alert(1)>":                   "&lt;javascript:alert(1)&gt;",
		"data:text/html;base64,PHNjcmlwdD4":       "data:text/html;base64,PHNjcmlwdD4",
		"//evil.example/x":                        "//evil.example/x",
		"[нажмите](https://evil.example)":         "[нажмите](https://evil.example)",
		`https://example.org/"onmouseover=alert`:  `<a href="https://example.org/&#34;onmouseover=alert" rel="external noopener nofollow">`,
		"https://example.org/a?b=1&c=2":           `<a href="https://example.org/a?b=1&amp;c=2" rel="external noopener nofollow">`,
		"https://rules.example.org/api/v1/x":      `<a href="/root/api/v1/x">https://rules.example.org/api/v1/x</a>`,
		"https://rules.example.org.evil.example/": `<a href="https://rules.example.org.evil.example/" rel="external noopener nofollow">`,
		"a\u0000b\u001b[31m":                      "a\uFFFDb\uFFFD[31m",
	} {
		o := content.Object{{Name: "field", Value: content.String(text)},
			{Name: "list", Value: content.Object{{Name: "a", Value: content.String(text)}}.AppendJSON(nil)}}
		d := Draw(document.Read(o, nil), Drawing{Own: "https://rules.example.org", Root: "/root"})
		if got := whole(d); strings.Count(got, want) != 2 {
			t.Errorf("%q: got %s", text, got)
		}
	}
}

// What begins with our own address stays with us, however a browser reads it: it
// drops tabs and ends of lines, and takes a backslash for a slash (URL standard).
func TestOwnAddresses(t *testing.T) {
	const own = "https://rules.example.org"
	for _, rest := range []string{
		"/api/v1/x", "/", "//evil.example/x", "///evil.example", "/\\evil.example", "/\\/evil.example",
		"/\t/evil.example", "/\r\n/evil.example",
		"/ /evil.example", "/\x00/evil.example", "/\x1f\\evil.example", "/\u00a0/evil.example", "/\u2028/evil.example",
		"/\u0085/evil.example", "/./\t/evil.example",
	} {
		for _, root := range []string{"", "/root"} {
			d := Draw(document.Read(content.Object{{Name: "a", Value: content.String(own + rest)}}, nil),
				Drawing{Own: own, Root: root})
			found := addresses(whole(d))
			for _, l := range Linked("См. "+own+rest+" и дальше.", own, root) {
				found = append(found, l.Href)
			}
			for _, href := range found {
				if strings.HasPrefix(href, "/") && leaves(href) {
					t.Errorf("%q under %q leads to %q", rest, root, href)
				}
			}
			if rest == "/api/v1/x" && !slices.Contains(found, root+rest) {
				t.Errorf("%q is no link: %q", rest, found)
			}
		}
	}
}

// addresses are the addresses that a piece of HTML leads to.
func addresses(piece string) (all []string) {
	for _, m := range hrefs.FindAllStringSubmatch(piece, -1) {
		all = append(all, html.UnescapeString(m[1]))
	}
	return all
}

// leaves says whether an address names a host, as browsers read it.
func leaves(href string) bool {
	href = strings.NewReplacer("\t", "", "\r", "", "\n", "", "\\", "/").Replace(href)
	return strings.HasPrefix(strings.TrimLeftFunc(href, func(r rune) bool { return r <= ' ' }), "//")
}

// What stands on another page has no places of its own.
func TestBare(t *testing.T) {
	if bare := whole(Draw(tree(t, ruleText, ruleSchema), Drawing{Bare: true})); strings.Contains(bare, "id=") ||
		strings.Contains(bare, "¶") {
		t.Errorf("anchors in\n%s", bare)
	}
}

func FuzzDraw(f *testing.F) {
	f.Add(ruleText)
	f.Add(`{"a":"<script>","b":{"c":["https://rules.example.org//evil.example",{"d":null}]},"e":[{"f":1,"g":"x"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var o content.Object
		if json.Unmarshal([]byte(text), &o) != nil {
			return
		}
		for _, schema := range []*content.Field{nil, ruleSchema} {
			made := whole(Draw(document.Read(o, schema), Drawing{Own: "https://rules.example.org"}))
			if i := slices.IndexFunc(addresses(made), leaves); i >= 0 {
				t.Errorf("%q leads to %s", text, addresses(made)[i])
			}
			for _, bad := range []string{"<script", "<img", "<iframe", "<style", "<!--",
				`href="javascript`, `href="data`} {
				if strings.Contains(strings.ToLower(made), bad) {
					t.Errorf("%q makes %s", text, made)
				}
			}
		}
	})
}
