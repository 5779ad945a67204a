package calc

import "testing"

// Every request is counted once, by what came of it.
func TestCalls(t *testing.T) {
	r := New()
	tool, _ := r.Tool("loan_payment")
	example := []byte(tool.Examples[0].Request)
	for _, body := range []string{string(example), string(example), `{}`, `[`, `{"inputs": {}, "inputs": {}}`} {
		_, _ = tool.Calculate([]byte(body), Facts{})
	}
	if _, err := r.Calculate(tool.ID, example, Facts{}); err != nil {
		t.Fatal(err)
	}
	if got, want := tool.Calls(), (Calls{Computed: 3, Refused: 3}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := r.byID[CompareLoansID].Calls(); got != (Calls{}) {
		t.Errorf("nobody asked for a comparison: %+v", got)
	}
}
