package content_test

import (
	"fmt"
	"testing"

	"rulestore/content"
)

func TestCompoundRules(t *testing.T) {
	two := []string{"A", "B"}
	for i, test := range []struct {
		rule  content.CompoundRule
		given []string
		want  bool
	}{
		{content.CompoundRule{Signals: two}, []string{"B", "C", "A"}, true},
		{content.CompoundRule{Signals: two}, []string{"A", "C"}, false},
		{content.CompoundRule{Signals: two}, nil, false},
		{content.CompoundRule{Signals: two, Alone: true}, []string{"B", "A", "A"}, true},
		{content.CompoundRule{Signals: two, Alone: true}, []string{"B", "A", "C"}, false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := test.rule.Holds(test.given); got != test.want {
				t.Errorf("%+v holds for %q: %t", test.rule, test.given, got)
			}
		})
	}
}
