package main

import (
	"strings"
	"testing"
)

// What is wrong with a policy is said with its line.
func TestPolicy(t *testing.T) {
	for name, c := range map[string]struct{ policy, want string }{
		"a field too much": {"log: x\nquorums: 2\n", `line 2: there is no field "quorums"`},
		"a field twice":    {"quorum: 1\nquorum: 1\n", "line 2: the field quorum stands twice"},
		"no list":          {"log: x\nwitnesses: x\n", "line 2: expected a list of public keys"},
		"no age":           {"log: x\nmax_age: 2 days\n", `line 2: "2 days" is no age: expected for example 48h`},
		"no number":        {"quorum: many\n", `line 1: "many" is no number of witnesses`},
		"no log":           {"quorum: 1\n", "the field `log` is missing"},
		"nothing":          {"", "expected the fields `log`, `witnesses`, `quorum` and `max_age`"},
		"two documents":    {"log: x\n---\nlog: x\n", "expected one document"},
		"no YAML":          {"log: [", "it is no YAML: yaml: line 1"},
		"no key":           {"log: x\n", "is no public key"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parsePolicy([]byte(c.policy)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, expected %s", err, c.want)
			}
		})
	}
}
