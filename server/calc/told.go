package calc

import (
	_ "embed"
	"encoding/json"
	"sync"
)

//go:embed tools.json
var toolsJSON []byte

// told is what tools.json has of a version of a tool.
type told struct {
	Title, About string // "" in a version that is told as the newest one is
	Examples     []Example
}

// An Example is a valid request and some of the outputs of its answer.
type Example struct {
	Title   string // in Russian
	Request string // JSON
	Want    map[string]string
}

// UnmarshalJSON reads an example, in which the request is JSON in JSON.
func (e *Example) UnmarshalJSON(raw []byte) error {
	type plain Example
	written := struct {
		*plain
		Request json.RawMessage
	}{plain: (*plain)(e)}
	err := json.Unmarshal(raw, &written)
	e.Request = string(written.Request)
	return err
}

// toldOf are tools.json, by id and version of a tool.
var toldOf = sync.OnceValue(func() (all map[string]told) {
	if err := json.Unmarshal(toolsJSON, &all); err != nil {
		panic("embedded tools.json: " + err.Error()) // tests read it
	}
	return all
})
