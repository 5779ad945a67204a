package calc

import "time"

// Date is a calendar date as the number of days since 1970-01-01. It has no time
// and no zone.
type Date int

const (
	secondsOfDay = 24 * 60 * 60
	layout       = "2006-01-02"
)

var datePattern = newPattern(`^\d{4}-\d{2}-\d{2}$`)

// NewDate is the date of a year, month and day, counted on as [time.Date] does.
func NewDate(year, month, day int) Date {
	return Date(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay)
}

// ParseDate reads a date that exists, written YYYY-MM-DD.
func ParseDate(s string) (Date, bool) {
	t, err := time.Parse(layout, s)
	if err != nil || !datePattern.matches(s) {
		return 0, false
	}
	return Date(t.Unix() / secondsOfDay), true
}

func (d Date) time() time.Time { return time.Unix(int64(d)*secondsOfDay, 0).UTC() }

func (d Date) String() string { return d.time().Format(layout) }

// shown is the date as people write it.
func (d Date) shown() string { return d.time().Format("02.01.2006") }

// yearMonth is the month of a date.
type yearMonth Date

func (m yearMonth) String() string { return Date(m).time().Format("2006-01") }

// Split is the year, month and day of the date.
func (d Date) Split() (year, month, day int) {
	y, m, day := d.time().Date()
	return y, int(m), day
}

func (d Date) Year() int { return d.time().Year() }

func (d Date) Weekday() time.Weekday { return d.time().Weekday() }

// AddMonths returns the same day n months later, or the last day of that month: EDATE of
// spreadsheets. Due date k is start.AddMonths(k), not the previous one plus a month: the
// second due date from 31 January is 31 March, not 28 March.
func (d Date) AddMonths(n int) Date {
	y, m, day := d.Split()
	return clampDay(y, m+n, day)
}

// clampDay is the day of a month, or the month's last one.
func clampDay(year, month, day int) Date {
	return min(NewDate(year, month, 1)+Date(day)-1, NewDate(year, month+1, 1)-1)
}

// DayCount is a rule for the part of a year between two dates.
type DayCount string

const (
	Monthly112 DayCount = "monthly_1_12"
	Act365     DayCount = "act_365"
	ActAct     DayCount = "act_act"
	Thirty360  DayCount = "30e_360"
)

// Frac is an exact year fraction. Those of one day count share a denominator.
type Frac struct{ Num, Den int64 }

// yearFraction is the part of a year in the interval (from, to]: the first day is
// out, the last one in. It counts the days; monthly_1_12 counts periods instead
// and is [wholeMonths]. Parts of adjoining intervals add up exactly.
func yearFraction(from, to Date, basis DayCount) Frac {
	switch basis {
	case Act365:
		return Frac{int64(to - from), 365}
	case Thirty360:
		return Frac{int64(days30E(from, to)), 360}
	case ActAct:
		return actAct(from, to)
	}
	panic("calc: no day count " + string(basis))
}

// wholeMonths is the year fraction of n months under monthly_1_12.
func wholeMonths(n int) Frac { return Frac{int64(n), 12} }

// actAct divides each day by the length of the year the day itself is in: the
// days (from, to] of leap years by 366, the others by 365.
func actAct(from, to Date) Frac {
	var leap, common int64
	for y := (from + 1).Year(); y <= to.Year(); y++ {
		first, last := NewDate(y, 1, 1), NewDate(y, 12, 31)
		days := int64(min(to, last) - max(from, first-1))
		if last-first == 365 {
			leap += days
		} else {
			common += days
		}
	}
	return Frac{common*366 + leap*365, 365 * 366}
}

func days30E(from, to Date) int {
	y1, m1, d1 := from.Split()
	y2, m2, d2 := to.Split()
	return (y2-y1)*360 + (m2-m1)*30 + min(d2, 30) - min(d1, 30)
}
