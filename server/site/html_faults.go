package site

import (
	"cmp"
	"fmt"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"rulestore/server/calc"
	"rulestore/server/page"
)

// maxFaults is the maximum number of faults listed.
const maxFaults = 30

// nameAt is the name of the form field at a JSON pointer.
func nameAt(pointer string) string {
	return strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".")
}

// faults sets the faults of the inputs of a form, and lists them.
func (in *formField) faults(
	form *page.Tool, sent url.Values, detail string, found []calc.Fault,
) (all []page.Fault) {
	for i, f := range found {
		if i == maxFaults {
			all = append(all, page.Fault{Detail: "И ещё ошибок: " + strconv.Itoa(len(found)-i) + "."})
			break
		}
		name := nameAt(f.Pointer)
		input := find(&form.Inputs, form.Contract, name)
		if input == nil {
			all = append(all, in.fault(f, "", ""))
			continue
		}
		fault := in.fault(f, sent.Get(name), input.Example)
		fault.Name = input.ID()
		input.Fault = strings.TrimSpace(fault.Detail + " " + fault.Hint)
		fault.Detail = page.Briefly(input.Title) + rowAt(input, name) + ": " + lowerFirst(fault.Detail)
		all = append(all, fault)
	}
	if all == nil {
		all = append(all, page.Fault{Detail: detail + "."})
	}
	return all
}

// fault says what is wrong with a field, and what to enter. A fault of a single value says so
// itself; others are said with titles in place of names, as their texts are for programs too.
func (in *formField) fault(f calc.Fault, typed, example string) page.Fault {
	field, group := in.fieldAt(f.Pointer)
	if field != nil {
		if words := field.whatToEnter(f.Code, typed, example); words != "" {
			return page.Fault{Detail: words}
		}
	}
	readable := func(text string) string { return strings.TrimSuffix(in.readable(text, group), ".") + "." }
	if f.Hint == "" {
		return page.Fault{Detail: readable(f.Detail)}
	}
	return page.Fault{Detail: readable(f.Detail), Hint: readable(f.Hint)}
}

// fieldAt returns the field at a JSON pointer and the group that has it, nil if there is none.
func (in *formField) fieldAt(pointer string) (field, group *formField) {
	field, group = in, in
	for name := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch {
		case field == nil:
			return nil, group
		case field.kind == page.Several:
			field = field.item
		default:
			group, field = field, field.field(name)
		}
	}
	return field, group
}

// whatToEnter says what to enter into a field, "" if the text of the fault does.
func (in *formField) whatToEnter(code, typed, example string) string {
	switch {
	case code == calc.FaultRequired && (in.kind == page.Group || in.kind == page.Several):
		return "Заполните эту часть."
	case code == calc.FaultRequired:
		return "Заполните это поле."
	case in.kind == page.Date && (code == calc.FaultPattern || code == calc.FaultDateInvalid):
		return wrongDay(typed)
	case in.kind == page.Number && (code == calc.FaultPattern || code == calc.FaultMin || code == calc.FaultMax):
		return in.wrongNumber(typed, example)
	case in.kind == page.Text && code == calc.FaultPattern:
		return in.wrongText(example)
	case in.kind == page.Choose && (code == calc.FaultEnum || code == calc.FaultType || code == calc.FaultPattern):
		return "Выберите одно из предложенного."
	}
	return ""
}

var plainNumber = regexp.MustCompile(`^-?\d+(\.\d*)?$`)

// maxDigits is the maximum length of a typed number that is compared with the limits.
const maxDigits = 300

// wrongNumber says what is wrong with a number, "" if nothing is by itself.
func (in *formField) wrongNumber(typed, example string) string {
	text := numberTyped(typed, in.unit)
	such := ", например " + cmp.Or(example, in.anExample()) + "."
	if len(text) > maxDigits || !plainNumber.MatchString(text) {
		return "Введите число" + such
	}
	n, least, most := rational(text), rational(in.least), rational(in.most)
	switch {
	case n.Sign() <= 0 && least.Sign() > 0:
		return "Введите число больше нуля" + such
	case n.Sign() < 0 && least.Sign() == 0:
		return "Введите ноль или число больше нуля" + such
	case n.Cmp(least) < 0:
		return "Введите число не меньше " + page.Grouped(in.least) + such
	case n.Cmp(most) > 0:
		return "Введите число не больше " + page.Grouped(in.most) + such
	}
	return in.wrongFraction(text, n, such)
}

// wrongFraction says what is wrong with the decimal places of a number within its limits.
func (in *formField) wrongFraction(text string, n *big.Rat, such string) string {
	places := in.places()
	rounded := n.FloatString(places)
	switch {
	case rational(rounded).Cmp(n) == 0 && in.pattern.MatchString(text):
		return ""
	case rational(rounded).Cmp(n) == 0: // 007
		return "Введите число" + such
	case places == 0:
		return "Введите целое число" + such
	}
	return fmt.Sprintf("Оставьте после запятой не больше %s: %s.",
		page.Count(places, [3]string{"цифры", "цифр", "цифр"}), page.Grouped(rounded))
}

// maxPlaces is the maximum number of decimal places of a number.
const maxPlaces = 8

// places is the number of decimal places that the pattern of a number accepts.
func (in *formField) places() int {
	for n := maxPlaces; n > 0; n-- {
		if in.pattern.MatchString("1." + strings.Repeat("1", n)) {
			return n
		}
	}
	return 0
}

// anExample is a number within the limits.
func (in *formField) anExample() string {
	const common = "1000"
	if rational(in.most).Cmp(rational(common)) < 0 {
		return page.Grouped(in.most)
	}
	return page.Grouped(common)
}

// rational is a number of decimal digits.
func rational(text string) *big.Rat {
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		return new(big.Rat)
	}
	return n
}

// The days that calculations accept.
var (
	firstDay = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	lastDay  = time.Date(2099, 12, 31, 0, 0, 0, 0, time.UTC)
)

// wrongDay says what is wrong with a typed day that was refused.
func wrongDay(typed string) string {
	const example = "01.12.2026"
	d, ok := dayTyped(typed)
	if !ok {
		return "Введите дату, например " + example + "."
	}
	day, _ := strconv.Atoi(d.day) // digits
	month, _ := strconv.Atoi(d.month)
	year, _ := strconv.Atoi(d.year)
	last := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC)
	switch {
	case month < 1 || month > 12:
		return "В году 12 месяцев. Введите день, месяц и год, например " + example + "."
	case day < 1:
		return "Дни считаются с первого. Введите день, месяц и год, например " + example + "."
	case len(d.year) == 2:
		return fmt.Sprintf("Введите год четырьмя цифрами: %02d.%02d.20%s.", day, month, d.year)
	case day > last.Day():
		return fmt.Sprintf("%d %s %d\u00A0года не существует: в этом месяце %s. Проверьте день.",
			day, page.MonthOf(last), year, page.Count(last.Day(), [3]string{"день", "дня", "дней"}))
	case last.Before(firstDay) || last.After(lastDay):
		return "Введите дату от " + firstDay.Format(dayShown) + " до " + lastDay.Format(dayShown) + "."
	}
	return "Введите дату, например " + example + "."
}

// sampleSigns are the signs that a text may have besides letters and digits.
var sampleSigns = strings.Split("_-.:/#", "")

// wrongText says which characters a text may have; one of a special form is shown by its example.
func (in *formField) wrongText(example string) string {
	accepts := func(c string) bool { return in.pattern.MatchString("a" + c + "a") }
	switch {
	case accepts(" "):
		return "Начните с буквы или цифры и уберите редкие знаки."
	case !accepts("a") && example != "":
		return "Введите значение такого вида: «" + example + "»."
	case !accepts("a"):
		return "Проверьте, нет ли здесь опечатки."
	}
	all := "латинские буквы"
	if accepts("я") {
		all = "буквы"
	}
	if accepts("1") {
		all += ", цифры"
	}
	for _, sign := range sampleSigns {
		if accepts(sign) {
			all += ", «" + sign + "»"
		}
	}
	return "Введите " + all + " без пробелов."
}

// programWord matches what people write differently: dates, numbers, and names of programs; and what
// the caller calls something, in quotation marks, which stays.
var programWord = regexp.MustCompile(`«[^»]*»|\d{4}-\d\d-\d\d|\d+\.\d+|\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\d{5,}|\b[a-z]+\b`)

// readable is a text for programs in words: with the titles of fields, and with dates, numbers and
// choices as people write them.
func (in *formField) readable(text string, group *formField) string {
	return programWord.ReplaceAllStringFunc(text, func(word string) string {
		if shown := page.Grouped(dateShown(word)); shown != word {
			return shown
		}
		for _, f := range []*formField{group, in} {
			if title := f.titleOf(word); title != "" {
				return "«" + title + "»"
			}
		}
		return cmp.Or(programWords[word], word)
	})
}

var programWords = map[string]string{"true": "«да»", "false": "«нет»", "null": "пустое значение", "id": "обозначение"}

// titleOf returns the title of a field or of a choice, "" if there is none by that name.
func (in *formField) titleOf(name string) string {
	if in == nil {
		return ""
	}
	if slices.Contains(in.values, name) && !in.truth {
		return in.word(name)
	}
	if f := in.field(name); f != nil {
		return page.Briefly(f.title)
	}
	for _, f := range append(slices.Clip(in.fields), in.item) {
		if title := f.titleOf(name); title != "" {
			return title
		}
	}
	return ""
}

// rowAt names the row of a fault that has no input on the page.
func rowAt(in *page.Input, name string) string {
	row, below := strings.CutPrefix(name, in.Name+".")
	number, _, _ := strings.Cut(row, ".")
	if i, err := strconv.Atoi(number); below && in.Kind == page.Several && err == nil {
		return ", строка " + strconv.Itoa(i+1)
	}
	return ""
}

// lowerFirst lowers the first letter of a text, except of an abbreviation.
func lowerFirst(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[size:]); unicode.IsUpper(next) {
		return s
	}
	return string(unicode.ToLower(first)) + s[size:]
}
