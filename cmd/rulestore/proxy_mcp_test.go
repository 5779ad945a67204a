package main

import (
	"strings"
)

// addr returns where the process listens.
func (p *process) addr() string { return strings.TrimPrefix(p.url, "http://") }
