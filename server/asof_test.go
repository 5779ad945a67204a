package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
)

// What was current at the end of a day in UTC: by the publications and marks of
// today, with the status of today.
func TestAsOf(t *testing.T) {
	store, kinds := ask(t, storeSite()), ask(t, kindsSite())
	const then, redacted = "not_published_then", "redacted" // 404, 410
	const guidelines = "/api/v1/guidelines/"
	for _, test := range []struct {
		client
		path, day, want string
	}{
		{store, deposit, "2026-02-01", then},
		{store, deposit, "2026-02-02", "1.0.0 superseded"}, // the day of publication
		{store, deposit, "2026-03-03", "1.1.0 superseded"},
		{store, deposit, "2026-05-12", "2.0.0 current"},
		{store, deposit, "9999-12-31", "2.0.0 current"},

		// A version that a mark took away was current until then, even the only one there was.
		{store, guidelines + "consumer-rights.claim.001", "2026-05-11", "1.0.0 current"},
		{store, guidelines + "consumer-rights.claim.001", "2026-05-31", "1.1.0 archived"},
		{store, guidelines + "consumer-rights.claim.001", "2026-06-01", "1.0.0 current"},
		{store, guidelines + "consumer-rights.court.001", "2026-05-31", "1.0.0 archived"},
		{store, guidelines + "consumer-rights.court.001", "2026-06-01", then},

		// What is redacted is gone, whenever it was current.
		{store, guidelines + "investment.promise.001", "2026-04-01", redacted},
		{store, guidelines + "investment.secret.001", "2026-04-01", redacted},
		{kinds, "/api/v1/fraud/signals?severity=critical", "2026-03-01", redacted}, // in parts, too

		// Midnight in Moscow is the day before.
		{kinds, "/api/v1/fraud/signals", "2026-06-07", "1.1.0 superseded"},
		{kinds, "/api/v1/fraud/signals", "2026-06-08", "1.2.0 current"},
		{kinds, "/api/v1/external-parameters/bank.limit", "2026-04-13", "1.0.0 superseded"},
	} {
		path := test.path + "?as_of=" + test.day
		if before, after, ok := strings.Cut(test.path, "?"); ok {
			path = before + "?as_of=" + test.day + "&" + after
		}
		r := test.get(path)
		switch test.want {
		case then:
			r.want(t, http.StatusNotFound, then)
			if d := r.asProblem().Detail; !strings.Contains(d, i18n.DayOf(test.day)) {
				t.Errorf("%s: %s", path, d)
			}
			continue
		case redacted:
			r.want(t, http.StatusGone, redacted)
			continue
		}
		body := decode[content.Object](t, r.body)
		if got := body.Text(body[1].Name) + " " + body.Text("status"); r.status != http.StatusOK || got != test.want {
			t.Errorf("%s: %d %s, want %s\n%s", path, r.status, got, test.want, r.body)
		}
		version, _, _ := strings.Cut(test.want, " ")
		checkSameAs(t, test.client, path, test.path+"/versions/"+version)
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
	}
}

func TestAsOfOfLists(t *testing.T) {
	c := ask(t, storeSite())
	const (
		claim, court, call, code = "consumer-rights.claim.001", "consumer-rights.court.001",
			"fraud.call.001", "fraud.code.001"
		promise, deposit, loan = "investment.promise.001", "product.deposit.001", "product.loan.001"
	)
	for query, want := range map[string][]string{
		"as_of=2026-02-01": nil,
		// What has been redacted since is not listed, or who asks for the past would see it.
		"as_of=2026-03-03": {claim + "@1.0.0", court + "@1.0.0", call + "@1.1.0", code + "@1.0.0",
			deposit + "@1.1.0", loan + "@1.0.0"},
		// What was archived as a whole by then is listed only when it is asked for.
		"as_of=2026-06-01": {claim + "@1.0.0", code + "@1.0.0", promise + "@1.1.0", deposit + "@2.0.0",
			loan + "@1.0.0"},
		"as_of=2026-06-01&status=archived":              {call + "@1.1.0"},
		"as_of=2026-02-02&product_type=savings_account": nil, // added by 1.1.0
		"as_of=2026-03-03&product_type=savings_account": {deposit + "@1.1.0"},
		"as_of=2026-03-03&prefix=fraud.":                {call + "@1.1.0", code + "@1.0.0"},
		"as_of=2026-03-03&status=superseded":            {deposit + "@1.1.0"}, // the status is that of today
	} {
		if got := ids(t, c, "/api/v1/guidelines?"+query); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
	if got := ids(t, ask(t, kindsSite()), "/api/v1/registries?as_of=2026-02-02"); len(got) != 7 { // one is redacted
		t.Errorf("registries: %q", got)
	}
}

func TestInvalidDays(t *testing.T) {
	c := ask(t, kindsSite())
	for _, path := range []string{"/api/v1/guidelines?as_of=", "/api/v1/instructions/assistant?as_of=",
		"/api/v1/checksums?since=", "/api/v1/changelog?since="} {
		for _, day := range []string{
			"", "yesterday", "2026", "2026-05", "2026-02-30", "2026-05-01T00:00:00", "2026-05-01%20", "20260501",
			"2026-05-01T24:00:01Z", "2026-05-01T12:20:00%2B3", "%D9%A2%D9%A0%D9%A2%D9%A6-05-01", strings.Repeat("9", 4000),
		} {
			r := c.get(path + day)
			r.want(t, http.StatusBadRequest, "invalid_query")
			name, code, hint := "as_of", "no_date", "2026-05-01"
			if strings.Contains(path, "since") {
				name = "since"
			}
			if strings.Contains(path, "changelog") && (day == "2026" || day == "20260501") {
				code, hint = "beyond_log", "next_since" // a number is a place in the log
			}
			errs := r.asProblem().Errors
			if len(errs) != 1 || errs[0].Pointer != "/query/"+name || errs[0].Code != code ||
				!strings.Contains(errs[0].Hint, hint) {
				t.Errorf("%s%.40s: %+v", path, day, errs)
			}
		}
	}
}

// Where a version is named, no day has a say, and nor has anything else; on an item nothing counts but
// the day, and what is not there is not there, whatever is asked.
func TestParametersThatMeanNothing(t *testing.T) {
	c := ask(t, storeSite())
	for _, path := range []string{deposit + "/versions/1.0.0", "/guidelines/product.deposit.001/current.json", "/"} {
		want := c.get(path)
		for _, query := range []string{"as_of=yesterday", "x=1", "%zz", "as_of=1;as_of=2"} {
			if r := c.get(path + "?" + query); r.status != http.StatusOK ||
				r.header.Get("Etag") != want.header.Get("Etag") {
				t.Errorf("%s?%s: %d", path, query, r.status)
			}
		}
	}
	for path, want := range map[string]string{
		deposit + "?x=1&x=2&y":                             "",
		deposit + "?x=1&as_of=2026-02-01":                  "not_published_then",
		"/api/v1/guidelines/investment.secret.001?x=1":     "redacted",
		"/api/v1/guidelines/consumer-rights.court.001?x=1": "no_current_version",
		"/api/v1/guidelines/product.nothing.001?x=1":       "guideline_not_found",
		"/nowhere?as_of=2026-05-01":                        "path_not_found",
	} {
		if got := c.get(path).asProblem().Code; got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// since leaves out what is older; the pages are those of what remains.
func TestSince(t *testing.T) {
	c := ask(t, storeSite())
	all := decode[page](t, c.get("/api/v1/changelog").body)
	lines := strings.SplitAfter(string(c.get("/api/v1/checksums").body), "\n")
	for _, day := range []string{"2026-01-01", "2026-02-02", "2026-02-03", "2026-05-12", "2030-01-01"} {
		want := 0
		for _, e := range all.Entries {
			if strings.Trim(string(e["date"]), `"`)[:10] >= day { // none is near midnight
				want++
			}
		}
		for offset := 0; offset <= want+1; offset += 2 { // pages of two
			p := decode[page](t, c.get(fmt.Sprintf("/api/v1/changelog?since=%s&limit=2&offset=%d", day, offset)).body)
			rest := all.Entries[min(offset, want):min(offset+2, want)]
			if p.Total != want || p.Limit != 2 || p.Offset != offset || !slices.EqualFunc(p.Entries, rest, sameEntry) {
				t.Errorf("since %s from %d: %+v", day, offset, p)
			}
		}
		since := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
			return line != "" && strings.Fields(line)[2][:10] < day
		})
		if r := c.get("/api/v1/checksums?since=" + day); r.status != http.StatusOK ||
			string(r.body) != strings.Join(since, "") {
			t.Errorf("since %s: %d\n%s", day, r.status, r.body)
		}
	}
	// Half past midnight in Moscow is the day before in UTC.
	k := ask(t, kindsSite())
	for day, lines := range map[string]int{"2026-06-08": 2, "2026-06-09": 0} {
		if n := strings.Count(string(k.get("/api/v1/checksums?since="+day).body), "\n"); n != lines {
			t.Errorf("%d publications since %s, want %d", n, day, lines)
		}
	}
	for _, query := range []string{"until=2026-05-01", "since=2026-05-01&since=2026-05-02"} {
		c.get("/api/v1/checksums?"+query).want(t, http.StatusBadRequest, "invalid_query")
	}
}

// An instant is looked back to as a day is: what was current at it, wherever that is asked
// for. What was published in its very second is.
func TestAsOfAnInstant(t *testing.T) {
	c := ask(t, storeSite())
	first := time.Date(2026, 2, 2, 7, 0, 0, 0, time.UTC)
	second := time.Date(2026, 3, 3, 8, 30, 0, 0, time.UTC)
	for at, want := range map[time.Time]string{first: "1.0.0", second.Add(-time.Nanosecond): "1.0.0", second: "1.1.0"} {
		for _, zone := range []*time.Location{time.UTC, time.FixedZone("", -11*3600)} {
			asOf := url.QueryEscape(at.In(zone).Format(time.RFC3339Nano))
			if got := decode[content.Object](t, c.get(deposit+"?as_of="+asOf).body).Text("guideline_version"); got != want {
				t.Errorf("as of %s it is %q, want %s", asOf, got, want)
			}
			if got := ids(t, c, "/api/v1/guidelines?prefix="+path.Base(deposit)+"&as_of="+asOf); !slices.Equal(got,
				[]string{path.Base(deposit) + "@" + want}) {
				t.Errorf("the list as of %s: %q", asOf, got)
			}
		}
	}
	r := c.get(deposit + "?as_of=" + first.Add(-time.Second).Format(time.RFC3339))
	r.want(t, http.StatusNotFound, "not_published_then")
	if d := r.asProblem().Detail; !strings.Contains(d, "Первая опубликована "+i18n.DayOf("2026-02-02")) {
		t.Errorf("a second before the first: %s", d)
	}
	const copied = "2026-02-02T10:00:00+03:00" // from published_at, as it is
	if body := c.page("/api/v1/guidelines?as_of="+copied, http.StatusOK); !strings.Contains(body,
		`type="text" value="`+strings.ReplaceAll(copied, "+", "&#43;")+`"`) {
		t.Errorf("the page does not keep the instant: %s", body)
	}
	if got := c.call("get_guideline", `{"guideline_id":"`+path.Base(deposit)+`","as_of":"`+copied+
		`"}`); !strings.Contains(got, "1.0.0") {
		t.Errorf("MCP, as of %s: %s", copied, got)
	}
}
