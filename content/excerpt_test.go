package content_test

import (
	"fmt"
	"strings"
	"testing"

	"rulestore/content"
)

func TestExcerptAt(t *testing.T) {
	long := strings.Repeat("а", 200)
	for i, test := range []struct {
		raw          string
		line, column int
		want         content.Excerpt
		ok           bool
	}{
		{"a: 1\nb: 2\n", 2, 4, content.Excerpt{Text: "b: 2", Caret: 3}, true},
		{"a: 1\r\n", 1, 4, content.Excerpt{Text: "a: 1", Caret: 3}, true},
		{"\uFEFFa: 1", 1, 1, content.Excerpt{Text: "a: 1", Caret: 0}, true},
		{"\ta: \xff  ", 1, 2, content.Excerpt{Text: " a: \uFFFD", Caret: 1}, true},
		{"a", 1, 40, content.Excerpt{Text: "a", Caret: 1}, true},
		{long, 1, 1, content.Excerpt{Text: long[:200] + "…", Caret: 0}, true},
		{long, 1, 151, content.Excerpt{Text: "…" + long[:198] + "…", Caret: 51}, true},
		{"a", 2, 1, content.Excerpt{}, false},
		{"a", 0, 0, content.Excerpt{}, false},
		{"", 1, 1, content.Excerpt{}, true},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got, ok := content.ExcerptAt([]byte(test.raw), test.line, test.column)
			if got != test.want || ok != test.ok {
				t.Errorf("%.20q at %d:%d: %+v %v", test.raw, test.line, test.column, got, ok)
			}
		})
	}
}
