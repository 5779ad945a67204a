package schemas_test

import (
	"strings"
	"testing"

	"rulestore/schemas"
)

const first = "type: object\nrequired: [schema_version, b]\nproperties:\n" +
	"  schema_version: {title: Формат, const: \"1.0\"}\n  a: {title: А, type: string}\n  b: {title: Б, type: string}\n"

// A format that says what it adds is served as a whole, and the older one as it was.
func TestExtendedFormat(t *testing.T) {
	set := load(t, map[string]string{
		"a/1.0.yaml": first,
		"a/1.1.yaml": "x-extends: \"1.0\"\nrequired: [schema_version]\nproperties:\n  schema_version: {const: \"1.1\"}\n" +
			"  c: {title: В, type: string, x-after: a}\n  d: {title: Г, type: string}\n",
		"a/1.2.yaml": "x-extends: \"1.1\"\nproperties:\n  schema_version: {const: \"1.2\"}\n" +
			"  e: {title: Д, type: string, x-after: c}\n",
	})
	for format, want := range map[string]string{"1.1": "schema_version a c b d", "1.2": "schema_version a c e b d"} {
		var names []string
		for _, f := range set.Schema("a", format).Root().Fields {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("the fields of %s are %s", format, got)
		}
	}
	document := string(set.Document("a", "1.1"))
	if strings.Contains(document, "x-extends") || strings.Contains(document, "x-after") ||
		!strings.Contains(document, `"const": "1.1"`) {
		t.Errorf("served is %s", document)
	}
	if root := set.Schema("a", "1.1").Root(); root.Field("b").Required ||
		root.Field("schema_version").Title != "Формат" {
		t.Errorf("%+v", root)
	}
	if old := string(set.Document("a", "1.0")); strings.Contains(old, `"c"`) ||
		!set.Schema("a", "1.0").Root().Field("b").Required {
		t.Errorf("the older one is %s", old)
	}
}

func TestBrokenExtensions(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":  "x-extends: \"0.9\"\n",
		"itself":   "x-extends: \"1.1\"\n",
		"no field": "x-extends: \"1.0\"\nproperties: {c: {title: В, x-after: z}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := schemas.LoadAll(files(map[string]string{"b/1.0.yaml": first, "b/1.1.yaml": text}))
			if err == nil || !strings.Contains(err.Error(), "b/1.1.yaml") {
				t.Errorf("%s: got the error %v", name, err)
			}
		})
	}
}
