package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"rulestore/content"
	"rulestore/loader/gitrepo"
	"rulestore/server"
	"rulestore/server/calc"
	"rulestore/server/site"
)

const toolsPath = "/api/v1/math/tools/"

// post sends a body; headers are names and values in turn.
func (c client) post(path, body string, headers ...string) response {
	c.Helper()
	req := must(http.NewRequest(http.MethodPost, c.url+path, strings.NewReader(body)))
	req.Header.Set("Content-Type", jsonType)
	for pair := range slices.Chunk(headers, 2) {
		req.Header.Set(pair[0], pair[1])
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		c.Fatalf("POST %s: %v", path, err)
	}
	return c.read(http.MethodPost, path, resp)
}

func tools() []*calc.Tool { return slices.Collect(starterSite().Math().Tools()) }

// Every example of every tool gives over HTTP, byte for byte, what the engine
// gives, in both forms.
func TestCalculationsAreTheEngines(t *testing.T) {
	c := ask(t, starterSite())
	for _, tool := range tools() {
		for _, e := range tool.Examples {
			want := must(tool.Calculate([]byte(e.Request), starterSite().Facts()))
			r := c.post(toolsPath+tool.ID, e.Request)
			if r.status != http.StatusOK || !bytes.Equal(r.body, want.JSON()) {
				t.Errorf("%s: %q: %d\n%s\nexpected\n%s", tool.ID, e.Title, r.status, r.body, want.JSON())
			}
			if again := c.post(toolsPath+tool.ID, e.Request); !bytes.Equal(again.body, r.body) {
				t.Errorf("%s: %q: another answer to the same request", tool.ID, e.Title)
			}
			for name, want := range map[string]string{
				"Content-Type": jsonType, "Cache-Control": "no-store", "Content-Language": "ru",
				"X-Snapshot": starterSite().ID, "Etag": "", "Deprecation": "",
			} {
				t.Run(name, func(t *testing.T) {
					if got := r.header.Get(name); got != want {
						t.Errorf("%s: %s is %q, want %q", tool.ID, name, got, want)
					}
				})
			}
			text := c.post(toolsPath+tool.ID, e.Request, "Accept", markdownType)
			if text.status != http.StatusOK || !bytes.Equal(text.body, want.Markdown()) ||
				text.header.Get("Content-Type") != "text/markdown; charset=utf-8" {
				t.Errorf("%s: %q as Markdown: %d %v\n%s", tool.ID, e.Title, text.status, text.header, text.body)
			}
		}
	}
}

// The paths from before the registry answer as their successors do, and say so.
func TestLegacyCalculations(t *testing.T) {
	c := ask(t, starterSite())
	loan, _ := starterSite().Math().Tool("loan_payment")
	comparison, _ := starterSite().Math().Tool(calc.CompareLoansID)
	for path, tool := range map[string]*calc.Tool{
		"/api/v1/math/loan/calculate": loan,
		"/api/v1/math/loan/compare":   comparison,
	} {
		for _, e := range tool.Examples {
			r := c.post(path, e.Request)
			if want := c.post(toolsPath+tool.ID, e.Request); r.status != http.StatusOK ||
				!bytes.Equal(r.body, want.body) {
				t.Errorf("%s: %d\n%s\nits successor\n%s", path, r.status, r.body, want.body)
			}
			successor := "<" + baseURL + toolsPath + tool.ID + `>; rel="successor-version"`
			if !slices.Contains(r.header["Link"], successor) || !strings.HasPrefix(r.header.Get("Deprecation"), "@") {
				t.Errorf("%s does not name its successor: %v", path, r.header)
			}
		}
		c.get(path).want(t, http.StatusMethodNotAllowed, "method_not_allowed")
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut} {
			for _, accept := range []string{"*/*", browser} {
				for _, query := range []string{"", "?x=1"} {
					r := c.do(method, path+query, "Accept", accept)
					if r.status != http.StatusMethodNotAllowed || r.header.Get("Allow") != "POST, OPTIONS" ||
						r.isPage() != (accept == browser) {
						t.Errorf("%s %s%s: %d %v", method, path, query, r.status, r.header)
					}
				}
			}
		}
	}
}

// That there is a successor is said whatever the answer, to scripts as well.
func TestLegacyIsAlwaysSaid(t *testing.T) {
	c := ask(t, starterSite())
	const path = "/api/v1/math/loan/calculate"
	form := []string{"Content-Type", "application/x-www-form-urlencoded", "Accept", browser}
	for status, r := range map[int]response{
		http.StatusNoContent:             c.do(http.MethodOptions, path),
		http.StatusBadRequest:            c.post(path, "no JSON"),
		http.StatusMethodNotAllowed:      c.get(path),
		http.StatusNotAcceptable:         c.post(path, loanRequest, "Accept", "image/png"),
		http.StatusRequestEntityTooLarge: c.post(path, loanRequest+strings.Repeat(" ", 64<<10)),
		http.StatusUnsupportedMediaType:  c.post(path, loanRequest, "Content-Type", "text/plain"),
		http.StatusUnprocessableEntity:   c.post(path, "", form...),
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			successor := "<" + baseURL + toolsPath + `loan_payment>; rel="successor-version"`
			if r.status != status || r.header.Get("Deprecation") != site.LegacySince ||
				!slices.Equal(r.header["Link"], []string{successor}) {
				t.Errorf("%d, want %d: %v", r.status, status, r.header)
			}
			for _, name := range []string{"Deprecation", "Link"} {
				if exposed := strings.Split(r.header.Get("Access-Control-Expose-Headers"),
					", "); !slices.Contains(exposed, name) {
					t.Errorf("%s is not exposed", name)
				}
			}
		})
	}
	if r := c.post(toolsPath+"loan_payment", "no JSON"); r.header.Get("Deprecation") != "" {
		t.Error("the successor is legacy itself")
	}
}

const loanRequest = `{"inputs":{"principal":"1000000","annual_rate_pct":"12","term_months":12}}`

// What is wrong with a request, with its status and code, and where it is.
func TestRefusedCalculations(t *testing.T) {
	c := ask(t, starterSite())
	const start = `{"inputs":{"annual_rate_pct":"12","term_months":12,"principal":`
	for name, test := range map[string]struct {
		path, body string
		headers    []string
		status     int
		code       string
		errors     string // pointers and codes
	}{
		"unknown tool":  {"tools/loan_paiment", loanRequest, nil, 404, "unknown_tool", ""},
		"no tool":       {"tools/", loanRequest, nil, 404, "unknown_tool", ""},
		"below a tool":  {"tools/loan_payment/x", loanRequest, nil, 404, "unknown_tool", ""},
		"no path":       {"nothing", loanRequest, nil, 404, "path_not_found", ""},
		"no body":       {"tools/loan_payment", "", nil, 400, "invalid_json", ""},
		"no JSON":       {"tools/loan_payment", "principal=1", nil, 400, "invalid_json", ""},
		"NaN":           {"tools/loan_payment", start + `NaN}}`, nil, 400, "invalid_json", ""},
		"two documents": {"tools/loan_payment", loanRequest + loanRequest, nil, 400, "invalid_json", ""},
		"not UTF-8":     {"tools/loan_payment", "{\"\xff\":1}", nil, 400, "invalid_json", ""},
		"a list":        {"tools/loan_payment", "[]", nil, 422, "validation_failed", " type"},
		"a form": {"tools/loan_payment", loanRequest,
			[]string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "unsupported_media_type", ""},
		"no type": {"tools/loan_payment", loanRequest, []string{"Content-Type", ""}, 415,
			"unsupported_media_type", ""},
		"compressed": {"tools/loan_payment", loanRequest, []string{"Content-Encoding", "gzip"}, 415,
			"unsupported_media_type", ""},
		"an image": {"tools/loan_payment", loanRequest, []string{"Accept", "image/png"},
			406, "not_acceptable", ""},
		"a parameter": {"tools/loan_payment?principal=1", loanRequest, nil, 400, "invalid_query",
			"/query/principal unknown_parameter"},
		"too large": {"tools/loan_payment", loanRequest + strings.Repeat(" ", 64<<10), nil,
			413, "body_too_large", ""},
		"huge": {"tools/loan_payment", strings.Repeat("9", 4<<20), nil, 413, "body_too_large", ""},
		"exponent": {"tools/loan_payment", start + `1e999999999}}`, nil, 422, "validation_failed",
			"/inputs/principal pattern"},
		"many digits": {"tools/loan_payment", start + strings.Repeat("9", 60000) + `}}`, nil, 422,
			"validation_failed", "/inputs/principal pattern"},
		"32 bits": {"tools/loan_payment",
			`{"inputs":{"principal":"1","annual_rate_pct":"1","term_months":4294967297}}`, nil, 422,
			"validation_failed", "/inputs/term_months pattern"},
		"unknown field": {"tools/loan_payment", start + `"1","ballon":1}}`, nil, 422, "validation_failed",
			"/inputs/ballon unknown_field"},
		"duplicate key": {"tools/loan_payment", start + `"1","principal":"2"}}`, nil, 422, "validation_failed",
			"/inputs/principal duplicate_key"},
		"deep": {"tools/loan_payment", strings.Repeat("[", 30000) + strings.Repeat("]", 30000), nil, 422,
			"validation_failed", " too_deep"},
		"long list": {"tools/loan_payment_to_income",
			`{"inputs":{"monthly_income":"1","monthly_payments":[` + strings.Repeat(`"1",`, 200) + `"1"]}}`, nil, 422,
			"validation_failed", "/inputs/monthly_payments too_many_items"},
		"no such day": {"tools/deposit_simple_interest",
			`{"inputs":{"principal":"1","annual_rate_pct":"1","start_date":"2026-02-29","end_date":"2026-03-01"}}`, nil,
			422, "validation_failed", "/inputs/start_date date_invalid"},
		"reversed": {"tools/deposit_simple_interest",
			`{"inputs":{"principal":"1","annual_rate_pct":"1","start_date":"2026-03-02","end_date":"2026-03-01"}}`, nil,
			422, "validation_failed", "/inputs/end_date date_order"},
		"missing": {"loan/calculate", `{"inputs":{"principal":"1","annual_rate_pct":"1"}}`, nil, 422,
			"validation_failed", "/inputs/term_months required"},
		"never amortises": {"tools/card_payoff_fixed_payment",
			`{"inputs":{"balance":"100000","annual_rate_pct":"30","monthly_payment":"1"}}`, nil, 200, "", ""},
		"JSON with a name": {"tools/loan_payment", loanRequest,
			[]string{"Content-Type", "Application/JSON; charset=utf-8"}, 200, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := client{TB: t, url: c.url}
			r := c.post("/api/v1/math/"+test.path, test.body, test.headers...)
			r.want(t, test.status, test.code)
			var got []string
			for _, e := range r.asProblem().Errors {
				got = append(got, e.Pointer+" "+e.Code)
				if e.Detail == "" || e.Hint == "" {
					t.Errorf("no detail or no hint: %+v", e)
				}
			}
			if strings.Join(got, ", ") != test.errors {
				t.Errorf("got %q, want %q", got, test.errors)
			}
			if len(r.body) > 8<<10 {
				t.Errorf("%d bytes", len(r.body))
			}
		})
	}
}

func TestUnknownToolIsNamed(t *testing.T) {
	c := ask(t, starterSite())
	for id, want := range map[string]string{
		"loan_paymnt": "tools/loan_payment ", "kasko_premum": "tools/kasko_premium ", "zzz": "нет. Реестр",
		strings.Repeat("a", 5000): "нет. Реестр",
	} {
		t.Run(id, func(t *testing.T) {
			for _, r := range []response{c.get(toolsPath + id), c.post(toolsPath+id, loanRequest)} {
				r.want(t, http.StatusNotFound, "unknown_tool")
				if !strings.Contains(r.asProblem().Detail, want) {
					t.Errorf("%s: %s", id, r.asProblem().Detail)
				}
			}
		})
	}
}

// The registry is read, filtered, compressed and validated like any other list.
func TestCalculationList(t *testing.T) {
	type list struct {
		Total int
		Tools []struct {
			ID     string `json:"tool_id"`
			Family string
			URL    string
		}
	}
	c := ask(t, starterSite())
	all := decode[list](t, c.get("/api/v1/math").body)
	if all.Total != 52 || len(all.Tools) != 52 || all.Tools[0].ID != "loan_payment" {
		t.Errorf("%+v", all)
	}
	for query, want := range map[string]int{
		"release=1.3": 2, "release=1.3.0": 2, "release=1.5": 32, "release=1.5.0": 32, "release=1.6": 9,
		"release=1.7": 1, "release=1.8": 8,
		"family=credit_card": 8, "family=deadline": 1, "family=loan&release=1.8": 3, "family=kasko&release=1.8": 0,
	} {
		t.Run(query, func(t *testing.T) {
			if got := decode[list](t, c.get("/api/v1/math?"+query).body); got.Total != want || len(got.Tools) != want {
				t.Errorf("%s: %+v", query, got)
			}
		})
	}
	for _, query := range []string{"x=1", "family=", "family=cars", "release=2.0", "family=loan&family=kasko"} {
		c.get("/api/v1/math?"+query).want(t, http.StatusBadRequest, "invalid_query")
	}
	c.get(toolsPath+"loan_payment?x=1").want(t, http.StatusBadRequest, "invalid_query")
	text := c.get("/api/v1/math", "Accept", markdownType)
	for _, tool := range all.Tools {
		if !bytes.Contains(text.body, []byte("]("+tool.URL+"): `"+tool.ID+"`")) {
			t.Errorf("the Markdown lacks %s", tool.ID)
		}
	}
	r := c.get(toolsPath+"loan_payment", "If-None-Match", c.get(toolsPath+"loan_payment").header.Get("Etag"))
	if r.status != http.StatusNotModified {
		t.Errorf("%d for what the client has", r.status)
	}
}

// The release of a tool is a product version of the changelog, in the same spelling.
func TestReleasesOfTools(t *testing.T) {
	type entry struct {
		Version string `json:"product_version"`
	}
	log := decode[struct{ Entries []entry }](t, ask(t, starterSite()).get("/api/v1/changelog?limit=500").body)
	for tool := range starterSite().Math().Tools() {
		if !slices.ContainsFunc(log.Entries, func(e entry) bool { return e.Version == tool.Release }) {
			t.Errorf("%s: the changelog has no release %s", tool.ID, tool.Release)
		}
	}
}

// The instruction for the math module names every tool of the registry, in the
// families that the registry has, but for the comparison of loans, which is younger there.
func TestInstructionNamesTheTools(t *testing.T) {
	type named struct {
		ID     string `json:"tool_id"`
		Family string
	}
	item := starterSite().Snapshot.Item(content.Instructions, "math-module")
	want := decode[[]named](t, item.Current.Body().Get("tools"))
	var got []named
	for tool := range starterSite().Math().Tools() {
		if tool.ID != calc.CompareLoansID {
			got = append(got, named{tool.ID, tool.Family})
		}
	}
	byID := func(a, b named) int { return strings.Compare(a.ID, b.ID) }
	slices.SortFunc(want, byID)
	slices.SortFunc(got, byID)
	if !slices.Equal(got, want) {
		t.Errorf("the registry has\n%v\nthe instruction\n%v", got, want)
	}
}

// A tool describes itself: its schemas are those that are served alone, and its
// examples work.
func TestToolDescription(t *testing.T) {
	c := ask(t, starterSite())
	for _, tool := range tools() {
		r := c.get(toolsPath + tool.ID)
		doc := decode[struct {
			ID       string          `json:"tool_id"`
			Policy   string          `json:"rounding_policy"`
			Formula  string          `json:"formula_id"`
			Input    json.RawMessage `json:"input_schema"`
			Output   json.RawMessage `json:"output_schema"`
			Limits   map[string]int
			Examples []struct {
				Title   string
				Request json.RawMessage
			}
		}](t, r.body)
		if doc.ID != tool.ID || doc.Policy != calc.RoundingPolicy || doc.Formula != tool.Formula ||
			doc.Limits["max_body_bytes"] != 65536 {
			t.Errorf("%s: %+v", tool.ID, doc)
		}
		for name, inline := range map[string]json.RawMessage{"input": doc.Input, "output": doc.Output} {
			alone := c.get(toolsPath + tool.ID + "/" + name + "-schema")
			var compact bytes.Buffer
			if err := json.Compact(&compact, alone.body); err != nil || compact.String() != string(inline) ||
				alone.header.Get("Content-Type") != schemaType {
				t.Errorf("%s: the %s schema differs (%v)", tool.ID, name, err)
			}
		}
		for _, e := range doc.Examples {
			if r := c.post(toolsPath+tool.ID, string(e.Request)); r.status != http.StatusOK {
				t.Errorf("%s: %q: %d", tool.ID, e.Title, r.status)
			}
		}
		if len(doc.Examples) == 0 {
			t.Errorf("%s: no example", tool.ID)
		}
	}
}

// A browser is told what it may send.
func TestCalculationPreflight(t *testing.T) {
	c := ask(t, starterSite())
	r := c.do(http.MethodOptions, toolsPath+"loan_payment", "Origin", "https://app.example",
		"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type")
	if r.status != http.StatusNoContent || r.header.Get("Allow") != "GET, HEAD, POST, OPTIONS" ||
		!strings.Contains(r.header.Get("Access-Control-Allow-Methods"), "POST") ||
		!strings.Contains(r.header.Get("Access-Control-Allow-Headers"), "Content-Type") {
		t.Errorf("%d %v", r.status, r.header)
	}
	for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch} {
		r := c.do(method, toolsPath+"loan_payment")
		if r.want(t, http.StatusMethodNotAllowed,
			"method_not_allowed"); r.header.Get("Allow") != "GET, HEAD, POST, OPTIONS" {
			t.Errorf("%s: %v", method, r.header)
		}
	}
	c.do(http.MethodPost, "/api/v1/math").want(t, http.StatusMethodNotAllowed, "method_not_allowed")
}

// A body that stops half-way is no request.
func TestHalfABody(t *testing.T) {
	c := ask(t, starterSite())
	conn := must(net.Dial("tcp", strings.TrimPrefix(c.url, "http://")))
	defer conn.Close()
	_, _ = io.WriteString(conn, "POST "+toolsPath+
		"loan_payment HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"inputs\"")
	_ = conn.(*net.TCPConn).CloseWrite()
	answer := must(io.ReadAll(conn))
	if bytes.Contains(answer, []byte(" 200 ")) {
		t.Errorf("an answer to half a request:\n%s", answer)
	}
	c.post(toolsPath+"loan_payment", loanRequest).want(t, http.StatusOK, "")
}

// calendarScript publishes the starter content and then a calendar in which the
// first of June 2026 is off.
var calendarScript = sync.OnceValue(func() gitrepo.Script {
	const file = "calendars/ru-2026.yaml"
	var text string
	for _, step := range starterScript() {
		if raw, ok := step.Files[file]; ok {
			text = string(raw)
		}
	}
	next := starterSite().Snapshot.Item(content.Calendars, "ru-2026").Current.Version.IncMinor()
	const list = "non_working_weekdays:\n"
	text = strings.Replace(text, list, list+"  - {date: 2026-06-01, name: Новый праздник, basis: labour_code_112}\n", 1)
	return append(slices.Clone(starterScript()), gitrepo.ScriptCommit{
		Date: today.AddDate(0, 0, -1), Message: "Новый праздник",
		Files: map[string][]byte{file: []byte(text)},
		Tags:  []gitrepo.NewTag{{Name: "calendars/ru-2026/v" + next.String(), Message: "Новый праздник"}},
	})
})

const deadlineRequest = `{"inputs":{"start_event":{"code":"claim_registered","date":"2026-05-12","confirmed":true},
	"term":{"value":15,"unit":"business_days","unit_confirmed":true},
	"source":{"ref":"consumer-rights.fo-response-standard-working-days","checked_on":"2026-05-01","confirmed":true},"applicability_confirmed":true}}`

type deadlineAnswer struct {
	Status, Reason string
	Outputs        struct{ Deadline struct{ Value string } }
	External       []struct{ ID, Version, SHA256, Decree string } `json:"external_data"`
}

// While sites are swapped each answer counts by the calendar of the snapshot that
// it names.
func TestSwapUnderCalculations(t *testing.T) {
	before, after := starterSite(), build(starterSite(), load(calendarScript()).Snapshot)
	want := map[string]deadlineAnswer{}
	for _, s := range []*site.Site{before, after} {
		want[s.ID] = decode[deadlineAnswer](t, ask(t, s).post(toolsPath+"consumer_rights_deadline_date",
			deadlineRequest).body)
	}
	old, changed := want[before.ID], want[after.ID]
	if old.Outputs.Deadline.Value != "2026-06-02" || changed.Outputs.Deadline.Value != "2026-06-03" {
		t.Errorf("before %+v, after %+v", old, changed)
	}
	current := after.Snapshot.Item(content.Calendars, "ru-2026").Current
	if e := changed.External; len(e) != 1 || e[0].ID != "ru-2026" || e[0].Version != current.Version.String() ||
		e[0].SHA256 != current.Checksum {
		t.Errorf("external_data is %+v, the calendar %s %s", e, current.Version, current.Checksum)
	}

	sites := serving(before)
	c := start(t, server.Config{Sites: sites})
	stop := make(chan struct{})
	var swapper, clients sync.WaitGroup
	swapper.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				sites.Store([]*site.Site{before, after}[i%2])
			}
		}
	})
	for range 4 {
		clients.Go(func() {
			for range 50 {
				r := c.post(toolsPath+"consumer_rights_deadline_date", deadlineRequest)
				got := decode[deadlineAnswer](c, r.body)
				if w := want[r.header.Get("X-Snapshot")]; got.Outputs != w.Outputs ||
					!slices.Equal(got.External, w.External) {
					c.Errorf("%s: got %+v, want %+v", r.header.Get("X-Snapshot"), got, w)
				}
			}
		})
	}
	clients.Wait()
	close(stop)
	swapper.Wait()
}

// Without a calendar the year is missing, never guessed.
func TestNoCalendar(t *testing.T) {
	got := decode[deadlineAnswer](t, ask(t, storeSite()).post(toolsPath+"consumer_rights_deadline_date",
		deadlineRequest).body)
	if got.Status != calc.CalculationNotAvailable || got.Reason != string(calc.CalendarYearMissing) ||
		got.Outputs.Deadline.Value != "" {
		t.Errorf("%+v", got)
	}
}
