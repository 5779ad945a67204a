package calc

// A Calendar knows the business days. The caller passes it in [Facts]; tools query it
// with [Out.BusinessDay], which cites the calendars used.
type Calendar interface {
	// Source returns the calendar of a year. It is false if there is none that
	// may be used: a year without a calendar is never guessed.
	Source(year int) (External, bool)

	// Business reports whether a date is a business day and why, as a code
	// (weekday, weekend, holiday, transferred_day_off, working_weekend). It is
	// called only for years that have a source.
	Business(d Date) (business bool, why string)
}

// BusinessDay reports whether a date is a business day and why. The first call for a
// year adds its calendar to external_data; without one the error is
// [CalendarYearMissing], with a warning that names the year.
func (o *Out) BusinessDay(d Date) (business bool, why string, err error) {
	year := d.Year()
	if !o.years[year] {
		source, ok := External{}, false
		if o.facts.Calendar != nil {
			source, ok = o.facts.Calendar.Source(year)
		}
		if !ok {
			o.Warn("calendar_year_missing", "", year)
			return false, "", CalendarYearMissing
		}
		if o.years == nil {
			o.years = map[int]bool{}
		}
		o.years[year] = true
		o.external = append(o.external, source)
	}
	business, why = o.facts.Calendar.Business(d)
	return business, why, nil
}
