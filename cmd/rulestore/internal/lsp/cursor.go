package lsp

import (
	"regexp"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
)

// cursor is what somebody types or points at: a word, and the value that it is.
type cursor struct {
	word
	path   []string       // to the value; the number of every element is 0
	field  *content.Field // nil if no field is known there
	target check.Target
}

// symbol is what a value defines or refers to: an item, or a record of a list of a registry.
type symbol struct{ item, list, code string }

// letters matches the letters of codes and ids before and after a place.
var (
	lettersBefore = regexp.MustCompile(`[\pL\pN_./-]*$`)
	lettersAfter  = regexp.MustCompile(`^[\pL\pN_./-]*`)
)

// cursor finds the value at a position; it has no target outside of values that refer to something.
func (s *server) cursor(d *document, p position) (c cursor) {
	if int64(p.Line) >= int64(len(d.text)) {
		return c
	}
	line, at := d.text[p.Line], d.text.column(p)
	before, after := lettersBefore.FindString(line[:at]), lettersAfter.FindString(line[at:])
	c.word = word{int(p.Line), at - len(before), at + len(after)}
	if c.of(d.text) == "-" {
		c.from, c.to = at, at
	}
	c.path = d.text.path(c.line, c.from)
	if root := s.schema(d.path); root != nil {
		c.field = root.At(c.path...)
		c.target = check.TargetOf(d.path, c.path, c.field)
	}
	return c
}

// schema describes the fields of a file by the newest format, nil if it is not content.
func (s *server) schema(path string) *content.Field {
	folder := check.RootFormats(path)
	if k, name, ok := content.ItemAt(path); ok {
		folder = content.FormatsOf(s.Schemas, k, name)
	}
	newest := content.NewestFormat(s.Schemas, folder)
	if newest == nil {
		return nil
	}
	return newest.Root()
}

// symbol returns what the value at the cursor in a file defines or refers to.
func (s *server) symbol(d *document, c cursor) symbol {
	text := c.of(d.text)
	k, name, isItem := content.ItemAt(d.path)
	at := c.path
	switch {
	case text == "" || c.field == nil:
	case c.target.List != "":
		return symbol{list: c.target.List, code: text}
	case c.target != check.Target{}:
		return symbol{item: c.target.Item(text)}
	case isItem && len(at) == 1 && at[0] == k.ID:
		return symbol{item: k.Folder + "/" + name}
	case k == content.Registries && len(at) == 3:
		if list := s.schema(d.path).Field(at[0]); list != nil && list.Unique == at[2] {
			return symbol{list: name + "/" + at[0], code: text}
		}
	}
	return symbol{}
}

// step is a dash, which is the element 0, or the name of a field, and its column.
type step struct {
	name   string
	column int
}

var fieldName = regexp.MustCompile(`^["']?([\w.-]+)["']?:(?:\s|$)`)

// steps lists what a line begins with, and where the value after it begins.
func steps(line string) (all []step, value int) {
	for {
		value = len(line) - len(strings.TrimLeft(line[value:], " "))
		rest := line[value:]
		if rest != "-" && !strings.HasPrefix(rest, "- ") {
			if m := fieldName.FindStringSubmatch(rest); m != nil {
				all, value = append(all, step{m[1], value}), value+len(m[0])
			}
			return all, value
		}
		all, value = append(all, step{"0", value}), value+1
	}
}

// path returns the names and numbers that lead to the value at a place: from each line on, those less indented
// above it. Nil in a comment and in a text of several lines.
func (t text) path(line, column int) (path []string) {
	head := t[line][:column]
	if strings.Contains(" "+head, " #") {
		return nil
	}
	here, value := steps(head)
	last := step{column: value}
	if len(here) > 0 {
		last.column = column
	}
	begin, from := 0, 0
	for n := line; n >= 0; n-- {
		if n < line {
			here, value = steps(t[n])
		}
		for _, s := range slices.Backward(here) {
			// a list may be as indented as its name
			beside := s.column == last.column && last.name == "0" && s.name != "0"
			if s.column < last.column || beside {
				if path == nil {
					begin, from = n, value
				}
				path, last = append(path, s.name), s
			}
		}
	}
	slices.Reverse(path)
	inner := append(slices.Clone(t[begin:line]), head)
	inner[0] = inner[0][min(from, len(inner[0])):]
	return inBrackets(path, strings.Join(inner, "\n"))
}

// sign matches what matters in brackets: texts in quotes, names, and the signs themselves.
var sign = regexp.MustCompile(`"(?:\\.|[^"\\])*"?|'[^']*'?|[\w.-]+:(?:\s|$)|[\[\]{},]`)

// inBrackets continues a path with what the beginning of its value opens, [a, b or {a: b.
func inBrackets(path []string, value string) []string {
	switch first := strings.TrimLeft(value, " "); {
	case strings.HasPrefix(first, "|"), strings.HasPrefix(first, ">"):
		return nil
	case !strings.HasPrefix(first, "[") && !strings.HasPrefix(first, "{"):
		return path
	}
	outside := len(path)
	for _, s := range sign.FindAllString(value, -1) {
		top := len(path) - 1
		switch {
		case s == "[":
			path = append(path, "0")
		case s == "{":
			path = append(path, "")
		case len(path) == outside:
		case s == "]", s == "}":
			path = path[:top]
		case s == "," && path[top] != "0":
			path[top] = ""
		case strings.HasSuffix(strings.TrimSpace(s), ":"):
			path[top] = strings.TrimSuffix(strings.TrimSpace(s), ":")
		}
	}
	return path
}
