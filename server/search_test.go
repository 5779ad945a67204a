package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"rulestore/content"
)

// found is the answer to a search.
type found struct {
	Query                map[string]string
	Total, Limit, Offset int
	Results              []hit
	Suggestions          struct{ Words, Titles, Kinds []map[string]any }
}

type hit struct {
	Kind, ID, Title, Version, Status, Snippet, URL string
	Section, Match                                 string

	Words, Scenarios []string

	CanonicalURL    string `json:"canonical_url"`
	ContentChecksum string `json:"content_checksum"`
	SourceURL       string `json:"source_url"`
	SourceChecksum  string `json:"source_checksum"`

	ReferencedBy []struct{ Kind, ID, Title, URL string } `json:"referenced_by"`
}

func (h hit) name() string { return h.Kind + " " + h.ID }

// seek asks a search for all that it says; the parameters are names and values in turn.
func seek(t *testing.T, c client, parameters ...string) found {
	t.Helper()
	q := url.Values{"fields": {"full"}}
	for pair := range slices.Chunk(parameters, 2) {
		q.Add(pair[0], pair[1])
	}
	r := c.get("/api/v1/search?" + q.Encode())
	if r.status != http.StatusOK || !utf8.Valid(r.body) {
		t.Fatalf("%q: %d\n%s", parameters, r.status, r.body)
	}
	f := decode[found](t, r.body)
	if f.Results == nil || len(f.Results) > f.Limit || len(f.Results) > max(0, f.Total-f.Offset) {
		t.Errorf("%q: %d of %d results\n%.500s", parameters, len(f.Results), f.Total, r.body)
	}
	return f
}

// The first hit, how it was found, and by which of the words: by other forms and names, by codes and
// by what is like a word.
func TestSearchFirstHit(t *testing.T) {
	c := ask(t, kindsSite())
	for query, want := range map[string]string{
		"кодом из сообщений":           "guideline fraud.code.001 all_words: кодом сообщений",
		"сообщение абракадабра":        "guideline fraud.code.001 some_words: сообщение",
		"сообщеине код":                "guideline fraud.code.001 similar: сообщеине код",
		"APK-Req":                      "signal APK_REQUESTED all_words: APK-Req",
		"service.fraud-response.001":   "instruction service.fraud-response.001 all_words: service.fraud-response.001",
		"рассчитать платёж по кредиту": "calculation loan_payment all_words: рассчитать платёж кредиту",
	} {
		f := seek(t, c, "q", query)
		got := ""
		if len(f.Results) > 0 {
			h := f.Results[0]
			got = h.name() + " " + h.Match + ": " + strings.Join(h.Words, " ")
		}
		if got != want || f.Query["q"] != query || len(f.Query) != 1 {
			t.Errorf("%s: %q, want %q: %v", query, got, want, f.Query)
		}
		if suggests := f.Suggestions.Words != nil; suggests == strings.Contains(want, "all_words") {
			t.Errorf("%s: %+v", query, f.Suggestions)
		}
	}
}

// What a hit says of an item is what the item says, and the addresses lead there. Without fields=full
// it has no addresses and no checksums.
func TestSearchHits(t *testing.T) {
	c := ask(t, kindsSite())
	kinds := map[string]bool{}
	for _, query := range []string{"код", "банк", "претензия", "каникулы", "схемы", "маршрут", "платеж"} {
		for _, h := range seek(t, c, "q", query, "limit", "60").Results {
			if h.ID == "versions" { // of a record, which has no address of its own
				continue
			}
			kinds[h.Kind] = true
			r := c.get(strings.TrimPrefix(h.URL, baseURL))
			item := decode[content.Object](t, r.body)
			if h.Kind == "calculation" {
				if r.status != http.StatusOK || h.Version == "" {
					t.Errorf("%+v", h)
				}
				continue
			}
			version, checksum, permanent := r.header.Get("X-"+strings.ToUpper(h.Kind[:1])+h.Kind[1:]+"-Version"),
				r.header.Get("X-Content-Checksum"), h.CanonicalURL
			status := item.Text("status")
			if h.SourceURL != "" {
				version, checksum, permanent = item.Text("registry_version"), item.Text("source_checksum"), h.SourceURL
				h.ContentChecksum, h.SourceChecksum = h.SourceChecksum, h.ContentChecksum
				status = "current"
			}
			if r.status != http.StatusOK || h.Version != version || h.ContentChecksum != checksum ||
				h.SourceChecksum != "" || h.Status != status {
				t.Errorf("%s: %+v\n%d %v", query, h, r.status, r.header)
			}
			if h.Title != item.Text("title") && h.Title != item.Text("term") ||
				c.get(strings.TrimPrefix(permanent, baseURL)).header.Get("X-Content-Checksum") != checksum {
				t.Errorf("%s: %+v\n%s", query, h, r.body)
			}
		}
	}
	if len(kinds) < 9 {
		t.Errorf("hits of %v only", kinds)
	}
	short := string(c.get(searchPath("код")).body)
	for _, name := range []string{"url", "canonical_url", "content_checksum", "source_url", "source_checksum", "version"} {
		if strings.Contains(short, `"`+name+`":`) {
			t.Errorf("in short it has %s", name)
		}
	}
}

// All that is asked must hold. What is redacted, archived or superseded is not found; a scenario has what
// its instruction names.
func TestSearchFilters(t *testing.T) {
	c := ask(t, kindsSite())
	const (
		code, secrecy, apk = "signal CODE_REQUESTED", "signal SECRECY_REQUESTED", "signal APK_REQUESTED"
		guideline          = "guideline fraud.code.001"
		fraud, claims      = "instruction service.fraud-response.001", "instruction service.claims.001"
		assistant          = "instruction service.assistant.001"
	)
	for _, test := range []struct {
		parameters []string
		want       []string // in any order
	}{
		{[]string{"q", "код"}, []string{code, guideline, fraud}},
		{[]string{"q", "код", "signal", "CODE_REQUESTED", "scenario", "fraud_risk"}, []string{code, guideline, fraud}},
		{[]string{"q", "молчать", "signal", "CODE_REQUESTED"}, nil},
		{[]string{"signal", "SECRECY_REQUESTED"}, []string{secrecy, fraud}},
		{[]string{"scenario", "fraud_risk"}, []string{guideline, assistant, fraud, claims, code, secrecy, apk,
			"parameter bank.limit"}},
		{[]string{"scenario", "fraud_risk", "product_type", "card"}, nil},
		{[]string{"q", "вернуть деньги"}, []string{"instruction service.assistant.001",
			"instruction service.claims.001", "term chargeback", "term deposit"}},
		{[]string{"q", "Ипотека", "kind", "parameter"}, nil}, // archived
	} {
		f := seek(t, c, append(test.parameters, "limit", "200")...)
		var got []string
		for _, h := range f.Results {
			if slices.Contains([]string{"guideline", "instruction", "parameter", "signal", "term"}, h.Kind) {
				got = append(got, h.name())
			}
			if h.Match == "all_words" && strings.Contains(h.Snippet, "с ошибкой") {
				t.Errorf("%+v", h)
			}
		}
		slices.Sort(got)
		slices.Sort(test.want)
		if !slices.Equal(got, test.want) || f.Total != len(f.Results) {
			t.Errorf("%q: %q, want %q", test.parameters, got, test.want)
		}
	}
	// Another replica finds the same.
	first := c.get(searchPath("код"))
	other := ask(t, build(kindsSite(), load(sealed(readScript("testdata/kinds.txtar"))).Snapshot))
	if r := other.get(searchPath("код")); string(r.blanked()) != string(first.blanked()) ||
		r.header.Get("Etag") != first.header.Get("Etag") {
		t.Error("another replica finds other things")
	}
}

func TestSearchSnippets(t *testing.T) {
	c := ask(t, kindsSite())
	for query, want := range map[string]string{
		"код из сообщения":    "Что делать, если просят **код** из **сообщения**.", // stop words are not marked
		"платежной":           "Возврат оплаты по правилам **платёжной** системы.",
		"депозит":             "Деньги, которые банк обязуется вернуть с процентами.", // by its other name
		"претензия составить": "Как помочь **составить** **претензию**.",
	} {
		f := seek(t, c, "q", query)
		if !slices.ContainsFunc(f.Results, func(h hit) bool { return h.Snippet == want }) {
			t.Errorf("%s: %+v", query, f.Results)
		}
	}
	// Without a text it is the beginning of what the item says.
	if f := seek(t, c, "signal",
		"CODE_REQUESTED"); f.Results[0].Snippet != "Что делать, если просят код из сообщения." {
		t.Errorf("%+v", f.Results[0])
	}
}

func TestSearchPages(t *testing.T) {
	c := ask(t, kindsSite())
	all := seek(t, c, "scenario", "fraud_risk", "limit", "500")
	if all.Total != len(all.Results) || all.Total < 10 || all.Limit != 500 {
		t.Fatalf("%d of %d results", len(all.Results), all.Total)
	}
	for _, page := range []struct{ limit, offset int }{{20, 0}, {7, 3}, {20, all.Total - 1}, {20, all.Total},
		{20, 1_000_000_000}} {
		f := seek(t, c, "scenario", "fraud_risk", "limit", fmt.Sprint(page.limit), "offset", fmt.Sprint(page.offset))
		want := all.Results[min(page.offset, all.Total):min(page.offset+page.limit, all.Total)]
		if f.Total != all.Total || f.Limit != page.limit || f.Offset != page.offset ||
			fmt.Sprint(f.Results) != fmt.Sprint(want) {
			t.Errorf("%+v: %d of %d results", page, len(f.Results), f.Total)
		}
	}
	if f := seek(t, c, "scenario", "fraud_risk"); f.Limit != 20 {
		t.Errorf("%d results by default", f.Limit)
	}
}

func TestInvalidSearches(t *testing.T) {
	c := ask(t, kindsSite())
	long := strings.Repeat("ё", 201)
	for query, want := range map[string][3]string{
		"?limit=5":                  {"q", "nothing_asked", "q, kind, scenario, product_type, signal"},
		"?q":                        {"q", "empty_value", "Укажите"},
		"?q=+%09%0A%C2%A0%E3%80%80": {"q", "empty_value", "Укажите"},
		"?q=x&product_type=%20":     {"product_type", "empty_value", "Укажите"},
		"?scenario=":                {"scenario", "unknown_value", "fraud_risk"},
		"?q=x&scenario=Fraud_risk":  {"scenario", "unknown_value", "fraud_risk"},
		"?q=x&Q=x":                  {"Q", "unknown_parameter", "q, kind, scenario, product_type, signal, limit, offset, fields"},
		"?q=x&as_of=2026-02-30":     {"as_of", "no_date", "2026-05-01"},
		"?q=x&q=y":                  {"q", "repeated_parameter", "один раз"},
		"?q=" + url.QueryEscape(strings.Repeat("ё", 2001)): {"q", "too_long", "Не больше 2000 знаков."},
		"?signal=" + long[:402]:                            {"signal", "too_long", "200"},
		"?signal=CODE_REQESTED":                            {"signal", "unknown_value", "CODE_REQUESTED"},
		"?product_type=car":                                {"product_type", "unknown_value", "Возможно, card."},
		"?product_type=zzzzzzz":                            {"product_type", "unknown_value", "в таксономии"},
		"?q=x&limit=501":                                   {"limit", "out_of_range", "От 1 до 500."},
		"?q=x&offset=-1":                                   {"offset", "out_of_range", "От 0 до"},
		"?q=%zz":                                           {"", "malformed", "urlencoded"},
	} {
		r := c.get("/api/v1/search" + query)
		r.want(t, http.StatusBadRequest, "invalid_query")
		pointer := strings.TrimSuffix("/query/"+want[0], "/")
		ok := slices.ContainsFunc(r.asProblem().Errors, func(e struct{ Pointer, Code, Detail, Hint string }) bool {
			return e.Pointer == pointer && e.Code == want[1] && strings.Contains(e.Hint, want[2]) && e.Detail != ""
		})
		if !ok {
			t.Errorf("%.80s: want %q\n%s", query, want, r.body)
		}
	}
	// At the limit it is still fine, and characters count, not bytes; of another day there may have been a type.
	seek(t, c, "q", long[:400])
	if r := c.get("/api/v1/guidelines?product_type=zzzzzzz&as_of=2026-06-01"); r.status != http.StatusOK {
		t.Error(r.status)
	}
	if f := seek(t, c, "q", "депозит", "kind", "calendar"); f.Total != 0 ||
		!slices.ContainsFunc(f.Suggestions.Kinds, func(k map[string]any) bool { return k["kind"] == "term" }) {
		t.Errorf("a kind that has nothing does not say which others have: %+v", f)
	}
}

// Whatever is asked, the answer is a result or a 400, and repeats nothing that
// could harm who reads it.
func TestHostileSearches(t *testing.T) {
	c := ask(t, kindsSite())
	for _, q := range []string{
		"\x00", "\xff\xfe", "код\x00код", "\u202e", "\ufeff", "\ufffe", "е\u0301", "́́́", "👩‍👩‍👧‍👦", "ﷺ", "***", "'\"`", "\\",
		"код AND OR NOT", "код~2", "(((((", "[код TO я]", "/.*/", "title:код", "' OR 1=1 --", "<script>alert(1)</script>",
		"${jndi:ldap://x}", "%00", "\r\nX-Evil: 1", "1e309", "٣", strings.Repeat("к ", 100), strings.Repeat("*", 200),
		strings.Repeat("a_", 100), "В Начале-Было.Слово,и;Слово:было!у?Бога", "01.02.2026", "и в на",
	} {
		for _, name := range []string{"q", "signal", "product_type"} {
			r := c.get("/api/v1/search?" + name + "=" + url.QueryEscape(q))
			if r.status != http.StatusOK && r.status != http.StatusBadRequest || !utf8.Valid(r.body) ||
				!json.Valid(r.body) || r.header.Get("X-Evil") != "" {
				t.Errorf("%s=%q: %d\n%.300s", name, q, r.status, r.body)
			}
			if name != "q" && r.status == http.StatusOK && decode[found](t, r.body).Total > 0 {
				t.Errorf("%s=%q finds something", name, q)
			}
		}
	}
}
