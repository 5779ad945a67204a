package check_test

import (
	"fmt"
	"strings"
	"testing"

	"rulestore/content/check"
)

// A place in a file is that of the outermost value that begins there, else of the
// innermost that began before.
func TestPointer(t *testing.T) {
	raw := `guideline_id: test.one.001
applicability:
  triggers:
    - Первое
    - >-
      Второе,
      на двух строках   # нет
rules:
  - rule_id: a
    title: {x: 1, y: [2, 3]}

  - rule_id: b
`
	doc, _ := check.Parse("guidelines/test.one.001.yaml", []byte(raw))
	for i, test := range []struct {
		line, column int
		want         string
	}{
		{1, 1, ""},
		{1, 15, "guideline_id"},
		{2, 1, "applicability"},
		{3, 3, "applicability"}, // where the object begins
		{4, 7, "applicability/triggers/0"},
		{5, 7, "applicability/triggers/1"},
		{7, 9, "applicability/triggers/1"},
		{9, 3, "rules"},
		{9, 5, "rules/0"},
		{9, 14, "rules/0/rule_id"},
		{10, 23, "rules/0/title/y/0"},
		{10, 26, "rules/0/title/y/1"},
		{11, 1, "rules/0/title/y/1"},
		{12, 5, "rules/1"},
		{99, 1, "rules/1/rule_id"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := strings.Join(doc.Pointer(test.line, test.column), "/"); got != test.want {
				t.Errorf("%d:%d is %q, not %q", test.line, test.column, got, test.want)
			}
		})
	}
}
