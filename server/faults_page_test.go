package server_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// A form says at the field what is wrong with a number or a day, and what to enter, as people
// write it.
func TestFaultsOfForms(t *testing.T) {
	c := ask(t, starterSite())
	for i, test := range []struct{ tool, name, typed, want string }{
		{"loan_payment", "principal", "-5", "Введите число больше нуля, например 5 000 000."},
		{"loan_payment", "principal", "0", "Введите число больше нуля, например 5 000 000."},
		{"loan_payment", "principal", "0,5", "Введите число не меньше 1, например 5 000 000."},
		{"loan_payment", "principal", "9999999999999",
			"Введите число не больше 999 999 999 999,99, например 5 000 000."},
		{"loan_payment", "principal", strings.Repeat("9", 200),
			"Введите число не больше 999 999 999 999,99, например 5 000 000."},
		{"loan_payment", "principal", "100,5555", "Оставьте после запятой не больше 2 цифр: 100,56."},
		{"loan_payment", "principal", "31.02.2026", "Введите число, например 5 000 000."},
		{"loan_payment", "principal", "0500", "Введите число, например 5 000 000."},
		{"loan_payment", "principal", "много", "Введите число, например 5 000 000."},
		{"loan_payment", "annual_rate_pct", "-1", "Введите ноль или число больше нуля, например 18,5."},
		{"loan_payment", "annual_rate_pct", "18,55555555", "Оставьте после запятой не больше 6 цифр: 18,555556."},
		{"loan_payment", "annual_rate_pct", "1001", "Введите число не больше 1000, например 18,5."},
		{"loan_payment", "term_months", "12,5", "Введите целое число, например 360."},
		{"loan_payment", "term_months", "0", "Введите число больше нуля, например 360."},
		{"deposit_simple_interest", "start_date", "31.02.2026",
			"31 февраля 2026 года не существует: в этом месяце 28 дней. Проверьте день."},
		{"deposit_simple_interest", "start_date", "2024-02-30",
			"30 февраля 2024 года не существует: в этом месяце 29 дней. Проверьте день."},
		{"deposit_simple_interest", "start_date", "31 апреля 2026",
			"31 апреля 2026 года не существует: в этом месяце 30 дней. Проверьте день."},
		{"deposit_simple_interest", "start_date", "01.12.26", "Введите год четырьмя цифрами: 01.12.2026."},
		{"deposit_simple_interest", "start_date", "05.13.2026",
			"В году 12 месяцев. Введите день, месяц и год, например 01.12.2026."},
		{"deposit_simple_interest", "start_date", "00.12.2026",
			"Дни считаются с первого. Введите день, месяц и год, например 01.12.2026."},
		{"deposit_simple_interest", "start_date", "01.12.1926", "Введите дату от 01.01.2000 до 31.12.2099."},
		{"deposit_simple_interest", "start_date", "завтра", "Введите дату, например 01.12.2026."},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			form := exampleOf(t, test.tool, 1)
			form.Set("inputs."+test.name, test.typed)
			r := c.postForm(toolsPath+test.tool, form)
			body := strings.ReplaceAll(html.UnescapeString(string(r.body)), "\u00A0", " ")
			at := `<p class="fault" id="i-inputs-` + test.name + `-fault">`
			if _, rest, _ := strings.Cut(body, at); r.status != http.StatusUnprocessableEntity ||
				!strings.HasPrefix(rest, test.want+"</p>") {
				said, _, _ := strings.Cut(rest, "</p>")
				t.Errorf("%s: %s of %.40s: %d, %q, want %q", test.tool, test.name, test.typed,
					r.status, said, test.want)
			}
		})
	}
}

var markup = regexp.MustCompile(`<[^>]*>`)

// What contradicts other fields is told with their titles, and numbers, days and choices as people
// write them: no name of a program is in it.
func TestFaultsNameTitles(t *testing.T) {
	c := ask(t, starterSite())
	program := regexp.MustCompile(`[a-z]+_[a-z_]+|\d{4}-\d\d-\d\d|(?:^|[^.\d])\d+\.\d\d(?:[^.\d]|$)|\b(?:true|false|null)\b`)
	for i, test := range []struct {
		tool string
		sent url.Values
		want string
	}{
		{"deposit_simple_interest", url.Values{"inputs.end_date": {"01.01.2001"}},
			"Дата окончания: дата 01.01.2001 должна быть позже, чем «Дата открытия» ("},
		{"consumer_rights_deadline_date", url.Values{"inputs.extension.working_days": {"5"},
			"inputs.extension.notified": {"false"}, "inputs.extension.notification_date": {"29.05.2026"}},
			"продлении: дата указана, а «О продлении уведомили» говорит, что уведомления не было. Уберите дату или " +
				"укажите «О продлении уведомили»: «да»."},
		{"kasko_premium", url.Values{"inputs.coefficient_names.7": {"a"}}, "Дайте название каждому коэффициенту"},
		{"loan_payment", url.Values{"inputs.payment_type": {"differentiated"}, "inputs.balloon_amount": {"1000"}},
			"выберите «аннуитет: равные платежи»"},
		{"mortgage_early_repayment", url.Values{"inputs.extra_amount": {"99 млн"}}, "Укажите не больше "},
		{"compare_loan_variants", url.Values{"inputs.baseline_id": {"z"}}, "Укажите"},
		{"deposit_comparison", url.Values{"inputs.horizon_date": {"01.02.2026"}, "inputs.variants.0.id": {"1"}},
			"дата сравнения 01.02.2026 раньше, чем оканчивается вариант «1»: 15.01.2027."},
		{"deposit_comparison", url.Values{"inputs.horizon_date": {"01.02.2026"}, "inputs.variants.0.id": {"amount"}},
			"вариант «amount»: 15.01.2027."},
		{"compare_loan_variants", url.Values{"inputs.variants.0.id": {"a b"}},
			"введите буквы, цифры, «_», «-» без пробелов."},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			form := exampleOf(t, test.tool, 1)
			for name, value := range test.sent {
				form[name] = value
			}
			r := c.postForm(toolsPath+test.tool, form)
			_, body, _ := strings.Cut(html.UnescapeString(string(r.body)), `id="faults-title"`)
			body, _, _ = strings.Cut(body, "</section>")
			said := strings.ReplaceAll(markup.ReplaceAllString(body, ""), "\u00A0", " ")
			if r.status != http.StatusUnprocessableEntity || !strings.Contains(said, test.want) ||
				program.MatchString(said) {
				t.Errorf("%s: %d, %q", test.tool, r.status, said)
			}
		})
	}
}

// A page of a wrong query calls parameters by their titles; a program gets their names.
func TestFaultsOfQueries(t *testing.T) {
	c := ask(t, starterSite())
	const path = "/api/v1/guidelines?status=zz&offset=-1&foo=1"
	page := html.UnescapeString(c.page(path, http.StatusBadRequest))
	for _, want := range []string{
		"<p>Статус <code>status</code>: Недопустимое значение.", "<code>offset</code>: Ожидается целое число",
		"<p><code>foo</code>: Неизвестный параметр.",
		"«Сценарий» (scenario), «Статус» (status)",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in\n%s", want, page)
		}
	}
	if strings.Contains(page, "current, superseded") || !strings.Contains(page,
		`Выберите: <a href="/api/v1/guidelines?foo=1&offset=-1&status=current" rel="nofollow">действует</a>, `) {
		t.Error("the allowed values are codes")
	}
	for query, want := range map[string]string{
		"/api/v1/fraud/signals?sufficient_for_stop=x": ">да</a>, <a",
		"/api/v1/fraud/signals?sort=x":                ">Название, по убыванию</a>",
		"/api/v1/search?q=a&kind=x":                   ">Правила</a>", "/api/v1/math?family=x": ">Кредит</a>",
		"/compare/guidelines/product.common.001?class=x": ">ломающее изменение</a>",
	} {
		t.Run(query, func(t *testing.T) {
			if page := c.page(query, http.StatusBadRequest); !strings.Contains(page, want) {
				t.Errorf("%s: no %s in\n%s", query, want, page)
			}
		})
	}
	if strings.Contains(page, "<p><code>offset") {
		t.Error("a parameter without a title")
	}
	if body := string(c.get(path).body); strings.Contains(body, "Сценарий") ||
		!strings.Contains(body, `"/query/status"`) {
		t.Error(body)
	}
}

// A hint of a wrong query says its words once, calls no parameter by its explanation, and writes
// numbers as people do.
func TestHintsOfQueries(t *testing.T) {
	c := ask(t, starterSite())
	for query, want := range map[string]string{
		"/api/v1/guidelines?foo=1&bar=2":                     "",
		"/api/v1/guidelines?offset=-1":                       "От 0 до 1 000 000 000.",
		"/api/v1/guidelines/product.common.001?section=nope": "<p>Адрес раздела <code>section</code>: Такого раздела нет.</p><p class=\"hint\">Адреса разделов перечисляет view=brief, на странице — её содержание.</p>",
		"/api/v1/fraud/brief":                                "Не указано, что искать.</p><p class=\"hint\">Укажите «Код признака» (signal), «Код состояния",
	} {
		t.Run(query, func(t *testing.T) {
			page := strings.ReplaceAll(html.UnescapeString(c.page(query, http.StatusBadRequest)), "\u00A0", " ")
			if !strings.Contains(page, want) || strings.Count(page, "Допустимые параметры") > 1 {
				t.Errorf("%s: no %q, or twice, in\n%s", query, want, page)
			}
		})
	}
}

// An address of the service in a hint is a link, and an unknown parameter has no wrong value besides.
func TestAddressesInHints(t *testing.T) {
	c := ask(t, starterSite())
	for query, want := range map[string]string{
		"/api/v1/search?q=a&product_type=zz":                                  `в таксономии: <a href="/api/v1/taxonomy">/api/v1/taxonomy</a>.`,
		"/api/v1/fraud/brief?signal=ZZ":                                       `в справочнике <a href="/api/v1/fraud/signals">/api/v1/fraud/signals</a>.`,
		"/api/v1/guidelines?product_type=/x/":                                 `в таксономии: <a href="/api/v1/taxonomy">`,
		"/api/v1/fraud/brief?signal=UNKNOWN_CREDIT_FOUN":                      `Возможно, <a href="/api/v1/fraud/brief?signal=UNKNOWN_CREDIT_FOUND">UNKNOWN_CREDIT_FOUND</a>. Коды`,
		"/api/v1/fraud/brief?signal=APK_REQUESTED&signal=UNKNOWN_CREDIT_FOUN": `<a href="/api/v1/fraud/brief?signal=APK_REQUESTED&amp;signal=UNKNOWN_CREDIT_FOUND">`,
		"/api/v1/guidelines?product_type=morgage":                             `Возможно, <a href="/api/v1/guidelines?product_type=mortgage">mortgage</a>. Коды`,
		"/api/v1/guidelines/product.common.001?section=rule":                  `Возможно, <a href="/api/v1/guidelines/product.common.001?section=rules">rules</a>. Адреса`,
		"/api/v1/search?signal=UNKNOWN_CREDIT_FOUN":                           `Возможно, <a href="/api/v1/search?signal=UNKNOWN_CREDIT_FOUND">UNKNOWN_CREDIT_FOUND</a>. Коды`,
		"/api/v1/fraud/brief":                                                 `<li><a href="/connect/api">`,
		"/api/v1/fraud/brief?signal=Z":                                        `<li><a href="/connect/api">`,
	} {
		t.Run(query, func(t *testing.T) {
			if body := c.page(query, http.StatusBadRequest); !strings.Contains(body, want) {
				t.Errorf("%s: no %s in\n%s", query, want, body)
			}
		})
	}
	body := c.page("/api/v1/external-parameters?product_type=zz", http.StatusBadRequest)
	if n := strings.Count(body, `<li class="error">`); n != 1 {
		t.Errorf("%d errors of one parameter in\n%s", n, body)
	}
}

// The links to allowed values repeat a query only if it is short.
func TestLongWrongQuery(t *testing.T) {
	c := ask(t, starterSite())
	const wrong = "/api/v1/search?kind=bad&product_type=bad&q="
	if body := c.page(wrong+"x", http.StatusBadRequest); !strings.Contains(body, "Выберите: <a ") {
		t.Errorf("no links in %s", body)
	}
	body := c.page(wrong+strings.Repeat("x", 7000), http.StatusBadRequest)
	if len(body) > 32<<10 || !strings.Contains(body, "Допустимые значения: ") {
		t.Errorf("%d bytes:\n%.2000s", len(body), body)
	}
}
