package calc

import "sync/atomic"

// Calls is how often a tool was asked, by what came of it.
type Calls struct {
	Computed    uint64
	DoNotGuess  uint64 // what was asked cannot be computed, only guessed
	Unavailable uint64 // there is no result for these inputs
	Refused     uint64 // the request was wrong
}

// calls counts while requests are answered.
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

// Calls returns how often the tool was asked since its registry was made,
// however it was reached.
func (t *Tool) Calls() Calls {
	c := t.calls
	return Calls{c.computed.Load(), c.doNotGuess.Load(), c.unavailable.Load(), c.refused.Load()}
}
