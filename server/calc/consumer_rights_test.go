package calc

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

func init() {
	vectorRequests["business_day_deadline"] = func(in map[string]any) map[string]any {
		out := confirmedDeadline(in["event_date"], in["term_business_days"], "business_days")
		if in["extension_business_days"] != json.Number("0") {
			out["extension"] = map[string]any{"working_days": in["extension_business_days"],
				"notified": in["extension_notified"]}
		}
		return out
	}
	vectorRequests["calendar_day_deadline"] = func(in map[string]any) map[string]any {
		out := confirmedDeadline(in["event_date"], in["term_calendar_days"], "calendar_days")
		out["roll_if_non_working"] = rollNone
		if in["roll_to_next_business_day"] == true {
			out["roll_if_non_working"] = rollFollowing
		}
		return out
	}
}

func confirmedDeadline(day, n any, unit string) map[string]any {
	return map[string]any{
		"start_event":             map[string]any{"code": "claim_registered", "date": day, "confirmed": true},
		"term":                    map[string]any{"value": n, "unit": unit, "unit_confirmed": true},
		"source":                  map[string]any{"ref": "fo-response", "checked_on": "2026-05-01", "confirmed": true},
		"applicability_confirmed": true,
	}
}

// deadlineRequest is a confirmed request; more is added to its inputs.
func deadlineRequest(day string, n int, unit, more string) string {
	return deadlineExample(`"`+day+`"`, fmt.Sprintf(`"value":%d,"unit":"%s","unit_confirmed":true`, n, unit), more)
}

func warned(a map[string]any, code string) map[string]any {
	for _, w := range a["warnings"].([]any) {
		if w := w.(map[string]any); w["code"] == code {
			return w
		}
	}
	return nil
}

func TestDeadlines(t *testing.T) {
	const business, calendar = "business_days", "calendar_days"
	for name, tt := range map[string]struct {
		day           string
		n             int
		unit, more    string
		want, warning string
	}{
		"catalogue": {"2026-05-12", 15, business, ``, "2026-06-02", ""},
		"extended": {"2026-05-12", 15, business,
			`,"extension":{"working_days":10,"notified":true}`, "2026-06-17", ""},
		"not notified": {"2026-05-12", 15, business,
			`,"extension":{"working_days":10,"notified":false}`, "2026-06-02", "extension_ignored_no_notification"},
		"notified on the last day": {"2026-05-12", 15, business,
			`,"extension":{"working_days":10,"notified":true,"notification_date":"2026-06-02"}`, "2026-06-17", ""},
		"notified a day late": {"2026-05-12", 15, business,
			`,"extension":{"working_days":10,"notified":true,"notification_date":"2026-06-03"}`, "2026-06-02",
			"notification_after_base_deadline"},
		"notified at once": {"2026-05-12", 15, business,
			`,"extension":{"working_days":10,"notified":true,"notification_date":"2026-05-12"}`, "2026-06-17", ""},
		"working Saturday and transfers": {"2024-04-22", 15, business, ``, "2024-05-17", ""},
		"over the New Year":              {"2026-12-30", 1, business, ``, "2027-01-11", ""},
		"same day":                       {"2026-05-12", 15, business, `,"count_from":"same_day"`, "2026-06-01", ""},
		"same day is not a working one":  {"2026-05-11", 1, business, `,"count_from":"same_day"`, "2026-05-12", ""},
		"one same day":                   {"2026-05-12", 1, business, `,"count_from":"same_day"`, "2026-05-12", ""},
		"one day":                        {"2026-05-12", 1, business, ``, "2026-05-13", ""},
		"calendar":                       {"2026-04-01", 30, calendar, ``, "2026-05-01", ""},
		"calendar, rolled": {"2026-04-01", 30, calendar,
			`,"roll_if_non_working":"following"`, "2026-05-04", ""},
		"calendar, nothing to roll": {"2026-05-11", 1, calendar,
			`,"roll_if_non_working":"following"`, "2026-05-12", ""},
		"calendar, same day":         {"2026-04-01", 30, calendar, `,"count_from":"same_day"`, "2026-04-30", ""},
		"calendar needs no calendar": {"2050-01-01", 400, calendar, ``, "2051-02-05", ""},
		"calendar, leap year":        {"2028-02-28", 1, calendar, ``, "2028-02-29", ""},
		"calendar, extended working days": {"2026-04-01", 30, calendar,
			`,"extension":{"working_days":1,"notified":true}`, "2026-05-04", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := answer(t, consumerRightsDeadline1, deadlineRequest(tt.day, tt.n, tt.unit, tt.more))
			if got := output(a, "deadline"); got != tt.want || output(a, "legal_status") != notLegallyConfirmed {
				t.Errorf("deadline %s (%s), want %s", got, output(a, "legal_status"), tt.want)
			}
			if tt.warning == "" && len(a["warnings"].([]any)) > 0 || tt.warning != "" && warned(a, tt.warning) == nil {
				t.Errorf("warnings %v, want %q", a["warnings"], tt.warning)
			}
			if uses := len(a["external_data"].([]any)) > 0; uses == (tt.unit == calendar && tt.more == "") {
				if tt.more == "" {
					t.Errorf("external_data = %v", a["external_data"])
				}
			}
		})
	}
}

// TestDeadlineDoNotGuess: without a confirmed fact there is no date anywhere.
func TestDeadlineDoNotGuess(t *testing.T) {
	for mask := 1; mask < 16; mask++ {
		confirmed := func(bit int) bool { return mask&(1<<bit) == 0 }
		in := confirmedDeadline("2026-05-12", 15, "business_days")
		in["source"].(map[string]any)["confirmed"] = confirmed(0)
		in["applicability_confirmed"] = confirmed(1)
		in["term"].(map[string]any)["unit_confirmed"] = confirmed(2)
		in["start_event"].(map[string]any)["confirmed"] = confirmed(3)
		request, _ := json.Marshal(map[string]any{"inputs": in,
			"contract_values": map[string]any{"deadline": "2026-06-02"}})
		a := answer(t, consumerRightsDeadline1, string(request))
		if a["status"] != StatusDoNotGuess || a["reason"] != nil || len(a["outputs"].(map[string]any)) > 0 ||
			len(a["trace"].([]any)) > 0 || len(a["external_data"].([]any)) > 0 {
			t.Fatalf("%s\n%v", request, a)
		}
		var want []string
		for bit, f := range deadlineFacts {
			if !confirmed(bit) {
				want = append(want, f.code)
			}
		}
		if got := fmt.Sprint(a["unconfirmed"]); got != fmt.Sprint(want) {
			t.Errorf("unconfirmed %s, want %s", got, want)
		}
		if questions := a["questions_ru"].([]any); len(questions) != len(want) {
			t.Errorf("questions %v", questions)
		}
		if got := a["comparison"].([]any)[0].(map[string]any)["status"]; got != ContractValueOnly {
			t.Errorf("comparison %v", got)
		}
		if err := compiled(t, consumerRightsDeadline1.OutputSchema()).Validate(any(a)); err != nil {
			t.Error(err)
		}
	}
}

func TestDeadlineCalendarMissing(t *testing.T) {
	for name, tt := range map[string]struct{ request, year string }{
		"the last year runs out": {deadlineRequest("2027-12-29", 2, "business_days", ``), "2028"},
		"before the first year":  {deadlineRequest("2023-12-29", 2, "business_days", ``), "2023"},
		"only the extension": {deadlineRequest("2027-12-01", 10, "business_days",
			`,"extension":{"working_days":20,"notified":true}`), "2028"},
		"the roll of a calendar's": {deadlineRequest("2028-04-01", 30, "calendar_days",
			`,"roll_if_non_working":"following"`), "2028"},
	} {
		t.Run(name, func(t *testing.T) {
			a := answer(t, consumerRightsDeadline1, tt.request)
			if a["status"] != CalculationNotAvailable || a["reason"] != "calendar_year_missing" ||
				len(a["outputs"].(map[string]any)) > 0 {
				t.Errorf("%v %v %v", a["status"], a["reason"], a["outputs"])
			}
			if w := warned(a, "calendar_year_missing"); w == nil || !strings.Contains(w["detail"].(string), tt.year) {
				t.Errorf("warnings %v, want the year %s", a["warnings"], tt.year)
			}
		})
	}
	if a := answer(t, consumerRightsDeadline1, deadlineRequest("2027-12-29", 1, "business_days", ``)); output(a,
		"deadline") != "2027-12-30" {
		t.Errorf("the next year is not touched: %v", a)
	}
	a := answer(t, consumerRightsDeadline1, deadlineRequest("2099-12-31", 1, "calendar_days", ``))
	if a["reason"] != "result_out_of_range" {
		t.Errorf("after the last date: %v", a["reason"])
	}
	nowhere, err := consumerRightsDeadline1.Calculate([]byte(deadlineRequest("2026-05-12", 1, "business_days", ``)),
		Facts{})
	if err != nil || nowhere.Reason != string(CalendarYearMissing) {
		t.Errorf("without a calendar: %v %v", nowhere.Reason, err)
	}
}

// TestDeadlineTrace: every skipped day is there with its reason, and the calendars
// are cited.
func TestDeadlineTrace(t *testing.T) {
	a := answer(t, consumerRightsDeadline1, deadlineRequest("2026-12-25", 5, "business_days", ``))
	var got []string
	for _, s := range a["trace"].([]any) {
		if s := s.(map[string]any); s["step"] == "days_counted" {
			got = append(got, s["substituted"].(string)+" "+s["value"].(string))
		}
	}
	want := "2026-12-26 weekend 2026-12-27 weekend 2026-12-31 transferred_day_off 2027-01-01 holiday 2027-01-02 " +
		"weekend 2027-01-03 weekend " +
		"2027-01-04 holiday 2027-01-05 holiday 2027-01-06 holiday 2027-01-07 holiday 2027-01-08 holiday 2027-01-09 " +
		"weekend 2027-01-10 weekend"
	if strings.Join(got, " ") != want {
		t.Errorf("days_counted:\n%s\nwant\n%s", strings.Join(got, " "), want)
	}
	if sources := fmt.Sprint(a["external_data"]); !strings.Contains(sources, "ru-2026") ||
		!strings.Contains(sources, "ru-2027") {
		t.Errorf("external_data %s", sources)
	}
	a = answer(t, consumerRightsDeadline1, deadlineRequest("2024-04-26", 1, "business_days", ``))
	if trace := fmt.Sprint(a["trace"]); output(a, "deadline") != "2024-04-27" ||
		!strings.Contains(trace, "working_weekend") {
		t.Errorf("the working Saturday: %s", trace)
	}
}

func TestDeadlineComparison(t *testing.T) {
	request := func(contract, days string) string {
		r := deadlineRequest("2026-05-12", 15, "business_days", ``)
		return strings.TrimSuffix(r, "}") + `,"contract_values":{"deadline":"` + contract +
			`"},"tolerance":{"days":` + days + `}}`
	}
	for _, tt := range []struct{ contract, days, status, absolute, signed string }{
		{"2026-06-02", "0", WithinTolerance, "", ""},
		{"2026-06-01", "1", WithinTolerance, "", ""},
		{"2026-06-04", "1", DeviationDetected, "2", "-2"},
		{"2026-05-29", "3", DeviationDetected, "4", "4"},
	} {
		t.Run(tt.contract, func(t *testing.T) {
			c := answer(t, consumerRightsDeadline1, request(tt.contract,
				tt.days))["comparison"].([]any)[0].(map[string]any)
			d, _ := c["deviation"].(map[string]any)
			if c["status"] != tt.status || d != nil && (printed(d["absolute"]) != tt.absolute ||
				printed(d["signed"]) != tt.signed) {
				t.Errorf("%+v: %v", tt, c)
			}
		})
	}
}

func TestDeadlineFaults(t *testing.T) {
	for request, want := range map[string]string{
		deadlineRequest("2026-05-12", 15, "business_days",
			`,"roll_if_non_working":"following"`): "/inputs/roll_if_non_working: inconsistent",
		deadlineRequest("2026-05-12", 15, "business_days",
			`,"extension":{"working_days":1,"notified":false,"notification_date":"2026-05-13"}`): "/inputs/extension/notification_date: inconsistent",
		deadlineRequest("2026-05-12", 15, "business_days",
			`,"extension":{"working_days":1,"notified":true,"notification_date":"2026-05-11"}`): "/inputs/extension/notification_date: date_order",
		strings.Replace(deadlineRequest("2026-05-12", 1, "business_days", ``), `"applicability_confirmed":true`,
			`"note":"Иванов Иван"`, 1): "/inputs/note: unknown_field",
		strings.Replace(deadlineRequest("2026-05-12", 1, "business_days", ``), `"claim_registered"`,
			`"моя претензия от Иванова"`, 1): "/inputs/start_event/code: pattern",
		strings.Replace(deadlineRequest("2026-05-12", 1, "business_days", ``), `"checked_on"`,
			`"url":"javascript:alert(1)","checked_on"`, 1): "/inputs/source/url: pattern",
	} {
		t.Run(request, func(t *testing.T) {
			_, err := consumerRightsDeadline1.Calculate([]byte(request), testFacts)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s\n%v, want %s", request, err, want)
			}
		})
	}
}

// plainCalendar is the second implementation: the file's rule as it is written
// there, day by day, with time.Time.
type plainCalendar map[string]struct {
	Off     map[string]json.RawMessage `json:"non_working_weekdays"`
	Working map[string]json.RawMessage `json:"working_weekend_days"`
}

func (c plainCalendar) deadline(day time.Time, n int) (time.Time, bool) {
	for n > 0 {
		day = day.AddDate(0, 0, 1)
		year, ok := c[day.Format("2006")]
		if !ok {
			return day, false
		}
		name := day.Format("2006-01-02")
		switch {
		case year.Working[name] != nil:
			n--
		case year.Off[name] != nil:
		case day.Weekday() >= time.Monday && day.Weekday() <= time.Friday:
			n--
		}
	}
	return day, true
}

// TestDeadlineSecondOpinion also checks a count in two parts against one.
func TestDeadlineSecondOpinion(t *testing.T) {
	data, err := os.ReadFile("testdata/ru-calendar.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Years plainCalendar }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(43, 1))
	computed := 0
	for range 400 {
		start := time.Date(2024, 1, 1+rng.IntN(1500), 0, 0, 0, 0, time.UTC)
		a, b := 1+rng.IntN([]int{10, 60, 400}[rng.IntN(3)]), 1+rng.IntN(100)
		day := start.Format(time.DateOnly)
		got := answer(t, consumerRightsDeadline1, deadlineRequest(day, a, "business_days",
			fmt.Sprintf(`,"extension":{"working_days":%d,"notified":true}`, b)))
		base, _ := file.Years.deadline(start, a)
		want, ok := file.Years.deadline(base, b)
		if !ok {
			if got["reason"] != "calendar_year_missing" {
				t.Errorf("%s + %d + %d: %v", day, a, b, got["reason"])
			}
			continue
		}
		computed++
		if output(got, "base_deadline") != base.Format(time.DateOnly) ||
			output(got, "deadline") != want.Format(time.DateOnly) {
			t.Errorf("%s + %d + %d: %s and %s, want %s and %s", day, a, b, output(got, "base_deadline"),
				output(got, "deadline"), base.Format(time.DateOnly), want.Format(time.DateOnly))
		}
		if a+b <= 400 {
			once := answer(t, consumerRightsDeadline1, deadlineRequest(day, a+b, "business_days", ``))
			if output(once, "deadline") != output(got, "deadline") {
				t.Errorf("%s + %d + %d is not %s + %d", day, a, b, day, a+b)
			}
		}
	}
	if computed < 100 {
		t.Errorf("only %d deadlines were computed", computed)
	}
}

// The kinds of days are spelt as the units of parameters are; as they were spelt once
// they are taken all the same.
func TestFormerUnits(t *testing.T) {
	for now, old := range map[string]string{businessDay: "business_days", calendarDay: "calendar_days"} {
		want := answer(t, consumerRightsDeadline, deadlineRequest("2026-05-12", 15, now, ``))
		got := answer(t, consumerRightsDeadline, deadlineRequest("2026-05-12", 15, old, ``))
		if output(got, "deadline") == "" || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n%s: %v", old, got, now, want)
		}
	}
	checkError(t, consumerRightsDeadline, deadlineRequest("2026-05-12", 15, "days", ``), "/inputs/term/unit enum")
}
