package server_test

import (
	"bytes"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// postForm sends a form as a browser does.
func (c client) postForm(path string, form url.Values) response {
	c.Helper()
	return c.post(path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Accept", browser)
}

var (
	aField  = regexp.MustCompile(`(?s)<input [^>]*>|<select .*?</select>|<textarea .*?</textarea>`)
	aName   = regexp.MustCompile(` name="([^"]*)"`)
	aValue  = regexp.MustCompile(`(?s)^<input .* value="([^"]*)"|<option value="([^"]*)" selected|^<textarea [^>]*>(.*)</textarea>`)
	anID    = regexp.MustCompile(` id="([^"]+)"`)
	hashSet = regexp.MustCompile(`исходных данных <code>(sha256:[0-9a-f]{64})<`)
)

var lineEnds = strings.NewReplacer("\r\n", "\r\n", "\n", "\r\n")

// sentBy is what a browser would send of the form of a page, with line ends as browsers send them.
func sentBy(page string) url.Values {
	_, body, _ := strings.Cut(page, `<form class="calculation"`)
	body, _, _ = strings.Cut(body, "</form>")
	form := url.Values{}
	for _, field := range aField.FindAllString(body, -1) {
		value := ""
		if m := aValue.FindStringSubmatch(field); m != nil {
			value = m[1] + m[2] + m[3]
		}
		form.Set(html.UnescapeString(aName.FindStringSubmatch(field)[1]),
			lineEnds.Replace(html.UnescapeString(value)))
	}
	return form
}

// The page of every tool has its first example in the form, and what the form sends gives what the
// engine gives for the example: the same inputs by their hash.
func TestCalculationForms(t *testing.T) {
	c := ask(t, kindsSite())
	for _, tool := range tools() {
		shown := c.page(toolsPath+tool.ID, http.StatusOK)
		form := sentBy(shown)
		r := c.postForm(toolsPath+tool.ID, form)
		want := must(tool.Calculate([]byte(tool.Examples[0].Request), kindsSite().Facts()))
		if found := hashSet.FindStringSubmatch(string(r.body)); r.status != http.StatusOK || found == nil ||
			found[1] != want.InputsHash() || r.header.Get("Cache-Control") != "private, no-cache" ||
			!strings.Contains(string(r.body), want.Verdict()+"</h2>") {
			t.Errorf("%s: %d, not the inputs of the example: %v", tool.ID, r.status, form)
		}
		if again := sentBy(string(r.body)); again.Encode() != form.Encode() {
			t.Errorf("%s: the form came back with\n%v, not\n%v", tool.ID, again, form)
		}
		for _, page := range []string{shown, string(r.body)} {
			ids := map[string]bool{}
			for _, m := range anID.FindAllStringSubmatch(page, -1) {
				if ids[m[1]] {
					t.Errorf("%s: two elements have the id %s", tool.ID, m[1])
				}
				ids[m[1]] = true
			}
			if len(page) > 100_000 {
				t.Errorf("%s: %d bytes", tool.ID, len(page))
			}
		}
	}
}

// An answer has the outputs, the schedule, the comparison with a contract, the warnings
// and, without a result, the reason.
func TestAnswersOfForms(t *testing.T) {
	c := ask(t, kindsSite())
	for name, test := range map[string]struct {
		tool string
		sent url.Values
		has  []string
	}{
		"numbers of people": {"loan_payment", url.Values{"principal": {"5 000\u00A0000,00"}, "annual_rate_pct": {" 18,5"},
			"term_months": {"360"}}, []string{`<th scope="row">Ежемесячный платёж</th><td class="num">77 397,23 ₽</td>`,
			"<tr><td>360</td>", `value="5 000 000,00"`}},
		"a long schedule": {"loan_payment", url.Values{"principal": {"5000000"}, "annual_rate_pct": {"18.5"},
			"term_months": {"600"}}, []string{"<tr><td>400</td>", "И ещё строк: 200."}},
		"a contract": {"loan_payment", url.Values{"principal": {"5000000"}, "annual_rate_pct": {"18.5"},
			"term_months": {"360"}, "contract_values": {`{"payment": "78000.00"}`}},
			[]string{"Сверка с договором</h3>", "<td>расхождение</td>", "<td>78 000,00</td>"}},
		"no result": {"card_payoff_fixed_payment", url.Values{"balance": {"100000"}, "annual_rate_pct": {"30"},
			"monthly_payment": {"1000"}}, []string{"Расчёт невозможен: платёж не больше процентов и не гасит долг</h2>"}},
		"unconfirmed": {"consumer_rights_deadline_date", url.Values{
			"start_event": {`{"code":"claim_registered","date":"2026-05-12","confirmed":true}`},
			"term":        {`{"value":15,"unit":"business_day","unit_confirmed":false}`}, "applicability_confirmed": {"true"},
			"source": {`{"ref":"consumer-rights.fo-response-standard-working-days","checked_on":"2026-05-01","confirmed":true}`},
		}, []string{"Не рассчитано: не подтверждены факты, которые нельзя угадывать</h2>"}},
	} {
		r := c.postForm(toolsPath+test.tool, test.sent)
		body := strings.ReplaceAll(string(r.body), "\u00A0", " ")
		for _, want := range test.has {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %s in\n%s", name, want, body)
			}
		}
		if r.status != http.StatusOK {
			t.Errorf("%s: %d", name, r.status)
		}
	}
}

// Faults are listed beside the form, which keeps what was sent: each with its pointer, what is wrong and
// what to enter, and a link to the field.
func TestFaultsOfForms(t *testing.T) {
	c := ask(t, kindsSite())
	for name, test := range map[string]struct {
		tool string
		sent url.Values
		has  []string
	}{
		"a number": {"loan_payment", url.Values{"principal": {"много <b>"}, "term_months": {"360"}}, []string{
			`<a href="#i-principal"><code>/inputs/principal</code></a> Неверная запись числа`,
			`name="principal" type="text" inputmode="decimal" value="много &lt;b&gt;" autocomplete="off" aria-invalid="true"`,
			`<a href="#i-annual_rate_pct"><code>/inputs/annual_rate_pct</code></a> `, `value="360"`,
		}},
		"a list": {"deposit_comparison", url.Values{"amount": {"1000"}, "variants": {`[{"id": "a"`}}, []string{
			`<a href="#i-variants"><code>/inputs/variants</code></a> Ожидается список. Передайте список JSON.`,
			`[{&#34;id&#34;: &#34;a&#34;</textarea>`,
		}},
		"in a row": {"deposit_comparison", url.Values{"amount": {"1000"}, "variants": {`[{"id": "a"}, {"id": "b"}]`}},
			[]string{`<a href="#i-variants"><code>/inputs/variants/1/start_date</code></a> `}},
		"a contract": {"loan_payment", url.Values{"principal": {"1000"}, "annual_rate_pct": {"1"}, "term_months": {"12"},
			"contract_values": {`{"paiment": "1"}`}}, []string{
			`<a href="#i-contract_values"><code>/contract_values/paiment</code></a> `,
		}},
		"twice": {"deposit_comparison", url.Values{"variants": {`[{"id": "a", "id": "b"}]`}},
			[]string{`<code>/inputs/variants/0/id</code>`}},
	} {
		r := c.postForm(toolsPath+test.tool, test.sent)
		for _, want := range test.has {
			if !strings.Contains(string(r.body), want) {
				t.Errorf("%s: no %s in\n%s", name, want, r.body)
			}
		}
		if r.status != http.StatusUnprocessableEntity || bytes.Contains(r.body, []byte("<b>")) {
			t.Error(name, r.status)
		}
	}
}

// What is no honest form is refused, quickly and without a trace.
func TestHostileForms(t *testing.T) {
	c := ask(t, kindsSite())
	const path = toolsPath + "compare_loan_variants"
	for name, test := range map[string]struct {
		form   string
		status int
	}{
		"large":     {"a=" + strings.Repeat("x", 260<<10), http.StatusRequestEntityTooLarge},
		"malformed": {"a=%zz", http.StatusBadRequest},
		"no fields": {"", http.StatusUnprocessableEntity},
		"unknown":   {"inputs=1&options=2&.=3&contract_values=4", http.StatusUnprocessableEntity},
		"deep":      {"variants=" + strings.Repeat("[", 9000) + strings.Repeat("]", 9000), http.StatusUnprocessableEntity},
		// What is refused is not shown for programs: to indent it costs as the square of its depth.
		"deep contract": {"contract_values=" + strings.Repeat("[", 1900) + strings.Repeat("]", 1900), http.StatusUnprocessableEntity},
		"many":          {"variants=[" + strings.Repeat("{},", 10000) + "{}]", http.StatusUnprocessableEntity},
		"script":        {"variants=%3C/textarea%3E%3Cscript%3Ealert(1)%3C/script%3E", http.StatusUnprocessableEntity},
	} {
		r := c.post(path, test.form, "Content-Type", "application/x-www-form-urlencoded", "Accept", browser)
		if r.status != test.status || !r.isPage() || bytes.Contains(r.body, []byte("<script>alert")) ||
			len(r.body) > 300<<10 {
			t.Errorf("%s: %d, %d bytes", name, r.status, len(r.body))
		}
	}
}
