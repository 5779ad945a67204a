package output_test

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/output"
)

var update = flag.Bool("update", false, "write testdata/every.schema.json")

func read(t *testing.T, file string) []byte {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func parse(t *testing.T, raw []byte) *output.Schema {
	t.Helper()
	var body content.Object
	if err := json.Unmarshal(raw, &body); err != nil {
		t.Fatal(err)
	}
	r, err := output.Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every notation there is, once.
func TestSchema(t *testing.T) {
	r := parse(t, read(t, "testdata/every.json"))
	if got := strings.Join(r.Registries(), " "); got != "colours colours missing colours" {
		t.Errorf("registries: %s", got)
	}
	got := r.JSONSchema("https://rules.example.org/every.json", "every 1.0.0", map[string]output.Registry{
		"colours": {Codes: []string{"RED", "BLUE"}, Source: "colours 1.0.0"},
	})
	const golden = "testdata/every.schema.json"
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := read(t, golden); string(got) != string(want) {
		t.Errorf("got\n%s", got)
	}
}

func TestParseRefusesOtherTypes(t *testing.T) {
	for _, body := range []string{`{"sections":"text"}`, `{"sections":[{"required":"yes"}]}`,
		`{"sections":[{"fields":[{"values":[1]}]}]}`} {
		var o content.Object
		if err := json.Unmarshal([]byte(body), &o); err != nil {
			t.Fatal(err)
		}
		if r, err := output.Parse(o); err == nil {
			t.Errorf("%s: %+v", body, r)
		}
	}
}

// Whatever an author writes, there is a schema or an error.
func FuzzSchema(f *testing.F) {
	raw, err := os.ReadFile("testdata/every.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte(`{"sections":[{"section_id":"","fields":[{"type":"decimal","nullable":true},{}]},{}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var body content.Object
		if json.Unmarshal(raw, &body) != nil {
			return
		}
		r, err := output.Parse(body)
		if err != nil {
			return
		}
		if got := r.JSONSchema("https://rules.example.org/x.json", "x", nil); !json.Valid(got) {
			t.Errorf("%s", got)
		}
	})
}

// The example of the whole is made of those of the fields.
func TestExample(t *testing.T) {
	fields := func(fields string) string {
		return `{"sections":[{"section_id":"s","required":true,"fields":[` + fields + `]}]}`
	}
	for body, want := range map[string]string{
		fields(`{"name":"a","type":"string","required":true,"example":"текст"}`):                                        `{"s":{"a":"текст"}}`,
		fields(`{"name":"a","type":"integer","required":true,"example":60},{"name":"b","type":"number","example":1.5}`): `{"s":{"a":60,"b":1.5}}`,
		fields(`{"name":"a","type":"string","required":true,"nullable":true},{"name":"b",` +
			`"type":"array_of_string","required":true}`): `{"s":{"a":null,"b":[]}}`,
		fields(`{"name":"a","type":"string","required":true}`):                                               ``,
		fields(`{"name":"a","type":"string"},{"name":"b","type":"boolean","required":true,"example":false}`): `{"s":{"b":false}}`,
		fields(`{"name":"a","type":"array_of_object","required":true,"fields":[{"name":"b",` +
			`"type":"date","required":true,"example":"2026-11-17"}]}`): `{"s":{"a":[{"b":"2026-11-17"}]}}`,
		fields(`{"name":"a","type":"object","required":true,"fields":[{"name":"b","type":"date","required":true}]}`):                                              ``,
		`{"sections":[{"section_id":"s","required":true,"fixed_values":["ONE","TWO"]},{"section_id":"t","fields":[{"name":"a","type":"date","required":true}]}]}`: `{"s":["ONE","TWO"]}`,
		`{"sections":[{"section_id":"s","repeated":true,"fields":[{"name":"a","type":"string","example":"x"}]}]}`:                                                 `{"s":[{"a":"x"}]}`,
	} {
		t.Run(body, func(t *testing.T) {
			got := ""
			if example := parse(t, []byte(body)).Example(); example != nil {
				got = string(example.AppendJSON(nil))
			}
			if got != want {
				t.Errorf("%s: got %s, want %s", body, got, want)
			}
		})
	}
}
