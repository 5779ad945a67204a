package change

import "strings"

// measure is a number, a date, a term or a unit in a text. Words of one sense can replace each
// other: 5 and пять, ₽ and рублей.
type measure struct{ word, sense string }

// measuresOf lists the measures of a text: atoms with a digit, which are numbers, dates, and the
// numbers of acts, and the words and signs that measure.
func measuresOf(text string) (all []measure) {
	for _, w := range tokens(strings.ToLower(text)) {
		switch sense := measuring(w); {
		case hasDigit(w):
			all = append(all, measure{w, grouping.Replace(w)})
		case sense != "":
			all = append(all, measure{w, sense})
		}
	}
	return all
}

// grouping removes the spaces inside of a number.
var grouping = strings.NewReplacer(" ", "", "\u00A0", "", "\u202F", "")

// measuring returns the sense of a word or a sign that measures, "" for all others.
func measuring(word string) string {
	if s := measures[word]; s != "" {
		return s
	}
	letters := []rune(word)
	for n := min(len(letters), maxStem); n > 2; n-- {
		if s := measures[string(letters[:n])+"*"]; s != "" {
			return s
		}
	}
	return ""
}

// maxStem is the length of the longest beginning of a word in the table, in letters.
const maxStem = 11

// measures are the senses of numerals, units and months, by word; one that ends in * is the
// beginning of words.
var measures = sensesOf(
	"0", "ноль нуля zero", "1", "один одна одно одного одной одну одним one", "2", "два две двух двумя двум two",
	"3", "три трёх трех тремя трём трем three", "4", "четыре четырёх четырех four", "5", "пять пяти five",
	"6", "шесть шести six", "7", "семь семи seven", "8", "восемь восьми eight", "9", "девять девяти nine",
	"10", "десять десяти ten", "14", "четырнадцат* fourteen", "15", "пятнадцат* fifteen", "20",
	"двадцать двадцати twenty",
	"30", "тридцать тридцати thirty", "100", "сто ста hundred*", "1000", "тысяч* тыс thousand*",
	"1000000", "миллион* млн million*", "1000000000", "миллиард* млрд billion*",
	"1.", "первы* перво* перва* перву* first", "2.", "второй вторая второе вторые второго вторую second", "3.",
	"третий третья третье третьего third",
	"half", "половин* полтора полутора half", "twice", "вдвое дважды двойн* двукратн* twice double*", "thrice",
	"втрое трижды тройн* трёхкратн* трехкратн* thrice triple*",
	"minute", "минут* minute*", "hour", "час часа часов часы часу часе часам hour*", "day",
	"день дня дней дню дни дням днём днем сутки суток ежедневн* day days daily",
	"week", "недел* еженедельн* week*", "month", "месяц* ежемесячн* month*", "quarter", "квартал* ежекварт* quarter*",
	"year", "год года году годом годы годов лет ежегодн* year* annual*",
	"working", "рабочий рабочего рабочих рабочие рабочему рабочим рабочей working business", "calendar",
	"календарн* calendar",
	"percent", "% процент* percent* per-cent", "rouble", "₽ рубл* руб rouble* ruble* rub", "kopeck", "копе* kope*",
	"dollar", "$ доллар* dollar* usd", "euro", "€ евро euro* eur", "yuan", "юан* yuan cny",
	"‰", "‰", "£", "£", "¥", "¥", "<", "<", ">", ">", "≤", "≤", "≥", "≥", "=", "=", "±", "±",
	"january", "январ* january", "february", "феврал* february", "march", "март марта марте мартом march", "april",
	"апрел* april", "may", "май мая мае маем",
	"june", "июн* june", "july", "июл* july", "august", "август* august", "september", "сентябр* september",
	"october", "октябр* october", "november", "ноябр* november", "december", "декабр* december",
)

// sensesOf reads pairs of a sense and its words.
func sensesOf(pairs ...string) map[string]string {
	senses := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		for word := range strings.FieldsSeq(pairs[i+1]) {
			senses[word] = pairs[i]
		}
	}
	return senses
}
