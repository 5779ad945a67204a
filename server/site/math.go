package site

import (
	"sync"

	"rulestore/server/calc"
)

// math is the registry of calculations of the process: it depends on the build
// alone.
var math = sync.OnceValue(calc.New)

// Math returns the registry of calculations, which count business days by
// [Site.Calendar].
func (s *Site) Math() *calc.Registry { return math() }
