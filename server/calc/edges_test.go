package calc

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// An edge is a request at a limit, and what comes of it: see testdata/edges.yaml.
type edge struct {
	Case, Inputs, Faults string
	Want                 map[string]string
}

// edges are those of testdata/edges.yaml, by the ids of tools.
func edges(t testing.TB) (all map[string][]edge) {
	t.Helper()
	text, err := os.ReadFile("testdata/edges.yaml")
	if err != nil {
		t.Fatal(err)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

// At the limits of what it takes, a tool answers as edges.yaml says, in time, and as its schema says; or refuses.
func TestEdges(t *testing.T) {
	for id, known := range edges(t) {
		tool, schema := registry.byID[id], compiled(t, registry.byID[id].OutputSchema())
		for i, e := range known {
			t.Run(fmt.Sprint(id, " ", i, " ", e.Case), func(t *testing.T) {
				body := `{"inputs":` + e.Inputs + `}`
				if e.Faults != "" {
					checkError(t, tool, body, e.Faults)
					return
				}
				before := effort()
				a := answer(t, tool, body)
				if took := effort() - before; took > slow {
					t.Errorf("took %v", took)
				}
				if err := schema.Validate(any(a)); err != nil {
					t.Errorf("the answer does not fit the schema: %v", err)
				}
				if _, ok := e.Want["reason"]; !ok && a["status"] != StatusComputed {
					t.Errorf("no result: %v", a["reason"])
				}
				for name, want := range e.Want {
					if got := said(a, name); got != want {
						t.Errorf("%s = %s, want %s", name, got, want)
					}
				}
			})
		}
	}
}

// said is an output, "" if there is none, or another member of an answer.
func said(a map[string]any, name string) string {
	switch name {
	case "reason", "status":
		return printed(a[name])
	case "warnings", "not_computed":
		return codesIn(a, name)
	}
	return output(a, name)
}

// codesIn are those of a list in an answer, with spaces between them.
func codesIn(a map[string]any, member string) string {
	var all []string
	for _, one := range a[member].([]any) {
		if o, ok := one.(map[string]any); ok {
			one = o["code"]
		}
		all = append(all, one.(string))
	}
	return strings.Join(all, " ")
}
