package calc

// consumerRightsTools are tool 43 of the catalogue.
func consumerRightsTools() []*Tool { return []*Tool{consumerRightsDeadline} }

// referenceForm is what a source may be called: the name or the number of a norm
// or of a parameter. There is no room in it for a story of the user's.
const referenceForm = `^[0-9A-Za-zА-Яа-яЁё№][0-9A-Za-zА-Яа-яЁё№ .,:;/()«»_-]{0,199}$`

// codeForm is a code of the caller's. In it there is no room for a name either.
const codeForm = `^[A-Za-z0-9_-]{1,64}$`

const urlForm = `^https?://[0-9A-Za-z./?=&%#:_~+,;@!-]{1,500}$`

// What days a term is in, as the units of parameters are spelt.
const (
	businessDay = "business_day"
	calendarDay = "calendar_day"
)

const notLegallyConfirmed = "computed_not_legally_confirmed"

var consumerRightsDeadline = &Tool{
	ID:          "consumer_rights_deadline_date",
	Version:     "1.1.0",
	Release:     "1.7",
	Family:      "deadline",
	Title:       "Расчёт срока",
	Description: "Дата окончания срока в рабочих или календарных днях по производственному календарю. Если источник, применимость, вид дней или событие не подтверждены, дата не рассчитывается и перечисляется, что уточнить. Результат — арифметика дат, а не юридический вывод.",
	Formula:     "consumer_rights_deadline_date/1",
	Inputs: []Field{
		object("start_event", "Событие, с которого считается срок",
			text("code", "Код события, латиницей", codeForm),
			date("date", "Дата события"),
			boolean("confirmed", "Дата события подтверждена")),
		object("term", "Срок",
			integer("value", "Длина срока, дней", "days", 1, 400),
			enum("unit", "Вид дней", businessDay, calendarDay).
				Formerly("business_days", businessDay).Formerly("calendar_days", calendarDay),
			boolean("unit_confirmed", "Вид дней подтверждён источником")),
		object("source", "Источник срока",
			text("ref", "Норма, пункт договора или параметр", referenceForm),
			text("url", "Адрес источника", urlForm).Optional(),
			date("checked_on", "Дата проверки источника"),
			boolean("confirmed", "Источник подтверждён и действует")),
		boolean("applicability_confirmed", "Подтверждено, что норма применима к случаю"),
		enum("count_from", "С какого дня считать: со следующего (ст. 191 ГК РФ) или с дня события", "next_day", "same_day").Default("next_day"),
		enum("roll_if_non_working", "Перенос с нерабочего дня на следующий рабочий; только для календарных дней и если так говорит норма (ст. 193 ГК РФ)", "none", "following").Default("none"),
		object("extension", "Продление срока в рабочих днях",
			integer("working_days", "На сколько рабочих дней", "days", 1, 100),
			boolean("notified", "О продлении уведомили"),
			date("notification_date", "Дата уведомления о продлении").Optional()).Optional(),
		date("as_of_date", "На какую дату считать остаток дней").Optional(),
	},
	Outputs: []Field{
		date("raw_deadline", "Последний день срока до переноса с нерабочего дня"),
		date("base_deadline", "Последний день срока без продления"),
		date("deadline", "Последний день срока"),
		count("days_left", "Календарных дней от as_of_date до последнего дня срока", "days").Signed(),
		enum("legal_status", "Правовой статус результата", notLegallyConfirmed),
	},
	Members: []Field{
		listOf(enum("unconfirmed", "Что не подтверждено", unconfirmedCodes()...), 0, len(deadlineFacts)),
		listOf(word("questions_ru", "Что уточнить"), 0, len(deadlineFacts)),
	},
	Check:   checkDeadline,
	Compute: computeDeadline,
	Examples: []Example{{
		Title:   "15 рабочих дней с 12 мая 2026 года",
		Request: deadlineExample(`"2026-05-12"`, `"value":15,"unit":"business_day","unit_confirmed":true`, ``),
		Want:    map[string]string{"base_deadline": "2026-06-02", "deadline": "2026-06-02", "legal_status": notLegallyConfirmed},
	}, {
		Title:   "С продлением на 10 рабочих дней и остатком дней",
		Request: deadlineExample(`"2026-05-12"`, `"value":15,"unit":"business_day","unit_confirmed":true`, `,"extension":{"working_days":10,"notified":true,"notification_date":"2026-05-29"},"as_of_date":"2026-06-01"`),
		Want:    map[string]string{"base_deadline": "2026-06-02", "deadline": "2026-06-17", "days_left": "16"},
	}, {
		Title:   "Рабочая суббота и майские переносы 2024 года",
		Request: deadlineExample(`"2024-04-22"`, `"value":15,"unit":"business_day","unit_confirmed":true`, ``),
		Want:    map[string]string{"deadline": "2024-05-17"},
	}, {
		Title:   "30 календарных дней с переносом с выходного",
		Request: deadlineExample(`"2026-04-01"`, `"value":30,"unit":"calendar_day","unit_confirmed":true`, `,"roll_if_non_working":"following"`),
		Want:    map[string]string{"raw_deadline": "2026-05-01", "deadline": "2026-05-04"},
	}, {
		Title:   "Вид дней не подтверждён: дата не рассчитывается",
		Request: deadlineExample(`"2026-05-12"`, `"value":15,"unit":"business_day","unit_confirmed":false`, ``),
		Want:    map[string]string{"deadline": ""},
	}},
}

// deadlineExample is a request with everything else confirmed.
func deadlineExample(day, term, more string) string {
	return `{"inputs":{"start_event":{"code":"claim_registered","date":` + day + `,"confirmed":true},"term":{` + term +
		`},"source":{"ref":"consumer-rights.fo-response-standard-working-days","checked_on":"2026-05-01","confirmed":true},"applicability_confirmed":true` + more + `}}`
}

// deadlineFacts are what must be confirmed before any date is named.
var deadlineFacts = []struct {
	code, question string
	confirmed      func(in In) bool
}{
	{"source.confirmed", "Какой нормой или пунктом договора установлен срок и действует ли эта редакция?",
		func(in In) bool { return in.Object("source").Bool("confirmed") }},
	{"applicability_confirmed", "Относится ли эта норма к данной организации, договору и виду требования?",
		func(in In) bool { return in.Bool("applicability_confirmed") }},
	{"term.unit_confirmed", "В каких днях источник считает срок: в рабочих или в календарных?",
		func(in In) bool { return in.Object("term").Bool("unit_confirmed") }},
	{"start_event.confirmed", "Какое событие начинает срок и чем подтверждается его дата?",
		func(in In) bool { return in.Object("start_event").Bool("confirmed") }},
}

func unconfirmedCodes() []string {
	var out []string
	for _, f := range deadlineFacts {
		out = append(out, f.code)
	}
	return out
}

func checkDeadline(in In) {
	if in.Text("roll_if_non_working") == "following" && in.Object("term").Text("unit") == businessDay {
		in.Fail("roll_if_non_working", FaultInconsistent,
			"Срок в рабочих днях не заканчивается в нерабочий день: перенос не нужен", "Уберите roll_if_non_working или выберите calendar_day")
	}
	extension := in.Object("extension")
	if !extension.Has("notification_date") {
		return
	}
	if !extension.Bool("notified") {
		extension.Fail("notification_date", FaultInconsistent,
			"Дата уведомления указана, но notified говорит, что уведомления не было", "Уберите дату или укажите notified: true")
	}
	if start := in.Object("start_event").Date("date"); extension.Date("notification_date") < start {
		extension.Fail("notification_date", FaultDateOrder,
			"Уведомление о продлении раньше события, с которого считается срок ("+start.String()+")", "Проверьте порядок дат")
	}
}

func computeDeadline(in In, out *Out) error {
	if !deadlineConfirmed(in, out) {
		return DoNotGuess
	}
	d := deadlineCount{out}
	raw, base, err := d.base(in)
	if err != nil {
		return err
	}
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
	// Only now, so that an answer without the deadline has no date at all that
	// could be taken for it.
	out.Set("raw_deadline", raw)
	out.Set("base_deadline", base)
	out.Set("deadline", deadline)
	out.Set("legal_status", Text(notLegallyConfirmed))
	if in.Has("as_of_date") {
		asOf := in.Date("as_of_date")
		left := Count(deadline - asOf)
		out.Set("days_left", left)
		out.Step("days_left", "deadline − as_of_date", left, "%s − %s", deadline, asOf)
	}
	return nil
}

// deadlineConfirmed reports whether all facts are confirmed; if not, it says
// which are missing and what to ask.
func deadlineConfirmed(in In, out *Out) bool {
	var codes, questions List
	for _, f := range deadlineFacts {
		if !f.confirmed(in) {
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
type deadlineCount struct{ out *Out }

// base is the last day of the term, before and after the roll.
func (d deadlineCount) base(in In) (raw, base Date, err error) {
	start, n := in.Object("start_event").Date("date"), in.Object("term").Int("value")
	from := in.Text("count_from")
	d.out.Assume("count_from_" + from)
	before := start // the day before the first one that counts
	if from == "same_day" {
		before--
	}
	if in.Object("term").Text("unit") == businessDay {
		d.out.Assume("business_days_five_day_week")
		raw, err = d.addBusiness(before, n)
		if err == nil {
			d.out.Step("base_deadline", "n-й рабочий день после d", raw, "%d-й рабочий день после %s", n, before)
		}
		return raw, raw, err
	}
	raw = before + Date(n)
	d.out.Step("raw_deadline", "d + n", raw, "%s + %d", before, n)
	d.out.Assume("roll_if_non_working_" + in.Text("roll_if_non_working"))
	base = raw
	if in.Text("roll_if_non_working") == "following" {
		base, err = d.addBusiness(raw-1, 1)
	}
	if err == nil {
		d.out.Step("base_deadline", "roll(raw_deadline)", base, "%s(%s)", in.Text("roll_if_non_working"), raw)
	}
	return raw, base, err
}

// extended is the deadline with the extension, if it is one that counts.
func (d deadlineCount) extended(extension In, base Date) (Date, error) {
	if !extension.Has("working_days") {
		return base, nil
	}
	const pointer = "/inputs/extension"
	switch {
	case !extension.Bool("notified"):
		d.out.Warn("extension_ignored_no_notification", pointer+"/notified", "Продление не учтено: о нём не уведомили")
		return base, nil
	case extension.Has("notification_date") && extension.Date("notification_date") > base:
		d.out.Warn("notification_after_base_deadline", pointer+"/notification_date",
			"Продление не учтено: уведомление позже окончания срока "+base.String())
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

// addBusiness is the n-th business day after a date. The trace gets each day that
// is skipped, and each day of a weekend that is not, with the reason: what a
// count from Monday to Friday would have missed.
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
