package content_test

import (
	"fmt"
	"reflect"
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

func TestPassageAt(t *testing.T) {
	raw := []byte("1\n2\n3\n4\n5\n6\n7")
	for line, want := range map[int]content.Passage{
		1: {First: 1, Lines: []string{"1", "2", "3"}},
		4: {First: 2, Lines: []string{"2", "3", "4", "5", "6"}},
		7: {First: 5, Lines: []string{"5", "6", "7"}},
		9: {First: 7, Lines: []string{"7"}},
	} {
		t.Run(fmt.Sprint(line), func(t *testing.T) {
			if got := content.PassageAt(raw, line, 2); !reflect.DeepEqual(got, want) {
				t.Errorf("around %d: %+v", line, got)
			}
		})
	}
}
