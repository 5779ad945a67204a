package lsp

import (
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestOutlineAgreesOnLayouts(t *testing.T) {
	for name, raw := range map[string]string{
		"lists at the column of their name": "a:\n- b: 1\n  c: 2\n- d\ne: f\n",
		"lists in lists":                    "a:\n  - - b\n    - c\n  -\n    - d\n",
		"elements on lines of their own":    "a:\n  -\n    b: 1\n    c: 2\n  -\n    d\n",
		"brackets":                          "a: [b, {c: d, e: [f, g]}, \"h, i\", 'j ]']\nk: {l: m, \"n\": o p, q: {}, r: []}\ns: t\n",
		"brackets over lines":               "a: [\n    b,\n    d,\n  ]\ne:\n  f: {g: h,\n    i: j}\n  k: l\nm: n\n",
		"texts over lines":                  "a: one\n  two - three\n  - four\nb: \"five\n  six: seven\"\nc: 'it''s\n  eight'\nd: |\n  e: f\n\n  - g # no comment\nh: >-\n  # text\n  i\nj: k\n",
		"texts of elements":                 "a:\n  - >-\n    b\n    c: d\n  - e\n    f\n  - |\n   g\nh: i\n",
		"values below their names":          "a:\n  b\nc:\n  \"d e\"\nf:\n  [g, h]\ni:\n  - j\n",
		"comments":                          "# a: b\nc: d # e: f\n  # g\nh: # i\n  j: k\n  # l\n  m: 'n # o' # p\nq: r#s\nt: #u\n",
		"colons":                            "a: b:c\nd: http://e\n\"f: g\": h\n'i': j\nk : l\nm: \"n: o\"\n- : p\n",
		"indented":                          "  a: b\n  c:\n      d: e\n      f:\n       - g\n  h: i\n",
		"Cyrillic and astral":               "\"ключ\": «значение» # слова\nя𝔸: [ю𝔸, {э: ъ}]\n",
		"line ends":                         "a: b\r\nc:\r\n  - d\r\n  - e: f\r\n",
		"a byte order mark":                 "\uFEFFa: b\nc: d\n",
		"markers of documents":              "---\na: b\nc:\n  - d\n...\n",
		"signs":                             "a: -b\nc: - \nd: ?e\nf:\n  -g\nh: a - b\n",
	} {
		t.Run(name, func(t *testing.T) { agree(t, []byte(raw)) })
	}
}

// What an outline says of a file that can be read is what the parser says.
func TestOutlineAgreesWithParser(t *testing.T) {
	for _, f := range sixItems().Files {
		if strings.HasSuffix(f.Name, ".yaml") {
			t.Run(f.Name, func(t *testing.T) { agree(t, f.Data) })
		}
	}
}

func agree(t *testing.T, raw []byte) {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		t.Skip("no YAML:", err)
	}
	text := newText(raw)
	c := comparer{t, text, outlineOf(text)}
	c.node(doc.Content[0], nil)
}

type comparer struct {
	*testing.T
	text *text
	o    *outline
}

func (c comparer) node(n *yaml.Node, path []string) {
	got := c.o.at(path)
	if strings.Join(got.path(), "/") != strings.Join(path, "/") {
		c.Errorf("%q is not in the outline", path)
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			c.name(n.Content[i], append(path[:len(path):len(path)], n.Content[i].Value))
			c.node(n.Content[i+1], append(path[:len(path):len(path)], n.Content[i].Value))
		}
		if len(got.children) != len(n.Content)/2 {
			c.Errorf("%q has %d fields, the parser finds %d", path, len(got.children), len(n.Content)/2)
		}
	case yaml.SequenceNode:
		for i, e := range n.Content {
			c.node(e, append(path[:len(path):len(path)], strconv.Itoa(i)))
		}
		if len(got.children) != len(n.Content) {
			c.Errorf("%q has %d elements, the parser finds %d", path, len(got.children), len(n.Content))
		}
	case yaml.ScalarNode:
		c.scalar(n, got, path)
	}
}

func (c comparer) name(n *yaml.Node, path []string) {
	got := c.o.at(path)
	at := c.text.spotOf(n.Line, n.Column)
	if n.Style != 0 {
		at.column++ // the quote
	}
	if got.name.start != at || c.text.slice(got.name) != n.Value {
		c.Errorf("the name %q is %q at %v, the parser finds it at %v", path, c.text.slice(got.name), got.name.start, at)
	}
}

func (c comparer) scalar(n *yaml.Node, got *node, path []string) {
	at := c.text.spotOf(n.Line, n.Column)
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		at.column++
	}
	switch {
	case n.Value == "" && n.Style == 0:
		if got.shape != empty {
			c.Errorf("%q is a %d, the parser finds nothing", path, got.shape)
		}
	case got.shape == scalar:
		if got.value.start != at || n.Style != yaml.SingleQuotedStyle && c.text.slice(got.value) != n.Value {
			c.Errorf("%q is %q at %v, the parser finds %q at %v", path, c.text.slice(got.value),
				got.value.start, n.Value, at)
		}
	case got.shape != multiline:
		c.Errorf("%q is a %d, the parser finds %q", path, got.shape, n.Value)
	}
}
