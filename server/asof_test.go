package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	pages "rulestore/server/page"
)

// What was current at the end of a day in UTC: by the publications and marks of
// today, with the status of today.
func TestAsOf(t *testing.T) {
	store, kinds := ask(t, storeSite()), ask(t, kindsSite())
	const then, redacted = "not_published_then", "redacted" // 404, 410
	for i, test := range []struct {
		client
		path, day, want string
	}{
		{store, deposit, "2026-02-01", then},
		{store, deposit, "2026-02-02", "1.0.0 superseded"}, // the day of publication
		{store, deposit, "2026-03-02", "1.0.0 superseded"},
		{store, deposit, "2026-03-03", "1.1.0 superseded"},
		{store, deposit, "2026-05-11", "1.1.0 superseded"},
		{store, deposit, "2026-05-12", "2.0.0 current"},
		{store, deposit, "2026-11-20", "2.0.0 current"}, // today
		{store, deposit, "2030-01-01", "2.0.0 current"},
		{store, deposit, "0001-01-01", then},
		{store, deposit, "9999-12-31", "2.0.0 current"},

		// A version that a mark took away was current until then.
		{store, "/api/v1/guidelines/consumer-rights.claim.001", "2026-05-11", "1.0.0 current"},
		{store, "/api/v1/guidelines/consumer-rights.claim.001", "2026-05-12", "1.1.0 archived"},
		{store, "/api/v1/guidelines/consumer-rights.claim.001", "2026-05-31", "1.1.0 archived"},
		{store, "/api/v1/guidelines/consumer-rights.claim.001", "2026-06-01", "1.0.0 current"},
		{kinds, "/api/v1/instructions/assistant", "2026-04-13", "1.0.0 superseded"},
		{kinds, "/api/v1/instructions/assistant", "2026-04-14", "1.1.0 current"},
		{kinds, "/api/v1/instructions/assistant", "2026-08-02", "1.2.0 archived"},
		{kinds, "/api/v1/instructions/assistant", "2026-08-03", "1.1.0 current"},

		// Even the only one there was.
		{store, "/api/v1/guidelines/consumer-rights.court.001", "2026-03-02", then},
		{store, "/api/v1/guidelines/consumer-rights.court.001", "2026-05-31", "1.0.0 archived"},
		{store, "/api/v1/guidelines/consumer-rights.court.001", "2026-06-01", then},

		// What is redacted is gone, whenever it was current.
		{store, "/api/v1/guidelines/investment.promise.001", "2026-04-01", redacted},
		{store, "/api/v1/guidelines/investment.promise.001", "2026-05-12", "1.1.0 current"},
		{store, "/api/v1/guidelines/investment.secret.001", "2026-04-01", redacted},
		{store, "/api/v1/guidelines/investment.secret.001", "2026-11-20", redacted},
		{kinds, "/api/v1/fraud/signals", "2026-03-01", redacted},
		{kinds, "/api/v1/fraud/signals?severity=critical", "2026-03-01", redacted}, // in parts, too

		// A day ends at midnight UTC: half past midnight in Moscow is the day before.
		{kinds, "/api/v1/fraud/signals", "2026-06-07", "1.1.0 superseded"},
		{kinds, "/api/v1/fraud/signals", "2026-06-08", "1.2.0 current"},

		// Every kind.
		{kinds, "/api/v1/instructions/fallback-policy", "2026-02-01", then},
		{kinds, "/api/v1/instructions/fallback-policy", "2026-02-02", "1.0.0 current"},
		{kinds, "/api/v1/instructions/integration-profile", "2026-02-02", "1.0.0 current"},
		{kinds, "/api/v1/schemas/math/claim", "2026-02-02", "1.0.0 current"},
		{kinds, "/api/v1/taxonomy", "2026-02-01", then},
		{kinds, "/api/v1/taxonomy", "2026-02-02", "1.0.0 current"},
		{kinds, "/api/v1/external-parameters/bank.limit", "2026-04-13", "1.0.0 superseded"},
		{kinds, "/api/v1/external-parameters/bank.limit", "2026-04-14", "1.1.0 current"},
		{kinds, "/api/v1/calendars/ru-2026", "2026-05-01", "1.0.0 current"},
		{kinds, "/api/v1/scenarios/fraud_risk", "2026-05-01", "1.0.0 current"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			path := test.path + "?as_of=" + test.day
			if before, after, ok := strings.Cut(test.path, "?"); ok {
				path = before + "?as_of=" + test.day + "&" + after
			}
			r := test.get(path)
			switch test.want {
			case then:
				r.want(t, http.StatusNotFound, then)
				if d := r.asProblem().Detail; !strings.Contains(d, spelled(test.day)) {
					t.Errorf("%s: %s", path, d)
				}
				return
			case redacted:
				r.want(t, http.StatusGone, redacted)
				if strings.Contains(string(r.body), "Чужая тайна") || r.asProblem().Reason == "" {
					t.Errorf("%s: %s", path, r.body)
				}
				return
			}
			body := decode[content.Object](t, r.body)
			if got := body.Text(body[1].Name) + " " + body.Text("status"); r.status != http.StatusOK ||
				got != test.want {
				t.Errorf("%s: %d %s, want %s\n%s", path, r.status, got, test.want, r.body)
			}
			version, _, _ := strings.Cut(test.want, " ")
			checkSameAs(t, test.client, path, test.path+"/versions/"+version)
		})
	}
}

// checkSameAs says whether two paths have the same answer, in both formats.
func checkSameAs(t *testing.T, c client, path, other string) {
	t.Helper()
	for _, accept := range []string{jsonType, markdownType} {
		a, b := c.get(path, "Accept", accept), c.get(other, "Accept", accept)
		a.header.Del("Date")
		b.header.Del("Date")
		if a.status != http.StatusOK || string(a.blanked()) != string(b.blanked()) ||
			fmt.Sprint(a.header) != fmt.Sprint(b.header) {
			t.Errorf("%s differs from %s:\n%v\n%v", path, other, a.header, b.header)
		}
		if again := c.get(path, "Accept", accept, "If-None-Match",
			b.header.Get("Etag")); again.status != http.StatusNotModified {
			t.Errorf("%s: %d for its ETag", path, again.status)
		}
	}
}

func TestAsOfOfLists(t *testing.T) {
	c := ask(t, storeSite())
	const (
		claim, court, call, code = "consumer-rights.claim.001", "consumer-rights.court.001",
			"fraud.call.001", "fraud.code.001"
		promise, deposit, loan = "investment.promise.001", "product.deposit.001", "product.loan.001"
	)
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"as_of=2026-02-01", nil},
		{"as_of=2026-02-02", []string{call + "@1.0.0", code + "@1.0.0", deposit + "@1.0.0", loan + "@1.0.0"}},
		// What has been redacted since is not listed, or who asks for the past would see it.
		{"as_of=2026-03-03", []string{claim + "@1.0.0", court + "@1.0.0", call + "@1.1.0", code + "@1.0.0",
			deposit + "@1.1.0", loan + "@1.0.0"}},
		{"as_of=2026-05-12", []string{claim + "@1.1.0", court + "@1.0.0", call + "@1.1.0", code + "@1.0.0",
			promise + "@1.1.0", deposit + "@2.0.0", loan + "@1.0.0"}},
		// What was archived as a whole by then is listed only when it is asked for.
		{"as_of=2026-06-01", []string{claim + "@1.0.0", code + "@1.0.0", promise + "@1.1.0",
			deposit + "@2.0.0", loan + "@1.0.0"}},
		{"as_of=2026-06-01&status=archived", []string{call + "@1.1.0"}},
		{"as_of=2026-03-03&scenario=product_analysis", []string{deposit + "@1.1.0", loan + "@1.0.0"}},
		{"as_of=2026-02-02&product_type=savings_account", nil}, // added by 1.1.0
		{"as_of=2026-03-03&product_type=savings_account", []string{deposit + "@1.1.0"}},
		{"as_of=2026-03-03&prefix=fraud.", []string{call + "@1.1.0", code + "@1.0.0"}},
		{"as_of=2026-03-03&status=superseded", []string{deposit + "@1.1.0"}}, // the status is that of today
		{"as_of=2026-03-03&status=archived", []string{court + "@1.0.0", call + "@1.1.0"}},
	} {
		t.Run(test.query, func(t *testing.T) {
			if got := ids(t, c, "/api/v1/guidelines?"+test.query); !slices.Equal(got, test.want) {
				t.Errorf("%s: got %q, want %q", test.query, got, test.want)
			}
		})
	}
	k := ask(t, kindsSite())
	for day, want := range map[string][]string{
		"2026-02-01": {},
		"2026-02-02": {"service.assistant.001@1.0.0", "service.claims.001@1.0.0", "service.fraud-response.001@1.0.0"},
		"2026-08-02": {"service.assistant.001@1.2.0", "service.claims.001@1.0.0", "service.fraud-response.001@1.0.0"},
		"2026-08-03": {"service.assistant.001@1.1.0", "service.claims.001@1.0.0", "service.fraud-response.001@1.0.0"},
	} {
		t.Run(day, func(t *testing.T) {
			if got := ids(t, k, "/api/v1/instructions?as_of="+day); !slices.Equal(got, want) {
				t.Errorf("instructions as of %s: %q, want %q", day, got, want)
			}
		})
	}
	if got := ids(t, k, "/api/v1/registries?as_of=2026-02-02"); len(got) != 7 { // without the redacted one
		t.Errorf("registries: %q", got)
	}
}

func TestInvalidDays(t *testing.T) {
	c := ask(t, kindsSite())
	for _, path := range []string{
		"/api/v1/guidelines", "/api/v1/guidelines/fraud.code.001", "/api/v1/instructions",
		"/api/v1/instructions/assistant",
		"/api/v1/fraud/signals", "/api/v1/taxonomy", "/api/v1/external-parameters",
		"/api/v1/changelog", "/api/v1/checksums",
	} {
		name := "as_of"
		if strings.Contains(path, "ch") && !strings.Contains(path, "/fraud/") { // changelog and checksums
			name = "since"
		}
		for _, day := range []string{
			"", "yesterday", "2026", "2026-5-1", "2026-05", "2026-13-01", "2026-02-30", "2025-02-29", "01.05.2026",
			"2026-05-01T00:00:00", "2026-05-01%20",
			"%202026-05-01", "20260501", "-2026-05-01", "%D9%A2%D9%A0%D9%A2%D9%A6-05-01", "2026-05-01%00",
			"99999-01-01", strings.Repeat("9", 4000),
		} {
			r := c.get(path + "?" + name + "=" + day)
			r.want(t, http.StatusBadRequest, "invalid_query")
			code, hint := "no_date", "2026-05-01"
			if strings.HasSuffix(path, "/changelog") && (day == "2026" || day == "20260501") {
				code, hint = "beyond_log", "next_since" // a number is a place in the log
			}
			errs := r.asProblem().Errors
			if len(errs) != 1 || errs[0].Pointer != "/query/"+name || errs[0].Code != code ||
				!strings.Contains(errs[0].Hint, hint) {
				t.Errorf("%s?%s=%.40s: %+v", path, name, day, errs)
			}
		}
	}
	// A day that is said twice, or lost in a malformed query, is no day.
	for query, code := range map[string]string{"as_of=2026-05-01&as_of=2026-02-02": "repeated_parameter",
		"as_of=2026-02-02;x": "malformed", "as_of=2026-02-02&%zz": "malformed"} {
		t.Run(query, func(t *testing.T) {
			r := c.get("/api/v1/instructions/assistant?" + query)
			r.want(t, http.StatusBadRequest, "invalid_query")
			if errs := r.asProblem().Errors; len(errs) != 1 || errs[0].Code != code {
				t.Errorf("%s: %+v", query, errs)
			}
		})
	}
}

// Where a version is named, no day has a say, and nor has anything else.
func TestParametersThatMeanNothing(t *testing.T) {
	c := ask(t, storeSite())
	for _, path := range []string{deposit + "/versions/1.0.0", "/guidelines/product.deposit.001/current.json", "/",
		"/llms.txt", "/api/v1/health"} {
		want := c.get(path)
		for _, query := range []string{"as_of=2026-04-01", "as_of=yesterday", "x=1", "%zz", "as_of=1;as_of=2"} {
			if r := c.get(path + "?" + query); r.status != http.StatusOK ||
				r.header.Get("Etag") != want.header.Get("Etag") {
				t.Errorf("%s?%s: %d", path, query, r.status)
			}
		}
	}
	// On an item nothing counts but the day.
	for query, status := range map[string]int{"x=1": 200, "status=archived": 200, "x=1&x=2&y": 200,
		"x=1&as_of=2026-02-01": 404} {
		t.Run(query, func(t *testing.T) {
			if r := c.get(deposit + "?" + query); r.status != status {
				t.Errorf("%s: %d, want %d", query, r.status, status)
			}
		})
	}
	// And what is not there is not there, whatever is asked.
	for path, want := range map[string]string{
		"/api/v1/guidelines/investment.secret.001?x=1":     "redacted",
		"/api/v1/guidelines/consumer-rights.court.001?x=1": "no_current_version",
		"/api/v1/guidelines/consumer-rights.court.001":     "no_current_version",
		"/api/v1/guidelines/product.nothing.001?x=1":       "guideline_not_found",
		"/nowhere?as_of=2026-05-01":                        "path_not_found",
	} {
		t.Run(path, func(t *testing.T) {
			if got := c.get(path).asProblem().Code; got != want {
				t.Errorf("%s: %s, want %s", path, got, want)
			}
		})
	}
	for method, status := range map[string]int{"OPTIONS": 204, "POST": 405, "HEAD": 404} {
		t.Run(method, func(t *testing.T) {
			if r := c.do(method, "/api/v1/guidelines/consumer-rights.court.001"); r.status != status {
				t.Errorf("%s: %d, want %d", method, r.status, status)
			}
		})
	}
}

// since leaves out what is older; the pages are those of what remains.
func TestChangelogSince(t *testing.T) {
	c := ask(t, storeSite())
	all := decode[page](t, c.get("/api/v1/changelog").body)
	for _, day := range []string{"2026-01-01", "2026-02-02", "2026-02-03", "2026-03-03", "2026-05-12",
		"2026-05-13", "2030-01-01"} {
		want := 0
		for _, e := range all.Entries {
			if strings.Trim(string(e["date"]), `"`)[:10] >= day { // none is near midnight
				want++
			}
		}
		got := decode[page](t, c.get("/api/v1/changelog?since="+day).body)
		if got.Total != want || got.Limit != 50 || got.Offset != 0 || got.Entries == nil ||
			!slices.EqualFunc(got.Entries, all.Entries[:want], sameEntry) {
			t.Errorf("since %s: %d of %d entries, want %d", day, len(got.Entries), got.Total, want)
		}
		for offset := 0; offset <= want+1; offset += 2 { // pages of two
			p := decode[page](t, c.get(fmt.Sprintf("/api/v1/changelog?since=%s&limit=2&offset=%d", day, offset)).body)
			rest := all.Entries[min(offset, want):min(offset+2, want)]
			if p.Total != want || p.Limit != 2 || p.Offset != offset || !slices.EqualFunc(p.Entries, rest, sameEntry) {
				t.Errorf("since %s from %d: %+v", day, offset, p)
			}
		}
	}
	// Half past midnight in Moscow is the day before in UTC.
	k := ask(t, kindsSite())
	for day, lines := range map[string]int{"2026-06-08": 2, "2026-06-09": 0} {
		if n := strings.Count(string(k.get("/api/v1/checksums?since="+day).body), "\n"); n != lines {
			t.Errorf("%d publications since %s, want %d", n, day, lines)
		}
	}
}

func TestChecksumsSince(t *testing.T) {
	c := ask(t, storeSite())
	all := strings.SplitAfter(strings.TrimSuffix(string(c.get("/api/v1/checksums").body), "\n"), "\n")
	for _, day := range []string{"2026-01-01", "2026-02-02", "2026-03-03", "2026-05-12", "2026-05-13"} {
		var want strings.Builder
		for _, line := range all {
			if strings.Fields(line)[2][:10] >= day {
				want.WriteString(strings.TrimSuffix(line, "\n") + "\n")
			}
		}
		r := c.get("/api/v1/checksums?since=" + day)
		if r.status != http.StatusOK || string(r.body) != want.String() ||
			r.header.Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("since %s: %d\n%s", day, r.status, r.body)
		}
	}
	for _, query := range []string{"until=2026-05-01", "limit=1", "since=2026-05-01&since=2026-05-02"} {
		c.get("/api/v1/checksums?"+query).want(t, http.StatusBadRequest, "invalid_query")
	}
}

// An instant is looked back to as a day is: what was current at it, wherever that is asked
// for. What was published in its very second is.
func TestAsOfAnInstant(t *testing.T) {
	t.Parallel()
	c := ask(t, storeSite())
	var listed struct {
		Versions []struct {
			Version     string `json:"guideline_version"`
			PublishedAt string `json:"published_at"`
		}
	}
	r := c.get(deposit + "/versions")
	if err := json.Unmarshal(r.body, &listed); err != nil || len(listed.Versions) < 3 {
		t.Fatal(err, string(r.body))
	}
	for i, v := range listed.Versions[:len(listed.Versions)-1] {
		at, err := time.Parse(time.RFC3339, v.PublishedAt)
		if err != nil {
			t.Fatal(err)
		}
		for i, test := range []struct {
			at   time.Time
			want string
		}{{at, v.Version}, {at.Add(-time.Nanosecond), listed.Versions[i+1].Version}, {at.Add(time.Hour), v.Version}} {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 3*3600),
					time.FixedZone("", -11*3600)} {
					asOf := url.QueryEscape(test.at.In(zone).Format(time.RFC3339Nano))
					r := c.get(deposit + "?as_of=" + asOf)
					if got := versionIn(t, r); got != test.want {
						t.Errorf("as of %s it is %q, want %s", asOf, got, test.want)
					}
					list := c.get("/api/v1/guidelines?prefix=" + path.Base(deposit) + "&as_of=" + asOf)
					if !strings.Contains(string(list.body), `"guideline_version": "`+test.want+`"`) &&
						!strings.Contains(string(list.body), `"guideline_version":"`+test.want+`"`) {
						t.Errorf("the list as of %s: %s", asOf, list.body)
					}
				}
			})
		}
	}
	first := listed.Versions[len(listed.Versions)-1].PublishedAt
	at, _ := time.Parse(time.RFC3339, first)
	before := at.Add(-time.Second).Format(time.RFC3339)
	r = c.get(deposit + "?as_of=" + before)
	r.want(t, http.StatusNotFound, "not_published_then")
	if d := r.asProblem().Detail; !strings.Contains(d, "Первая опубликована "+spelled(first[:10])) {
		t.Errorf("a second before the first: %s", d)
	}
	if r := c.get("/api/v1/search?q=вклад&as_of=" + before); r.status != http.StatusOK ||
		!strings.Contains(string(r.body), before) {
		t.Errorf("search: %d %s", r.status, r.body)
	}
	for _, wrong := range []string{
		"2026-05-01T12:20:00", "2026-05-01 12:20:00Z", "2026-05-01T24:00:01Z", "2026-05", "1777600000",
		"2026-05-01t12:20:00z", "2026-05-01T12:20:00%2B3", "2026-05-01T12%3A20Z", "now", "",
	} {
		r := c.get(deposit + "?as_of=" + strings.ReplaceAll(wrong, " ", "%20"))
		r.want(t, http.StatusBadRequest, "invalid_query")
		if !strings.Contains(string(r.body), "2026-05-01T12:20:00+03:00") {
			t.Errorf("%q: no hint: %s", wrong, r.body)
		}
	}
	if body := c.page("/api/v1/guidelines?as_of="+url.QueryEscape(first), http.StatusOK); !strings.Contains(body,
		`type="text" value="`+strings.ReplaceAll(first, "+", "&#43;")+`"`) {
		t.Errorf("the page does not keep the instant: %s", body)
	}
	if got := c.call("get_guideline", `{"guideline_id":"`+path.Base(deposit)+`","as_of":"`+first+
		`"}`); !strings.Contains(got, "1.0.0") {
		t.Errorf("MCP, as of %s: %s", first, got)
	}
	if r := c.get(deposit + "?as_of=" + first); !strings.Contains(first, "+") || versionIn(t, r) != "1.0.0" {
		t.Errorf("as it is copied from published_at, %s: %d %s", first, r.status, r.body)
	}
}

// versionIn is the version of a guideline in an answer.
func versionIn(t *testing.T, r response) string {
	t.Helper()
	var body struct {
		Version string `json:"guideline_version"`
	}
	if err := json.Unmarshal(r.body, &body); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
	return body.Version
}

// spelled is a day as sentences have it.
func spelled(day string) string { return pages.DayOf(day) }
