package calc

import "sync/atomic"

// Calls counts the requests to a tool by outcome.
type Calls struct {
	Computed    uint64
	DoNotGuess  uint64 // facts are unconfirmed: status do_not_guess
	Unavailable uint64 // no result for these inputs: status calculation_not_available
	Refused     uint64 // invalid requests
}

// calls has the counters of [Calls] for concurrent use.
type calls struct{ computed, doNotGuess, unavailable, refused atomic.Uint64 }

func (c *calls) count(a *Answer, err error) {
	switch {
	case err != nil:
		c.refused.Add(1)
	case a.Status == StatusComputed:
		c.computed.Add(1)
	case a.Status == StatusDoNotGuess:
		c.doNotGuess.Add(1)
	default:
		c.unavailable.Add(1)
	}
}

// Calls returns the number of requests to the tool since its registry was made, from all
// interfaces together.
func (t *Tool) Calls() Calls {
	c := t.calls
	return Calls{c.computed.Load(), c.doNotGuess.Load(), c.unavailable.Load(), c.refused.Load()}
}
