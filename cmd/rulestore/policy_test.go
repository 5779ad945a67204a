package main

import (
	"strings"
	"testing"
)

// What is wrong with a policy is said with its line.
func TestPolicy(t *testing.T) {
	for name, c := range map[string]struct{ policy, want string }{
		"a field too much": {"log: x\nquorums: 2\n", `line 2: field quorums not found`},
		"a field twice":    {"quorum: 1\nquorum: 1\n", `line 2: mapping key "quorum" already defined at line 1`},
		"no list":          {"log: x\nwitnesses: x\n", "line 2: cannot unmarshal !!str `x` into []string"},
		"no age":           {"log: x\nmax_age: 2 days\n", `"2 days" is no age: expected for example 48h`},
		"no number":        {"quorum: many\n", "line 1: cannot unmarshal !!str `many` into int"},
		"no log":           {"quorum: 1\n", "the field `log` is missing"},
		"nothing":          {"", "the field `log` is missing"},
		"two documents":    {"log: x\n---\nlog: x\n", "expected one document"},
		"no YAML":          {"log: [", "yaml: line 1"},
		"no key":           {"log: x\n", "is no public key"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parsePolicy([]byte(c.policy)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, expected %s", err, c.want)
			}
		})
	}
}
