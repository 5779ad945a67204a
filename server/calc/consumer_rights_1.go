package calc

// consumerRightsDeadline1 supports days only and rolls only if the request says so.
var consumerRightsDeadline1 = &Tool{
	ID:      consumerRightsDeadlineID,
	Version: "1.1.0",
	Formula: "consumer_rights_deadline_date/1",
	Inputs: []Field{
		startEventField(),
		object("term", "Срок",
			integer("value", "Длина срока, дней", "days", 1, 400),
			enum("unit", "Вид дней", businessDay, calendarDay).
				Formerly("business_days", businessDay).Formerly("calendar_days", calendarDay),
			boolean("unit_confirmed", "Вид дней подтверждён источником")),
		sourceField(),
		boolean("applicability_confirmed", "Подтверждено, что норма применима к случаю"),
		enum(
			"count_from", "С какого дня считать: со следующего (ст. 191 ГК РФ) или с дня события", nextDay, sameDay,
		).Default(nextDay),
		enum(
			"roll_if_non_working",
			"Перенос с нерабочего дня на следующий рабочий; только для календарных дней и если так говорит норма "+
				"(ст. 193 ГК РФ)",
			rollNone, rollFollowing,
		).Default("none"),
		extensionField(),
		date("as_of_date", "На какую дату считать остаток дней").Optional(),
	},
	Outputs: deadlineOutputs("Календарных дней от as_of_date до последнего дня срока"),
	Members: unconfirmedMembers(),
	Check:   checkDeadline1,
	Compute: computeDeadline1,
}

func checkDeadline1(in In) {
	if in.Text("roll_if_non_working") == rollFollowing && in.Object("term").Text("unit") == businessDay {
		in.Fail("roll_if_non_working", FaultInconsistent,
			"Срок в рабочих днях не заканчивается в нерабочий день: перенос не нужен",
			"Уберите roll_if_non_working или выберите calendar_day")
	}
	checkExtension(in)
}

func computeDeadline1(in In, out *Out) error {
	if !deadlineConfirmed(in, Parameter{}, out) {
		return DoNotGuess
	}
	d := deadlineCount{out: out}
	raw, base, err := d.base1(in)
	if err != nil {
		return err
	}
	return d.end(in, raw, base)
}

// base1 is the last day of the term, before and after the roll.
func (d deadlineCount) base1(in In) (raw, base Date, err error) {
	start, n := in.Object("start_event").Date("date"), in.Object("term").Int("value")
	from := in.Text("count_from")
	d.out.Assume("count_from_" + from)
	before := start // the day before the first one that counts
	if from == sameDay {
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
	if in.Text("roll_if_non_working") == rollFollowing {
		base, err = d.addBusiness(raw-1, 1)
	}
	if err == nil {
		d.out.Step("base_deadline", "roll(raw_deadline)", base, "%s(%s)", in.Text("roll_if_non_working"), raw)
	}
	return raw, base, err
}
