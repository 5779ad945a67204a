package content

import (
	"testing"
	"time"
)

// TestBegin: a day begins at the first moment that is in it, also where clocks are put
// forward at midnight, go back over it, or skip a day.
func TestBegin(t *testing.T) {
	for _, zone := range []string{
		"UTC", "Europe/Moscow", "Asia/Kamchatka", "America/Santiago", "America/Havana", "Africa/Cairo", "Asia/Beirut",
		"America/Scoresbysund", "Atlantic/Azores", "Pacific/Apia", "Pacific/Kiritimati",
		"America/Sao_Paulo", "Asia/Tehran",
		"Asia/Amman", "Australia/Lord_Howe", "Pacific/Chatham", "America/Asuncion", "Asia/Pyongyang",
	} {
		t.Run(zone, func(t *testing.T) {
			s := NewSnapshot(Input{Settings: Settings{TimeZone: zone}})
			if s.now.zone.String() != zone {
				t.Skip("the database of time zones has no " + zone)
			}
			for d := time.Date(2005, 1, 1, 0, 0, 0, 0, time.UTC); d.Year() < 2038; d = d.AddDate(0, 0, 1) {
				day := d.Format(Date)
				begin := s.Begin(day)
				if in, before := s.DayOf(begin), s.DayOf(begin.Add(-time.Second)); in < day || before >= day {
					t.Errorf("%s begins at %s, which is %s, and a second before it is %s", day, begin, in, before)
				}
			}
		})
	}
}
