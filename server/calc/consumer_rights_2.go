package calc

// consumerRightsDeadline2 counts from the next day, and holidays too, whatever the parameter says.
var consumerRightsDeadline2 = deadlineTool("2.0.0", 2, computeDeadline2,
	enum("count_from", "С какого дня считать", nextDay, sameDay).Default(nextDay), nil)

func computeDeadline2(in In, out *Out) error {
	return countDeadline(in, out, func(t *term) { t.from, t.withoutHolidays = in.Text("count_from"), false })
}
