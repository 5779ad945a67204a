package change_test

import (
	"fmt"
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
	for i, c := range []struct{ before, after, want string }{
		{"Назвать срок.", "Назвать срок.", "Назвать срок."},
		{"Назвать срок.", "Назвать точный срок.", "Назвать {+точный +}срок."},
		{"Срок 15 дней, не больше", "Срок 10 дней, не больше", "Срок [-15-]{+10+} дней, не больше"},
		{"", "слово", "{+слово+}"},
		{"слово", "", "[-слово-]"},
		{"а б в", "в б а", "[-а-]{+в+} б [-в-]{+а+}"},
		{"с 2026-05-01 по 31.12.2026", "с 2026-06-01 по 31.12.2027",
			"с [-2026-05-01-]{+2026-06-01+} по [-31.12.2026-]{+31.12.2027+}"},
		{"с 3 сентября 2018 года", "с 13 сентября 2018 года", "с [-3 сентября 2018-]{+13 сентября 2018+} года"},
		{"до 500 000 ₽", "до 1 500 000 ₽", "до [-500 000-]{+1 500 000+} ₽"},
		{"ставка 18,5 %, срок 10 дней", "ставка 18,6 %, срок 100 дней",
			"ставка [-18,5-]{+18,6+} %, срок [-10-]{+100+} дней"},
		{"по 161-ФЗ", "по 123-ФЗ", "по [-161-ФЗ-]{+123-ФЗ+}"},
		{"см. product.common.001.", "см. product.common.002.", "см. [-product.common.001-]{+product.common.002+}."},
		{"rules/keep_one, MONEY_SENT", "rules/keep_two, MONEY_LOST",
			"[-rules/keep_one-]{+rules/keep_two+}, [-MONEY_SENT-]{+MONEY_LOST+}"},
		{"какой-либо и/или", "какой-нибудь и/или", "какой-[-либо-]{+нибудь+} и/или"},
		{"15\n000", "15\n001", "15\n[-000-]{+001+}"},
		{"в 10:30", "в 10:45", "в [-10:30-]{+10:45+}"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := marked(change.Words(c.before, c.after)); got != c.want {
				t.Errorf("%q → %q: got %s, want %s", c.before, c.after, got, c.want)
			}
		})
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

// Words that changed side by side are one change, and a text that is another as a whole
// is crossed out as a whole.
func TestPhrases(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"Назвать срок и цену.", "Указать день и цену.", "[-Назвать срок-]{+Указать день+} и цену."},
		{"Ждать ответа банка до вечера.", "Сразу звонить в полицию, и только.",
			"[-Ждать ответа банка до вечера.-]{+Сразу звонить в полицию, и только.+}"},
		{"до 500 000 ₽ с 3 сентября 2018 года", "до 600 000 ₽ с 3 сентября 2019 года",
			"до [-500 000-]{+600 000+} ₽ с [-3 сентября 2018-]{+3 сентября 2019+} года"},
	} {
		t.Run(c.before, func(t *testing.T) {
			segments, _ := change.NewEffort().Phrases(c.before, c.after)
			var got, before, after strings.Builder
			for _, s := range segments {
				switch s.What {
				case change.Added:
					got.WriteString("{+" + s.Text + "+}")
					after.WriteString(s.Text)
				case change.Removed:
					got.WriteString("[-" + s.Text + "-]")
					before.WriteString(s.Text)
				default:
					got.WriteString(s.Text)
					before.WriteString(s.Text)
					after.WriteString(s.Text)
				}
			}
			if got.String() != c.want || before.String() != c.before || after.String() != c.after {
				t.Errorf("%q → %q: %s", c.before, c.after, got.String())
			}
		})
	}
}
