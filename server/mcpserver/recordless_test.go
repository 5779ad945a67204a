package mcpserver_test

import (
	"bytes"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"rulestore/schemas"
	"rulestore/server/mcpserver"
	"rulestore/server/site"
)

// without returns the formats, except that a folder of them has no records.
func without(folder string) *schemas.Set {
	files := fstest.MapFS{}
	root := os.DirFS("../../schemas")
	must(0, fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".yaml") {
			raw := must(fs.ReadFile(root, name))
			if strings.HasPrefix(name, folder+"/") {
				raw = bytes.ReplaceAll(raw, []byte("x-records: true"), nil)
			}
			files[name] = &fstest.MapFile{Data: raw}
		}
		return err
	}))
	return must(schemas.Load(files))
}

// Of a registry without records, a tool that lists its records answers with the registry, as its
// address does.
func TestRegistryWithoutRecords(t *testing.T) {
	r := startWith(t, site.Build(nil, kinds().Snapshot, site.Config{
		BaseURL: baseURL, Version: "0.0.0-test", Schemas: without("registries/fraud-signals"),
	}), mcpserver.Config{})
	c, _ := r.client("2026-07-28", all)
	var output *jsonschema.Schema
	for _, tool := range tools(t, c) {
		if tool.Name == "list_fraud_signals" {
			output = compile(t, tool.Name, tool.OutputSchema)
		}
	}
	want := undated(r.get("/api/v1/fraud/signals", "application/json"))
	for _, args := range []map[string]any{{}, {"severity": "high"}, {"limit": 1, "offset": 1}} {
		_, text := call(t, c, "list_fraud_signals", args)
		if undated([]byte(text)) != want {
			t.Errorf("%v: %.300s", args, text)
		}
		if err := output.Validate(must(jsonschema.UnmarshalJSON(strings.NewReader(text)))); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}
