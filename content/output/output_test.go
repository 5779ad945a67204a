package output_test

import (
	"encoding/json"
	"flag"
	"os"
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

func parse(t *testing.T, raw []byte) *output.Result {
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
	if got := r.Registries(); len(got) != 3 || got[0] != "colours" || got[1] != "missing" || got[2] != "colours" {
		t.Errorf("registries: %q", got)
	}
	got := r.Schema("https://rules.example.org/every.json", "every 1.0.0", map[string]output.Registry{
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
	for _, body := range []string{`{"sections":"text"}`, `{"sections":[{"required":"yes"}]}`, `{"sections":[{"fields":[{"values":[1]}]}]}`} {
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
		if got := r.Schema("https://rules.example.org/x.json", "x", nil); !json.Valid(got) {
			t.Errorf("%s", got)
		}
	})
}
