package calc

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/gowebpki/jcs"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var registry = New()

// all is every tool, the comparison of loans among them.
func all() []*Tool { return slices.Collect(registry.Tools()) }

// answer calculates and decodes; the answer must fit the tool's schema.
func answer(t testing.TB, tool *Tool, request string) map[string]any {
	t.Helper()
	a, err := tool.Calculate([]byte(request), testFacts)
	if err != nil {
		t.Fatalf("%s\n%s\n%v", tool.ID, request, err)
	}
	return decoded(t, a.JSON())
}

func decoded(t testing.TB, data []byte) map[string]any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var out map[string]any
	if err := dec.Decode(&out); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, data)
	}
	return out
}

// output is the value of an output as text; "" if there is none.
func output(a map[string]any, name string) string {
	o, ok := a["outputs"].(map[string]any)[name].(map[string]any)
	if !ok {
		return ""
	}
	return printed(o["value"])
}

func printed(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// codes are names of fields and values as programs have them.
var codes = regexp.MustCompile(`\b[a-z][a-z0-9_]+\b`)

func TestDeclarations(t *testing.T) {
	for _, tool := range all() {
		t.Run(tool.ID, func(t *testing.T) {
			if tool.Title == "" || tool.Description == "" || tool.Formula == "" ||
				tool.Version == "" || tool.Release == "" {
				t.Error("title, description, formula, version or release is missing")
			}
			if code := codes.FindString(tool.Title + " " + tool.Description); code != "" {
				t.Errorf("people read %q: say it in words", code)
			}
			if !slices.ContainsFunc(Families, func(f Family) bool { return f.ID == tool.Family }) {
				t.Errorf("there is no family %q", tool.Family)
			}
			if len(tool.Examples) == 0 {
				t.Error("no examples")
			}
			seen := map[string]bool{}
			for _, f := range append(append([]Field{}, tool.Outputs...), tool.Members...) {
				if seen[f.Name] {
					t.Errorf("two outputs are called %s", f.Name)
				}
				seen[f.Name] = true
			}
			titled(t, tool.ID, tool.request.fields)
			titled(t, tool.ID, tool.Outputs)
			titled(t, tool.ID, tool.Schedule)
			titled(t, tool.ID, tool.Members)
		})
	}
}

func titled(t *testing.T, at string, fields []Field) {
	seen := map[string]bool{}
	for _, f := range fields {
		if f.Title == "" || f.Name == "" {
			t.Errorf("%s: field %q has no name or title", at, f.Name)
		}
		if seen[f.Name] {
			t.Errorf("%s: two fields are called %s", at, f.Name)
		}
		seen[f.Name] = true
		titled(t, at+"/"+f.Name, f.fields)
		if f.item != nil {
			titled(t, at+"/"+f.Name, f.item.fields)
		}
	}
}

// TestExamples runs the examples and checks them and their answers against the
// schemas.
func TestExamples(t *testing.T) {
	for _, tool := range all() {
		input, out := compiled(t, tool.InputSchema()), compiled(t, tool.OutputSchema())
		for _, e := range tool.Examples {
			t.Run(tool.ID+"/"+e.Title, func(t *testing.T) {
				if err := input.Validate(any(decoded(t, []byte(e.Request)))); err != nil {
					t.Errorf("the request does not fit the schema: %v", err)
				}
				a := answer(t, tool, e.Request)
				if err := out.Validate(any(a)); err != nil {
					t.Errorf("the answer does not fit the schema: %v", err)
				}
				for name, want := range e.Want {
					if got := output(a, name); got != want {
						t.Errorf("%s = %s, want %s", name, got, want)
					}
				}
			})
		}
	}
}

func compiled(t *testing.T, data []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:test", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("urn:test")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSchemas fails when a schema drifts from the committed one.
func TestSchemas(t *testing.T) {
	for _, tool := range all() {
		for kind, data := range map[string][]byte{"input": tool.InputSchema(), "output": tool.OutputSchema()} {
			path := filepath.Join("testdata", "schemas", tool.ID+"."+kind+".json")
			if *update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, data, 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(path)
			if err != nil || !bytes.Equal(data, want) {
				t.Errorf("%s is not the schema of the declaration (%v); run go test ./server/calc -update", path, err)
			}
		}
	}
}

func TestEnvelope(t *testing.T) {
	a, err := registry.Calculate("loan_payment", []byte(`{
		"inputs": {"term_months": 3, "principal": 1000.5, "annual_rate_pct": "12.00"},
		"contract_values": {"payment": "340.00", "rows": 4, "psk": "19.9", "interest_total": null},
		"options": {"include_schedule": true, "schedule_from": 2, "schedule_limit": 1}
	}`), Facts{})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "envelope.json", a.JSON())
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, got, "", "  "); err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	out.WriteByte('\n')
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%s differs (%v): got\n%s", path, err, out.Bytes())
	}
}

// TestInvariant: the form of a request changes nothing, not a byte.
func TestInvariant(t *testing.T) {
	forms := []string{
		`{"inputs":{"principal":"5000000.00","annual_rate_pct":"18.5","term_months":360}}`,
		`{"inputs":{"term_months":360,"annual_rate_pct":18.50,"principal":5000000}}`,
		`{"inputs":{"principal":5000000.0,"annual_rate_pct":"18.500000","term_months":"360",` +
			`"payment_type":"annuity","balloon_amount":"0"}}`,
		"{ \"options\":{}, \"inputs\":{\"term_months\":360.0,\"\\u0070rincipal\":\"5000000\",\n" +
			"\"annual_rate_pct\":\"18.5\",\"balloon_amount\":0.00} }",
	}
	var first []byte
	for _, form := range forms {
		a, err := registry.Calculate("loan_payment", []byte(form), Facts{})
		if err != nil {
			t.Fatal(form, err)
		}
		if first == nil {
			first = a.JSON()
		}
		if got := a.JSON(); !bytes.Equal(got, first) {
			t.Errorf("%s\ngives %s\nwant  %s", form, got, first)
		}
	}
}

// TestInputsHash recomputes the hash from the answer, with another canonical form.
func TestInputsHash(t *testing.T) {
	for _, tool := range all() {
		for _, e := range tool.Examples {
			a := answer(t, tool, e.Request)
			doc, _ := json.Marshal(map[string]any{"tool_id": a["tool_id"], "tool_version": a["tool_version"],
				"inputs": a["inputs_echo"]})
			canonical, err := jcs.Transform(doc)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(canonical)
			if want := "sha256:" + hex.EncodeToString(sum[:]); a["inputs_hash"] != want {
				t.Errorf("%s: inputs_hash = %v, want %v", tool.ID, a["inputs_hash"], want)
			}
		}
	}
}

// TestEcho: the echo of a request is a request with the same answer.
func TestEcho(t *testing.T) {
	for _, tool := range all() {
		for _, e := range tool.Examples {
			a := answer(t, tool, e.Request)
			echo, _ := json.Marshal(map[string]any{"inputs": a["inputs_echo"]})
			if b := answer(t, tool, string(echo)); b["inputs_hash"] != a["inputs_hash"] {
				t.Errorf("%s: the echo of %s is another request", tool.ID, e.Request)
			}
		}
	}
}
