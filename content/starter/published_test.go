package starter_test

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
)

// loaded is what the tests of the content read. It is loaded once: nobody
// changes it.
var loaded = sync.OnceValues(func() (loader.Result, error) {
	series, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		return loader.Result{}, err
	}
	return read(context.Background(), series)
})

func published(t *testing.T) loader.Result {
	t.Helper()
	r, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func snapshot(t *testing.T) *content.Snapshot {
	t.Helper()
	return published(t).Snapshot
}

func item(t *testing.T, k *content.Kind, name string) *content.Item {
	t.Helper()
	i := snapshot(t).Item(k, name)
	if i == nil {
		t.Fatalf("there is no %s/%s", k.Folder, name)
	}
	return i
}

func current(t *testing.T, k *content.Kind, name string) *content.Entry {
	t.Helper()
	e := item(t, k, name).Current
	if e == nil {
		t.Fatalf("%s/%s has no current version", k.Folder, name)
	}
	return e
}

func version(t *testing.T, k *content.Kind, name, version string) *content.Entry {
	t.Helper()
	entries := item(t, k, name).Entries
	i := slices.IndexFunc(entries, func(e *content.Entry) bool { return e.Version.String() == version })
	if i < 0 {
		t.Fatalf("%s/%s has no version %s", k.Folder, name, version)
	}
	return entries[i]
}

// currents returns the current version of every item of the kinds, of all kinds
// if none is given.
func currents(t *testing.T, kinds ...*content.Kind) (entries []*content.Entry) {
	t.Helper()
	for _, i := range snapshot(t).Items {
		if i.Current != nil && (len(kinds) == 0 || slices.Contains(kinds, i.Kind)) {
			entries = append(entries, i.Current)
		}
	}
	return entries
}

// everything returns every version of every item of the kinds, of all kinds if
// none is given.
func everything(t *testing.T, kinds ...*content.Kind) (entries []*content.Entry) {
	t.Helper()
	for _, i := range snapshot(t).Items {
		if len(kinds) == 0 || slices.Contains(kinds, i.Kind) {
			entries = append(entries, i.Entries...)
		}
	}
	return entries
}

// decode reads what a test wants to know of a version.
func decode[T any](t *testing.T, e *content.Entry) (v T) {
	t.Helper()
	if err := json.Unmarshal(e.Body().AppendJSON(nil), &v); err != nil {
		t.Fatalf("%s: %v", e.Tag(), err)
	}
	return v
}

// latest reads the current version of an item.
func latest[T any](t *testing.T, k *content.Kind, name string) T {
	t.Helper()
	return decode[T](t, current(t, k, name))
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

// sameSet is equal for lists whose order says nothing.
func sameSet(t *testing.T, what string, got, want []string) {
	t.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	for _, s := range got {
		if !slices.Contains(want, s) {
			t.Errorf("%s: %s is too much", what, s)
		}
	}
	for _, s := range want {
		if !slices.Contains(got, s) {
			t.Errorf("%s: %s is missing", what, s)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: got %d, want %d", what, len(got), len(want))
	}
}

// says checks that a text speaks of all of these; each is the beginning of a
// word or a phrase, in lower case.
func says(t *testing.T, what, text string, phrases ...string) {
	t.Helper()
	for _, p := range phrases {
		if !strings.Contains(strings.ToLower(text), p) {
			t.Errorf("%s does not speak of %q: %s", what, p, text)
		}
	}
}

func codes[T any](list []T, code func(T) string) []string {
	out := make([]string, 0, len(list))
	for _, v := range list {
		out = append(out, code(v))
	}
	return out
}

func words(s string) []string { return strings.Fields(s) }

// passage is one text of an item.
type passage struct {
	at   []string // the fields that lead to it; elements of lists have numbers
	text string
}

func (p passage) where() string { return strings.Join(p.at, "/") }

// field returns the name of the field that the text stands in.
func (p passage) field() string {
	for _, step := range slices.Backward(p.at) {
		if _, err := strconv.Atoi(step); err != nil {
			return step
		}
	}
	return ""
}

// in says whether one of the fields leads to the text.
func (p passage) in(fields ...string) bool {
	return slices.ContainsFunc(p.at, func(step string) bool { return slices.Contains(fields, step) })
}

var passagesOf = map[*content.Entry][]passage{} // those that were asked for

// passages returns every text of a version, in the order in which it is read,
// and then its change note.
func passages(t *testing.T, e *content.Entry) []passage {
	t.Helper()
	found, ok := passagesOf[e]
	if !ok {
		found = append(textsOf(t, e), passage{words("change_note"), e.ChangeNote})
		passagesOf[e] = found
	}
	return found
}

func textsOf(t *testing.T, e *content.Entry) []passage {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(e.Body().AppendJSON(nil)))
	var found []passage
	var value func(at []string)
	value = func(at []string) {
		token, err := d.Token()
		if err != nil {
			t.Fatalf("%s: %v", e.Tag(), err)
		}
		switch v := token.(type) {
		case string:
			found = append(found, passage{slices.Clone(at), v})
		case json.Delim:
			for i := 0; d.More(); i++ {
				step := strconv.Itoa(i)
				if v == '{' {
					name, _ := d.Token()
					step = name.(string)
				}
				value(append(at, step))
			}
			d.Token()
		}
	}
	value(nil)
	return found
}
