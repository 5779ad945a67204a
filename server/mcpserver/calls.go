package mcpserver

import "sync/atomic"

// calls counts the calls of each tool. Its keys are fixed, so that clients cannot make it
// grow.
type calls map[string]*called

type called struct{ answered, failed atomic.Uint64 }

// newCalls returns counts for tools.
func newCalls(tools []*tool) calls {
	c := make(calls, len(tools))
	for _, t := range tools {
		c[t.Name] = &called{}
	}
	return c
}

func (c calls) count(tool string, failed bool) {
	n := c[tool]
	switch {
	case n == nil:
	case failed:
		n.failed.Add(1)
	default:
		n.answered.Add(1)
	}
}

// Calls counts the calls of a tool by result since the server was made.
type Calls struct {
	Tool             string
	Answered, Failed uint64
}

// Calls lists the tools that were called, in the order of tools/list.
func (s *Server) Calls() (all []Calls) {
	seen := map[string]bool{} // two toolsets can have tools of one name
	for _, t := range s.tools {
		if seen[t.Name] {
			continue
		}
		seen[t.Name] = true
		if n := s.calls[t.Name]; n.answered.Load()+n.failed.Load() > 0 {
			all = append(all, Calls{t.Name, n.answered.Load(), n.failed.Load()})
		}
	}
	return all
}
