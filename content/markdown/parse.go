package markdown

import (
	"bytes"
	"encoding/json"
	"strings"

	"rulestore/content"
)

func parseItem(item content.Object, schema *content.Field) node {
	root := node{kind: object, field: schema, kids: make([]node, 0, len(item))}
	for _, m := range item {
		n := parse(m.Value, schema.Field(m.Name))
		n.name = strings.ToValidUTF8(m.Name, "\uFFFD")
		root.kids = append(root.kids, n)
	}
	return root
}

// parse reads a value. Nothing at all is null, and what is not JSON is taken
// for a text: it is not for a renderer to refuse it.
func parse(raw json.RawMessage, f *content.Field) node {
	if len(raw) == 0 {
		return node{field: f}
	}
	if !json.Valid(raw) {
		return node{kind: text, text: strings.ToValidUTF8(string(raw), "\uFFFD"), field: f}
	}
	r := reader{data: raw}
	return r.value(f, 0)
}

// reader reads JSON that is known to be valid, so it never has to look out for
// the end of the data.
type reader struct {
	data []byte
	i    int
}

func (r *reader) value(f *content.Field, depth int) node {
	switch c := r.next(); {
	case (c == '{' || c == '[') && depth == maxDepth:
		return node{kind: tooDeep, text: r.skip(), field: f}
	case c == '{':
		return node{kind: object, kids: r.members(f, depth+1), field: f}
	case c == '[':
		return node{kind: array, kids: r.elements(f, depth+1), field: f}
	case c == '"':
		return node{kind: text, text: r.string(), field: f}
	}
	return r.literal(f)
}

func (r *reader) members(f *content.Field, depth int) (kids []node) {
	for r.i++; r.next() != '}'; {
		name := r.string()
		r.next()
		r.i++ // the colon
		n := r.value(f.Field(name), depth)
		n.name = name
		kids = append(kids, n)
		r.comma()
	}
	r.i++
	return kids
}

func (r *reader) elements(f *content.Field, depth int) (kids []node) {
	var items *content.Field
	if f != nil {
		items = f.Items
	}
	for r.i++; r.next() != ']'; r.comma() {
		kids = append(kids, r.value(items, depth))
	}
	r.i++
	return kids
}

// next moves to the next token and returns its first byte.
func (r *reader) next() byte {
	for r.data[r.i] <= ' ' {
		r.i++
	}
	return r.data[r.i]
}

func (r *reader) comma() {
	if r.next() == ',' {
		r.i++
	}
}

// string reads a string and leaves escapes, which are rare, to encoding/json.
func (r *reader) string() string {
	start := r.i
	plain := true
	for r.i++; r.data[r.i] != '"'; r.i++ {
		if r.data[r.i] == '\\' {
			plain = false
			r.i++
		}
	}
	r.i++
	if raw := r.data[start:r.i]; !plain {
		var s string
		_ = json.Unmarshal(raw, &s) // it is valid
		return s
	}
	return strings.ToValidUTF8(string(r.data[start+1:r.i-1]), "\uFFFD")
}

// literal reads a number, true, false or null.
func (r *reader) literal(f *content.Field) node {
	start := r.i
	for r.i < len(r.data) && strings.IndexByte(",]} \t\r\n", r.data[r.i]) < 0 {
		r.i++
	}
	n := node{kind: number, text: string(r.data[start:r.i]), field: f}
	switch n.text {
	case "null":
		n.kind = null
	case "true", "false":
		n.kind = boolean
	}
	return n
}

// skip passes over an object or array and returns it in its shortest form.
func (r *reader) skip() string {
	start := r.i
	for open := 0; ; {
		switch r.data[r.i] {
		case '"':
			r.string()
			continue
		case '{', '[':
			open++
		case '}', ']':
			open--
		}
		r.i++
		if open == 0 {
			break
		}
	}
	var b bytes.Buffer
	_ = json.Compact(&b, r.data[start:r.i]) // it is valid
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}
