package calc

import (
	"encoding/json"
	"testing"
)

// FuzzTools: any body gets an answer that fits, or an error, and soon. What is known to be hard is where it begins:
// the examples, and the requests at the limits of each tool.
func FuzzTools(f *testing.F) {
	known := edges(f)
	for i, tool := range registry.tools {
		for _, e := range tool.Examples {
			f.Add(uint8(i), []byte(e.Request))
		}
		for _, e := range known[tool.ID] {
			f.Add(uint8(i), []byte(`{"inputs":`+e.Inputs+`}`))
		}
		f.Add(uint8(i), []byte(`{"inputs":{"principal":1e999999999,"balance":1e999999999}}`))
	}
	f.Fuzz(func(t *testing.T, tool uint8, body []byte) {
		fuzzTool(t, registry.tools[int(tool)%len(registry.tools)], body)
	})
}

func fuzzTool(t *testing.T, tool *Tool, body []byte) {
	t.Helper()
	before := effort()
	a, err := tool.Calculate(body, testFacts)
	if took := effort() - before; took > slow {
		t.Fatalf("took %v", took)
	}
	if err != nil {
		if _, ok := err.(*Error); !ok {
			t.Fatalf("an error that is no *Error: %v", err)
		}
		return
	}
	first := a.JSON()
	if !json.Valid(first) {
		t.Fatalf("not JSON: %s", first)
	}
	again, err := tool.Calculate(body, testFacts)
	if err != nil || string(again.JSON()) != string(first) {
		t.Fatalf("another answer the second time: %v", err)
	}
	wellFormed(t, tool.ID, string(a.Markdown()))
}
