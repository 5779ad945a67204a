package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rulestore/content"
)

// flattened is a request as a form sends it.
func flattened(to url.Values, name string, v any) url.Values {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			flattened(to, strings.TrimPrefix(name+"."+key, "."), inner)
		}
	case []any:
		for i, inner := range v {
			flattened(to, name+"."+strconv.Itoa(i), inner)
		}
	case nil:
	default:
		to.Set(name, fmt.Sprint(v))
	}
	return to
}

// postForm sends a form as a browser does.
func (c client) postForm(path string, form url.Values) response {
	c.Helper()
	return c.post(path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Accept", browser)
}

// A person writes numbers as people do, forgets fields and asks for more rows.
func TestFormsOfPeople(t *testing.T) {
	c := ask(t, starterSite())
	const path = toolsPath + "loan_payment"
	r := c.postForm(path, url.Values{"inputs.principal": {"5 000\u00A0000,00"}, "inputs.annual_rate_pct": {"18,5"},
		"inputs.term_months": {" 360 "}})
	if body := string(r.body); r.status != http.StatusOK || !strings.Contains(body, "77\u00A0397,23") ||
		strings.Count(body, `class="chart"`) != 2 {
		t.Errorf("%d\n%s", r.status, r.body)
	}
	r = c.postForm(path, url.Values{"inputs.principal": {"много <b>"}, "inputs.annual_rate_pct": {"-1"}})
	body := string(r.body)
	for _, want := range []string{`href="#i-inputs-principal"`, `aria-invalid="true"`,
		"Срок, месяцев: заполните это поле", `value="много &lt;b&gt;"`, `id="i-inputs-term_months-fault"`} {
		if r.status != http.StatusUnprocessableEntity || !strings.Contains(body, want) {
			t.Errorf("%d without %s", r.status, want)
		}
	}
	form := url.Values{"inputs.variants.0.id": {"a"}, "inputs.variants.1.id": {"b"}, "add": {"inputs.variants"}}
	r = c.postForm(toolsPath+"compare_loan_variants", form)
	if body := string(r.body); r.status != http.StatusOK || !strings.Contains(body, `name="inputs.variants.2.id"`) ||
		!strings.Contains(body, `value="b"`) || strings.Contains(body, "data-result") {
		t.Errorf("no third row: %d", r.status)
	}
}

// Of groups of fields of which one is wanted a form shows which one: what was filled in of
// the others does not count, and what is missing is said of the one that was chosen.
func TestWaysOfForms(t *testing.T) {
	c := ask(t, starterSite())
	early := url.Values{
		"inputs.way-0": {"1"}, "inputs.principal": {"3 млн"}, "inputs.term_months": {"120"},
		"inputs.annual_rate_pct": {"12"}, "inputs.extra_amount": {"500000"},
	}
	body := string(c.postForm(toolsPath+"mortgage_early_repayment", early).body)
	for _, want := range []string{
		`name="inputs.way-0" value="1" data-way="1" checked`,
		`href="#i-inputs-current_balance">Остаток долга: заполните это поле`,
		`href="#i-inputs-remaining_months"`, `href="#i-inputs-current_payment"`,
		`name="inputs.principal" type="text" inputmode="decimal" value="3 млн"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(body, `id="i-inputs-after_payment_no-fault"`) ||
		strings.Contains(body, `href="#i-inputs-principal"`) {
		t.Error("a field is wanted that was not chosen")
	}
	for name, value := range map[string]string{"current_balance": "2648231.47", "remaining_months": "96",
		"current_payment": "43041.28"} {
		early.Set("inputs."+name, value)
	}
	body = string(c.postForm(toolsPath+"mortgage_early_repayment", early).body)
	if !strings.Contains(body, "data-result") || !strings.Contains(body, "641\u00A0320,53") ||
		strings.Contains(body, "&#34;principal&#34;") {
		t.Error("what was not chosen counts")
	}
	rule := url.Values{"inputs.rule": {"fixed_days_from_first_debt"}, "inputs.purchase_date": {"12.03.2026"},
		"inputs.first_debt_date": {"1 июня 2026"}, "inputs.grace_days": {"120"}}
	if r := c.postForm(toolsPath+"card_grace_period_end", rule); r.status != http.StatusOK {
		t.Errorf("a rule with the fields of another: %d", r.status)
	}
	rows := url.Values{"inputs.amount": {"1 млн"}}
	for i, chosen := range []string{"0", "1"} {
		at := fmt.Sprintf("inputs.variants.%d.", 5+i)
		rows.Set(at+"id", chosen)
		rows.Set(at+"way-0", chosen)
	}
	body = string(c.postForm(toolsPath+"deposit_comparison", rows).body)
	if !strings.Contains(body, `name="inputs.variants.1.way-0" value="1" data-way="1" checked`) ||
		!strings.Contains(body, `href="#i-inputs-variants-1-end_date"`) ||
		!strings.Contains(body, `href="#i-inputs-variants-0-term_months"`) ||
		strings.Contains(body, `href="#i-inputs-variants-1-term_months"`) {
		t.Error("rows do not have ways of their own")
	}
}

// An example is filled in as people write it.
func TestExamplesOfPeople(t *testing.T) {
	body := ask(t, starterSite()).page(toolsPath+"loan_payment?example=1", http.StatusOK)
	for _, want := range []string{`value="5` + "\u00a0000\u00a0000" + `"`, `value="18,5"`, `value="360"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
}

// An answer begins with what was asked for; variants stand side by side with what was given
// of them, in words; debts, deposits and variants are drawn.
func TestAnswersOfForms(t *testing.T) {
	c := ask(t, starterSite())
	for _, test := range []struct {
		tool     string
		example  int
		headline string
		has      []string
		charts   int
	}{
		{"mortgage_early_repayment", 1, "641 320,53 ₽</span> Уменьшить срок: экономия на процентах", []string{
			`<th scope="col">Уменьшить платёж</th><th scope="col">Уменьшить срок</th>`,
			`<th scope="row">Экономия на процентах, ₽</th><td class="num">280 137,21</td><td class="num">641 ` +
				`320,53</td>`,
		}, 1},
		{"compare_loan_variants", 1, "246 892,53 ₽</span> Разница с базовым вариантом, b: всего выплат", []string{
			`<th scope="row">Срок, месяцев</th><td class="num">60</td><td class="num">84</td>`,
			`<th scope="row">Вид платежа</th><td>аннуитет: равные платежи</td>`,
			`<th scope="row">Ежемесячный платёж, ₽</th><td class="num">25 393,43</td>`,
			`aria-label="Всего выплат с разовыми расходами. a — `,
		}, 1},
		{"pfm_debt_payoff_plan", 2, "14 мес.</span> Сначала самая высокая ставка: месяцев до погашения",
			[]string{`A: сначала самая высокая ставка — 12 мес.`, "<td>отбор не проверен до конца</td>",
				`aria-label="Остаток долгов. Сначала самая высокая ставка: от 140,3 тыс. ₽ до 0 ₽. Сначала самый малый ` +
					`остаток: от 140,3 тыс. ₽`,
				`class="peak">140,3 тыс. ₽</text>`, ">месяцы</text>"}, 2},
		{"deposit_capitalized_interest", 1, "Сумма в конце срока",
			[]string{">месяц и год</text>", ">12.2023</text>"}, 2},
		{"deposit_cashflow_balance", 1, "Проценты за весь срок", []string{"Остаток вклада"}, 2},
		{"card_minimum_payment", 1, "7557,90 ₽</span> Минимальный платёж", nil, 0},
		{"loan_payment_to_income", 1, "50,00 %</span>",
			[]string{"<dt>Доля по сравнению с порогом</dt><dd>больше порога</dd>"}, 0},
	} {
		t.Run(test.tool, func(t *testing.T) {
			r := c.postForm(toolsPath+test.tool, exampleOf(t, test.tool, test.example))
			body := strings.ReplaceAll(string(r.body), "\u00A0", " ")
			for _, want := range append(test.has, test.headline) {
				if !strings.Contains(body, want) {
					t.Errorf("%s: no %s", test.tool, want)
				}
			}
			if n := strings.Count(body, `class="chart"`); n != test.charts || r.status != http.StatusOK {
				t.Errorf("%s: %d, %d charts", test.tool, r.status, n)
			}
		})
	}
}

// An answer without a result begins with the reason, whatever else it can say.
func TestAnswersWithoutResult(t *testing.T) {
	c := ask(t, starterSite())
	for _, test := range []struct {
		tool   string
		inputs url.Values
		said   string
	}{
		{"card_payoff_fixed_payment", exampleOf(t, "card_payoff_fixed_payment", 2),
			"Расчёт невозможен: платёж не больше процентов"},
		{"mortgage_max_principal", url.Values{"inputs.way-0": {"1"}, "inputs.monthly_income": {"10000"},
			"inputs.max_share_pct":     {"10"},
			"inputs.existing_payments": {"5000"}, "inputs.annual_rate_pct": {"10"}, "inputs.term_months": {"12"}},
			"Расчёт невозможен: "},
	} {
		body := string(c.postForm(toolsPath+test.tool, test.inputs).body)
		if !strings.Contains(body, `id="result-title" tabindex="-1" autofocus>`+test.said) ||
			strings.Contains(body, `class="big"`) || strings.Contains(body, `class="beside"`) ||
			!strings.Contains(body, `<table class="figures">`) {
			t.Errorf("%s: not %q first in\n%s", test.tool, test.said, resultPart.FindString(body))
		}
	}
}

// A long schedule is drawn in parts, each leading to the others, so that no answer is above
// 100 KB; a loan of thirty years is whole. Dates are written and read as people write them.
func TestLongAnswers(t *testing.T) {
	c := ask(t, starterSite())
	loan := url.Values{"inputs.principal": {"5 млн"}, "inputs.annual_rate_pct": {"18,5 %"},
		"inputs.term_months": {"600"}}
	first := string(c.postForm(toolsPath+"loan_payment", loan).body)
	loan.Set("from", "401")
	second := string(c.postForm(toolsPath+"loan_payment", loan).body)
	for _, want := range []struct{ page, has, not string }{
		{first, `name="from" value="401">Строки 401–600<`, "<tr><td>401</td>"},
		{second, `name="from" value="1">Строки 1–400<`, "<tr><td>400</td>"},
		{second, "<tr><td>600</td>", "<tr><td>1</td>"},
		{second, `id="schedule" open><summary autofocus>`, `id="result-title" tabindex="-1" autofocus`},
	} {
		t.Run(want.has, func(t *testing.T) {
			if !strings.Contains(want.page, want.has) || strings.Contains(want.page, want.not) {
				t.Errorf("no %s, or %s", want.has, want.not)
			}
		})
	}
	phased := exampleOf(t, "mortgage_phased_payment", 1)
	for name, page := range map[string]string{"first": first, "second": second,
		"phased": string(c.postForm(toolsPath+"mortgage_phased_payment", phased).body)} {
		t.Run(name, func(t *testing.T) {
			if len(page) > 100_000 {
				t.Errorf("%s: %d bytes", name, len(page))
			}
			if name == "phased" && !strings.Contains(page, "<tr><td>360</td>") {
				t.Error("thirty years are not whole")
			}
		})
	}
	for _, from := range []string{"-5", "99999999999999999999", "601", "x"} {
		loan.Set("from", from)
		if r := c.postForm(toolsPath+"loan_payment", loan); r.status != http.StatusOK {
			t.Errorf("from %s: %d", from, r.status)
		}
	}
	deposit := exampleOf(t, "deposit_capitalized_interest", 1)
	deposit.Set("inputs.start_date", "1 декабря 2026 г.")
	if body := string(c.postForm(toolsPath+"deposit_capitalized_interest", deposit).body); !strings.Contains(body,
		`name="inputs.start_date" type="text" value="01.12.2026"`) {
		t.Error("a day is not shown as people write it")
	}
}

// exampleOf is an example of a tool, by its number from 1, as a form sends it.
func exampleOf(t *testing.T, id string, number int) url.Values {
	t.Helper()
	for _, tool := range tools() {
		if tool.ID == id {
			decoder := json.NewDecoder(strings.NewReader(tool.Examples[number-1].Request))
			decoder.UseNumber()
			var request map[string]any
			if err := decoder.Decode(&request); err != nil {
				t.Fatal(err)
			}
			return flattened(url.Values{}, "", request)
		}
	}
	t.Fatal("no tool " + id)
	return nil
}

// What was calculated goes on: as a table, as a command and as a call of a tool, each with
// the same inputs; a row of a list can be taken away again.
func TestCalculatedForOthers(t *testing.T) {
	c := ask(t, starterSite())
	form := url.Values{"inputs.principal": {"5 млн"}, "inputs.annual_rate_pct": {"18,5 %"},
		"inputs.term_months": {"12 мес."}, "inputs.payment_type": {"annuity"}}
	r := c.postForm(toolsPath+"loan_payment?format=csv", form)
	lines := strings.Split(string(r.body), "\r\n")
	if r.header.Get("Content-Type") != "text/csv; charset=utf-8" ||
		!strings.Contains(r.header.Get("Content-Disposition"), "loan_payment.csv") ||
		r.header.Get("Cache-Control") != "no-store" {
		t.Error(r.header)
	}
	if !strings.HasPrefix(lines[0], "\uFEFFЕжемесячный платёж;") || !strings.HasSuffix(lines[0], ";₽") ||
		!strings.Contains(lines[0], ",") || !strings.HasPrefix(lines[len(lines)-2], "12;") {
		t.Errorf("the table is\n%s", r.body)
	}
	page := html.UnescapeString(string(c.postForm(toolsPath+"loan_payment", form).body))
	for _, want := range []string{`curl -fsS https://`, `"principal":"5000000"`, `"annual_rate_pct":"18.5"`,
		`"name": "calculate"`, `"tool_id": "loan_payment"`, "<title>", " · Платёж по кредиту"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in the page", want)
		}
	}
	if r := c.postForm(toolsPath+"loan_payment?format=csv", url.Values{}); r.status != http.StatusUnprocessableEntity ||
		strings.Contains(r.header.Get("Content-Type"), "csv") {
		t.Errorf("a table of nothing: %d", r.status)
	}
	rows := url.Values{"inputs.variants.0.id": {"a"}, "inputs.variants.1.id": {"b"}, "inputs.variants.2.id": {"=cmd()"},
		"remove": {"inputs.variants.1"}}
	body := string(c.postForm(toolsPath+"compare_loan_variants", rows).body)
	if strings.Contains(body, `value="b"`) || !strings.Contains(body,
		`name="inputs.variants.1.id" type="text" value="=cmd()"`) || strings.Contains(body, "inputs.variants.2") {
		t.Error("the row is not taken away")
	}
}

// However the rows of a list are numbered, the form that comes back has as many as
// were sent: a small request does not make a large page.
func TestRowsOfForms(t *testing.T) {
	c := ask(t, starterSite())
	const path = toolsPath + "compare_loan_variants"
	send := func(format string, numbers ...int) []byte {
		form := url.Values{}
		for i, n := range numbers {
			form.Set(fmt.Sprintf(format, n), fmt.Sprintf("вариант %d", i))
		}
		return c.postForm(path, form).body
	}
	for _, format := range []string{"inputs.variants.%d.id", "inputs.variants.0.fees.%d.name"} {
		for _, numbers := range [][]int{{199}, {3, 199}, {0, 7, 100, 150}} {
			var dense []int
			for i := range numbers {
				dense = append(dense, i)
			}
			if sparse := send(format, numbers...); !bytes.Equal(sparse, send(format, dense...)) {
				t.Errorf(format+": %d bytes, not those of as many rows without gaps", numbers, len(sparse))
			}
		}
	}
	for _, tool := range tools() {
		for _, list := range regexp.MustCompile(`data-rows="([^"]+)"`).FindAllStringSubmatch(c.page(toolsPath+tool.ID,
			http.StatusOK), -1) {
			one := c.postForm(toolsPath+tool.ID, url.Values{list[1] + ".0": {""}})
			last := c.postForm(toolsPath+tool.ID, url.Values{list[1] + ".199": {""}})
			if !bytes.Equal(one.body, last.body) {
				t.Errorf("%s: %s.199 makes %d bytes, %[2]s.0 %d", tool.ID, list[1], len(last.body), len(one.body))
			}
		}
	}
	row := len(send("inputs.variants.%d.id", 0, 1, 2, 3)) - len(send("inputs.variants.%d.id", 0, 1, 2))
	most := len(c.page(path, http.StatusOK)) + 4*row
	for _, form := range []url.Values{
		{"inputs.variants.199.id": {"a"}, "add": {"inputs.variants"}},
		{"add": {"inputs.variants.199.fees"}},
		{"add": {"inputs.variants.199.fees.199"}},
		{"inputs.variants.198": {""}, "add": {"inputs.variants.199"}},
	} {
		r := c.postForm(path, form)
		if r.status != http.StatusOK || len(r.body) > most {
			t.Errorf("%v: %d, %d bytes", form, r.status, len(r.body))
		}
	}
	body := string(c.postForm(path, url.Values{"inputs.variants.0.id": {"первый"}, "inputs.variants.9.id": {"второй"},
		"add": {"inputs.variants"}}).body)
	if !strings.Contains(body, `name="inputs.variants.2.id"`) ||
		strings.Contains(body, `name="inputs.variants.3.id"`) || !strings.Contains(body, `value="второй"`) {
		t.Error("not one more row than were sent")
	}
}

// What is no honest form is refused, quickly and without a trace.
func TestHostileForms(t *testing.T) {
	c := ask(t, starterSite())
	const path = toolsPath + "compare_loan_variants"
	for name, test := range map[string]struct {
		form   string
		status int
	}{
		"large":     {"a=" + strings.Repeat("x", 260<<10), http.StatusRequestEntityTooLarge},
		"malformed": {"a=%zz", http.StatusBadRequest},
		"no fields": {"", http.StatusUnprocessableEntity},
		"many rows": {"inputs.variants.99999999999.id=a", http.StatusUnprocessableEntity},
		"below none": {"inputs.variants.-1.id=a&inputs..x=1&inputs=1&.=2&contract_values.0=1",
			http.StatusUnprocessableEntity},
		"add to no list": {"add=inputs.nothing", http.StatusOK},
		"add much":       {"inputs.variants.199.id=a&add=inputs.variants", http.StatusOK},
		"script":         {"inputs.variants.0.id=%3Cscript%3Ealert(1)%3C/script%3E", http.StatusUnprocessableEntity},
	} {
		t.Run(name, func(t *testing.T) {
			r := c.post(path, test.form, "Content-Type", "application/x-www-form-urlencoded", "Accept", browser)
			if r.status != test.status || !r.isPage() || bytes.Contains(r.body, []byte("<script>alert")) ||
				len(r.body) > 1<<20 {
				t.Errorf("%s: %d, %d bytes", name, r.status, len(r.body))
			}
		})
	}
}

// What is one of known codes is chosen by its title: events, and parameters with a value of the
// unit that the calculation takes. A code that is not among them stays as it was sent.
func TestChoicesOfCodes(t *testing.T) {
	c := ask(t, starterSite())
	choice := func(body, name string) string {
		_, rest, _ := strings.Cut(body, `<select id="i-`+strings.ReplaceAll(name, ".", "-")+`"`)
		list, _, _ := strings.Cut(rest, "</select>")
		return list
	}
	const deadline, event, term = toolsPath + "consumer_rights_deadline_date", "inputs.start_event.code",
		"inputs.term.parameter_id"
	body := c.page(deadline+"?example=1", http.StatusOK)
	for name, want := range map[string]string{
		event: `<option value="claim_registered" selected>обращение зарегистрировано</option>`,
		term:  `<option value="consumer-rights.fo-response-standard-working-days">`,
	} {
		if list := choice(body, name); !strings.Contains(list, want) ||
			!strings.Contains(list, `>не указано</option>`) {
			t.Errorf("%s: no %s in %s", name, want, list)
		}
	}
	if list := choice(body, term); strings.Contains(list, "rate.key-series") {
		t.Errorf("the parameters are %s", list)
	}
	if list := choice(c.page(toolsPath+"deposit_interest_tax", http.StatusOK),
		"inputs.key_rate.parameter_id"); !strings.Contains(list, `<option value="rate.key-series">`) {
		t.Errorf("the parameters are %s", list)
	}
	form := exampleOf(t, "consumer_rights_deadline_date", 1)
	form.Set(event, "of_my_own")
	if r := c.postForm(deadline, form); r.status != http.StatusOK ||
		!strings.Contains(choice(string(r.body), event), `<option value="of_my_own" selected>of_my_own</option>`) {
		t.Errorf("%d: a code of the caller is lost", r.status)
	}
}

// The id of a parameter is typed where there is none to choose, or more than a page has room for.
func TestParametersToType(t *testing.T) {
	for _, n := range []int{0, 1, 500} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			var all []*content.Publication
			for i := range n {
				id := "test.suspension-" + strconv.Itoa(i)
				all = append(all, published(t, content.Parameters, id, "1.0.0", "2026-01-10",
					strings.NewReplacer("SRC", `sources: [{title: Закон, url: "https://base.garant.ru/1/", `+
						`checked_on: 2026-03-17}]`, "test.suspension", id).Replace(suspension)))
			}
			s := siteWithMath(content.NewSnapshot(content.Input{
				Source: content.Source{Date: "2026-11-20"}, Settings: starterSite().Snapshot.Settings,
				Publications: all,
			}))
			body := ask(t, s).page(toolsPath+"consumer_rights_deadline_date", http.StatusOK)
			chosen := strings.Contains(body, `value="test.suspension-0"`)
			typed := strings.Contains(body, `<input id="i-inputs-term-parameter_id"`)
			if chosen != (n == 1) || typed == chosen {
				t.Errorf("of %d parameters: chosen %v, typed %v", n, chosen, typed)
			}
			if len(body) > 100<<10 {
				t.Errorf("%d bytes", len(body))
			}
		})
	}
}

// What an error leads to is on the page, also a group of fields.
func TestErrorsLeadToFields(t *testing.T) {
	c := ask(t, starterSite())
	anchor := regexp.MustCompile(`href="#(i-[^"]*)"`)
	for tool, form := range map[string]url.Values{
		"deposit_interest_tax": {
			"inputs.interest_total": {"380000"}, "inputs.brackets.0.rate_pct": {"13"}, "inputs.way-0": {"2"},
		},
		"consumer_rights_deadline_date": {"inputs.applicability_confirmed": {"true"}},
	} {
		shown := string(c.postForm(toolsPath+tool, form).body)
		links := anchor.FindAllStringSubmatch(shown, -1)
		if len(links) == 0 {
			t.Errorf("%s: no links in\n%s", tool, shown)
		}
		for _, l := range links {
			if strings.Count(shown, `id="`+l[1]+`"`) != 1 {
				t.Errorf("%s: %s is there %d times", tool, l[1], strings.Count(shown, `id="`+l[1]+`"`))
			}
		}
	}
}
