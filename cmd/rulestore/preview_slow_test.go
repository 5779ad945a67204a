//go:build slow

package main

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content/check"
)

// An author who looks at the preview reads what validate would say, of every rule
// that files can break.
func TestPreviewSaysWhatValidateSays(t *testing.T) {
	broken := 0
	for _, r := range check.Rules() {
		var files []txtar.File
		for _, f := range txtar.Parse([]byte(r.Example)).Files {
			if name, ok := strings.CutPrefix(f.Name, "bad/"); ok {
				files = append(files, unquoted(t, txtar.File{Name: name, Data: f.Data}))
			}
		}
		if len(files) == 0 || strings.HasPrefix(files[0].Name, "commit ") {
			continue
		}
		broken++
		t.Run(r.ID, func(t *testing.T) {
			dir := preview(t, files)
			got, want := remarks(t, dir), validateFinds(t, dir)
			if len(want) == 0 || !reflect.DeepEqual(got, want) {
				t.Errorf("the preview says\n%v\nand validate\n%v", got, want)
			}
		})
	}
	if broken < 30 {
		t.Errorf("only %d rules were tried", broken)
	}
}

// unquoted reads a file that is written as Go strings, line by line.
func unquoted(t *testing.T, f txtar.File) txtar.File {
	t.Helper()
	name, ok := strings.CutSuffix(f.Name, ".quoted")
	if !ok {
		return f
	}
	var raw []byte
	for line := range strings.Lines(string(f.Data)) {
		text, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		raw = append(raw, text...)
	}
	return txtar.File{Name: name, Data: raw}
}
