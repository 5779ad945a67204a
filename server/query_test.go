package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rulestore/content"
)

// ids asks for a list and returns what is in it, as id@version.
func ids(t *testing.T, c client, path string) []string {
	t.Helper()
	r := c.get(path)
	if r.status != http.StatusOK {
		t.Fatalf("%s: %d\n%s", path, r.status, r.body)
	}
	list := decode[content.Object](t, r.body)
	got := []string{}
	for _, o := range decode[[]content.Object](t, list[len(list)-1].Value) { // id and version come first
		got = append(got, o.Text(o[0].Name)+"@"+o.Text(o[1].Name))
	}
	if string(list.Get("total")) != strconv.Itoa(len(got)) {
		t.Errorf("%s: total is not %d\n%s", path, len(got), r.body)
	}
	if strings.Contains(string(r.body), "null") {
		t.Errorf("%s: an empty list is not null\n%s", path, r.body)
	}
	return got
}

func TestFilters(t *testing.T) {
	c := ask(t, storeSite())
	const (
		claim   = "consumer-rights.claim.001"
		court   = "consumer-rights.court.001"
		call    = "fraud.call.001"
		code    = "fraud.code.001"
		promise = "investment.promise.001"
		deposit = "product.deposit.001"
		loan    = "product.loan.001"
	)
	for _, test := range []struct {
		path string
		want []string
	}{
		{"guidelines", []string{claim + "@1.0.0", code + "@1.0.0", promise + "@1.1.0",
			deposit + "@2.0.0", loan + "@1.0.0"}},

		{"guidelines?status=current", []string{claim + "@1.0.0", promise + "@1.1.0", deposit + "@2.0.0"}},
		{"guidelines?status=review_required", []string{code + "@1.0.0", loan + "@1.0.0"}},
		{"guidelines?status=superseded", []string{call + "@1.0.0", deposit + "@1.1.0"}}, // the newest of each
		{"guidelines?status=archived", []string{claim + "@1.1.0", court + "@1.0.0", call + "@1.1.0"}},

		{"guidelines?scenario=product_analysis", []string{deposit + "@2.0.0", loan + "@1.0.0"}},

		{"guidelines?product_type=savings_account", []string{deposit + "@2.0.0"}},
		{"guidelines?product_type=consumer_loan", []string{loan + "@1.0.0"}},
		{"guidelines?product_type=deposit%2Csavings_account", nil},

		{"guidelines?scenario=fraud_risk&status=archived", []string{call + "@1.1.0"}},
		{"guidelines?scenario=fraud_risk&status=current", nil},
		{"guidelines?scenario=product_analysis&product_type=consumer_loan", []string{loan + "@1.0.0"}},
		{"guidelines?status=superseded&product_type=savings_account", []string{deposit + "@1.1.0"}},
		{"guidelines?status=review_required&scenario=product_analysis&product_type=consumer_loan",
			[]string{loan + "@1.0.0"}},

		{"scenarios", []string{"fraud_risk@1.0.0", "product_analysis@1.1.0"}},
		{"scenarios?status=superseded", []string{"product_analysis@1.0.0"}},
		{"scenarios?product_type=deposit", []string{"product_analysis@1.1.0"}},
		{"scenarios?product_type=kasko", nil},
	} {
		if got := ids(t, c, "/api/v1/"+test.path); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.path, got, test.want)
		}
	}
}

// An agent's typo must not widen its result: whatever is not understood is
// named, together with what would be.
func TestInvalidQueries(t *testing.T) {
	c := ask(t, storeSite())
	for _, test := range []struct{ path, pointer, code, hint string }{
		{"guidelines?status=new", "/query/status", "unknown_value", "current, superseded, archived, review_required"},
		{"guidelines?status=redacted", "/query/status", "unknown_value",
			"current, superseded, archived, review_required"},
		{"guidelines?status=", "/query/status", "unknown_value", "current"},
		{"guidelines?scenario=math_module", "/query/scenario", "unknown_value",
			"product_analysis, consumer_rights, fraud_risk, investment_advice"},
		{"guidelines?product_type=", "/query/product_type", "empty_value", "Укажите"},
		{"guidelines?stauts=current", "/query/stauts", "unknown_parameter", "scenario, status, product_type"},
		{"guidelines?a%2Fb~=1", "/query/a~1b~0", "unknown_parameter", "scenario"},
		{"guidelines?status=current&status=archived", "/query/status", "repeated_parameter", "один раз"},
		{"guidelines?status=%zz", "/query", "malformed", "urlencoded"},
		{"guidelines?&&=", "/query/", "unknown_parameter", "scenario"},

		{"scenarios?status=review_required", "/query/status", "unknown_value", "current, superseded, archived."},
		{"scenarios?scenario=fraud_risk", "/query/scenario", "unknown_parameter", "status, product_type"},

		{"guidelines/product.deposit.001/versions?status=current", "/query/status",
			"unknown_parameter", "limit, offset."},

		{"changelog?page=2", "/query/page", "unknown_parameter", "limit, offset"},
	} {
		r := c.get("/api/v1/" + test.path)
		r.want(t, http.StatusBadRequest, "invalid_query")
		errs := r.asProblem().Errors
		if len(errs) != 1 || errs[0].Pointer != test.pointer || errs[0].Code != test.code ||
			!strings.Contains(errs[0].Hint, test.hint) || errs[0].Detail == "" {
			t.Errorf("%s: %+v", test.path, errs)
		}
		head := c.do(http.MethodHead, "/api/v1/"+test.path)
		if head.status != r.status || head.header.Get("Content-Length") != r.header.Get("Content-Length") {
			t.Errorf("HEAD %s: %d %v", test.path, head.status, head.header)
		}
	}
}

// All errors are named at once, in a stable order, but never thousands.
func TestManyQueryErrors(t *testing.T) {
	c := ask(t, storeSite())
	q := url.Values{"status": {"x"}, "scenario": {"y"}, "product_type": {""}}
	for i := range 3000 {
		q.Set(fmt.Sprint("p", i), "")
	}
	first := c.get("/api/v1/guidelines?" + q.Encode())
	first.want(t, http.StatusBadRequest, "invalid_query")
	if n := len(first.asProblem().Errors); n < 3 || n > 100 {
		t.Errorf("%d errors are named", n)
	}
	if again := c.get("/api/v1/guidelines?" + q.Encode()); string(again.body) != string(first.body) {
		t.Errorf("the same request, another answer:\n%s\n%s", first.body, again.body)
	}
}

// page is an answer of the changelog.
type page struct {
	Total, Limit, Offset int
	Entries              []map[string]json.RawMessage
}

func TestChangelogPages(t *testing.T) {
	c := ask(t, storeSite())
	all := decode[page](t, c.get("/api/v1/changelog").body)
	n := len(storeSite().Snapshot.Changes)
	if all.Total != n || all.Limit != 50 || all.Offset != 0 || len(all.Entries) != n || n < 10 {
		t.Fatalf("the changelog has %d entries: %+v", n, all)
	}
	for _, test := range []struct {
		query         string
		limit, offset int
	}{
		{"limit=500", 500, 0}, {"limit=3&offset=2", 3, 2}, {"limit=007", 7, 0}, {fmt.Sprint("offset=", n), 50, n},
		{"offset=1000000000", 50, 1_000_000_000},
	} {
		got := decode[page](t, c.get("/api/v1/changelog?"+test.query).body)
		want := all.Entries[min(test.offset, n):min(test.offset+test.limit, n)]
		if got.Total != n || got.Limit != test.limit || got.Offset != test.offset || got.Entries == nil ||
			!slices.EqualFunc(got.Entries, want, sameEntry) {
			t.Errorf("%s: %+v", test.query, got)
		}
	}
	for name, values := range map[string][]string{"offset": {"-1", "1000000001", "99999999999999999999"},
		"limit": {"0", "501", "1e3", "", "1_000", " 1", "٣"}} {
		for _, value := range values {
			r := c.get("/api/v1/changelog?" + name + "=" + url.QueryEscape(value))
			r.want(t, http.StatusBadRequest, "invalid_query")
			if errs := r.asProblem().Errors; len(errs) != 1 || errs[0].Pointer != "/query/"+name ||
				errs[0].Code != "out_of_range" || !strings.Contains(errs[0].Hint, "От ") {
				t.Errorf("%s=%s: %+v", name, value, errs)
			}
		}
	}
}

func sameEntry(a, b map[string]json.RawMessage) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// The two shapes of entries, newest first, in the order of the specification.
func TestChangelogEntries(t *testing.T) {
	c := ask(t, storeSite())
	body := decode[struct{ Entries []json.RawMessage }](t, c.get("/api/v1/changelog").body)
	last := time.Now()
	shapes := map[string]int{}
	for _, raw := range body.Entries {
		shape := strings.Join(fieldsOf(decode[content.Object](t, raw)), " ")
		shapes[shape]++
		date, err := time.Parse(time.RFC3339, decode[struct{ Date string }](t, raw).Date)
		if err != nil || date.After(last) {
			t.Errorf("%s comes after an older one (%v)", raw, err)
		}
		last = date
	}
	want := map[string]int{
		"date guideline_id old_version new_version change_summary criticality": 11, // every guideline version
		"date guideline_id old_version new_version criticality":                2,  // of what is redacted
		"version product_version date type scenario changes":                   1,  // v1.1.0
		// v1.2.0, and modules before a product
		"version product_version module_version date type scenario changes": 3,
	}
	if fmt.Sprint(shapes) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", shapes, want)
	}
	entry := func(id, version string) map[string]any {
		for _, raw := range body.Entries {
			e := decode[map[string]any](t, raw)
			if e["guideline_id"] == id && e["new_version"] == version {
				return e
			}
		}
		t.Fatalf("no entry for %s %s", id, version)
		return nil
	}
	first := entry("fraud.code.001", "1.0.0")
	if old, ok := first["old_version"]; !ok || old != nil || first["criticality"] != "critical" ||
		first["change_summary"] != "Первая публикация" {
		t.Errorf("first publication: %v", first)
	}
	next := entry("product.deposit.001", "2.0.0")
	if next["old_version"] != "1.1.0" || next["criticality"] != "significant" {
		t.Errorf("next publication: %v", next)
	}
}
