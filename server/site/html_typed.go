package site

import (
	"cmp"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// typedNumber matches a number as people write it: with a sign, separators, a scale (thousand or
// million) and a unit.
var typedNumber = regexp.MustCompile(
	`^([-−+]?[0-9][0-9 \x{00A0}\x{2009}\x{202F}'.,` +
		`]*?)\s*(тыс|тысяча|тысячи|тысяч|млн|миллиона?|миллионов)?\.?\s*(₽|%|р|руб|рубль|рубля|рублей|RUB|процент|процента|процентов|годовых|% годовых|мес|месяц|месяца|месяцев|дн|день|дня|дней|год|года|лет)?\.?$`,
)

var typedScale = map[string]int{"т": 3, "м": 6}

// numberTyped is a number in JSON that was typed into a field of a unit: years are months there.
// Other text, and a number of another unit, is returned unchanged.
func numberTyped(text, unit string) string {
	m := typedNumber.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return text
	}
	digits := strings.NewReplacer(
		" ", "", "\u00A0", "", "\u2009", "", "\u202F", "", "'", "", "−", "-", "+", "",
	).Replace(m[1])
	digits = withPoint(digits)
	if m[2] != "" {
		digits = scaled(digits, typedScale[string([]rune(m[2])[0])])
	}
	switch typed := unitTyped(m[3]); {
	case typed == "", typed == typedUnits[unit]:
		return digits
	case unit == "months" && typed == "years":
		return cmp.Or(monthsOf(digits), text)
	}
	return text
}

// typedUnits are the units that may be typed into fields, by their units. Where the unit is chosen
// beside the field none may: it could be another one.
var typedUnits = map[string]string{
	"RUB": "RUB", "percent": "percent", "months": "months", "days": "days", "business_days": "days", "years": "years",
}

// unitTyped is the unit that a word of typedNumber says, "" for none.
func unitTyped(word string) string {
	for _, u := range []struct{ unit, beginnings string }{
		{"percent", "% процент годовых"}, {"RUB", "₽ р RUB"}, {"months", "мес"}, {"days", "д"}, {"years", "г лет"},
	} {
		for beginning := range strings.FieldsSeq(u.beginnings) {
			if strings.HasPrefix(word, beginning) {
				return u.unit
			}
		}
	}
	return ""
}

// monthsOf is a number of years in months, "" if that is not whole.
func monthsOf(years string) string {
	if len(years) > maxYears {
		return ""
	}
	months, ok := new(big.Rat).SetString(years)
	if !ok || !months.Mul(months, big.NewRat(12, 1)).IsInt() {
		return ""
	}
	return months.Num().String()
}

// maxYears is the maximum length of a number of years.
const maxYears = 20

// thousands matches a number whose only separators are those of thousands.
var thousands = regexp.MustCompile(`^-?\d{1,3}([.,]\d{3})+$`)

// withPoint replaces the separator of the fraction by a point, and drops those of thousands.
func withPoint(s string) string {
	last := strings.LastIndexAny(s, ".,")
	if last < 0 {
		return s
	}
	separator := s[last : last+1]
	if strings.Count(s, separator) > 1 { // 1.000.000: all of them separate thousands
		if !thousands.MatchString(s) { // 01.02.2026
			return s
		}
		return strings.NewReplacer(".", "", ",", "").Replace(s)
	}
	return strings.NewReplacer(".", "", ",", "").Replace(s[:last]) + "." + s[last+1:]
}

// scaled moves the decimal point to the right.
func scaled(s string, places int) string {
	whole, fraction, _ := strings.Cut(s, ".")
	fraction += strings.Repeat("0", max(0, places-len(fraction)))
	return strings.TrimSuffix(whole+fraction[:places]+"."+fraction[places:], ".")
}

var (
	typedDate  = regexp.MustCompile(`^(\d{1,2})[.\-/ ](\d{1,2})[.\-/ ](\d{4}|\d{2})(?: ?г\.?| года)?$`)
	spokenDate = regexp.MustCompile(`^(\d{1,2}) ([а-я]+) (\d{4}|\d{2})(?: ?г\.?| года)?$`)
	isoDate    = regexp.MustCompile(`^(\d{4})-(\d{2})-(\d{2})$`)
)

// spokenMonths are the beginnings of the names of the months.
var spokenMonths = []string{"янв", "фев", "мар", "апр", "ма", "июн", "июл", "авг", "сен", "окт", "ноя", "дек"}

// typedDay is a day as it was typed: it need not exist, and the year may have two digits.
type typedDay struct{ day, month, year string }

// dayTyped reads a typed date, not ok if it is none.
func dayTyped(text string) (d typedDay, ok bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if m := isoDate.FindStringSubmatch(text); m != nil {
		return typedDay{m[3], m[2], m[1]}, true
	}
	if m := typedDate.FindStringSubmatch(text); m != nil {
		return typedDay{m[1], m[2], m[3]}, true
	}
	if m := spokenDate.FindStringSubmatch(text); m != nil {
		for i, prefix := range spokenMonths {
			if strings.HasPrefix(m[2], prefix) {
				return typedDay{m[1], strconv.Itoa(i + 1), m[3]}, true
			}
		}
	}
	return d, false
}

// dateTyped is a typed date as ISO 8601; other text is returned unchanged.
func dateTyped(text string) string {
	text = strings.TrimSpace(text)
	d, _ := dayTyped(text)
	t, err := time.Parse("2.1.2006", d.day+"."+d.month+"."+d.year)
	if err != nil {
		return text
	}
	return t.Format(time.DateOnly)
}

// dayShown is the form of a date in forms.
const dayShown = "02.01.2006"

// dateShown is a date as people write it; other text is returned unchanged.
func dateShown(text string) string {
	t, err := time.Parse(time.DateOnly, dateTyped(text))
	if err != nil {
		return text
	}
	return t.Format(dayShown)
}
