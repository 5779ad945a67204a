package calc

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A node is a JSON value as it was written: numbers are literals.
type node struct {
	kind    nodeKind
	text    string // of a string or number
	members []member
	items   []node
}

type member struct {
	name  string
	value node
}

type nodeKind byte

const (
	nullNode nodeKind = iota
	boolNode          // text is true or false
	numberNode
	stringNode
	listNode
	objectNode
)

// member is the value of an object's first member of that name; null if it has none.
func (n node) member(name string) node {
	for _, m := range n.members {
		if m.name == name {
			return m.value
		}
	}
	return node{}
}

// parse reads a request, or a part of one at a pointer, within its limits: size, depth, one value, no key twice.
func parse(body []byte, pointer string) (node, error) {
	if len(body) > MaxBody {
		return node{}, &Error{Code: CodeBodyTooLarge, Detail: "Тело запроса больше 64 КиБ"}
	}
	if nesting(body) > maxNesting {
		var fs faults
		fs.tooDeep(pointer)
		return node{}, fs.err()
	}
	if !utf8.Valid(body) || !json.Valid(body) {
		return node{}, &Error{
			Code: CodeInvalidJSON, Detail: "Тело запроса не является документом JSON в кодировке UTF-8",
		}
	}
	p := treeParser{dec: json.NewDecoder(bytes.NewReader(body))}
	p.dec.UseNumber()
	n, err := p.value(pointer, p.token(), 1)
	if err != nil {
		return node{}, err
	}
	return n, p.faults.err()
}

// maxNesting is below the depth at which json.Valid fails, which it does not
// distinguish from a syntax error.
const maxNesting = 9000

// nesting is the largest number of open brackets, including those in strings.
func nesting(body []byte) int {
	depth, deepest := 0, 0
	for _, c := range body {
		switch c {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	return deepest
}

func (fs *faults) tooDeep(pointer string) {
	fs.add(pointer, FaultTooDeep, "Вложенность больше 16 уровней", "Уберите лишние уровни вложенности")
}

// A treeParser walks a document that json.Valid has accepted.
type treeParser struct {
	dec    *json.Decoder
	faults faults
}

func (p *treeParser) token() json.Token {
	t, _ := p.dec.Token()
	return t
}

func (p *treeParser) value(pointer string, t json.Token, depth int) (node, error) {
	switch t := t.(type) {
	case bool:
		return node{kind: boolNode, text: strconv.FormatBool(t)}, nil
	case json.Number:
		return node{kind: numberNode, text: string(t)}, nil
	case string:
		return node{kind: stringNode, text: t}, nil
	case json.Delim:
		if depth > MaxDepth {
			p.faults.tooDeep(pointer)
			return node{}, p.faults.err()
		}
		if t == '[' {
			return p.list(pointer, depth)
		}
		return p.object(pointer, depth)
	}
	return node{kind: nullNode}, nil
}

func (p *treeParser) list(pointer string, depth int) (node, error) {
	n := node{kind: listNode}
	for p.dec.More() {
		item, err := p.value(Join(pointer, Count(len(n.items)).String()), p.token(), depth+1)
		if err != nil {
			return n, err
		}
		n.items = append(n.items, item)
	}
	p.token()
	return n, nil
}

func (p *treeParser) object(pointer string, depth int) (node, error) {
	n := node{kind: objectNode}
	seen := map[string]bool{}
	for p.dec.More() {
		name, _ := p.token().(string)
		at := Join(pointer, name)
		if seen[name] {
			p.faults.add(at, FaultDuplicateKey, "Поле указано дважды", "Оставьте одно значение")
		}
		seen[name] = true
		v, err := p.value(at, p.token(), depth+1)
		if err != nil {
			return n, err
		}
		n.members = append(n.members, member{name, v})
	}
	p.token()
	return n, nil
}

// maxName is the length of a field name, in bytes, that a JSON pointer of an error repeats.
const maxName = 64

// Join adds a name, or the beginning of a long one, to a JSON pointer (RFC 6901).
func Join(pointer, name string) string {
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "") + "…"
	}
	if strings.ContainsAny(name, "~/") {
		name = strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	}
	return pointer + "/" + name
}
