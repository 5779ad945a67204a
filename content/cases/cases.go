package cases

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"rulestore/content"
	"rulestore/content/crash"
)

// Depth is the number of results that are searched for an answer.
const Depth = 50

// Service is the service under test. Its functions answer from the snapshot, and are called
// concurrently.
type Service struct {
	Snapshot *content.Snapshot
	// Search returns the ids of the results, at most a given number, the best first.
	Search func(question *content.SearchCase, limit int) []string
	// Calculate answers a request, JSON. The error is the reason for a rejection.
	Calculate func(tool string, request []byte) (Calculated, error)
	// Section returns the text at an address in the current version of an item; not ok if it
	// has no such section.
	Section func(item *content.Item, address string) (value json.RawMessage, ok bool)
	// Size returns the size of a view of the current version of an item, in bytes; not ok if
	// there is no such view.
	Size func(item *content.Item, view string) (bytes int, ok bool)
}

// Calculated is the answer of a calculation.
type Calculated struct {
	Status  string
	Outputs map[string]string // texts; numbers as written; lists and objects as JSON
}

// Outcome is the result of a case.
type Outcome struct {
	Case *content.Case
	// of a question: the rank of the first expected answer, 0 if it is not among the first [Depth]
	Rank int
	Got  []string         // the actual values: the ids of the first results, or the values that were compared
	Says content.RuleText // the reason of a failure; zero if the case passes
}

// Passed reports whether a case has the expected result.
func (r Outcome) Passed() bool { return r.Says.Rule == "" }

// MarshalJSON implements json.Marshaler, with the fields for programs.
func (r Outcome) MarshalJSON() ([]byte, error) {
	j := struct {
		Path   string   `json:"path"`
		Line   int      `json:"line"`
		Kind   string   `json:"kind"`
		Case   string   `json:"case"`
		Passed bool     `json:"passed"`
		Expect []string `json:"expect,omitempty"` // of a question
		Rank   int      `json:"rank,omitempty"`   // of a question that is answered
		Got    []string `json:"got"`
	}{
		Path: r.Case.Path, Line: r.Case.Line, Kind: r.Case.Kind(), Case: r.Case.String(), Passed: r.Passed(),
		Rank: r.Rank, Got: r.Got,
	}
	if j.Got == nil {
		j.Got = []string{}
	}
	if r.Case.Search != nil {
		j.Expect = r.Case.Search.Expect
	}
	return json.Marshal(j)
}

// Run runs cases, several at a time, and returns their results in the order of the cases. The
// error is a crash.
func Run(all []content.Case, s Service) ([]Outcome, error) {
	t := trial{Service: s, rules: compoundRules(s.Snapshot), signals: signals(s.Snapshot)}
	results := make([]Outcome, len(all))
	var running errgroup.Group
	running.SetLimit(runtime.GOMAXPROCS(0))
	for i := range all {
		running.Go(func() error {
			return crash.Do(func() {
				results[i] = t.try(&all[i])
				results[i].Case = &all[i]
			})
		})
	}
	return results, running.Wait()
}

// trial is a service with what many cases need of its snapshot.
type trial struct {
	Service
	rules   []content.CompoundRule
	signals map[string]bool // nil: there is no registry of them
}

func (t *trial) try(c *content.Case) Outcome {
	switch {
	case c.Search != nil:
		return t.search(c.Search)
	case c.Calc != nil:
		return t.calculate(c.Calc)
	case c.Signals != nil:
		return t.judge(c.Signals)
	case c.Read != nil:
		return t.read(c.Read)
	}
	return t.measure(c.Size)
}

// failed is the result of a case that does not pass.
func failed(says content.RuleText, got ...string) Outcome { return Outcome{Says: says, Got: got} }

func (t *trial) search(c *content.SearchCase) Outcome {
	found, want := t.Search(c, Depth), []string(c.Expect)
	first := found[:min(c.First(), len(found))]
	rank := 1 + slices.IndexFunc(found, func(id string) bool { return slices.Contains(want, id) })
	r := Outcome{}
	switch {
	case len(found) > 0 && slices.Contains(c.NotFirst, found[0]):
		r = failed(content.Say("case", "first", content.Args{"question": c.Q, "found": found[0]}))
	case rank > 0 && rank <= c.First():
	case len(found) == 0:
		r = failed(content.Say("case", "nothing", content.Args{"question": c.Q}))
	case rank == 0:
		r = failed(content.Say("case", "absent", content.Args{"question": c.Q, "expected": want, "found": first}))
	default:
		r = failed(content.Say("case", "place", content.Args{
			"question": c.Q, "expected": want, "rank": rank, "within": c.First(), "found": first,
		}))
	}
	r.Rank, r.Got = rank, first
	return r
}

func (t *trial) calculate(c *content.CalcCase) Outcome {
	answer, err := t.Calculate(c.Tool, slices.Concat([]byte(`{"inputs":`), c.Inputs, []byte(`}`)))
	if err != nil {
		return failed(content.Say("case", "refused", content.Args{"tool": c.Tool, "problem": err}), err.Error())
	}
	var r Outcome
	if want := c.Outcome(); answer.Status != want {
		r = failed(content.Say("case", "status", content.Args{"tool": c.Tool, "got": answer.Status, "want": want}))
	}
	r.Got = append(r.Got, answer.Status)
	for _, name := range c.OutputNames() {
		got, ok := answer.Outputs[name]
		if r.Got = append(r.Got, name+": "+got); r.Passed() && !(ok && gives(got, c.Outputs[name])) {
			r.Says = content.Say("case", "output", content.Args{
				"tool": c.Tool, "output": name, "got": got, "want": spelled(c.Outputs[name]),
			})
		}
	}
	return r
}

func (t *trial) read(c *content.ReadCase) Outcome {
	item := t.item(c.Item)
	if item == nil {
		return failed(content.Say("case", "item", content.Args{"item": c.Item}))
	}
	value, ok := t.Section(item, c.Section)
	if !ok {
		return failed(content.Say("case", "section", content.Args{"item": c.Item, "section": c.Section}))
	}
	if i := slices.IndexFunc(c.Says, func(words string) bool { return !says(value, words) }); i >= 0 {
		return failed(content.Say(
			"case", "words", content.Args{"item": c.Item, "section": c.Section, "words": c.Says[i]},
		), spelled(value))
	}
	if got := spelled(value); c.Is != nil && !equal(value, c.Is) {
		return failed(content.Say(
			"case", "value", content.Args{"item": c.Item, "section": c.Section, "got": got, "want": spelled(c.Is)},
		), got)
	}
	return Outcome{Got: []string{spelled(value)}}
}

func (t *trial) measure(c *content.SizeCase) Outcome {
	item := t.item(c.Item)
	if item == nil {
		return failed(content.Say("case", "item", content.Args{"item": c.Item}))
	}
	size, ok := t.Size(item, c.Viewed())
	switch {
	case !ok:
		return failed(content.Say("case", "view", content.Args{"item": c.Item, "view": c.Viewed()}))
	case size > c.AtMost:
		return failed(
			content.Say("case", "size", content.Args{"item": c.Item, "got": size, "want": c.AtMost}), fmt.Sprint(size),
		)
	}
	return Outcome{Got: []string{fmt.Sprint(size)}}
}

// item returns an item that has a current version, by folder and name.
func (t *trial) item(id string) *content.Item {
	folder, name, _ := strings.Cut(id, "/")
	kind := content.KindOf(folder)
	if kind == nil {
		return nil
	}
	if item := t.Snapshot.Item(kind, name); item != nil && item.Current != nil {
		return item
	}
	return nil
}
