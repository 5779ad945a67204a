package change

import "strings"

// vocabulary maps words to their senses.
type vocabulary struct {
	words, stems map[string]string // senses by word, and by prefix
	longest      int               // prefix, in letters
}

// vocabularyOf reads pairs of a sense and its words in Russian and English; one that ends in * is
// a prefix.
func vocabularyOf(senses ...string) vocabulary {
	v := vocabulary{words: map[string]string{}, stems: map[string]string{}}
	for i := 0; i < len(senses); i += 2 {
		for w := range strings.FieldsSeq(senses[i+1]) {
			if s, ok := strings.CutSuffix(w, "*"); ok {
				v.stems[s], v.longest = senses[i], max(v.longest, len([]rune(s)))
			} else {
				v.words[w] = senses[i]
			}
		}
	}
	return v
}

// of returns the sense of a word in lower case, "" if it has none.
func (v vocabulary) of(word string) string {
	if s := v.words[word]; s != "" {
		return s
	}
	letters := []rune(word)
	for n := min(v.longest, len(letters)); n > 1; n-- {
		if s := v.stems[string(letters[:n])]; s != "" {
			return s
		}
	}
	return ""
}

// turning words change what a sentence demands, of whom and when. Words of one sense can replace
// each other; with a word of another sense the sentence has another meaning. Forms are written out
// where a prefix would include other words: должник, часть.
var turning = vocabularyOf(
	// Whether it holds at all.
	"negation", "не ни нет без not no nor neither none without cannot don doesn isn aren won t",
	"prohibition", "запре* нельзя воспре* недопусти* недопуска* prohibit* forbid* forbad* ban bans banned",
	"refusal", "отказ* отклон* refus* reject* deny denies denied",
	"consent", "соглас* одобр* consent* approv* agree*",
	// How binding it is.
	"obligation",
	"должен должна должно должны обязан* обязыва* обязательн* необходим* требует* требуют* надо нужно нужен нужна "+
		"нужны надлеж* следует must shall oblig* require requires required mandatory need needs",
	"permission",
	"можно может могут можете мог могла могли вправе разреш* допуска* допустим* позвол* возможн* may can could "+
		"allow* permit* entitled optional",
	"advice", "рекоменд* совету* желательн* стоит should ought recommend* advis* advic*",
	"voluntary", "доброволь* voluntar*",
	// For whom, in which cases.
	"only", "только лишь исключительно единствен* only solely exclusively sole",
	"exception", "кроме исключая исключен* помимо except excluding exception* unless",
	"inclusion", "включая включительно включен* including inclusive*",
	"universal",
	"всегда все всех всем всеми всё весь вся всю всего кажд* любо* любы* любу* люба* always all every each any",
	"partial",
	"иногда обычно часто редко некотор* отдельн* преимущественно sometimes usually often rarely seldom some "+
		"generally mostly",
	"never", "никогда никто никому никак* never nobody",
	"condition", "если пока if provided",
	"alternative", "иначе или либо otherwise or else either",
	"conjunction", "оба обе обоих both",
	"other",
	"иной иная иное иные иного иных другой другая другое другие другого другую другим других other another different*",
	"same", "же также тоже одинаков* аналогичн* same likewise",
	// How much, how long, in which order.
	"more", "более больше свыше превы* выше минимум минимальн* наименьш* more above over exceed* minimum min least",
	"less", "менее меньше ниже максимум максимальн* наибольш* less below under fewer maximum max most",
	"before", "до перед прежде раньше ранее before until prior",
	"after", "после позже позднее потом затем after later then",
	"at once", "немедленн* незамедлительн* сразу срочно immediately promptly once",
	"rising", "увелич* повыс* повыш* increas* rais*",
	"falling", "уменьш* сниз* сниж* сокращ* decreas* reduc* lower*",
	"stop", "прекра* останов* остана* приостан* stop* suspend* terminat*",
	"going on", "продолж* continu*",
	"for money", "платн* возмездн* paid",
	"free of charge", "бесплатн* безвозмездн* free",
)

// measuring words are numerals, units and months: with the same digits, another one makes another
// sum or term.
var measuring = vocabularyOf(
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
	"percent", "процент* percent* per-cent", "rouble", "рубл* руб rouble* ruble* rub", "kopeck", "копе* kope*",
	"dollar", "доллар* dollar* usd",
	"euro", "евро euro* eur", "yuan", "юан* yuan cny",
	"january", "январ* january", "february", "феврал* february", "march", "март марта марте мартом march", "april",
	"апрел* april", "may", "май мая мае маем",
	"june", "июн* june", "july", "июл* july", "august", "август* august", "september", "сентябр* september",
	"october", "октябр* october", "november", "ноябр* november", "december", "декабр* december",
)
