package calc

import (
	"slices"
	"strconv"
)

const consumerRightsDeadlineID = "consumer_rights_deadline_date"

// Values of the outputs roll (whether the last day moved to a business day, статья 193
// ГК РФ) and roll_rule (whose rule decided it).
const (
	rollMoved      = "moved"
	rollNotNeeded  = "not_needed"
	rollNotApplied = "not_applied"

	rollByCode      = "civil_code_193"
	countByCode     = "civil_code_191" // of the output count_rule
	rollByParameter = "parameter"
	rollByRequest   = "request"
	rollByUnit      = "business_day_term"
)

const maxTerm = 400

var consumerRightsDeadline = deadlineTool("2.1.0", 3, computeDeadline,
	enum("count_from", "С какого дня считать; нет поля — как в параметре", nextDay, sameDay).Optional(),
	[]Field{
		enum("count_from", "С какого дня считали срок", nextDay, sameDay),
		enum("count_rule", "Чьё это правило: статьи 191 ГК РФ, параметра или запроса", countByCode, rollByParameter,
			rollByRequest),
		count("holidays_left_out", "Сколько нерабочих праздничных дней не вошло в срок: так считает параметр", "days"),
	},
	consumerRightsDeadline2, consumerRightsDeadline1)

// deadlineTool is the tool in the versions that take terms from parameters, and count by статьи 191–193 ГК РФ.
func deadlineTool(
	version string, formula int, compute func(In, *Out) error, countFrom Field, counted []Field, earlier ...*Tool,
) *Tool {
	return &Tool{
		ID:      consumerRightsDeadlineID,
		Version: version,
		Formula: consumerRightsDeadlineID + "/" + strconv.Itoa(formula),
		Earlier: earlier,
		Inputs: []Field{
			startEventField(),
			object("term", "Срок или параметр",
				integer("value", "Длина", "", 1, maxTerm),
				enum("unit", "Единица срока", businessDay, calendarDay, month, year).
					Formerly("business_days", businessDay).Formerly("calendar_days", calendarDay).
					Formerly("months", month).Formerly("years", year),
				boolean("unit_confirmed", "Единица подтверждена"),
				parameterID("parameter_id", "Параметр со сроком", businessDay, calendarDay, month, year),
				date("on", "На какой день; без поля — день события").Optional(),
			).Choose(Choice{
				{Needs: names("value", "unit", "unit_confirmed")}, {Needs: names("parameter_id"), May: names("on")},
			}),
			sourceField().Optional(),
			boolean("applicability_confirmed", "Норма применима к случаю"),
			countFrom,
			enum("roll_if_non_working", "Перенос нерабочего последнего дня; если не указано — как в параметре, а без "+
				"него на следующий рабочий день", rollNone, rollFollowing).Optional(),
			extensionField(),
			date("as_of_date", "На какую дату остаток дней").Optional(),
		},
		Outputs: deadlineOutputs("Осталось календарных дней до последнего дня срока", slices.Concat([]Field{
			enum("roll", "Перенос с нерабочего дня: перенесён, не понадобился, не применяется", rollMoved, rollNotNeeded,
				rollNotApplied),
			enum("roll_rule", "Чьё это правило: статьи 193 ГК РФ, параметра, запроса или самого срока в рабочих днях",
				rollByCode, rollByParameter, rollByRequest, rollByUnit),
		}, counted, []Field{
			enum("non_working_because", "Почему последний день срока до переноса нерабочий", "weekend", "holiday",
				"transferred_day_off"),
		})...),
		Members: unconfirmedMembers(),
		Check:   checkDeadline,
		Compute: compute,
	}
}

func checkDeadline(in In) {
	in.FailIf(!in.Has("source") && !in.Object("term").Has("parameter_id"), "source", FaultRequired,
		"Обязательное поле не указано: источник срока", "Добавьте поле source или назовите параметр: term.parameter_id")
	checkExtension(in)
}

func computeDeadline(in In, out *Out) error {
	return countDeadline(in, out, func(t *term) {
		countRule := countByCode
		t.from = nextDay
		if t.parameter.CountFrom != "" {
			t.from, countRule = t.parameter.CountFrom, rollByParameter
		}
		if in.Has("count_from") {
			if asked := in.Text("count_from"); countRule == rollByParameter && asked != t.from {
				out.Warn("count_from_differs_from_parameter", "/inputs/count_from",
					t.parameter.ID, words().Phrases[t.from], words().Phrases[asked])
			}
			t.from, countRule = in.Text("count_from"), rollByRequest
		}
		t.counted = func(holidays int) {
			out.Set("count_from", Text(t.from))
			out.Set("count_rule", Text(countRule))
			out.Set("holidays_left_out", Count(holidays))
		}
	})
}

// countDeadline counts the term; rules sets what the version takes from the parameter.
func countDeadline(in In, out *Out, rules func(*term)) error {
	t, err := termOf(in, out)
	if err != nil {
		return err
	}
	rules(&t)
	if t.withoutHolidays && t.unit != calendarDay {
		out.Warn("parameter_unfit: no calendar days", "/inputs/term/parameter_id", t.parameter.ID)
		return ParameterUnfit
	}
	if !deadlineConfirmed(in, t.parameter, out) {
		return DoNotGuess
	}
	t.warnSuspension(in, out)
	d := deadlineCount{out: out}
	raw, err := d.last(in, t)
	if err != nil {
		return err
	}
	base, moved, err := d.rolled(raw, t)
	if err != nil {
		return err
	}
	if err := d.end(in, raw, base); err != nil {
		return err
	}
	if t.counted != nil {
		t.counted(d.holidays)
	}
	out.Set("roll", Text(moved.roll))
	out.Set("roll_rule", Text(t.rule))
	if moved.why != "" {
		out.Set("non_working_because", Text(moved.why))
	}
	return nil
}

// A term is a length of time, and whether its last day moves to a business day.
type term struct {
	n         int
	unit      string // businessDay, calendarDay, month or year
	rolls     bool
	rule      string    // the value of roll_rule
	parameter Parameter // the one that states the term, if any

	from            string // nextDay or sameDay
	withoutHolidays bool   // non-working holidays are left out
	counted         func(holidays int)
}

// termOf reads the term from the request or from the parameter that it names.
func termOf(in In, out *Out) (t term, err error) {
	given := in.Object("term")
	t.n, t.unit = given.Int("value"), given.Text("unit")
	if given.Has("parameter_id") {
		on := in.Object("start_event").Date("date")
		if given.Has("on") {
			on = given.Date("on")
		} else {
			out.Assume("parameter_on_start_event_date")
		}
		if t.parameter, err = out.Parameter(given.Text("parameter_id"), on, "/inputs/term/parameter_id"); err != nil {
			return t, err
		}
		if t.n, t.unit, err = termOfParameter(t.parameter, out); err != nil {
			return t, err
		}
	}
	t.withoutHolidays = t.parameter.WithoutHolidays
	t.rule, t.rolls = rollByCode, true
	switch {
	case t.unit == businessDay:
		t.rule, t.rolls = rollByUnit, false
	case in.Has("roll_if_non_working"):
		t.rule, t.rolls = rollByRequest, in.Text("roll_if_non_working") == rollFollowing
	case t.parameter.Roll != "":
		t.rule, t.rolls = rollByParameter, t.parameter.Roll == rollFollowing
	}
	return t, nil
}

// warnSuspension warns if the pause of a transfer is counted otherwise than статья 8 of Закон
// 161-ФЗ (части 3.4, 3.6, 3.9–3.11) has it since закон № 369-ФЗ came into force.
func (t term) warnSuspension(in In, out *Out) {
	event := in.Object("start_event")
	if event.Text("code") != transferSuspended || event.Date("date") < suspensionInDays ||
		t.unit == calendarDay && !t.rolls && (t.from == sameDay || t.n == 1) {
		return // a single day after that of the event is the one for a confirmation
	}
	out.Warn("suspension_counts_from_same_day_without_roll", "/inputs/start_event/code")
}

// termOfParameter reads the term that a parameter states.
func termOfParameter(p Parameter, out *Out) (n int, unit string, err error) {
	n, err = strconv.Atoi(p.Value)
	if err == nil && 1 <= n && n <= maxTerm &&
		slices.Contains([]string{businessDay, calendarDay, month, year}, p.Unit) {
		return n, p.Unit, nil
	}
	out.Warn("parameter_unfit: no term", "/inputs/term/parameter_id", p.ID)
	return 0, "", ParameterUnfit
}

// last is the last day of the term before the roll: статьи 191 и 192 ГК РФ. A term of
// months or years ends on the day of its month that has the number of the event's day,
// or on the last one of a month that has none. Counted from the event's own day, it ends
// a day earlier.
func (d *deadlineCount) last(in In, t term) (raw Date, err error) {
	start, from := in.Object("start_event").Date("date"), t.from
	d.out.Assume("count_from_" + from)
	before := start // the day before the first one that counts
	if from == sameDay {
		before--
	}
	switch t.unit {
	case businessDay:
		d.out.Assume("business_days_five_day_week")
		if raw, err = d.addBusiness(before, t.n); err != nil {
			return raw, err
		}
		d.out.Step("raw_deadline", "n-й рабочий день после d", raw, "%d-й рабочий день после %s", t.n, before)
	case calendarDay:
		if t.withoutHolidays {
			return d.addWithoutHolidays(before, t.n)
		}
		raw = before + Date(t.n)
		d.out.Step("raw_deadline", "d + n", raw, "%s + %d", before, t.n)
	default:
		raw = d.lastOfMonths(start, before, t)
	}
	if err == nil && raw > lastDate {
		err = ResultOutOfRange
	}
	return raw, err
}

func (d deadlineCount) lastOfMonths(start, before Date, t term) (raw Date) {
	months := t.n
	if t.unit == year {
		months *= 12
	}
	y, m, day := start.Split()
	number := day - int(start-before)
	raw = clampDay(y, m+months, number)
	if _, _, last := raw.Split(); number > 0 && last != number {
		d.out.Assume("no_such_day_last_of_month_civil_code_192")
	}
	d.out.Step("raw_deadline", "то же число через n мес.", raw, "%s, %d мес.", start, months)
	return raw
}

// A rolling has the values of the outputs roll and non_working_because.
type rolling struct{ roll, why string }

// rolled is the last day after the roll to a business day: статья 193 ГК РФ.
func (d deadlineCount) rolled(raw Date, t term) (base Date, moved rolling, err error) {
	switch {
	case t.unit == businessDay:
		return raw, rolling{roll: rollNotNeeded}, nil
	case !t.rolls:
		d.out.Assume("roll_if_non_working_none")
		return raw, rolling{roll: rollNotApplied}, nil
	}
	d.out.Assume("roll_if_non_working_following")
	business, why, err := d.out.BusinessDay(raw)
	if err != nil || business {
		return raw, rolling{roll: rollNotNeeded}, err
	}
	if base, err = d.addBusiness(raw, 1); err != nil {
		return base, moved, err
	}
	d.out.Step("base_deadline", "roll(raw_deadline)", base, "%s — %s", raw, why)
	d.out.Warn("deadline_moved_from_non_working_day", "", raw, words().Phrases[why], base)
	return base, rolling{rollMoved, why}, nil
}
