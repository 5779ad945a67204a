package page

import (
	"html"
	"slices"
	"strings"
	"testing"
)

// Content is hostile: whatever is written, the page has no element that is not
// ours, and no link that a reader should not follow.
func TestReadHostile(t *testing.T) {
	for name, test := range map[string]struct{ source, want string }{
		"script":            {"Текст <script>alert(1)</script>", "<p>Текст &lt;script&gt;alert(1)&lt;/script&gt;</p>"},
		"html block":        {"<div onclick=\"x()\">\nТекст\n</div>", "<p>&lt;div onclick=&quot;x()&quot;&gt;\nТекст\n&lt;/div&gt;</p>"},
		"comment":           {"<!--findings guidelines/a.yaml-->", "<p>&lt;!--findings guidelines/a.yaml--&gt;</p>"},
		"script link":       {"[нажмите](javascript:alert(1))", "<p>нажмите</p>"},
		"script link caps":  {"[нажмите](JaVaScRiPt:alert(1))", "<p>нажмите</p>"},
		"escaped scheme":    {"[нажмите](java&#115;cript:alert(1))", "<p>нажмите</p>"},
		"scheme with tab":   {"[нажмите](<java\tscript:alert(1)>)", "<p>нажмите</p>"},
		"script autolink":   {"<javascript:alert(1)>", "<p>javascript:alert(1)</p>"},
		"data":              {"[нажмите](data:text/html;base64,PHNjcmlwdD4=)", "<p>нажмите</p>"},
		"file":              {"<file:///etc/passwd>", "<p>file:///etc/passwd</p>"},
		"other host":        {"[нажмите](//evil.example/x)", "<p>нажмите</p>"},
		"relative":          {"[выше](../secret)", "<p>выше</p>"},
		"image":             {"![подпись](https://evil.example/pixel.gif)", "<p>подпись</p>"},
		"image of a script": {"![x](javascript:alert(1))", "<p>x</p>"},
		"quote in address":  {"<https://example.org/\"onmouseover=alert(1)>", `<p><a href="https://example.org/%22onmouseover=alert(1)" rel="external noopener nofollow">https://example.org/&quot;onmouseover=alert(1)</a></p>`},
		"web":               {"<https://example.org/a?b=1&c=2>", `<p><a href="https://example.org/a?b=1&amp;c=2" rel="external noopener nofollow">https://example.org/a?b=1&amp;c=2</a></p>`},
		"mail":              {"<a@example.org>", `<p><a href="mailto:a@example.org" rel="external noopener nofollow">a@example.org</a></p>`},
		"own":               {"<https://rules.example.org/api/v1/x>", `<p><a href="/root/api/v1/x">https://rules.example.org/api/v1/x</a></p>`},
		"not quite own":     {"<https://rules.example.org.evil.example/x>", `<p><a href="https://rules.example.org.evil.example/x" rel="external noopener nofollow">https://rules.example.org.evil.example/x</a></p>`},
		"code":              {"`<b>`", "<p><code>&lt;b&gt;</code></p>"},
		"known code":        {"`product.common.001`", `<p><a href="/root/x"><code>product.common.001</code></a></p>`},
		"attributes":        {"Текст {onclick=alert(1)}", "<p>Текст {onclick=alert(1)}</p>"},
		"cell":              {"| A | Б |\n|---|---|\n| <b> | `|` |", `<td>&lt;b&gt;</td>`},
		"link definition":   {"[a]: javascript:alert(1)\n\n[a]", "<p>a</p>"},
		"field name":        {"- **<i>:** да", "<dt>&lt;i&gt;</dt><dd>да</dd>"},
	} {
		d := Read([]byte(test.source), Reading{
			Own: "https://rules.example.org", Root: "/root", Codes: map[string]string{"product.common.001": "/root/x"},
		})
		if got := string(d.Lead); !strings.Contains(got, test.want) {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// What begins with our own address stays with us, however a browser reads it: it
// drops tabs and ends of lines, and takes a backslash for a slash (URL standard).
func TestOwnAddresses(t *testing.T) {
	const own = "https://rules.example.org"
	for _, rest := range []string{
		"/api/v1/x", "/", "//evil.example/x", "///evil.example", "/\\evil.example", "/\\/evil.example", "/\t/evil.example", "/\r\n/evil.example",
		"/ /evil.example", "/\x00/evil.example", "/\x1f\\evil.example", "/\u00a0/evil.example", "/\u2028/evil.example", "/\u0085/evil.example", "/./\t/evil.example",
	} {
		for _, root := range []string{"", "/root"} {
			var found []string
			for _, markdown := range []string{"[x](<" + own + rest + ">)", "<" + own + rest + ">", "[x](<" + rest + ">)"} {
				d := Read([]byte(markdown), Reading{Own: own, Root: root})
				found = append(found, addresses(string(d.Lead))...)
			}
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

func TestReadParts(t *testing.T) {
	d := Read([]byte(`# Название

О чём это.

| Поле | Значение |
|---|---|
| Версия | 1.0.0 |
| Статус | действует (`+"`current`"+`) |

## Правила

### 1. Первое

- **Условие:** Да & нет
- **Действия:**
  - Раз
  - Два

## Правила

Ещё.
`), Reading{})
	if want := "<p>О чём это.</p>\n"; string(d.Lead) != want {
		t.Errorf("the lead is %q", d.Lead)
	}
	if len(d.Facts) != 2 || d.Facts[1].Name != "Статус" || string(d.Facts[1].Value) != "действует (<code>current</code>)" {
		t.Errorf("the facts are %v", d.Facts)
	}
	if len(d.Contents) != 2 || d.Contents[0] != (Heading{"t-правила", "Правила"}) || d.Contents[1] != (Heading{"t-правила-2", "Правила"}) {
		t.Errorf("the contents are %v", d.Contents)
	}
	want := `<h2 id="t-правила">Правила</h2>
<h3 id="t-1-первое">1. Первое</h3>
<dl class="fields">
<div><dt>Условие</dt><dd>Да &amp; нет</dd></div>
<div><dt>Действия</dt><dd><ul>
<li>Раз</li>
<li>Два</li>
</ul>
</dd></div>
</dl>
<h2 id="t-правила-2">Правила</h2>
<p>Ещё.</p>
`
	if string(d.Body) != want {
		t.Errorf("the body is\n%s\nwant\n%s", d.Body, want)
	}
}

// Reading takes no longer than the text is long. The patterns that goldmark takes
// its time with, brackets and quotes, do not come: content/markdown escapes them.
func TestReadPatterns(t *testing.T) {
	for _, pattern := range []string{"[", "`", "*a", "**a*", "<", "<a@", "&", "| a", "|a|b|\n", "- ", "# \n", "\\", "![", "a\n-\n", "- **a:** b\n"} {
		Read([]byte(strings.Repeat(pattern, maxMarkdown/4/len(pattern))), Reading{})
	}
}

// A text that nobody reads to its end is cut between sections, and says so.
func TestReadLong(t *testing.T) {
	var long strings.Builder
	long.WriteString("# Длинное\n")
	for long.Len() < 2*maxMarkdown {
		long.WriteString("\n## Раздел\n\nТекст.\n")
	}
	d := Read([]byte(long.String()), Reading{})
	if !d.Cut || len(d.Body) > 4*maxMarkdown || !strings.HasSuffix(string(d.Body), "<p>Текст.</p>\n") {
		t.Errorf("cut is %v, %d bytes, ends with %q", d.Cut, len(d.Body), d.Body[len(d.Body)-40:])
	}
	if d := Read([]byte(strings.Repeat("я", maxMarkdown)), Reading{}); !d.Cut {
		t.Error("a single line is not cut")
	}
}

func FuzzRead(f *testing.F) {
	f.Add("# A\n\n| Поле | Значение |\n|---|---|\n| a | <b> |\n\n## B\n\n- **C:** `d`\n")
	f.Add("[a](javascript:x) ![b](c) <https://d> <script>")
	f.Add("<https://rules.example.org//evil.example> [a](/\\\\evil.example) [b](<https://rules.example.org/\t/c>)")
	f.Add("- **:**\n- **\n|a|b|\n|-|-|")
	f.Fuzz(func(t *testing.T, source string) {
		d := Read([]byte(source), Reading{Own: "https://rules.example.org"})
		for _, html := range []string{string(d.Lead), string(d.Body)} {
			if i := slices.IndexFunc(addresses(html), leaves); i >= 0 {
				t.Errorf("%q leads to %s", source, addresses(html)[i])
			}
			for _, bad := range []string{"<script", "<img", "<iframe", "<style", "<!--", `href="javascript`, `href="data`} {
				if strings.Contains(strings.ToLower(html), bad) {
					t.Errorf("%q makes %s", source, html)
				}
			}
		}
	})
}
