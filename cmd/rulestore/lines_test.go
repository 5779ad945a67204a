package main

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// No line of Go is wider than 120 columns, of which a tab takes four, unless it has a literal
// that is long by itself, such as a request in JSON or a raw string of several lines.
func TestLinesAreNotTooWide(t *testing.T) {
	const columns, long = 120, 40
	tree, files := os.DirFS("../.."), 0
	err := fs.WalkDir(tree, ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		src, err := fs.ReadFile(tree, path)
		files++
		texts := linesOfTexts(src, long)
		for i, line := range strings.Split(string(src), "\n") {
			width := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    "))
			if width > columns && !texts[i+1] {
				t.Errorf("%s:%d has %d columns, at most %d are meant: break the line", path, i+1, width, columns)
			}
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files of Go, %v", files, err)
	}
}

// linesOfTexts returns the numbers of the lines with a string literal of several lines, or of at
// least long characters.
func linesOfTexts(src []byte, long int) map[int]bool {
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	lines := map[int]bool{}
	for pos, tok, text := s.Scan(); tok != token.EOF; pos, tok, text = s.Scan() {
		breaks := strings.Count(text, "\n")
		if tok != token.STRING || breaks == 0 && utf8.RuneCountInString(text) < long {
			continue
		}
		for n := range breaks + 1 {
			lines[file.Line(pos)+n] = true
		}
	}
	return lines
}
