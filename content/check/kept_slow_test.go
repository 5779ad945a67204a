//go:build slow

package check

import (
	"bytes"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/schemas"
)

// What is kept of a file, stored and read again, is what the check made of it.
func TestKept(t *testing.T) {
	set := schemas.Embedded()
	keep := func(t *testing.T, k *content.Kind, name string, raw []byte) {
		t.Helper()
		f := Open(set, k, name, raw)
		kept, ok := f.Keep()
		if !ok {
			t.Fatal("it is not kept")
		}
		stored, err := kept.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		var again Kept
		if err := again.UnmarshalBinary(stored); err != nil {
			t.Fatal(err)
		}
		got, err := again.Open(k, name, raw)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.doc.value, f.doc.value) || !reflect.DeepEqual(got.References, f.References) ||
			!bytes.Equal(got.Body.AppendJSON(nil), f.Body.AppendJSON(nil)) || got.checked != f.checked ||
			!reflect.DeepEqual(got.broken, f.broken) ||
			len(got.Findings)+len(f.Findings) > 0 && !reflect.DeepEqual(got.Findings, f.Findings) ||
			len(got.Style)+len(f.Style) > 0 && !reflect.DeepEqual(got.Style, f.Style) {
			t.Errorf("%+v\nis not\n%+v", got, f)
		}
		for line := range 30 {
			if got, want := got.Pointer(line, 5), f.Pointer(line, 5); !reflect.DeepEqual(got, want) {
				t.Errorf("in line %d is %q, not %q", line, got, want)
			}
		}
	}
	n := 0
	err := fs.WalkDir(starter.Files, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		raw, err := fs.ReadFile(starter.Files, path)
		parts := strings.SplitN(path, "/", 4) // releases/…/<folder>/<name>.yaml
		if k := content.KindOf(parts[2]); len(parts) == 4 && k != nil {
			n++
			name := strings.TrimSuffix(parts[3], ".yaml")
			keep(t, k, name, raw)
			keep(t, k, name+"x", append(raw, "version: 1\ncolour: red  \nnumbers: [1.0, 1e5, 0x10]\n"...))
		}
		return err
	})
	if err != nil || n < 50 {
		t.Errorf("%d files, %v", n, err)
	}
}
