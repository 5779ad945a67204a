package site

import (
	"fmt"
	"testing"
)

// What does not fit is left out by its importance: what is said of things first, signals and rules
// last, and what was left out is counted.
func TestFraudBriefIsReduced(t *testing.T) {
	b := &fraudBrief{}
	for i := range 6 {
		id := fmt.Sprint(i)
		b.signals = append(b.signals, fraudSignal{Code: id, Description: "x"})
		b.states = append(b.states, fraudState{Code: id})
		b.scenarios = append(b.scenarios, fraudScenario{Actions: []string{"x"}})
		b.routes = append(b.routes, fraudRoute{ID: id, Resources: []string{id}, Actions: []string{"x"}})
		b.resources = append(b.resources, fraudResource{ID: id, HowTo: []string{"x", "y"}})
	}
	b.resources[5].Phone = "112"
	b.whole = append(b.whole, b.routes...)
	got := ""
	for step, more := 0, true; more; step++ {
		more = b.reduce(step)
		acted, findable := 0, 0
		for _, r := range b.routes {
			acted += len(r.Actions)
		}
		for _, r := range b.resources {
			findable += len(r.HowTo)
		}
		got += fmt.Sprint(len(b.signals), len(b.scenarios), len(b.states), len(b.routes), len(b.resources), acted,
			findable, len(b.scenarios[0].Actions), b.left, b.incompleteRoutes(), "\n")
	}
	// signals, scenarios, states, routes, resources; actions, ways to find, first actions; left, more
	if want := `6 6 6 6 6 6 6 1 0 []
6 6 6 4 5 4 5 1 2 [4 5]
6 6 6 4 5 2 5 1 2 [2 3 4]
6 6 6 3 4 2 4 1 3 [2 3 4]
6 6 6 2 3 2 3 1 4 [2 3 4]
6 6 6 2 3 2 0 1 4 [2 3 4]
6 6 6 2 3 1 0 1 4 [1 2 3]
6 6 6 2 3 1 0 0 4 [1 2 3]
6 6 6 2 3 0 0 0 4 [0 1 2]
6 6 5 2 3 0 0 0 5 [0 1 2]
6 6 4 2 3 0 0 0 6 [0 1 2]
6 6 3 2 3 0 0 0 7 [0 1 2]
6 6 2 2 3 0 0 0 8 [0 1 2]
6 6 1 2 3 0 0 0 9 [0 1 2]
6 6 1 2 2 0 0 0 10 [0 1 2]
6 5 1 2 2 0 0 0 11 [0 1 2]
6 4 1 2 2 0 0 0 12 [0 1 2]
6 3 1 2 2 0 0 0 13 [0 1 2]
6 2 1 2 2 0 0 0 14 [0 1 2]
6 1 1 2 2 0 0 0 15 [0 1 2]
5 1 1 2 2 0 0 0 16 [0 1 2]
4 1 1 2 2 0 0 0 17 [0 1 2]
3 1 1 2 2 0 0 0 18 [0 1 2]
2 1 1 2 2 0 0 0 19 [0 1 2]
1 1 1 2 2 0 0 0 20 [0 1 2]
1 1 1 2 2 0 0 0 21 []
1 1 1 2 2 0 0 0 22 []
`; got != want {
		t.Errorf("got\n%s", got)
	}
}
