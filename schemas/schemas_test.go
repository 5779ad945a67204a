package schemas_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"rulestore/content"
	"rulestore/schemas"
)

// formatFile is one schema file of this folder.
type formatFile struct {
	name, folder, format string
	root                 *content.Field
	words                map[string]any
}

// formatFiles reads every schema file that lies here, embedded or not.
func formatFiles(t *testing.T) (files []formatFile) {
	t.Helper()
	names, err := fs.Glob(os.DirFS("."), "*/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatal("no schemas", err)
	}
	own, err := fs.Glob(os.DirFS("."), "*/*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	names = append(names, own...)
	for _, name := range names {
		f := formatFile{name: name, folder: path.Dir(name), format: strings.TrimSuffix(path.Base(name), ".yaml")}
		s := schemas.Embedded().Schema(f.folder, f.format)
		if s == nil {
			t.Fatalf("%s is not embedded", name)
		}
		if err := yaml.Unmarshal(schemas.Embedded().Document(f.folder, f.format), &f.words); err != nil {
			t.Fatal(err)
		}
		f.root = s.Root()
		files = append(files, f)
	}
	return files
}

// Formats are compiled when they are asked for: here all are, and each refuses what is
// nothing.
func TestEveryFormatCompiles(t *testing.T) {
	for _, f := range formatFiles(t) {
		t.Run(f.name, func(t *testing.T) {
			if found := schemas.Embedded().Schema(f.folder, f.format).Validate(nil); len(found) == 0 {
				t.Error("nothing is accepted")
			}
		})
	}
}

func TestEveryFormatIsListed(t *testing.T) {
	want := map[string]int{}
	for _, f := range formatFiles(t) {
		want[f.folder]++
		if !slices.Contains(schemas.Embedded().Formats(f.folder), f.format) {
			t.Errorf("%s is not among the formats of %s", f.format, f.folder)
		}
	}
	for folder, n := range want {
		if got := schemas.Embedded().Formats(folder); len(got) != n {
			t.Errorf("%s has the formats %q, but %d files", folder, got, n)
		}
	}
	for _, k := range content.Kinds {
		if want[k.Folder] == 0 {
			t.Errorf("%s have no format", k.Folder)
		}
	}
	for _, folder := range []string{"rulestore", "lifecycle"} {
		if want[folder] == 0 {
			t.Errorf("%s.yaml has no format", folder)
		}
	}
}

func TestUnknownFormats(t *testing.T) {
	set := schemas.Embedded()
	for _, at := range [][2]string{{"guidelines", "0.9"}, {"guidelines", ""}, {"", "1.0"},
		{"guideline", "1.0"}, {".", "derived"}} {
		if s := set.Schema(at[0], at[1]); s != nil {
			t.Errorf("there is a format %q of %q", at[1], at[0])
		}
	}
	if got := set.Formats("nothing"); len(got) != 0 {
		t.Errorf("nothing has the formats %q", got)
	}
}

func TestEveryFileNamesItself(t *testing.T) {
	for _, f := range formatFiles(t) {
		if f.folder == content.CasesFolder {
			continue // a list, which names no format
		}
		if want := "urn:rulestore:" + strings.ReplaceAll(f.folder, "/", ":") + ":" + f.format; f.words["$id"] != want {
			t.Errorf("%s: $id is %v, expected %s", f.name, f.words["$id"], want)
		}
		properties, _ := f.words["properties"].(map[string]any)
		k, field := content.KindOf(strings.Split(f.folder, "/")[0]), "schema_version"
		if k != nil {
			field = k.Format
		}
		version, _ := properties[field].(map[string]any)
		if version["const"] != f.format {
			t.Errorf("%s: %s is %v", f.name, field, version["const"])
		}
		required, _ := f.words["required"].([]any)
		if !slices.Contains(required, any(field)) {
			t.Errorf("%s: %s is not required", f.name, field)
		}
		if k != nil && (properties[k.ID] == nil || !slices.Contains(required, any(k.ID))) {
			t.Errorf("%s: %s is not required", f.name, k.ID)
		}
	}
}

func TestNoFormatUsesNamesOfTheService(t *testing.T) {
	for _, f := range formatFiles(t) {
		k := content.KindOf(strings.Split(f.folder, "/")[0])
		if k == nil {
			continue
		}
		for _, name := range append(slices.Clone(content.Derived), k.Version, "checksum_algorithm") {
			if f.root.Field(name) != nil {
				t.Errorf("%s: %s belongs to the service", f.name, name)
			}
		}
	}
}

// eachField calls visit with every field of a description and where it is.
func eachField(at string, f *content.Field, visit func(at string, f *content.Field)) {
	visit(at, f)
	for _, g := range f.Fields {
		eachField(at+"/"+g.Name, g, visit)
	}
	if f.Items != nil {
		eachField(at+"/-", f.Items, visit)
	}
}

func isRussian(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.Is(unicode.Cyrillic, c) })
}

// The titles are the headings that readers see.
func TestEveryFieldHasARussianTitle(t *testing.T) {
	for _, f := range append(formatFiles(t), formatFile{name: "derived.yaml", root: schemas.Embedded().Derived()}) {
		fields := 0
		eachField(f.name, f.root, func(at string, f *content.Field) {
			fields++
			if element := f.Name == "" && len(f.Fields) == 0; !element && !isRussian(f.Title) {
				t.Errorf("%s has the title %q", at, f.Title)
			}
		})
		if fields < 4 {
			t.Errorf("%s describes only %d fields", f.name, fields)
		}
	}
}

// The descriptions are the authors' manual, and what a reader of the JSON Schema
// sees: what goes into the field, how it is used, its limits.
func TestEveryFieldHasARussianDescription(t *testing.T) {
	files := formatFiles(t)
	derived := formatFile{name: "derived.yaml"}
	raw, err := os.ReadFile(derived.name)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(raw, &derived.words); err != nil {
		t.Fatal(err)
	}
	fields := 0
	for _, f := range append(files, derived) {
		eachProperty(f.name, f.words, func(at string, words map[string]any) {
			fields++
			title, _ := words["title"].(string)
			about, _ := words["description"].(string)
			about = strings.TrimSpace(about)
			switch {
			case !isRussian(about), utf8.RuneCountInString(about) < 20, !strings.HasSuffix(about, "."):
				t.Errorf("%s has the description %q", at, about)
			case strings.EqualFold(strings.TrimSuffix(about, "."), title):
				t.Errorf("%s: the description repeats the title", at)
			}
		})
	}
	if fields < 900 {
		t.Errorf("found only %d fields", fields)
	}
}

// eachProperty calls visit with every field of a schema, those of its definitions
// included.
func eachProperty(at string, schema map[string]any, visit func(at string, words map[string]any)) {
	for _, word := range []string{"properties", "$defs"} {
		fields, _ := schema[word].(map[string]any)
		for name, f := range fields {
			words := f.(map[string]any)
			if word == "properties" {
				visit(at+"/"+name, words)
			}
			eachProperty(at+"/"+name, words, visit)
		}
	}
	if items, ok := schema["items"].(map[string]any); ok {
		eachProperty(at+"/-", items, visit)
	}
}

func TestLabelsAreOfValues(t *testing.T) {
	for _, f := range append(formatFiles(t), formatFile{name: "derived.yaml", folder: "guidelines",
		root: schemas.Embedded().Derived()}) {
		eachField(f.name, f.root, func(at string, field *content.Field) {
			for value, label := range field.Labels {
				if !slices.Contains(field.Values, value) || !isRussian(label) {
					t.Errorf("%s: the label of %s is %q", at, value, label)
				}
			}
			for _, value := range field.Values {
				if f.folder == "guidelines" && field.Labels[value] == "" {
					t.Errorf("%s: %s has no label", at, value)
				}
			}
		})
	}
}

func TestReferencesAndUniqueFieldsExist(t *testing.T) {
	references, codes, uniques, sections := 0, 0, 0, 0
	for _, f := range formatFiles(t) {
		eachField(f.name, f.root, func(at string, f *content.Field) {
			if f.Reference != "" {
				references++
				if f.Reference != content.AnyItem && content.KindOf(f.Reference) == nil {
					t.Errorf("%s refers to %s, which is no kind", at, f.Reference)
				}
			}
			if f.Codes != "" {
				codes++
				registry, list, _ := strings.Cut(f.Codes, "/")
				s := schemas.Embedded().Schema("registries/"+registry, "1.0")
				if s == nil || s.Root().Field(list) == nil || s.Root().Field(list).Unique == "" {
					t.Errorf("%s takes its codes from %s, which is no list with codes", at, f.Codes)
				}
			}
			if _, item := f.Pointing(); item != nil {
				sections++
				if item.Reference == "" {
					t.Errorf("%s: %s names no item", at, item.Name)
				}
			}
			if f.Unique != "" {
				uniques++
				if f.Items.Field(f.Unique) == nil {
					t.Errorf("%s: its elements have no field %s", at, f.Unique)
				}
			}
		})
	}
	if references == 0 || codes == 0 || uniques == 0 || sections == 0 {
		t.Errorf("found %d references, %d codes, %d unique fields and %d lists of sections", references,
			codes, uniques, sections)
	}
}

// A word that is misspelled is not an error in JSON Schema; it says nothing.
func TestSchemasUseOnlyKnownWords(t *testing.T) {
	known := strings.Fields(`$schema $id $defs $ref title description examples type additionalProperties required properties
		items enum const pattern format minLength maxLength minItems maxItems minProperties maxProperties uniqueItems
		minimum maximum oneOf anyOf x-labels x-reference x-section-of x-codes x-unique x-ordered x-first x-records x-filter x-discovery
		x-output-schema`)
	var walk func(at string, schema any)
	walk = func(at string, schema any) {
		words, ok := schema.(map[string]any)
		if !ok {
			t.Errorf("%s is no schema", at)
			return
		}
		for word, value := range words {
			if !slices.Contains(known, word) {
				t.Errorf("%s: unknown word %s", at, word)
			}
			if fields, ok := value.(map[string]any); ok && (word == "properties" || word == "$defs") {
				for name, s := range fields {
					walk(at+"/"+name, s)
				}
			}
		}
		if items, ok := words["items"]; ok {
			walk(at+"/-", items)
		}
		if words["type"] == "object" && words["additionalProperties"] != false {
			t.Errorf("%s: unknown fields are allowed", at)
		}
		required, _ := words["required"].([]any)
		properties, _ := words["properties"].(map[string]any)
		for _, name := range required {
			if properties[name.(string)] == nil {
				t.Errorf("%s: %s is required and not described", at, name)
			}
		}
	}
	for _, f := range formatFiles(t) {
		walk(f.name, f.words)
	}
}

func TestDerivedFieldsAreThoseOfTheService(t *testing.T) {
	for _, f := range schemas.Embedded().Derived().Fields {
		if !slices.Contains(content.Derived, f.Name) && f.Name != "version" && f.Name != "checksum_algorithm" {
			t.Errorf("%s is not derived", f.Name)
		}
	}
}

func TestDescriptionKeepsTheOrderOfTheFile(t *testing.T) {
	var names []string
	for _, f := range schemas.Embedded().Schema("guidelines", "1.0").Root().Fields {
		names = append(names, f.Name)
	}
	want := "guideline_id schema_version scenario title summary owner applicability required_inputs rules guardrails " +
		"sources valid_from recheck_after search_terms"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got %s", got)
	}
}

const object = "type: object\nproperties: {schema_version: {title: Ф, const: x}}\n"

func TestDescription(t *testing.T) {
	root := load(t, map[string]string{"a/1.0.yaml": `
type: object
title: Вещь
properties:
  b: {title: Своё, $ref: "#/$defs/code"}
  a: {$ref: "#/$defs/code"}
  flag: {title: Да, type: boolean}
  words: {title: Слова, type: string}
  lost: {title: Нет, $ref: "#/$defs/nothing"}
  list: {type: array, x-unique: id, items: {title: Элемент, properties: {id: {title: Код, enum: [x, y], x-labels: {x: Икс}}}}}
$defs:
  nothing: {}
  code: {title: Общее, type: string, x-reference: guidelines}
`}).Schema("a", "1.0").Root()
	if root.Title != "Вещь" || root.Fields[0].Name != "b" || root.Field("b").Title != "Своё" ||
		root.Field("a").Title != "Общее" {
		t.Errorf("titles: %q, %q, %q", root.Title, root.Field("b").Title, root.Field("a").Title)
	}
	if root.Field("b").Reference != "guidelines" || root.Field("lost").Title != "Нет" {
		t.Errorf("b refers to %q, lost is %q", root.Field("b").Reference, root.Field("lost").Title)
	}
	for name, want := range map[string][2]bool{"a": {}, "flag": {true, false}, "words": {false, true}} {
		if f := root.Field(name); f.Boolean != want[0] || f.Prose != want[1] {
			t.Errorf("%s: %+v", name, f)
		}
	}
	list := root.Field("list")
	id := list.Items.Field("id")
	if list.Unique != "id" || list.Items.Title != "Элемент" || !slices.Equal(id.Values, []string{"x", "y"}) ||
		id.Labels["x"] != "Икс" {
		t.Errorf("list: %+v, id: %+v", list, id)
	}
}

func TestFormatsComeOldestFirst(t *testing.T) {
	set := load(t, map[string]string{"a/1.10.yaml": object, "a/1.9.yaml": object, "a/10.0.yaml": object,
		"a/2.0.yaml": object, "a/1.0.yaml": object, "b/1.0.yaml": object})
	if got := strings.Join(set.Formats("a"), " "); got != "1.0 1.9 1.10 2.0 10.0" {
		t.Errorf("got %s", got)
	}
}

func TestBrokenSchemasAreErrors(t *testing.T) {
	for name, text := range map[string]string{
		"no YAML":            "a: [",
		"empty":              "",
		"only a comment":     "# nothing",
		"no schema":          "- a",
		"unknown type":       "type: text",
		"broken pattern":     "pattern: '('",
		"unknown definition": "$ref: '#/$defs/none'",
		"duplicate keys":     "type: object\ntype: array",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := schemas.LoadAll(files(map[string]string{"a/1.0.yaml": text}))
			if err == nil || !strings.Contains(err.Error(), "a/1.0.yaml") {
				t.Errorf("%s: got the error %v", name, err)
			}
		})
	}
	if _, err := schemas.LoadAll(fstest.MapFS{"a/1.0.yaml": {Data: []byte(object)}}); err == nil {
		t.Error("derived.yaml is not missed")
	}
}

func files(texts map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{"derived.yaml": {Data: []byte(object)}}
	for name, text := range texts {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func load(t *testing.T, texts map[string]string) *schemas.Set {
	t.Helper()
	set, err := schemas.LoadAll(files(texts))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Every field that an author has to fill in says what goes in, and shows it by an
// example that its own format accepts.
func TestExamples(t *testing.T) {
	set := schemas.Embedded()
	n := 0
	for name, written := range set.Documents() {
		t.Run(name, func(t *testing.T) {
			document, err := jsonschema.UnmarshalJSON(bytes.NewReader(written()))
			if err != nil {
				t.Fatal(err)
			}
			c := jsonschema.NewCompiler()
			c.AssertFormat()
			if err := c.AddResource("schema.json", document); err != nil {
				t.Fatal(err)
			}
			var walk func(at string, value any)
			walk = func(at string, value any) {
				if list, ok := value.([]any); ok {
					for i, e := range list {
						walk(fmt.Sprintf("%s/%d", at, i), e)
					}
				}
				words, _ := value.(map[string]any)
				for word, inner := range words {
					if word != "examples" && word != "x-labels" && word != "enum" {
						walk(at+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(word), inner)
					}
				}
				examples, _ := words["examples"].([]any)
				for _, e := range examples {
					n++
					place, err := c.Compile("schema.json#" + at)
					if err != nil {
						t.Fatal(at, err)
					}
					if err := place.Validate(e); err != nil {
						t.Errorf("%s: the example %v: %v", at, e, err)
					}
				}
			}
			walk("", document)
			folder, format := path.Dir(name), path.Base(name)
			required(t, "", set.Schema(folder, format).Root())
		})
	}
	if n < 400 {
		t.Errorf("only %d examples", n)
	}
}

// required finds fields that have to be filled in and show nobody how.
func required(t *testing.T, at string, f *content.Field) {
	t.Helper()
	if f == nil {
		return
	}
	for _, g := range f.Fields {
		here := at + "/" + g.Name
		if g.Required && g.About == "" {
			t.Errorf("%s says nothing", here)
		}
		leaf := g.Items == nil && len(g.Fields) == 0 && len(g.Values) == 0 && !g.Boolean
		if g.Required && leaf && g.Example == nil {
			t.Errorf("%s has no example", here)
		}
		required(t, here, g)
	}
	required(t, at+"/-", f.Items)
}

// spoken are words by which a description says that an order counts.
var spoken = regexp.MustCompile(`(?i)по порядку|важнее следующего|какая инструкция важнее|какое ограничение важнее|в ` +
	`каком порядке|раньше, если|по возрастанию|первый маршрут|общий порядок`)

// shown are lists in which the order is that in which something is shown, and says
// nothing else.
var shown = []string{"sections", "fields"}

// Where a description says that an order counts, the schema says so to programs, so
// that another order is a breaking change; and the other way round.
func TestOrderIsSaid(t *testing.T) {
	ordered := 0
	set := schemas.Embedded()
	for name := range set.Documents() {
		var walk func(at string, f *content.Field)
		walk = func(at string, f *content.Field) {
			if f == nil {
				return
			}
			for _, g := range f.Fields {
				here := at + "/" + g.Name
				said := g.Items != nil && spoken.MatchString(g.About)
				if g.Ordered {
					ordered++
				}
				if said && !g.Ordered && !slices.Contains(shown, g.Name) {
					t.Errorf("%s%s: the description speaks of an order, x-ordered is missing: %s", name, here, g.About)
				}
				if g.Ordered && g.Items == nil {
					t.Errorf("%s%s is no list and cannot be ordered", name, here)
				}
				walk(here, g)
			}
			walk(at+"/-", f.Items)
		}
		walk("", set.Schema(path.Dir(name), path.Base(name)).Root())
	}
	if ordered < 20 {
		t.Errorf("only %d lists are ordered", ordered)
	}
}
