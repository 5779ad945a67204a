package calc

import (
	_ "embed"
	"encoding/json"
	"sync"
)

//go:embed examples.json
var examplesJSON []byte

// An Example is a valid request and some of the outputs of its answer.
type Example struct {
	Title   string // in Russian
	Request string // JSON
	Want    map[string]string
}

// examples are those of examples.json, by id and version of their tool.
var examples = sync.OnceValue(func() map[string][]Example {
	var written map[string][]struct {
		Title   string
		Request json.RawMessage
		Want    map[string]string
	}
	if err := json.Unmarshal(examplesJSON, &written); err != nil {
		panic("embedded examples.json: " + err.Error()) // tests read it
	}
	all := map[string][]Example{}
	for of, some := range written {
		for _, e := range some {
			all[of] = append(all[of], Example{e.Title, string(e.Request), e.Want})
		}
	}
	return all
})
