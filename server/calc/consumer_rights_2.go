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
	Examples: []Example{{
		Title:   "15 рабочих дней с 12 мая 2026 года",
		Request: deadlineExample(`"2026-05-12"`, `"value":15,"unit":"business_day","unit_confirmed":true`, ``),
		Want: map[string]string{
			"base_deadline": "2026-06-02", "deadline": "2026-06-02", "roll": rollNotNeeded,
			"legal_status": notLegallyConfirmed,
		},
	}, {
		Title: "С продлением на 10 рабочих дней и остатком дней",
		Request: deadlineExample(
			`"2026-05-12"`, `"value":15,"unit":"business_day","unit_confirmed":true`,
			`,"extension":{"working_days":10,"notified":true,"notification_date":"2026-05-29"},`+
				`"as_of_date":"2026-06-01"`,
		),
		Want: map[string]string{"base_deadline": "2026-06-02", "deadline": "2026-06-17", "days_left": "16"},
	}, {
		Title:   "Рабочая суббота и майские переносы 2024 года",
		Request: deadlineExample(`"2024-04-22"`, `"value":15,"unit":"business_day","unit_confirmed":true`, ``),
		Want:    map[string]string{"deadline": "2024-05-17"},
	}, {
		Title:   "30 календарных дней: последний день — праздник",
		Request: deadlineExample(`"2026-04-01"`, `"value":30,"unit":"calendar_day","unit_confirmed":true`, ``),
		Want: map[string]string{
			"raw_deadline": "2026-05-01", "deadline": "2026-05-04", "roll": rollMoved, "non_working_because": "holiday",
		},
	}, {
		Title:   "Один месяц с 31 января: в феврале такого числа нет, а последний его день — суббота",
		Request: deadlineExample(`"2026-01-31"`, `"value":1,"unit":"month","unit_confirmed":true`, ``),
		Want:    map[string]string{"raw_deadline": "2026-02-28", "deadline": "2026-03-02", "roll": rollMoved},
	}, {
		Title:   "Вид дней не подтверждён: дата не рассчитывается",
		Request: deadlineExample(`"2026-05-12"`, `"value":15,"unit":"business_day","unit_confirmed":false`, ``),
		Want:    map[string]string{"deadline": ""},
	}},
}

func computeDeadline2(in In, out *Out) error {
	return countDeadline(in, out, func(t *term) { t.from, t.withoutHolidays = in.Text("count_from"), false })
}
