package site

import "fmt"
import "testing"

// What people write is what they mean; what is no number or date stays as it is, so that
// they are told so.
func TestTyped(t *testing.T) {
	for text, want := range map[string]string{
		"5000000": "5000000", "5\u00a0000\u00a0000,50": "5000000.50",
		"1.000.000": "1000000", "31.02.2026": "31.02.2026", "1.000.000,50": "1000000.50", "1,234.56": "1234.56",
		"1 000.5": "1000.5", "-5": "-5", "−5,0": "-5.0", "+7": "7",
		"5 млн": "5000000", "1,2345678 млн": "1234567.8",
		"много": "много", "5 000 000 $": "5 000 000 $", "1e6": "1e6", "": "", "5 %%": "5 %%",
		"12 обезьян": "12 обезьян", "%": "%",
	} {
		t.Run(text, func(t *testing.T) {
			if got := numberTyped(text, ""); got != want {
				t.Errorf("number %q: %q, want %q", text, got, want)
			}
		})
	}
	for i, c := range []struct{ text, unit, want string }{
		{"20 лет", "months", "240"}, {"1 год", "months", "12"}, {"1,5 года", "months", "18"},
		{"360 мес.", "months", "360"}, {"240", "months", "240"},
		{"1,01 года", "months", "1,01 года"}, {"30 дней", "months", "30 дней"}, {"5 %", "months", "5 %"},
		{"12 ₽", "months", "12 ₽"},
		{"18,5 %", "percent", "18.5"}, {"12 % годовых", "percent", "12"}, {"18,5 ₽", "percent", "18,5 ₽"},
		{"2 года", "percent", "2 года"},
		{"5 млн ₽", "RUB", "5000000"}, {"300 тыс. руб.", "RUB", "300000"}, {"10 лет", "RUB", "10 лет"},
		{"18,5 %", "RUB", "18,5 %"},
		{"3 дня", "days", "3"}, {"3 мес", "days", "3 мес"}, {"3 дня", "business_days", "3"}, {"5 лет", "years", "5"},
		{"5 %", "ratio", "5 %"},
		{"18,5%", "percent", "18.5"}, {"5 000 000 ₽", "RUB", "5000000"},
		{"5\u00a0000\u00a0000,50 руб.", "RUB", "5000000.50"}, {"1,5 млн ₽", "RUB", "1500000"},
		{"5 %", "RUB|percent", "5 %"}, {"15 дней", "", "15 дней"}, {"5", "RUB|percent", "5"},
		{"99999999999999999999999 лет", "months", "99999999999999999999999 лет"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := numberTyped(c.text, c.unit); got != c.want {
				t.Errorf("number %q of %s: %q, want %q", c.text, c.unit, got, c.want)
			}
		})
	}
	for text, want := range map[string]string{
		"01.12.2026": "2026-12-01", "1.12.2026": "2026-12-01", "1/2/2026": "2026-02-01", "01-12-2026 г.": "2026-12-01",
		"1 декабря 2026":  "2026-12-01",
		"9 мая 2026 года": "2026-05-09", "3 Марта 2026 г.": "2026-03-03", "2026-12-01": "2026-12-01",
		"31.02.2026": "31.02.2026", "13.13.2026": "13.13.2026",
		"завтра": "завтра", "": "",
	} {
		t.Run(text, func(t *testing.T) {
			if got := dateTyped(text); got != want {
				t.Errorf("date %q: %q, want %q", text, got, want)
			}
		})
	}
}
