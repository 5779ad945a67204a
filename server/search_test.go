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

func TestSearchFirstHit(t *testing.T) {
	c := ask(t, starterSite())
	for query, want := range map[string]string{
		// In other forms than the text has them.
		"досрочному закрытию вкладов":     "calculation deposit_early_withdrawal",
		"полной стоимостью кредита":       "parameter credit.psk-cap",
		"голос родственника просит денег": "guideline fraud.ai-deepfake-impersonation.001",
		"установите приложение из файлов": "signal APK_INSTALLATION_REQUESTED",
		"первичным обращением в банк":     "guideline consumer-rights.primary-contact.001",
		"предела суммы требований":        "parameter consumer-rights.ombudsman-amount-limit",
		"подушку безопасности":            "calculation pfm_emergency_fund",
		"ключевую ставку":                 "parameter rate.key-current",
		"ипотечных аннуитетных платежей":  "calculation mortgage_annuity_payment",
		"математического модуля":          "instruction service.math-module.001",
		"СЕРТИФИКАТА Минцифры":            "route verify-certificate-or-browser-transition.001",
		"капитализацией процентов":        "calculation deposit_capitalized_interest",
		"исполнительные листы":            "guideline consumer-rights.enforcement.001",
		"рабочими днями":                  "term business_day",

		// ё and е.
		"отчёт бюро кредитных историй": "route credit-history-check.001",
		"отчет бюро кредитных историй": "route credit-history-check.001",
		"безопасный счет":              "signal SAFE_ACCOUNT_TRANSFER_REQUESTED",

		// Synonyms of the glossary.
		"депозит": "guideline product.deposit.analysis.001",

		// Codes, by their beginning or a part.
		"apk_inst":                   "signal APK_INSTALLATION_REQUESTED",
		"APK-Installation":           "signal APK_INSTALLATION_REQUESTED",
		"ombudsman-amount-limit":     "parameter consumer-rights.ombudsman-amount-limit",
		"product.kasko":              "guideline product.kasko.analysis.001",
		"service.fraud-response.001": "instruction service.fraud-response.001",
		"REMOTE_ACCESS_REQUESTED":    "signal REMOTE_ACCESS_REQUESTED",
		"fraud.intercom-code":        "guideline fraud.intercom-code-government-portal.001",
		"код «для домофона», SMS нет": "guideline fraud.intercom-code-government-portal.001",
	} {
		t.Run(query, func(t *testing.T) {
			f := seek(t, c, "q", query)
			got := ""
			if len(f.Results) > 0 {
				got = f.Results[0].name()
			}
			if got != want {
				t.Errorf("%s: %q, want %q (of %d)", query, got, want, f.Total)
			}
			if (f.Total == 0) != (want == "") || f.Query["q"] != query || len(f.Query) != 1 {
				t.Errorf("%s: %+v", query, f)
			}
		})
	}
}

// wantStatus is the status of what a hit leads to: a parameter that waits for a
// check says so, everything else of the starter content is current.
func wantStatus(kind string, item content.Object) string {
	if kind == "parameter" {
		return item.Text("status")
	}
	return "current"
}

// What a hit says of an item is what the item says, and the addresses lead
// there.
func TestSearchHits(t *testing.T) {
	c := ask(t, starterSite())
	kinds := map[string]int{}
	for _, query := range []string{"срок ответа", "признак", "вклад", "код", "претензия", "математика"} {
		for _, h := range seek(t, c, "q", query, "limit", "60").Results {
			if kinds[h.Kind]++; kinds[h.Kind] > 12 { // enough of these
				continue
			}
			if h.Kind == "calculation" {
				continue // TestSearchFindsCalculations
			}
			r := c.get(strings.TrimPrefix(h.URL, baseURL))
			item := decode[content.Object](t, r.body)
			version, checksum, permanent := r.header.Get("X-"+strings.ToUpper(h.Kind[:1])+h.Kind[1:]+"-Version"),
				r.header.Get("X-Content-Checksum"), h.CanonicalURL
			if h.SourceURL != "" {
				version, checksum, permanent = item.Text("registry_version"), item.Text("source_checksum"), h.SourceURL
				h.ContentChecksum, h.SourceChecksum = h.SourceChecksum, h.ContentChecksum
			}
			if r.status != http.StatusOK || h.Version != version || h.ContentChecksum != checksum ||
				h.SourceChecksum != "" || h.Status != wantStatus(h.Kind, item) {
				t.Errorf("%s: %+v\n%d %v", query, h, r.status, r.header)
			}
			if h.Title != item.Text("title") && h.Title != item.Text("term") ||
				c.get(strings.TrimPrefix(permanent, baseURL)).header.Get("X-Content-Checksum") != checksum {
				t.Errorf("%s: %+v\n%s", query, h, r.body)
			}
		}
	}
	if len(kinds) < 12 {
		t.Errorf("hits of %v only", kinds)
	}
}

// A calculation is found by what it calculates, and its address answers.
func TestSearchFindsCalculations(t *testing.T) {
	c := ask(t, starterSite())
	f := seek(t, c, "q", "рассчитать платёж по кредиту", "kind", "calculation")
	if len(f.Results) == 0 || f.Results[0].ID != "loan_payment" || f.Results[0].Version == "" {
		t.Fatalf("%+v", f.Results)
	}
	for _, h := range f.Results {
		if h.Kind != "calculation" || c.get(strings.TrimPrefix(h.URL, baseURL)).status != http.StatusOK {
			t.Errorf("%+v", h)
		}
	}
}

// Without fields=full a hit has no addresses and no checksums.
func TestSearchInShort(t *testing.T) {
	c := ask(t, starterSite())
	r := c.get("/api/v1/search?q=" + url.QueryEscape("вклад"))
	r.want(t, http.StatusOK, "")
	for _, name := range []string{"url", "canonical_url", "content_checksum", "source_url",
		"source_checksum", "version"} {
		if strings.Contains(string(r.body), `"`+name+`":`) {
			t.Errorf("it has %s", name)
		}
	}
}

// What is found says how: the words, how much of the question they are, and the section
// that the snippet is of.
func TestSearchSaysWhy(t *testing.T) {
	c := ask(t, starterSite())
	for _, test := range []struct {
		query, id, match, words string
	}{
		{"первичное обращение", "consumer-rights.primary-contact.001", "all_words", "первичное обращение"},
		{"первичное обращение абракадабра", "consumer-rights.primary-contact.001", "some_words", "первичное обращение"},
		{"первичное обрасчение", "consumer-rights.primary-contact.001", "similar", "первичное обрасчение"},
	} {
		t.Run(test.query, func(t *testing.T) {
			f := seek(t, c, "q", test.query)
			h := f.Results[0]
			if h.ID != test.id || h.Match != test.match || strings.Join(h.Words, " ") != test.words || h.Section == "" {
				t.Errorf("%+v", h)
			}
			if suggests := f.Suggestions.Words != nil; suggests == (test.match == "all_words") {
				t.Errorf("%+v", f.Suggestions)
			}
		})
	}
}

// A kind that has nothing says which others have; a code that there is none of is an
// error that names a near one.
func TestSearchSuggests(t *testing.T) {
	c := ask(t, starterSite())
	f := seek(t, c, "q", "безопасный счёт", "kind", "calendar")
	if f.Total != 0 || !slices.ContainsFunc(f.Suggestions.Kinds, func(k map[string]any) bool {
		return k["kind"] == "signal"
	}) {
		t.Errorf("%+v", f)
	}
	for _, query := range []string{"signal=SMS_CODE_REQESTED", "product_type=mortgag"} {
		r := c.get("/api/v1/search?" + query)
		r.want(t, http.StatusBadRequest, "invalid_query")
		if e := r.asProblem().Errors; len(e) != 1 || e[0].Code != "unknown_value" || e[0].Hint == "" {
			t.Errorf("%s: %+v", query, e)
		}
	}
	if hint := c.get(
		"/api/v1/search?signal=SMS_CODE_REQESTED",
	).asProblem().Errors[0].Hint; !strings.Contains(hint, "SMS_CODE_REQUESTED") {
		t.Error(hint)
	}
}

// A signal leads to all that names it: rules, schemes, states.
func TestSearchBySignal(t *testing.T) {
	c := ask(t, starterSite())
	kinds := map[string]bool{}
	for _, h := range seek(t, c, "signal", "SMS_CODE_REQUESTED", "limit", "100").Results {
		kinds[h.Kind] = true
	}
	if !kinds["signal"] || !kinds["fraud_scenario"] {
		t.Errorf("%v", kinds)
	}
}

// A scenario has its instruction, the parameters that this names and the records
// that it leads to, though none of them names the scenario.
func TestSearchFindsWhatBelongsToAScenario(t *testing.T) {
	c := ask(t, starterSite())
	for scenario, want := range map[string][]string{
		"product_analysis": {"instruction service.product-document-analysis.001",
			"guideline product.common.001"},
		"consumer_rights": {"instruction service.consumer-rights-response.001",
			"parameter consumer-rights.ombudsman-amount-limit",
			"parameter consumer-rights.fo-response-standard-working-days", "guideline consumer-rights.timeline.001"},
		"fraud_risk": {"instruction service.fraud-response.001",
			"guideline fraud.ai-deepfake-impersonation.001", "signal SAFE_ACCOUNT_TRANSFER_REQUESTED"},
		"investment_advice": {"instruction service.investment-advice.001",
			"guideline investment.stop-filters.001"},
		"credit_history_analysis":  {"instruction service.credit-history-analysis.001"},
		"math_module":              {"instruction service.math-module.001"},
		"personal_finance_manager": {"instruction service.personal-finance-manager.001"},
	} {
		t.Run(scenario, func(t *testing.T) {
			f := seek(t, c, "scenario", scenario, "limit", "200")
			var got []string
			for _, h := range f.Results {
				got = append(got, h.name())
				if !slices.Contains(h.Scenarios, scenario) {
					t.Errorf("%s: %s is of %q", scenario, h.name(), h.Scenarios)
				}
			}
			for _, name := range append(want, "instruction service.assistant.001") {
				if !slices.Contains(got, name) {
					t.Errorf("%s: %s is not found", scenario, name)
				}
			}
			for _, name := range got {
				signal, parameter := strings.HasPrefix(name, "signal "), strings.HasPrefix(name, "parameter ")
				if signal && scenario != "fraud_risk" || parameter &&
					!slices.Contains([]string{"consumer_rights", "math_module", "credit_history_analysis"}, scenario) {
					t.Errorf("%s: finds %s", scenario, name)
				}
			}
		})
	}
}

// All that is asked must hold.
func TestSearchFilters(t *testing.T) {
	c := ask(t, kindsSite())
	const (
		code, secrecy, apk = "signal CODE_REQUESTED", "signal SECRECY_REQUESTED", "signal APK_REQUESTED"
		guideline          = "guideline fraud.code.001"
		fraud, claims      = "instruction service.fraud-response.001", "instruction service.claims.001"
		assistant          = "instruction service.assistant.001"
	)
	for i, test := range []struct {
		parameters []string
		want       []string // in any order
	}{
		{[]string{"q", "код"}, []string{code, guideline, fraud}},
		{[]string{"q", "код", "scenario", "fraud_risk"}, []string{code, guideline, fraud}},
		{[]string{"q", "код", "signal", "CODE_REQUESTED"}, []string{code, guideline, fraud}},
		{[]string{"q", "код", "signal", "CODE_REQUESTED", "scenario", "fraud_risk"}, []string{code, guideline, fraud}},
		{[]string{"q", "молчать", "signal", "CODE_REQUESTED"}, nil},
		{[]string{"signal", "SECRECY_REQUESTED"}, []string{secrecy, fraud}},
		{[]string{"scenario", "fraud_risk"}, []string{guideline, assistant, fraud, claims, code, secrecy, apk,
			"parameter bank.limit"}},
		{[]string{"scenario", "fraud_risk", "product_type", "card"}, nil},
		{[]string{"product_type", "card"}, nil},
		{[]string{"q", "вернуть деньги"}, []string{"instruction service.assistant.001",
			"instruction service.claims.001", "term chargeback", "term deposit"}},
		{[]string{"q", "требования"}, []string{"parameter bank.limit"}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			f := seek(t, c, append(test.parameters, "limit", "200")...)
			var got []string
			for _, h := range f.Results {
				if slices.Contains([]string{"guideline", "instruction", "parameter", "signal", "term"}, h.Kind) {
					got = append(got, h.name())
				}
			}
			slices.Sort(got)
			slices.Sort(test.want)
			if !slices.Equal(got, test.want) || f.Total != len(f.Results) {
				t.Errorf("%q: %q, want %q", test.parameters, got, test.want)
			}
		})
	}
	s := ask(t, starterSite())
	for _, h := range seek(t, s, "product_type", "deposit", "q", "ставка").Results {
		if h.Kind != "guideline" && h.Kind != "scenario" || h.Kind == "guideline" &&
			!strings.HasPrefix(h.ID, "product.") {
			t.Errorf("a deposit: %s", h.name())
		}
	}
}

func TestSearchSnippets(t *testing.T) {
	c := ask(t, kindsSite())
	for query, want := range map[string]string{
		"код из сообщения":    "Что делать, если просят **код** из **сообщения**.", // stop words are not marked
		"платежной":           "Возврат оплаты по правилам **платёжной** системы.",
		"депозит":             "Деньги, которые банк обязуется вернуть с процентами.", // by its other name
		"требование":          "Наибольшая сумма **требования**.",
		"рабочих дней":        "За сколько **рабочих** **дней** отвечают.",
		"претензия составить": "Как помочь **составить** **претензию**.",
	} {
		t.Run(query, func(t *testing.T) {
			f := seek(t, c, "q", query)
			if !slices.ContainsFunc(f.Results, func(h hit) bool { return h.Snippet == want }) {
				t.Errorf("%s: %+v", query, f.Results)
			}
		})
	}
	// Without a text it is the beginning of what the item says.
	if f := seek(t, c, "signal",
		"CODE_REQUESTED"); f.Results[0].Snippet != "Что делать, если просят код из сообщения." {
		t.Errorf("%+v", f.Results[0])
	}
	// However long an item is, a snippet is a line.
	for _, h := range seek(t, ask(t, starterSite()), "q", "банк", "limit", "500").Results {
		if n := utf8.RuneCountInString(h.Snippet); n == 0 || n > 400 || strings.Contains(h.Snippet, "\n") ||
			strings.Count(h.Snippet, "**")%2 != 0 {
			t.Errorf("%s: %d characters: %s", h.name(), n, h.Snippet)
		}
	}
}

func TestSearchPages(t *testing.T) {
	c := ask(t, starterSite())
	all := seek(t, c, "q", "банк", "limit", "500")
	if all.Total != len(all.Results) || all.Total < 50 || all.Limit != 500 {
		t.Fatalf("%d of %d results", len(all.Results), all.Total)
	}
	for i, page := range []struct{ limit, offset int }{{20, 0}, {1, 0}, {7, 3}, {500, 40}, {20, all.Total - 1},
		{20, all.Total}, {20, 1_000_000_000}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			f := seek(t, c, "q", "банк", "limit", fmt.Sprint(page.limit), "offset", fmt.Sprint(page.offset))
			want := all.Results[min(page.offset, all.Total):min(page.offset+page.limit, all.Total)]
			if f.Total != all.Total || f.Limit != page.limit || f.Offset != page.offset ||
				fmt.Sprint(f.Results) != fmt.Sprint(want) {
				t.Errorf("%+v: %d of %d results", page, len(f.Results), f.Total)
			}
		})
	}
	if f := seek(t, c, "q", "банк"); f.Limit != 20 || len(f.Results) != 20 {
		t.Errorf("%d results by default", len(f.Results))
	}
}

func TestInvalidSearches(t *testing.T) {
	c := ask(t, starterSite())
	long := strings.Repeat("ё", 201)
	for query, want := range map[string][3]string{
		"":                          {"q", "nothing_asked", "q, kind, scenario, product_type, signal"},
		"?":                         {"q", "nothing_asked", "q, kind, scenario, product_type, signal"},
		"?limit=5":                  {"q", "nothing_asked", "q, kind, scenario, product_type, signal"},
		"?limit=5&offset=5":         {"q", "nothing_asked", "q, kind, scenario, product_type, signal"},
		"?q=":                       {"q", "empty_value", "Укажите"},
		"?q":                        {"q", "empty_value", "Укажите"},
		"?q=%20":                    {"q", "empty_value", "Укажите"},
		"?q=+%09%0A%C2%A0%E3%80%80": {"q", "empty_value", "Укажите"},
		"?signal=":                  {"signal", "empty_value", "Укажите"},
		"?q=x&product_type=%20":     {"product_type", "empty_value", "Укажите"},
		"?scenario=": {"scenario", "unknown_value",
			"product_analysis, consumer_rights, fraud_risk, investment_advice, credit_history_analysis, math_module, " +
				"personal_finance_manager"},
		"?scenario=global":         {"scenario", "unknown_value", "product_analysis"},
		"?q=x&scenario=Fraud_risk": {"scenario", "unknown_value", "fraud_risk"},
		"?query=x": {"query", "unknown_parameter",
			"q, kind, scenario, product_type, signal, limit, offset, fields"},
		"?q=x&Q=x":              {"Q", "unknown_parameter", "q, kind, scenario"},
		"?q=x&as_of=2026-02-30": {"as_of", "no_date", "2026-05-01"},
		"?q=x&q=y":              {"q", "repeated_parameter", "один раз"},
		"?q=" + url.QueryEscape(strings.Repeat("ё", 2001)): {"q", "too_long", "Не больше 2000 знаков."},
		"?signal=" + long[:402]:                            {"signal", "too_long", "200"},
		"?q=x&limit=0":                                     {"limit", "out_of_range", "От 1 до 500."},
		"?q=x&limit=501":                                   {"limit", "out_of_range", "От 1 до 500."},
		"?q=x&limit=ten":                                   {"limit", "out_of_range", "От 1 до 500."},
		"?q=x&offset=-1":                                   {"offset", "out_of_range", "От 0 до"},
		"?q=%zz":                                           {"", "malformed", "urlencoded"},
		"?q=x;limit=5":                                     {"", "malformed", "urlencoded"},
	} {
		t.Run(query, func(t *testing.T) {
			r := c.get("/api/v1/search" + query)
			r.want(t, http.StatusBadRequest, "invalid_query")
			pointer := strings.TrimSuffix("/query/"+want[0], "/")
			ok := slices.ContainsFunc(r.asProblem().Errors, func(e struct{ Pointer, Code, Detail, Hint string }) bool {
				return e.Pointer == pointer && e.Code == want[1] && strings.Contains(e.Hint, want[2]) && e.Detail != ""
			})
			if !ok {
				t.Errorf("%.80s: want %q\n%s", query, want, r.body)
			}
			if head := c.do(http.MethodHead, "/api/v1/search"+query); head.status != http.StatusBadRequest {
				t.Errorf("HEAD %.80s: %d", query, head.status)
			}
		})
	}
	// At the limit it is still fine, and characters count, not bytes.
	seek(t, c, "q", long[:400])
	for method, status := range map[string]int{"POST": 405, "OPTIONS": 204, "DELETE": 405} {
		t.Run(method, func(t *testing.T) {
			if r := c.do(method, "/api/v1/search"); r.status != status ||
				r.header.Get("Allow") != "GET, HEAD, OPTIONS" {
				t.Errorf("%s: %d", method, r.status)
			}
		})
	}
}

// Whatever is asked, the answer is a result or a 400, and repeats nothing that
// could harm who reads it.
func TestHostileSearches(t *testing.T) {
	c := ask(t, kindsSite())
	for _, q := range []string{
		"\x00", "\xff\xfe", "код\x00код", "\u202e", "\ufeff", "\ufffd", "\ufffe", "е\u0301", "́́́", "👩‍👩‍👧‍👦", "ﷺ",
		"***", "**", "\"", "'\"`", "\\", `"код"`, "код AND OR NOT", "код~2", "+код -код", "код*", "(((((", "[код TO я]",
		"/.*/", "^код$", "a:b", "title:код",
		"' OR 1=1 --", "<script>alert(1)</script>", "{{7*7}}", "${jndi:ldap://x}", "../../etc/passwd", "%00", "%2e%2e",
		"\r\nX-Evil: 1", "null", "true", "1e309", "-0", "٣",
		strings.Repeat("к", 200), strings.Repeat("к ", 100), strings.Repeat("*", 200), strings.Repeat("1.", 100),
		strings.Repeat("a_", 100), strings.Repeat("код ", 50),
		"В Начале-Было.Слово,и;Слово:было!у?Бога", "1 000 000", "1,5", "01.02.2026", "ё", "и", "в", "и в на", "ъ", "́",
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

// The index belongs to the snapshot: what is found is what is served, and what
// is archived or superseded is not found.
func TestSearchFindsWhatIsCurrent(t *testing.T) {
	c := ask(t, kindsSite())
	for query, want := range map[string]bool{
		"Лишние сведения о человеке": false, // redacted
		"применяет с ошибкой":        false, // archived
		"установить файл":            true,
	} {
		t.Run(query, func(t *testing.T) {
			all := slices.DeleteFunc(seek(t, c, "q", query).Results, func(h hit) bool { return h.Match != "all_words" })
			if len(all) > 0 != want {
				t.Errorf("%s: %+v", query, all)
			}
		})
	}
	for _, h := range seek(t, c, "q", "Ипотека", "kind", "parameter").Results { // it is archived
		t.Errorf("%+v", h)
	}
	// The same at every time, with a validator of its own.
	path := "/api/v1/search?q=%D0%BA%D0%BE%D0%B4"
	first := c.get(path)
	if again := c.get(path, "If-None-Match", first.header.Get("Etag")); again.status != http.StatusNotModified {
		t.Errorf("%d", again.status)
	}
	other := ask(t, build(kindsSite(), load(readScript("testdata/kinds.txtar")).Snapshot))
	if r := other.get(path); string(r.blanked()) != string(first.blanked()) ||
		r.header.Get("Etag") != first.header.Get("Etag") {
		t.Error("another replica finds other things")
	}
}

// A kind of product that there is not is an error with a near one, in lists as in
// searches; of another day it may be one that there was.
func TestUnknownProductType(t *testing.T) {
	c := ask(t, starterSite())
	for path, hint := range map[string]string{
		"/api/v1/guidelines?product_type=morgage": "Возможно, mortgage.",
		"/api/v1/scenarios?product_type=morgage":  "Возможно, mortgage.",
		"/api/v1/search?product_type=morgage":     "Возможно, mortgage.",
		"/api/v1/guidelines?product_type=zzzzzzz": "в таксономии",
	} {
		t.Run(path, func(t *testing.T) {
			r := c.get(path)
			r.want(t, http.StatusBadRequest, "invalid_query")
			if e := r.asProblem().Errors; len(e) != 1 || e[0].Code != "unknown_value" ||
				!strings.Contains(e[0].Hint, hint) {
				t.Errorf("%+v", e)
			}
		})
	}
	if r := c.get("/api/v1/guidelines?product_type=zzzzzzz&as_of=2026-06-01"); r.status != http.StatusOK {
		t.Error(r.status)
	}
}
