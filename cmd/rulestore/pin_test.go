package main

import (
	"strings"
)

// fetches is how many fetches brought something.
func (s *running) fetches() int { return strings.Count(s.log.String(), "msg=fetched") }
