package markdown_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/markdown"
	"rulestore/schemas"
)

var update = flag.Bool("update", false, "write the golden files anew")

// served describes everything that is served of an item of the kind.
func served(k *content.Kind) *content.Field {
	set := schemas.Embedded()
	all := *set.Schema(k.Folder, "1.0").Root()
	version := &content.Field{Name: k.Version, Title: "Версия"}
	all.Fields = append([]*content.Field{version}, all.Fields...)
	all.Fields = append(all.Fields, set.Derived().Fields...)
	return &all
}

func readItem(t testing.TB, file string) content.Object {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var item content.Object
	if err := json.Unmarshal(raw, &item); err != nil {
		t.Fatal(err)
	}
	return item
}

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			kind := content.Guidelines
			if filepath.Base(file) == "scenario.json" {
				kind = content.Scenarios
			}
			name, item := strings.TrimSuffix(file, ".json"), readItem(t, file)
			got := markdown.Render(item, served(kind))
			wellFormed(t, got)
			compare(t, name+".md", got)
		})
	}
}

func compare(t *testing.T, golden string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update writes it anew); got:\n%s", golden, got)
	}
}

// wellFormed checks what the package promises of every output.
func wellFormed(t testing.TB, md []byte) {
	t.Helper()
	s := string(md)
	if !utf8.ValidString(s) {
		t.Errorf("not UTF-8: %q", s)
	}
	if !strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\n\n") {
		t.Errorf("does not end with exactly one newline: %q", s)
	}
	if strings.Contains(s, "\n\n\n") {
		t.Errorf("two blank lines in a row: %q", s)
	}
	for line := range strings.SplitSeq(s, "\n") {
		if strings.TrimRightFunc(line, unicode.IsSpace) != line {
			t.Errorf("trailing space: %q", line)
		}
	}
}

func TestNoTitle(t *testing.T) {
	id := content.Member{Name: "guideline_id", Value: content.String("a.b.001")}
	for i, test := range []struct {
		item   content.Object
		schema *content.Field
		want   string
	}{
		{nil, nil, "# Без названия\n"},
		{nil, served(content.Guidelines), "# Правило\n"},
		{content.Object{id}, served(content.Guidelines), "# Правило `a.b.001`\n"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got := string(markdown.Render(test.item, test.schema))
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("%v: got %q, want %q", test.item, got, test.want)
			}
		})
	}
}

// The numbers of a list in order stand before the titles, if they are the places of all its
// elements.
func TestNumbering(t *testing.T) {
	steps := &content.Field{Name: "steps", Ordered: true, Unique: "code", Items: &content.Field{}}
	schema := &content.Field{Fields: []*content.Field{steps}}
	for list, want := range map[string]string{
		`[{"n":1,"code":"A_1","title":"Раз","text":"a b\n\nc"},{"n":2,"code":"B_1","title":"Два","text":"d e\n\nf"}]`: "### 1. Раз `A_1`\n\n* `text`: a b",
		`[{"n":1,"code":"A_1","title":"Раз","text":"a b\n\nc"},{"n":3,"code":"B_1","title":"Два","text":"d e\n\nf"}]`: "### Раз `A_1`\n\n`n`: 1",
		`[{"n":1,"code":"A_1","title":"Раз","text":"a b\n\nc"},{"code":"B_1","title":"Два","text":"d e\n\nf"}]`:       "### Раз `A_1`\n\n`n`: 1",
		`[{"n":"1","code":"A_1","title":"Раз","text":"a b\n\nc"},{"n":2,"title":"Два"}]`:                              "### Раз `A_1`\n\n`n`: 1",
		`[{},{"n":2,"code":"B_1","title":"Два","text":"d e\n\nf"}]`:                                                   "### Два `B_1`\n\n`n`: 2",
	} {
		t.Run(list, func(t *testing.T) {
			md := markdown.Render(content.Object{{Name: "steps", Value: []byte(list)}}, schema)
			wellFormed(t, md)
			if !strings.Contains(string(md), want) {
				t.Errorf("%s: %s is not in\n%s", list, want, md)
			}
		})
	}
}

// What each form of a value looks like beside others.
func TestBlocks(t *testing.T) {
	for object, want := range map[string]string{
		`{"a":"x","b":true,"c":["A_1","B_2"]}`:                   "`a`: `x` · `b`: да · `c`: `A_1`, `B_2`",
		`{"a":"да","b":"да","c":"нет"}`:                          "`a`, `b`: да · `c`: нет",
		`{"a":["раз","два"],"b":{"c":1,"d":2}}`:                  "`a`: раз; два\n\n`b`: (`c`: 1 · `d`: 2)",
		`{"a":["Раз; два.","Три."],"b":"раз\n\nдва"}`:            "`a`:\n- Раз; два.\n- Три.\n\n* `b`: раз\n\n  два",
		`{"a":[{"title":"Раз","b":1},{"title":"Два","c":2}]}`:    "### `a`\n\n| `title` | `b` | `c` |\n|---|---|---|\n| Раз | 1 | — |\n| Два | — | 2 |",
		`{"a":[{"title":"Раз","description":"Что это.","b":1}]}`: "### `a`\n\n- Раз: Что это. · `b`: 1",
	} {
		t.Run(object, func(t *testing.T) {
			md := markdown.Render(content.Object{{Name: "o", Value: []byte(object)}}, nil)
			wellFormed(t, md)
			if got := strings.TrimPrefix(string(md), "# Без названия\n\n## `o`\n\n"); got != want+"\n" {
				t.Errorf("%s: got\n%s\nwant\n%s", object, got, want)
			}
		})
	}
}
