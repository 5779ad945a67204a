package i18n

import (
	"fmt"
	"time"
	"unicode"
	"unicode/utf8"
)

// Months are the Russian months in the form used in dates.
var Months = []string{
	"января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября",
	"декабря",
}

// Day formats a date for Russian readers, in its own zone.
func Day(t time.Time) string {
	return fmt.Sprintf("%d\u00A0%s\u00A0%d", t.Day(), Months[t.Month()-1], t.Year())
}

// DayOf formats an ISO date, or an instant with its zone, for Russian readers; other texts are returned
// unchanged.
func DayOf(date string) string {
	if t, err := time.Parse(time.DateOnly, date); err == nil {
		return Day(t)
	}
	if t, err := time.Parse(time.RFC3339, date); err == nil {
		return Day(t) + t.Format(", 15:04:05\u00A0(-07:00)")
	}
	return date
}

// Counted is a number with the matching form of a Russian noun: 1 версия, 2 версии, 5 версий.
func Counted(n int, one, few, many string) string {
	return fmt.Sprintf("%d\u00A0%s", n, Plural(n, one, few, many))
}

// Plural selects the matching one of three Russian plural forms for a number.
func Plural(n int, one, few, many string) string {
	switch tens, ones := n/10%10, n%10; {
	case tens == 1 || ones == 0 || ones >= 5:
		return many
	case ones == 1:
		return one
	}
	return few
}

// Capital capitalizes the beginning of a sentence.
func Capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}
