package calc

// consumerRightsDeadline2 counts from the next day, and holidays too, whatever the parameter says.
var consumerRightsDeadline2 = &Tool{
	ID:      consumerRightsDeadlineID,
	Version: "2.0.0",
	Title:   "Расчёт срока",
	Description: "Дата окончания срока по ст. 191–193 ГК РФ и производственному календарю. " +
		"Без подтверждённых источника, применимости, единицы и события дата не рассчитывается: ответ говорит, что " +
		"уточнить. Арифметика дат, а не юридический вывод.",
	Formula: "consumer_rights_deadline_date/2",
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
		enum("count_from", "С какого дня считать", nextDay, sameDay).Default(nextDay),
		enum(
			"roll_if_non_working",
			"Перенос нерабочего последнего дня; если не указано — как в параметре, а без него на следующий рабочий день",
			rollNone, rollFollowing,
		).Optional(),
		extensionField(),
		date("as_of_date", "На какую дату остаток дней").Optional(),
	},
	Outputs: []Field{
		date("raw_deadline", "Последний день срока до переноса с нерабочего дня"),
		date("base_deadline", "Последний день срока без продления"),
		date("deadline", "Последний день срока"),
		enum(
			"roll", "Перенос с нерабочего дня: перенесён, не понадобился, не применяется", rollMoved, rollNotNeeded,
			rollNotApplied,
		),
		enum(
			"roll_rule", "Чьё это правило: статьи 193 ГК РФ, параметра, запроса или самого срока в рабочих днях",
			rollByCode, rollByParameter, rollByRequest, rollByUnit,
		),
		enum("non_working_because", "Почему последний день срока до переноса нерабочий", "weekend",
			"holiday", "transferred_day_off"),
		count("days_left", "Осталось календарных дней до последнего дня срока", "days").Signed(),
		enum("legal_status", "Правовой статус результата", notLegallyConfirmed),
	},
	Members: unconfirmedMembers(),
	Check:   checkDeadline,
	Compute: computeDeadline2,
}

func computeDeadline2(in In, out *Out) error {
	return countDeadline(in, out, func(t *term) { t.from, t.withoutHolidays = in.Text("count_from"), false })
}
