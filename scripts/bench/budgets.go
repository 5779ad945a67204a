package main

import "strings"

// budget is the most that a figure may be.
type budget struct {
	benchmark string // and all that it is divided into
	unit      string
	most      float64
}

// budgets are those of the design, section 12, and of what was asked for since. The
// first that a benchmark is under counts.
var budgets = []budget{
	{"Overhead/logged", "x-bare", 1.35},
	{"Overhead", "x-bare", 1.00}, // all others
	{"ColdLoad/200-of-20", "load-ms/op", 300},
	{"ColdLoad/2000-of-200", "x-cat-file", 2},
	{"ColdLoad/20000-of-2000", "x-cat-file", 2},
	{"SealedOneByOne/20000-of-2000", "exponent", 1.05},
	{"SealedOneByOne/100000-of-10000", "exponent", 1.05},
	{"SealedOneByOne/100000-of-10000", "x-smaller", 6},
	{"Start", "ms-median", 200},
	{"Publication/200", "ms-median", 15},
	{"Publication/20000", "ms-p95", 100},
	{"ReadsDuringReloads", "x-quiet", 2},
	{"ValidateLarge/staged-edited", "ms-median", 1000},
	{"ValidateLarge/staged-new", "ms-median", 1000},
	{"ValidateLarge", "ms-median", 2000},
	{"Commands", "ms-median", 3000},
	{"Resident/limit-off", "MiB-resident", 32},
	{"Reloads", "x-new", 1.10},
	{"Memory", "x-bodies-beyond-50MB", 3},
	{"MadePages", "cpu-µs/p95", 3000},
	{"Search", "µs/p99", 2000},
	{"Search20000", "µs/p99", 10000},
	{"360Rows", "ns/op", 1e6},
}

// budgetOf returns the budget of a figure, if it has one.
func budgetOf(benchmark, unit string) (most float64, ok bool) {
	for _, b := range budgets {
		if b.unit == unit && (b.benchmark == benchmark || strings.HasPrefix(benchmark, b.benchmark+"/")) {
			return b.most, true
		}
	}
	return 0, false
}
