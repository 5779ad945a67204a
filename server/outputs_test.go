package server_test

import (
	"bytes"
	"net/http"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
	"rulestore/server/site"
)

// outputSchema compiles a JSON Schema as a caller would, by its $id; formats are
// left unchecked, as validators do unless they are told otherwise.
func outputSchema(t *testing.T, raw []byte) *jsonschema.Schema {
	t.Helper()
	document := must(jsonschema.UnmarshalJSON(bytes.NewReader(raw)))
	id := document.(map[string]any)["$id"].(string)
	c := jsonschema.NewCompiler()
	if err := c.AddResource(id, document); err != nil {
		t.Fatal(err)
	}
	return must(c.Compile(id))
}

// The same schema is at the item's own paths by Accept, at an address that names
// it, and linked from the item.
func TestJSONSchemaRepresentations(t *testing.T) {
	c := ask(t, kindsSite())
	const item, at = "/api/v1/schemas/math/claim", "/schemas/output/math/claim"
	current := c.get(at + ".json")
	for _, path := range []string{item, item + "/versions/1.0.0"} {
		if r := c.get(path, "Accept", schemaType); r.status != 200 || !bytes.Equal(r.body, current.body) ||
			r.header.Get("Content-Type") != schemaType {
			t.Errorf("%s: %d %s", path, r.status, r.header.Get("Content-Type"))
		}
	}
	for path, want := range map[string]string{item: at + "/1.0.0.json", item + "/versions/1.0.0": at + "/1.0.0.json",
		"/.well-known/service-for-robots.json": at + ".json"} {
		if r := c.get(path); !bytes.Contains(r.body, []byte(baseURL+want)) {
			t.Errorf("%s does not name %s", path, want)
		}
	}
	c.get("/api/v1/glossary", "Accept", schemaType).want(t, 406, "not_acceptable")
}

// The codes that a schema allows follow the registry: a swap that brings a new
// version of it brings a new schema, and only then.
func TestJSONSchemaFollowsRegistries(t *testing.T) {
	script := readScript("testdata/outputs.txtar")
	l := loader.New(loader.Config{Schemas: schemas.Embedded(), Now: func() time.Time { return today }})
	after := func(prev *site.Site, commits int) *site.Site {
		l.Source = must(git.InMemory(script[:commits]))
		return build(prev, must(l.Load(t.Context())).Snapshot)
	}
	first := after(nil, 1)
	again := after(first, 1)
	second := after(again, 2)
	redacted := after(second, 3)

	const path, version, item = "/schemas/output/notes.json",
		"/schemas/output/notes/1.0.0.json", "/api/v1/schemas/notes"
	if first.Lookup(version) != again.Lookup(version) {
		t.Error("nothing changed, and the schema was made again")
	}
	old, now := ask(t, again).get(path), ask(t, second).get(path)
	note := map[string]any{"topic": map[string]any{"code": "NEW_CODE"}}
	if outputSchema(t, old.body).Validate(note) == nil {
		t.Error("accepts a code that the registry does not have yet")
	}
	if err := outputSchema(t, now.body).Validate(note); err != nil {
		t.Error(err)
	}
	modified := must(http.ParseTime(now.header.Get("Last-Modified")))
	if old.header.Get("Etag") == now.header.Get("Etag") || !modified.Equal(time.Date(2026, 6, 1,
		6, 0, 0, 0, time.UTC)) {
		t.Errorf("validators: %v, then %v", old.header, now.header)
	}
	if a, b := ask(t, again).get(item), ask(t, second).get(item); a.header.Get("Etag") != b.header.Get("Etag") {
		t.Error("the item itself did not change")
	}
	for _, path := range []string{path, version} {
		if r := ask(t, redacted).get(path); r.status != http.StatusGone {
			t.Errorf("%s: redacted, and %d", path, r.status)
		}
	}
}
