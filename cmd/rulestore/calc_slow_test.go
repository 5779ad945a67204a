//go:build slow

package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A push of a calendar changes the deadline, and the answer says by which version
// it was counted: that of the calendar's own document. The command gives the
// same bytes.
func TestDeadlineAfterAPush(t *testing.T) {
	t.Parallel()
	const path = "/api/v1/math/tools/consumer_rights_deadline_date"
	const request = `{"inputs":{"start_event":{"code":"claim_registered","date":"2026-05-12","confirmed":true},
		"term":{"value":15,"unit":"business_days","unit_confirmed":true},
		"source":{"ref":"consumer-rights.fo-response-standard-working-days","checked_on":"2026-05-01","confirmed":true},"applicability_confirmed":true}}`
	bare, a := newServed(t)
	s := start(t, "--repo", bare)
	cited := func(version, deadline string) {
		t.Helper()
		answer, sum := s.post(path, request), s.mustGet("/api/v1/calendars/ru-2026/versions/"+version,
			"*/*").header.Get("X-Content-Checksum")
		for _, want := range []string{`"deadline":{"value":"` + deadline + `"`,
			`[{"id":"ru-2026","version":"` + version + `","sha256":"` + sum + `","decree":"№ 1466 `} {
			if !strings.Contains(answer, want) {
				t.Errorf("no %s in\n%s", want, answer)
			}
		}
		file := filepath.Join(t.TempDir(), "request.json")
		if err := os.WriteFile(file, []byte(request), 0o644); err != nil {
			t.Fatal(err)
		}
		if printed, stderr, code := runCalc(t, nil, "consumer_rights_deadline_date", "--repo", bare, "--input",
			file); printed != answer+"\n" || code != 0 {
			t.Errorf("the command prints (%d, %s)\n%s\nthe service answers\n%s", code, stderr, printed, answer)
		}
	}
	var now struct {
		Version string `json:"calendar_version"`
	}
	if err := json.Unmarshal(s.mustGet("/api/v1/calendars/ru-2026", "*/*").body, &now); err != nil {
		t.Fatal(err)
	}
	cited(now.Version, "2026-06-02")
	a.sub("calendars/ru-2026.yaml", `(?m)^non_working_weekdays:$`,
		"non_working_weekdays:\n  - {date: 2026-06-01, name: Новый праздник}")
	a.git("commit", "-q", "-a", "-m", "Новый праздник")
	a.git("tag", "-a", "calendars/ru-2026/v"+"9.0.0", "-m", "Новый праздник")
	a.git("push", "-q", "--follow-tags", "origin", "main")
	s.await("the new calendar", func() bool {
		return s.mustGet("/api/v1/calendars/ru-2026/versions/"+"9.0.0", "*/*").status == http.StatusOK
	})
	cited("9.0.0", "2026-06-03")
}

// The README's calculation works as it is written.
func TestReadmeCalculation(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`http://127\.0\.0\.1:8080(/api/v1/math/tools/\S+) \\\n *-d '([^']+)'`).FindSubmatch(readme)
	if m == nil {
		t.Fatal("the README calculates nothing")
	}
	answer := start(t).post(string(m[1]), string(m[2]))
	if !strings.Contains(answer, `"payment":{"value":"77397.23"`) ||
		!strings.Contains(answer, `"status":"within_tolerance"`) {
		t.Errorf("%s", answer)
	}
}
