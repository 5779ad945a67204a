package calc_test

import (
	"sync"
	"testing"

	"rulestore/server/calc"
)

// Each registry counts what it was asked itself, whatever others there are and
// whenever they were made.
func TestTwoRegistries(t *testing.T) {
	first := calc.New()
	tool, _ := first.Tool("loan_payment")
	request := []byte(tool.Examples[0].Request)
	if _, err := first.Calculate(tool.ID, request, calc.Facts{}); err != nil {
		t.Fatal(err)
	}
	second := calc.New()
	if got := tool.Calls(); got.Computed != 1 {
		t.Errorf("another registry made the first one forget: %+v", got)
	}
	if _, err := second.Calculate(tool.ID, request, calc.Facts{}); err != nil {
		t.Fatal(err)
	}
	other, _ := second.Tool(tool.ID)
	if tool.Calls().Computed != 1 || other.Calls().Computed != 1 || other == tool {
		t.Errorf("the registries count together: %+v and %+v", tool.Calls(), other.Calls())
	}
}

// Registries are made while others answer.
func TestRegistriesAreIndependent(t *testing.T) {
	const each = 20
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range each {
				r := calc.New()
				for tool := range r.Tools() {
					if _, err := tool.Calculate([]byte(tool.Examples[0].Request), calc.Facts{}); err != nil &&
						tool.Calls().Refused != 1 {
						t.Errorf("%s: %v, %+v", tool.ID, err, tool.Calls())
					}
				}
			}
		})
	}
	wg.Wait()
}
