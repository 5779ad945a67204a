package search

import (
	"fmt"
	"strings"
	"testing"
)

func TestScan(t *testing.T) {
	for i, tt := range []struct{ text, want string }{
		{"", ""},
		{" «—!» № ", ""},
		{"Вклад, ЁЛКА; ещё…", "вклад елка еще"},
		{"ПИН-код", "пин код"},
		{"353-ФЗ 353ФЗ ФЗ353", "353 фз 353 фз фз 353"},
		{"IT-компания, SMSкод", "it компания sms код"},
		{"APK_INSTALLATION_REQUESTED", "apk.installation.requested/3"},
		{"(fraud.ai-deepfake-impersonation.001).", "fraud.ai.deepfake.impersonation.001/5"},
		{"APK_ _apk product. .dep a..b", "apk apk product dep a b"},
		{"https://www.cbr.ru/fmp_check/", "https www.cbr.ru/3 fmp.check/2"},
		{"1.4 млн, 1,4 млн.", "1.4 млн 1.4 млн"},
		{"1 400 000 1\u00a0400\u00a0000,50 руб.", "1400000 1400000.50 руб"},
		{"2024 год, 100 000", "2024 год 100000"},
		{"1 40 1 4000 01 400", "1 40 1 4000 01 400"},
		{"статья 19 123-ФЗ", "статья 19 123 фз"},
		{"статьи 1,4,15", "статьи 1 4 15"},
		{"1,4,15", "1 4 15"},
		{",4,15", "4.15"},
		{"статьи 2, 15, 16", "статьи 2 15 16"},
		{"15.08.2024 2024-08-15", "15.08.2024/3 2024 08 15"},
		{"10–15 10-15 дней", "10 15 10 15 дней"},
		{"v1.2.0 1.2.0", "v1.2.0/3 1.2.0/3"},
		{"5%, 0,8 %, 7 ₽", "5 процент 0.8 процент 7 рубль"},
		{"150к, 1,5К и 2к+ 5кв 5 к 7", "150 тысяча 1.5 тысяча и 2 тысяча 5 кв 5 к 7"},
		{"бо\u0301льшую капи\u00adта\u00adл вои\u0306на е\u0308лка", "большую капитал война елка"},
		{"ІПОТЕКА ΑΒΓ 貯金 ٣", "іпотека αβγ 貯金 ٣"},
		{"вклад\xff\xfeставка", "вклад ставка"},
		{strings.Repeat("a.", 14), strings.Repeat("a.", 11) + "a/12 a.a/2"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := scanned(t, tt.text); got != tt.want {
				t.Errorf("%q:\n got %s\nwant %s", tt.text, got, tt.want)
			}
		})
	}
}

// scanned returns the lexemes of text, with the number of parts if there are
// several. Scanning from any of them on must find the same.
func scanned(t *testing.T, text string) string {
	t.Helper()
	var all, rest []string
	for s := (scanner{src: text}); s.next(); {
		all = append(all, s.String())
	}
	for s := (scanner{src: text}); s.next(); {
		rest = rest[:0]
		for again := (scanner{src: text, at: s.parts[0].start}); again.next(); {
			rest = append(rest, again.String())
		}
		if want := strings.Join(all[len(all)-len(rest):], " "); strings.Join(rest, " ") != want {
			t.Errorf("%q from %d on: %v, want %s", text, s.parts[0].start, rest, want)
		}
	}
	return strings.Join(all, " ")
}

func (l *lexeme) String() string {
	if n := len(l.parts); n > 1 {
		return string(l.text) + "/" + string("0123456789"[n/10 : n/10+1])[:n/10] + string("0123456789"[n%10])
	}
	return string(l.text)
}
