package check_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

// FuzzDerived puts any value under any name that the service derives. What is read of
// the file is what is read of it without that field, whatever stands there.
func FuzzDerived(f *testing.F) {
	names := append(slices.Clone(content.Derived), content.Scenarios.Version, "checksum_algorithm")
	for i, value := range []string{
		"SYSTEM", "{total: 1, a: {b: [c]}}", "[&a 1, *a]", "", "!!binary AA==", "0x1F", "|\n  more\n  lines",
		"\"\\u0000\"", "x\ntotal: again",
		strings.Repeat("[", 60) + strings.Repeat("]", 60), "{a: 1, a: 2}", "x # a comment",
		"'a''b'", "\n- 1\n- 2", "? a",
	} {
		f.Add(uint8(i), value, i%2 == 0)
	}
	text := strings.TrimSuffix(scenario, "\n") + "\n"
	want := check.Item(schemas.Embedded(), content.Scenarios, "x", []byte(text))
	if !want.OK() {
		f.Fatal(want.Findings)
	}
	f.Fuzz(func(t *testing.T, name uint8, value string, before bool) {
		field := fmt.Sprintf("%s: %s\n", names[int(name)%len(names)], value)
		raw := text + field
		if before {
			raw = field + text
		}
		if !onlyDerived(raw, text, names) {
			return // it is more than a value
		}
		r := check.Item(schemas.Embedded(), content.Scenarios, "x", []byte(raw))
		if r.Body == nil {
			return // no file has such characters
		}
		if got := r.Body.AppendJSON(nil); !bytes.Equal(got, want.Body.AppendJSON(nil)) {
			t.Errorf("%q becomes %s", raw, got)
		}
		if r.OK() || !r.Outlives(time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("%q: served unsealed: %t, sealed: not", raw, r.OK())
		}
	})
}

// onlyDerived reports whether a file has the fields of another one and, besides, only
// some of these names.
func onlyDerived(raw, text string, names []string) bool {
	keys := func(raw string) (all []string) {
		var n yaml.Node
		if yaml.Unmarshal([]byte(raw), &n) != nil || len(n.Content) == 0 || n.Content[0].Kind != yaml.MappingNode {
			return nil
		}
		for i := 0; i < len(n.Content[0].Content); i += 2 {
			key, value := n.Content[0].Content[i], n.Content[0].Content[i+1]
			all = append(all, fmt.Sprint(key.Kind, key.Tag, key.Style, key.Anchor, key.Value))
			if slices.Contains(names, key.Value) && key.Kind == yaml.ScalarNode {
				all = all[:len(all)-1]
				continue
			}
			out, err := yaml.Marshal(value)
			if err != nil {
				return nil
			}
			all = append(all, string(out))
		}
		return all
	}
	is := keys(raw)
	return is != nil && slices.Equal(is, keys(text))
}

// A field is dropped once, however often it stands there, and the finding says where
// it is; the rest of the file is checked all the same.
func TestDerivedFieldsAreDropped(t *testing.T) {
	r := check.Item(schemas.Embedded(), content.Scenarios, "x",
		[]byte("total: [\"\\u202e\", .nan]\n"+scenario+"status: &a x\ntotal: *a\nsurprise: 1\n"))
	var got []string
	for _, f := range r.Findings {
		got = append(got, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Rule))
	}
	if want := "1:1 derived-field, 6:1 derived-field, 8:1 unknown-field"; strings.Join(got, ", ") != want {
		t.Errorf("got %q", got)
	}
	for _, name := range []string{"total", "status"} {
		if r.Body.Get(name) != nil {
			t.Errorf("%s is there", name)
		}
	}
}
