package document_test

import (
	"fmt"
	"slices"
	"testing"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/schemas"
)

// What a step says is to be read, and where the service has it.
func TestPointers(t *testing.T) {
	body := content.Object{{Name: "steps", Value: []byte(`[{"step":1,"code":"CHECK","title":"Проверить","instructions":["Сверить."],"read":[
		{"item":"guidelines/product.common.001","sections":["rules/full_cost","summary"]},
		{"item":"registries/fraud-signals","sections":["signals/A B"]},
		{"item":"parameters/credit.psk-cap"},
		{"sections":["rules/plain"]},
		{"item":"nothing/x"}]}]`)}}
	step := &document.Read(body, schemas.Embedded().Schema("instructions", "1.1").Root()).Kids[0].Kids[0]
	if _, ok := step.Pointer(); ok || step.Pointers() {
		t.Error("a step is something to read")
	}
	read := step.Member("read")
	if !read.Pointers() {
		t.Fatal("there is nothing to read")
	}
	for i, want := range []struct {
		path  string
		names []string
	}{
		{"/api/v1/guidelines/product.common.001?section=rules/full_cost&section=summary",
			[]string{"guidelines/product.common.001#rules/full_cost", "guidelines/product.common.001#summary"}},
		{"/api/v1/fraud/signals?section=signals/A+B", []string{"registries/fraud-signals#signals/A B"}},
		{"/api/v1/external-parameters/credit.psk-cap", []string{"parameters/credit.psk-cap"}},
		{"", []string{"rules/plain"}},
		{"", []string{"nothing/x"}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			p, ok := read.Kids[i].Pointer()
			if got := p.Path(); !ok || got != want.path {
				t.Errorf("%d: it is at %q, expected %q", i, got, want.path)
			}
			if got := p.Names(); !slices.Equal(got, want.names) {
				t.Errorf("%d: it is called %q, expected %q", i, got, want.names)
			}
		})
	}
}
