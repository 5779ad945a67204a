package change_test

import (
	"strings"
	"testing"

	"rulestore/content/change"
)

func marked(segments []change.Segment) string {
	var b strings.Builder
	for _, s := range segments {
		switch s.What {
		case change.Added:
			b.WriteString("{+" + s.Text + "+}")
		case change.Removed:
			b.WriteString("[-" + s.Text + "-]")
		default:
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"Назвать срок.", "Назвать срок.", "Назвать срок."},
		{"Назвать срок.", "Назвать точный срок.", "Назвать {+точный +}срок."},
		{"Срок 15 дней, не больше", "Срок 10 дней, не больше", "Срок [-15-]{+10+} дней, не больше"},
		{"", "слово", "{+слово+}"},
		{"слово", "", "[-слово-]"},
		{"а б в", "в б а", "[-а-]{+в+} б [-в-]{+а+}"},
	} {
		if got := marked(change.Words(c.before, c.after)); got != c.want {
			t.Errorf("%q → %q: got %s, want %s", c.before, c.after, got, c.want)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("Назвать срок.", "Назвать точный срок")
	f.Add("a  b\n\n", "\xff b")
	f.Fuzz(func(t *testing.T, before, after string) {
		var a, b strings.Builder
		for _, s := range change.Words(before, after) {
			if s.What != change.Added {
				a.WriteString(s.Text)
			}
			if s.What != change.Removed {
				b.WriteString(s.Text)
			}
		}
		if a.String() != before || b.String() != after {
			t.Errorf("%q → %q: the segments are %q and %q", before, after, a.String(), b.String())
		}
	})
}
