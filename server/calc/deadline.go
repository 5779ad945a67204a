package calc

import "slices"

// referencePattern is the name or the number of a norm or of a parameter. It is short, so
// that no personal data gets into the answer.
const referencePattern = `^[0-9A-Za-zА-Яа-яЁё№][0-9A-Za-zА-Яа-яЁё№ .,:;/()«»_-]{0,199}$`

// codePattern is a code chosen by the caller, restricted for the same reason.
const codePattern = `^[A-Za-z0-9_-]{1,64}$`

const urlPattern = `^https?://[0-9A-Za-z./?=&%#:_~+,;@!-]{1,500}$`

// startEvents are the codes of common events from which a term runs.
var startEvents = []string{
	"claim_registered", "claim_received", "documents_received", "response_received", "decision_signed",
	"decision_in_force", "contract_concluded", "money_received", transferSuspended, "violation_known", "other",
}

// transferSuspended is the event of a pause whose days the law counts in a way of its own.
const transferSuspended = "transfer_suspended"

// suspensionInDays is since when they are calendar days: закон № 369-ФЗ came into force.
var suspensionInDays = NewDate(2024, 7, 25)

// Units of a term, spelt as in parameters.
const (
	businessDay = "business_day"
	calendarDay = "calendar_day"
	month       = "month"
	year        = "year"
)

// Values of count_from and roll_if_non_working.
const (
	nextDay       = "next_day"
	sameDay       = "same_day"
	rollFollowing = "following"
	rollNone      = "none"
)

// businessDays is the unit of inputs that are a number of business days.
const businessDays = "business_days"

const notLegallyConfirmed = "computed_not_legally_confirmed"

func startEventField() Field {
	return object("start_event", "Событие, с которого считается срок",
		text("code", "Событие", codePattern).Usual(startEvents...),
		date("date", "Дата события"),
		boolean("confirmed", "Дата события подтверждена"))
}

func sourceField() Field {
	return object("source", "Источник срока",
		text("ref", "Норма, пункт договора или параметр", referencePattern),
		text("url", "Адрес источника", urlPattern).Optional(),
		date("checked_on", "Дата проверки источника"),
		boolean("confirmed", "Источник подтверждён и действует"))
}

func extensionField() Field {
	return object("extension", "Продление срока в рабочих днях",
		integer("working_days", "На сколько рабочих дней", businessDays, 1, 100),
		boolean("notified", "О продлении уведомили"),
		date("notification_date", "Дата уведомления о продлении").Optional()).Optional()
}

// deadlineOutputs are the dates, what else a version says of them, and the days that are left.
func deadlineOutputs(daysLeft string, more ...Field) []Field {
	return slices.Concat([]Field{
		date("raw_deadline", "Последний день срока до переноса с нерабочего дня"),
		date("base_deadline", "Последний день срока без продления"),
		date("deadline", "Последний день срока"),
	}, more, []Field{
		count("days_left", daysLeft, "days").Signed(),
		enum("legal_status", "Правовой статус результата", notLegallyConfirmed),
	})
}

// unconfirmedMembers are the members of an answer without a date: the unconfirmed facts
// and the questions to ask.
func unconfirmedMembers() []Field {
	return []Field{
		listOf(enum("unconfirmed", "Что не подтверждено", unconfirmedCodes()...).Labels(factTitles()), 0,
			len(deadlineFacts)),
		listOf(word("questions_ru", "Что уточнить"), 0, len(deadlineFacts)),
	}
}

// deadlineExample is a request in which all facts but those of the term are confirmed.
func deadlineExample(day, term, more string) string {
	return `{"inputs":{"start_event":{"code":"claim_registered","date":` + day + `,"confirmed":true},"term":{` + term +
		`},"source":{"ref":"consumer-rights.fo-response-standard-working-days","checked_on":"2026-05-01",` +
		`"confirmed":true},"applicability_confirmed":true` + more + `}}`
}

// deadlineFacts are what must be confirmed before any date is named. A parameter that
// states the term confirms its source and its days.
var deadlineFacts = []struct {
	code, title, question string
	confirmed             func(in In, p Parameter) bool
}{
	{"source.confirmed", "источник срока",
		"Какой нормой или пунктом договора установлен срок и действует ли эта редакция?",
		func(in In, p Parameter) bool {
			return in.Object("source").Bool("confirmed") || p.Confirmed && !in.Has("source")
		}},
	{"applicability_confirmed", "применимость нормы",
		"Относится ли эта норма к данной организации, договору и виду требования?",
		func(in In, _ Parameter) bool { return in.Bool("applicability_confirmed") }},
	{"term.unit_confirmed", "единица срока", "В каких днях источник считает срок: в рабочих или в календарных?",
		func(in In, p Parameter) bool { return in.Object("term").Bool("unit_confirmed") || p.InForce }},
	{"start_event.confirmed", "событие и его дата", "Какое событие начинает срок и чем подтверждается его дата?",
		func(in In, _ Parameter) bool { return in.Object("start_event").Bool("confirmed") }},
}

func unconfirmedCodes() []string {
	var out []string
	for _, f := range deadlineFacts {
		out = append(out, f.code)
	}
	return out
}

// factTitles are the titles of the facts by code.
func factTitles() map[string]string {
	titles := map[string]string{}
	for _, f := range deadlineFacts {
		titles[f.code] = f.title
	}
	return titles
}

// checkExtension reports contradictions in an extension.
func checkExtension(in In) {
	extension := in.Object("extension")
	if !extension.Has("notification_date") {
		return
	}
	extension.FailIf(!extension.Bool("notified"), "notification_date", FaultInconsistent,
		"Дата указана, а notified говорит, что уведомления не было", "Уберите дату или укажите notified: true")
	if start := in.Object("start_event").Date("date"); extension.Date("notification_date") < start {
		extension.Fail("notification_date", FaultDateOrder,
			"Уведомление о продлении раньше события, с которого считается срок ("+start.String()+")",
			"Проверьте порядок дат")
	}
}

// deadlineConfirmed reports whether all facts are confirmed; if not, it lists the
// unconfirmed ones in the answer.
func deadlineConfirmed(in In, p Parameter, out *Out) bool {
	var codes, questions List
	for _, f := range deadlineFacts {
		if !f.confirmed(in, p) {
			codes, questions = append(codes, Text(f.code)), append(questions, Text(f.question))
		}
	}
	if codes == nil {
		return true
	}
	out.Member("unconfirmed", codes)
	out.Member("questions_ru", questions)
	return false
}

// A deadlineCount counts days and writes them to the trace.
type deadlineCount struct {
	out      *Out
	holidays int // left out of the term
}

// end adds the extension and sets the dates. Raw and base are the last day of the term
// before and after the roll.
func (d deadlineCount) end(in In, raw, base Date) error {
	out := d.out
	deadline, err := d.extended(in.Object("extension"), base)
	if err != nil {
		return err
	}
	if deadline > lastDate {
		return ResultOutOfRange
	}
	if deadline == base {
		out.Step("deadline", "base_deadline", deadline, "%s", base)
	}
	// All dates are set together: an answer without the deadline has no date that
	// could be mistaken for it.
	out.Set("raw_deadline", raw)
	out.Set("base_deadline", base)
	out.Set("deadline", deadline)
	out.Set("legal_status", Text(notLegallyConfirmed))
	if in.Has("as_of_date") {
		asOf := in.Date("as_of_date")
		left := Count(deadline - asOf)
		out.Derive("days_left", left, "deadline − as_of_date", "%s − %s", deadline, asOf)
	}
	return nil
}

// extended is the deadline with the extension, if the extension is valid.
func (d deadlineCount) extended(extension In, base Date) (Date, error) {
	if !extension.Has("working_days") {
		return base, nil
	}
	const pointer = "/inputs/extension"
	switch {
	case !extension.Bool("notified"):
		d.out.Warn("extension_ignored_no_notification", pointer+"/notified")
		return base, nil
	case extension.Has("notification_date") && extension.Date("notification_date") > base:
		d.out.Warn("notification_after_base_deadline", pointer+"/notification_date", base)
		return base, nil
	case !extension.Has("notification_date"):
		d.out.Assume("notification_date_not_given")
	}
	m := extension.Int("working_days")
	deadline, err := d.addBusiness(base, m)
	if err == nil {
		d.out.Step("deadline", "m-й рабочий день после base_deadline", deadline, "%d-й рабочий день после %s", m, base)
	}
	return deadline, err
}

// addBusiness is the n-th business day after a date. The trace gets each day that is
// skipped and each working weekend day, with the reason: the differences from a plain
// five-day week.
func (d deadlineCount) addBusiness(day Date, n int) (Date, error) {
	for n > 0 {
		day++
		business, why, err := d.out.BusinessDay(day)
		if err != nil {
			return 0, err
		}
		if business {
			n--
		}
		switch {
		case !business:
			d.out.Step("days_counted", "пропущен", why, "%s", day)
		case why == "working_weekend":
			d.out.Step("days_counted", "посчитан", why, "%s", day)
		}
	}
	return day, nil
}

// addWithoutHolidays is the n-th day after a date that is no non-working holiday. A year without a calendar
// has no result: it may have other holidays.
func (d *deadlineCount) addWithoutHolidays(day Date, n int) (Date, error) {
	d.out.Assume("non_working_holidays_left_out")
	before := day
	for left := n; left > 0; {
		day++
		if _, _, err := d.out.BusinessDay(day); err != nil {
			return 0, err
		}
		if isHoliday(day) {
			d.holidays++
			d.out.Step("days_counted", "пропущен", "holiday", "%s", day)
			continue
		}
		left--
	}
	d.out.Step("raw_deadline", "n-й день после d, кроме праздничных", day, "%d-й день после %s", n, before)
	return day, nil
}

// isHoliday reports whether a day is one of the non-working holidays of статья 112 ТК РФ (since 2013): not a
// day off to which one is moved, which a calendar calls a holiday too.
func isHoliday(d Date) bool {
	_, m, day := d.Split()
	switch m {
	case 1:
		return day <= 8
	case 2:
		return day == 23
	case 3:
		return day == 8
	case 5:
		return day == 1 || day == 9
	case 6:
		return day == 12
	case 11:
		return day == 4
	}
	return false
}
