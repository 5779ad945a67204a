package lsp

import (
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf16"
)

// text is the lines of a file, without their ends.
type text []string

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func newText(raw []byte) text { return strings.Split(lineEnds.Replace(string(raw)), "\n") }

// position is a place in a text, in units of UTF-16, counted from 0.
type position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// word is a part of a line, in bytes.
type word struct{ line, from, to int }

// of returns the word as it is in a text.
func (w word) of(t text) string { return t[w.line][w.from:w.to] }

func (w word) rangeIn(t text) textRange {
	return textRange{t.position(w.line, w.from), t.position(w.line, w.to)}
}

// position is the place of a byte of a line.
func (t text) position(line, column int) position {
	return position{uint32(line), uint32(len(utf16.Encode([]rune(t[line][:column]))))}
}

// column is the byte of a line at a place; beyond the end it is the end.
func (t text) column(p position) int {
	units := 0
	for i, c := range t[p.Line] {
		if units += utf16.RuneLen(c); units > int(p.Character) {
			return i
		}
	}
	return len(t[p.Line])
}

// token matches a text in quotes, a word without the colon after it, or else what is there.
var token = regexp.MustCompile(`^("(\\.|[^"\\])*"|'[^']*'|[^\s,\[\]{}]*[^\s,\[\]{}:]|\S+)`)

// at returns the word at a position of package check, which counts lines and characters from 1; 0 is the
// file as a whole.
func (t text) at(line, column int) word {
	w := word{line: min(max(line-1, 0), len(t)-1)}
	rest := []rune(t[w.line])
	if before := column - 1; line > 0 && before > 0 && before <= len(rest) {
		w.from = len(string(rest[:before]))
	}
	if w.to = w.from; line > 0 {
		w.to += len(token.FindString(t[w.line][w.from:]))
	}
	return w
}

// unquoted returns the word without the quotes around it.
func (t text) unquoted(w word) word {
	if s := w.of(t); len(s) > 1 && strings.ContainsAny(s[:1], `"'`) {
		w.from, w.to = w.from+1, w.to-1
	}
	return w
}

// fileURI returns the address of a file.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive of Windows
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// filePath returns the file at an address, with the links to its folder resolved; "" if there is none.
func filePath(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	path := filepath.FromSlash(u.Path)
	if rest := strings.TrimLeft(path, `\`); filepath.VolumeName(rest) != "" {
		path = rest
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, path[len(dir):])
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}
