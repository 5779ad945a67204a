package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"sort"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// MaxSize is the maximum size of a file, in bytes.
const MaxSize = 1 << 20

// maxDepth is the maximum nesting of values.
const maxDepth = 32

// Document is a parsed file.
type Document struct {
	Path string
	Body content.Object // its fields in the order of the file; nil for a list

	value   any // Body for the schema: maps, slices, strings, json.Number, bool, nil
	root    *yaml.Node
	raw     []byte
	dropped []content.Finding // findings about reserved fields, which Body and value do not have
}

// Parse parses a file. The document is nil if the file cannot be parsed at all; otherwise the
// findings have to be fixed before it can be used.
func Parse(path string, raw []byte) (*Document, []content.Finding) { return parse(path, raw, nil) }

// parse parses a file without the top-level fields that have reserved names.
func parse(path string, raw []byte, reserved []string) (*Document, []content.Finding) {
	fail := func(line, column int, s content.RuleText) (*Document, []content.Finding) {
		return nil, []content.Finding{foundAt(path, line, column, s)}
	}
	if len(raw) > MaxSize {
		return fail(0, 0, say("size", "file", args{"size": len(raw), "most": MaxSize}))
	}
	switch c, line, column := firstUnreadable(raw); {
	case c == utf8.RuneError:
		return fail(line, column, say("encoding", "bytes", nil))
	case c >= 0:
		return fail(line, column, say("character", "file", args{"code": codePoint(c), "name": charName(c)}))
	}
	switch line := conflict(raw); {
	case line > 0 && path == content.LifecycleFile:
		return fail(line, 1, say("conflict", "marks", nil))
	case line > 0:
		return fail(line, 1, say("conflict", "sides", nil))
	}
	node, next, err := decode(raw)
	switch {
	case errors.Is(err, io.EOF) || err == nil && node.Content[0].Kind != rootOf(path):
		if f := oddSpaceBefore(path, raw, 1); f != nil {
			return nil, f
		}
		if content.HoldsCases(path) {
			return fail(1, 1, say("syntax", "cases", nil))
		}
		return fail(1, 1, say("syntax", "empty", nil))
	case err != nil:
		line := brokenLine(raw, err)
		if f := oddSpaceBefore(path, raw, line); f != nil {
			return nil, f
		}
		text := lineOf(raw, line)
		indent := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]
		if column := 1 + bytes.IndexByte(indent, '\t'); column > 0 {
			return fail(line, column, say("tab", "indent", nil))
		}
		return fail(line, 1, yamlProblem(err).Advise(say("syntax", "quote", nil)))
	case next != nil:
		return fail(next.Line, next.Column, say("documents", "second", nil))
	}
	d := &Document{Path: path, root: node.Content[0], raw: raw}
	r := reader{doc: d}
	if content.HoldsCases(path) {
		_, d.value = r.array(nil, d.root, 0)
		return d, Capped(r.findings)
	}
	d.root = d.authored(reserved)
	d.Body, d.value = r.object(d.root)
	return d, Capped(r.findings)
}

// rootOf returns the type of a file's root: a mapping, or a list for cases.
func rootOf(path string) yaml.Kind {
	if content.HoldsCases(path) {
		return yaml.SequenceNode
	}
	return yaml.MappingNode
}

// decode parses the first document, and the beginning of a second if there is one. Aliases
// are not expanded, so they cost nothing.
func decode(raw []byte) (first, second *yaml.Node, err error) {
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	first = new(yaml.Node)
	if err := dec.Decode(first); err != nil {
		return nil, nil, err
	}
	second = new(yaml.Node)
	switch err := dec.Decode(second); {
	case errors.Is(err, io.EOF):
		return first, nil, nil
	case err != nil:
		return nil, nil, err
	}
	return first, second, nil
}

// yamlPrefix is the library's prefix of messages. Its line number is that of the start of
// the broken collection, one too low, or missing.
var yamlPrefix = regexp.MustCompile(`^yaml: (line \d+: )?`)

// yamlProblems maps the messages of the library, which has no error codes.
var yamlProblems = map[string]content.RuleText{
	"mapping values are not allowed in this context":         say("syntax", "colon", nil),
	"did not find expected key":                              say("syntax", "key", nil),
	"did not find expected '-' indicator":                    say("syntax", "element", nil),
	"did not find expected ',' or ']'":                       say("syntax", "bracket", nil),
	"did not find expected ',' or '}'":                       say("syntax", "brace", nil),
	"did not find expected node content":                     say("syntax", "content", nil),
	"did not find expected <document start>":                 say("syntax", "document", nil),
	"did not find expected alphabetic or numeric character":  say("syntax", "name", nil),
	"could not find expected ':'":                            say("syntax", "value", nil),
	"found character that cannot start any token":            say("syntax", "token", nil),
	"found unexpected end of stream":                         say("syntax", "end", nil),
	"found unknown escape character":                         say("syntax", "escape", nil),
	"found invalid Unicode character escape code":            say("syntax", "code", nil),
	"found incompatible YAML document":                       say("syntax", "version", nil),
	"block sequence entries are not allowed in this context": say("syntax", "list", nil),
}

// yamlAnchor is the library's message about an unknown anchor.
var yamlAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)

// yamlProblem converts an error of the library.
func yamlProblem(err error) content.RuleText {
	problem := yamlPrefix.ReplaceAllString(err.Error(), "")
	if s, known := yamlProblems[problem]; known {
		return s
	}
	if m := yamlAnchor.FindStringSubmatch(problem); m != nil {
		return say("syntax", "anchor", args{"anchor": m[1]})
	}
	return say("syntax", "other", args{"problem": problem})
}

// brokenLine returns the first line whose inclusion makes parsing fail with the same error.
func brokenLine(raw []byte, err error) int {
	var ends []int
	for i, c := range raw {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	return 1 + sort.Search(len(ends), func(i int) bool {
		_, _, e := decode(raw[:ends[i]])
		return e != nil && e.Error() == err.Error()
	})
}

// conflict returns the line of a merge conflict marker of git, 0 if there is none. In texts
// of YAML a quoted one is indented.
func conflict(raw []byte) int {
	n := 0
	for line := range bytes.Lines(raw) {
		n++
		if IsConflict(line) {
			return n
		}
	}
	return 0
}

// IsConflict reports whether a line is a conflict marker of git.
func IsConflict(line []byte) bool {
	return bytes.HasPrefix(line, []byte("<<<<<<< ")) || bytes.HasPrefix(line, []byte(">>>>>>> "))
}

// firstUnreadable finds the first character that is not allowed in a file: RuneError if it is
// not UTF-8, -1 if there is none.
func firstUnreadable(raw []byte) (c rune, line, column int) {
	line, column = 1, 1
	for i := 0; i < len(raw); {
		c, n := utf8.DecodeRune(raw[i:])
		if c == utf8.RuneError && n == 1 || unreadable(c) && c != '\r' && (c != bom || i > 0) {
			return c, line, column
		}
		i, column = i+n, column+1
		if c == '\n' {
			line, column = line+1, 1
		}
	}
	return -1, 0, 0
}

const bom = '\uFEFF'

// unreadable reports whether a character is a control character, a line separator for some
// programs, or a noncharacter.
func unreadable(c rune) bool {
	switch c {
	case '\n', '\t':
		return false
	case '\u2028', '\u2029', bom, '\uFFFE', '\uFFFF':
		return true
	}
	return unicode.IsControl(c)
}

// reader converts YAML nodes to JSON text and to values, and collects findings.
type reader struct {
	doc      *Document
	findings []content.Finding
	text     []byte // of the field being read
}

func (r *reader) add(n *yaml.Node, s content.RuleText) {
	if len(r.findings) <= maxFindings {
		r.findings = append(r.findings, foundAt(r.doc.Path, n.Line, n.Column, s))
	}
}

// object reads the fields of the file. Each text is copied to a slice of its exact size, as
// most publications stay in memory.
func (r *reader) object(n *yaml.Node) (content.Object, map[string]any) {
	fields, value := content.Object{}, map[string]any{}
	r.fields(n, func(key string, isText bool, of *yaml.Node) {
		var v any
		if r.text, v = r.any(r.text[:0], of, 1); isText {
			fields, value[key] = append(fields, content.Member{Name: key, Value: bytes.Clone(r.text)}), v
		}
	})
	return fields, value
}

// fields calls f with the name and the value of each field. Values of fields whose name is
// not a string are checked too.
func (r *reader) fields(n *yaml.Node, f func(key string, isText bool, of *yaml.Node)) {
	r.plain(n)
	seen := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, isText := r.key(n.Content[i])
		if line, dup := seen[key]; dup && isText {
			r.add(n.Content[i], say("duplicate-key", "twice", args{"field": key, "line": line}))
			continue
		}
		if isText {
			seen[key] = n.Content[i].Line
		}
		f(key, isText, n.Content[i+1])
	}
}

// key reads the name of a field; isText is false if it is not a string.
func (r *reader) key(n *yaml.Node) (name string, isText bool) {
	if n.Kind != yaml.ScalarNode {
		r.plain(n)
		r.add(n, say("key", "kind", nil))
		return "", false
	}
	s, isText := r.scalar(n).(string)
	switch {
	case n.Tag == "!!merge":
		r.add(n, say("anchor", "merge", nil))
	case !isText && n.Value == "":
		r.add(n, say("key", "value", args{"value": content.Word("nothing")}))
	case !isText:
		r.add(n, say("key", "value", args{"value": n.Value}))
	}
	for _, c := range s {
		if c > 0xFFFF {
			r.add(n, say("key", "astral", nil))
			break
		}
	}
	return s, isText
}

// any appends the JSON of a value to dst, and returns the value.
func (r *reader) any(dst []byte, n *yaml.Node, depth int) ([]byte, any) {
	if depth > maxDepth {
		r.add(n, say("depth", "deep", args{"most": maxDepth}))
		return append(dst, "null"...), nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		return r.mapping(dst, n, depth)
	case yaml.SequenceNode:
		return r.array(dst, n, depth)
	case yaml.AliasNode:
		r.add(n, say("anchor", "alias", args{"name": n.Value}))
		return append(dst, "null"...), nil
	}
	v := r.scalar(n)
	if s, ok := v.(string); ok {
		return content.AppendString(dst, s), v
	}
	raw, err := json.Marshal(v)
	if err != nil {
		r.add(n, say("scalar", "json", args{"problem": err}))
	}
	return append(dst, raw...), v
}

func (r *reader) mapping(dst []byte, n *yaml.Node, depth int) ([]byte, any) {
	value := make(map[string]any, len(n.Content)/2)
	dst = append(dst, '{')
	r.fields(n, func(key string, isText bool, of *yaml.Node) {
		if !isText {
			r.any(nil, of, depth+1) // for its findings
			return
		}
		if len(value) > 0 {
			dst = append(dst, ',')
		}
		dst = append(content.AppendString(dst, key), ':')
		dst, value[key] = r.any(dst, of, depth+1)
	})
	return append(dst, '}'), value
}

func (r *reader) array(dst []byte, n *yaml.Node, depth int) ([]byte, any) {
	r.plain(n)
	values := make([]any, len(n.Content))
	dst = append(dst, '[')
	for i, e := range n.Content {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst, values[i] = r.any(dst, e, depth+1)
	}
	return append(dst, ']'), values
}

// plain finds anchors and explicit tags.
func (r *reader) plain(n *yaml.Node) {
	if n.Anchor != "" {
		r.add(n, say("anchor", "anchor", args{"name": n.Anchor}))
	}
	if n.Style&yaml.TaggedStyle != 0 {
		r.add(n, say("yaml-tag", "tag", args{"tag": n.Tag}))
	}
}
