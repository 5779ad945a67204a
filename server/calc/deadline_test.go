package calc

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// testParameters are parameters as a site would hand them in.
var testParameters = parameterFile{
	// The key rate as published, until its October decision of 2026.
	keyRateSeries: ratesOf(keyRateSeries, "2026-10-25", "2023-10-30", "15", "2023-12-18", "16", "2024-07-29", "18",
		"2024-09-16", "19", "2024-10-28", "21", "2025-06-09", "20", "2025-07-28", "18", "2025-09-15", "17",
		"2025-10-27", "16.5", "2025-12-22", "16", "2026-02-16", "15.5", "2026-03-23", "15", "2026-04-27", "14.5",
		"2026-06-22", "14.25", "2026-07-27", "14"),
	"answer": {{External: External{ID: "answer", Version: "1.2.0", SHA256: "sha256:answer", Value: "15",
		Unit: businessDay, From: "2024-07-01"}, Confirmed: true}},
	"pause": {{External: External{ID: "pause", Version: "1.0.0", SHA256: "sha256:pause", Value: "2", Unit: calendarDay,
		From: "2024-07-25"}, Confirmed: true, Roll: rollNone}},
	"suspension": {{External: External{ID: "suspension", Version: "1.0.0", SHA256: "sha256:suspension", Value: "2",
		Unit: calendarDay, From: "2024-07-25"}, Confirmed: true, Roll: rollNone, CountFrom: sameDay}},
	"osago": {{External: External{ID: "osago", Version: "1.0.0", SHA256: "sha256:osago", Value: "20", Unit: calendarDay,
		From: "2024-01-01"}, Confirmed: true, WithoutHolidays: true}},
	"unfit": {{External: External{ID: "unfit", Version: "1.0.0", SHA256: "sha256:unfit", Value: "2", Unit: month,
		From: "2024-01-01"}, Confirmed: true, WithoutHolidays: true}},
	"limit": {{External: External{ID: "limit", Version: "2.0.0", SHA256: "sha256:limit", Value: "3", Unit: year,
		From: "2020-01-01"}, Confirmed: true}},
	"disputed": {{External: External{ID: "disputed", Version: "1.0.0", SHA256: "sha256:disputed", Value: "10",
		Unit: calendarDay, From: "2020-01-01"}}},
	"amount": {{External: External{ID: "amount", Version: "1.0.0", SHA256: "sha256:amount", Value: "500000", Unit: "RUB",
		From: "2020-01-01"}, Confirmed: true}},
	"list": {{External: External{ID: "list", Version: "1.0.0", SHA256: "sha256:list", From: "2020-01-01"},
		Confirmed: true}},
	"longer": {
		{External: External{ID: "longer", Version: "1.1.0", SHA256: "sha256:longer", Value: "5", Unit: calendarDay,
			From: "2020-01-01", To: "2025-12-31"}, Confirmed: true},
		{External: External{ID: "longer", Version: "1.1.0", SHA256: "sha256:longer", Value: "1", Unit: month,
			From: "2026-01-01"}, Confirmed: true},
	},
}

// parameterFile are the periods of each parameter.
type parameterFile map[string][]Parameter

func (f parameterFile) Parameter(id string, on Date) (Parameter, bool) {
	for _, p := range f[id] {
		if p.From <= on.String() && (p.To == "" || on.String() <= p.To) {
			p.InForce = true
			return p, true
		}
		if next, _ := ParseDate(p.From); on < next {
			return Parameter{After: p.External}, true
		}
	}
	return Parameter{}, f[id] != nil
}

// ratesOf are the periods of a rate: the first day of each with its value, and the last day of all.
func ratesOf(id, last string, pairs ...string) (all []Parameter) {
	for i := 0; i < len(pairs); i += 2 {
		p := Parameter{External: External{ID: id, Version: "1.0.0", SHA256: "sha256:" + id, Unit: "percent",
			From: pairs[i], To: last, Value: pairs[i+1]}, Confirmed: true}
		if i+2 < len(pairs) {
			next, _ := ParseDate(pairs[i+2])
			p.To = (next - 1).String()
		}
		all = append(all, p)
	}
	return all
}

// byParameter is a request whose term a parameter states.
func byParameter(day, id, more string) string {
	return `{"inputs":{"start_event":{"code":"claim","date":"` + day + `","confirmed":true},"term":{"parameter_id":"` +
		id + `"},"applicability_confirmed":true` + more + `}}`
}

// TestDeadlineByParameter: the parameter's term of that day, cited with its version and
// checksum, and its own rule about days when nobody works.
func TestDeadlineByParameter(t *testing.T) {
	for name, tt := range map[string]struct{ request, deadline, rule, cited string }{
		"business days": {byParameter("2026-05-12", "answer", ``), "2026-06-02", rollByUnit,
			"id:answer map sha256:sha256:answer unit:business_day value:15 version:1.2.0"},
		"its own rule": {byParameter("2026-04-30", "pause", ``), "2026-05-02", rollByParameter,
			"unit:calendar_day value:2"},
		"the request's rule": {byParameter("2026-04-30", "pause", `,"roll_if_non_working":"following"`),
			"2026-05-04", rollByRequest, ""},
		"years": {byParameter("2024-02-29", "limit", ``), "2027-03-01",
			rollByCode, "unit:year value:3"},
		"the event's period": {byParameter("2025-12-31", "longer", `,"roll_if_non_working":"none"`), "2026-01-05",
			rollByRequest, "to:2025-12-31 unit:calendar_day value:5"},
		"the next period": {byParameter("2026-01-01", "longer", ``), "2026-02-02",
			rollByCode, "from:2026-01-01"},
		"the period of a day": {strings.Replace(byParameter("2025-12-01", "longer", ``), `"longer"`,
			`"longer","on":"2026-01-01"`, 1), "2026-01-12", rollByCode, "unit:month value:1"},
		"with a confirmed source": {byParameter("2026-05-12", "answer",
			`,"source":{"ref":"ст. 30.1","checked_on":"2026-05-01","confirmed":true}`), "2026-06-02", rollByUnit, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := answer(t, consumerRightsDeadline, tt.request)
			if output(a, "deadline") != tt.deadline || output(a, "roll_rule") != tt.rule {
				t.Errorf("%s by %s, want %s by %s", output(a, "deadline"), output(a, "roll_rule"), tt.deadline, tt.rule)
			}
			cited := fmt.Sprint(a["external_data"].([]any)[0])
			for _, part := range strings.Fields(tt.cited) {
				if !strings.Contains(cited, part) {
					t.Errorf("cited %s, want %s", cited, part)
				}
			}
			if err := compiled(t, consumerRightsDeadline.OutputSchema()).Validate(any(a)); err != nil {
				t.Error(err)
			}
		})
	}
}

// A term that goes beyond the calendars has no last day, in the steps either.
func TestNoDayWithoutCalendar(t *testing.T) {
	a := answer(t, consumerRightsDeadline, byParameter("2027-12-20", "answer", ``))
	if a["reason"] != "calendar_year_missing" || len(a["trace"].([]any)) == 0 {
		t.Fatalf("%v: %v", a["reason"], a["trace"])
	}
	for _, s := range a["trace"].([]any) {
		if s := s.(map[string]any); s["step"] != "days_counted" && s["step"] != "term" {
			t.Errorf("%v = %v", s["step"], s["value"])
		}
	}
}

func TestDeadlineWithoutParameter(t *testing.T) {
	for request, want := range map[string]string{
		byParameter("2026-05-12", "nowhere", ``): "parameter_unknown",
		byParameter("2023-05-12", "answer", ``):  "parameter_not_in_force",
		byParameter("2026-05-12", "amount", ``):  "parameter_unfit",
		byParameter("2026-05-12", "list", ``):    "parameter_unfit",
	} {
		t.Run(request, func(t *testing.T) {
			a := answer(t, consumerRightsDeadline, request)
			if a["status"] != CalculationNotAvailable || a["reason"] != want || warned(a, want) == nil ||
				len(a["outputs"].(map[string]any)) > 0 {
				t.Errorf("%s\n%v %v, want %s", request, a["reason"], a["warnings"], want)
			}
		})
	}
	a := answer(t, consumerRightsDeadline, byParameter("2026-05-12", "disputed", ``))
	if a["status"] != StatusDoNotGuess || fmt.Sprint(a["unconfirmed"]) != "[source.confirmed]" {
		t.Errorf("a parameter that is due for a check: %v %v", a["status"], a["unconfirmed"])
	}
	a = answer(t, consumerRightsDeadline, byParameter("2026-05-12", "answer",
		`,"source":{"ref":"ст. 30.1","checked_on":"2026-05-01","confirmed":false}`))
	if a["status"] != StatusDoNotGuess {
		t.Errorf("a source that is not confirmed: %v", a["status"])
	}
	nowhere, err := consumerRightsDeadline.Calculate([]byte(byParameter("2026-05-12", "answer", ``)), Facts{})
	if err != nil || nowhere.Reason != string(ParameterUnknown) {
		t.Errorf("without parameters: %v %v", nowhere, err)
	}
	both := strings.Replace(byParameter("2026-05-12", "answer", ``), `"term":{`, `"term":{"value":1,`, 1)
	missing := strings.Replace(deadlineRequest("2026-05-12", 1, month, ``),
		`"source":{"ref":"consumer-rights.fo-response-standard-working-days","checked_on":"2026-05-01",`+
			`"confirmed":true},`, ``, 1)
	for request, want := range map[string]string{
		both:    "/inputs/term/parameter_id: inconsistent",
		missing: "/inputs/source: required",
		byParameter("2026-05-12", "Иванов Иван", ``): "/inputs/term/parameter_id: pattern",
	} {
		t.Run(request, func(t *testing.T) {
			if _, err := consumerRightsDeadline.Calculate([]byte(request), testFacts); err == nil ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%s\n%v, want %s", request, err, want)
			}
		})
	}
}

// TestEarlierVersion: a request that names a version gets that one's results.
func TestEarlierVersion(t *testing.T) {
	request := deadlineRequest("2026-04-01", 30, calendarDay, ``)
	of := func(version string) string {
		return strings.TrimSuffix(request, "}") + `,"tool_version":"` + version + `"}`
	}
	for version, want := range map[string]string{"1.1.0": "2026-05-01", "2.0.0": "2026-05-04"} {
		a := answer(t, consumerRightsDeadline, of(version))
		if a["tool_version"] != version || output(a, "deadline") != want {
			t.Errorf("%s: %v answers %s, want %s", version, a["tool_version"], output(a, "deadline"), want)
		}
	}
	if got := answer(t, consumerRightsDeadline, of("1.1.0"))["formula_id"]; got != "consumer_rights_deadline_date/1" {
		t.Errorf("formula %v", got)
	}
	if err := compiled(t, consumerRightsDeadline1.OutputSchema()).Validate(any(answer(t, consumerRightsDeadline,
		of("1.1.0")))); err != nil {
		t.Error(err)
	}
	months := strings.Replace(of("1.1.0"), calendarDay, month, 1)
	for request, want := range map[string]string{
		of("1.0.0"): "/tool_version: enum",
		months:      "/inputs/term/unit: enum",
		strings.Replace(of("1.1.0"), `"1.1.0"`, `1.1`, 1): "/tool_version: type",
	} {
		t.Run(request, func(t *testing.T) {
			if _, err := consumerRightsDeadline.Calculate([]byte(request), testFacts); err == nil ||
				!strings.Contains(err.Error(), want) {
				t.Errorf("%s\n%v, want %s", request, err, want)
			}
		})
	}
	if a := answer(t, registry.byID["loan_payment"],
		strings.TrimSuffix(registry.byID["loan_payment"].Examples[0].Request, "}")+
			`,"tool_version":"1.1.0"}`); a["tool_version"] != "1.1.0" {
		t.Error("a tool with one version takes it by name")
	}
}

// TestDeadlineTerms: testdata/deadlines.json is a reading of статьи 191–193 ГК РФ that
// knows nothing of this package.
func TestDeadlineTerms(t *testing.T) {
	data, err := os.ReadFile("testdata/deadlines.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Title, Start, Unit, More, Raw, Deadline, Roll, Because string
		Value                                                  int
	}
	if err := json.Unmarshal(data, &all); err != nil || len(all) < 60 {
		t.Fatal(len(all), err)
	}
	for _, tt := range all {
		t.Run(tt.Title, func(t *testing.T) {
			a := answer(t, consumerRightsDeadline, deadlineRequest(tt.Start, tt.Value, tt.Unit, tt.More))
			if tt.Deadline == "" {
				if a["reason"] != tt.Roll || len(a["outputs"].(map[string]any)) > 0 {
					t.Errorf("%v %v, want %s", a["reason"], a["outputs"], tt.Roll)
				}
				return
			}
			for name, want := range map[string]string{"raw_deadline": tt.Raw, "base_deadline": tt.Deadline,
				"deadline": tt.Deadline, "roll": tt.Roll, "non_working_because": tt.Because} {
				t.Run(name, func(t *testing.T) {
					if got := output(a, name); got != want {
						t.Errorf("%s %q, want %q", name, got, want)
					}
				})
			}
			if moved := warned(a, "deadline_moved_from_non_working_day"); (moved != nil) != (tt.Roll == rollMoved) {
				t.Errorf("warnings %v", a["warnings"])
			}
		})
	}
	if got := output(answer(t, consumerRightsDeadline, deadlineRequest("2026-05-18", 1, "months", ``)),
		"deadline"); got != "2026-06-18" {
		t.Errorf("months: %s", got)
	}
	for _, tt := range []struct{ start, unit string }{{"2099-12-01", month}, {"2099-12-31", calendarDay}} {
		if a := answer(t, consumerRightsDeadline, deadlineRequest(tt.start, 400, tt.unit,
			``)); a["reason"] != "result_out_of_range" {
			t.Errorf("%+v: %v", tt, a["reason"])
		}
	}
}

// The pause of a transfer has days of its own: a term that is counted otherwise is answered with
// a warning that says how they count.
func TestDeadlineOfSuspendedTransfer(t *testing.T) {
	const ownDay, noRoll = `,"count_from":"same_day"`, `,"roll_if_non_working":"none"`
	for _, tt := range []struct {
		name, event, day string
		days             int
		unit, more       string
		warns            bool
	}{
		{"as any term", transferSuspended, "2026-04-30", 2, calendarDay, ``, true},
		{"rolled", transferSuspended, "2026-04-30", 2, calendarDay, ownDay, true},
		{"from the next day", transferSuspended, "2026-04-30", 2, calendarDay, noRoll, true},
		{"as the law has it", transferSuspended, "2026-04-30", 2, calendarDay, ownDay + noRoll, false},
		{"business days", transferSuspended, "2026-04-30", 2, businessDay, ownDay, true},
		{"before that law", transferSuspended, "2024-07-24", 2, businessDay, ``, false},
		{"a confirmation", transferSuspended, "2026-04-30", 1, calendarDay, noRoll, false},
		{"another event", "claim_registered", "2026-04-30", 2, calendarDay, ``, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			request := deadlineRequest(tt.day, tt.days, tt.unit, tt.more)
			a := answer(t, consumerRightsDeadline, strings.Replace(request, "claim_registered", tt.event, 1))
			if got := warned(a, "suspension_counts_from_same_day_without_roll"); (got != nil) != tt.warns {
				t.Errorf("%s: %v", request, got)
			}
		})
	}
}

// TestDeadlineCountedByParameter: the first day and the holidays are those of the parameter, and the answer says
// whose rule it was. 2.0.0 counts as before.
func TestDeadlineCountedByParameter(t *testing.T) {
	older := func(request string) string { return strings.TrimSuffix(request, "}") + `,"tool_version":"2.0.0"}` }
	for name, tt := range map[string]struct{ request, want string }{
		"the pause over New Year": {byParameter("2026-12-31", "suspension", ``), "2027-01-01 same_day parameter 0"},
		"against the parameter": {byParameter("2026-12-31", "suspension", `,"count_from":"next_day"`),
			"2027-01-02 next_day request 0 count_from_differs_from_parameter"},
		"as the parameter": {byParameter("2026-12-31", "suspension", `,"count_from":"same_day"`),
			"2027-01-01 same_day request 0"},
		"by the code":              {byParameter("2026-05-12", "answer", ``), "2026-06-02 next_day civil_code_191 0"},
		"holidays of New Year":     {byParameter("2026-12-20", "osago", ``), "2027-01-18 next_day civil_code_191 8"},
		"holidays on weekends":     {byParameter("2027-04-20", "osago", ``), "2027-05-12 next_day civil_code_191 2"},
		"none of them":             {byParameter("2026-07-01", "osago", ``), "2026-07-21 next_day civil_code_191 0"},
		"beyond the calendars":     {byParameter("2027-12-20", "osago", ``), "calendar_year_missing"},
		"holidays of a month":      {byParameter("2026-07-01", "unfit", ``), "parameter_unfit"},
		"the earlier version":      {older(byParameter("2026-12-31", "suspension", ``)), "2027-01-02   "},
		"holidays of that version": {older(byParameter("2026-12-20", "osago", ``)), "2027-01-11   "},
	} {
		t.Run(name, func(t *testing.T) {
			a := answer(t, consumerRightsDeadline, tt.request)
			got, _ := a["reason"].(string)
			if got == "" {
				got = strings.Join([]string{output(a, "deadline"), output(a, "count_from"), output(a, "count_rule"),
					output(a, "holidays_left_out")}, " ")
			}
			if warned(a, "count_from_differs_from_parameter") != nil {
				got += " count_from_differs_from_parameter"
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
