package server_test

import (
	"html"
	"net/http"
	"strings"
	"testing"
)

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
		"/api/v1/fraud/brief":                                                 `<li><a href="/openapi.yaml">`,
		"/api/v1/fraud/brief?signal=Z":                                        `<li><a href="/openapi.yaml">`,
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
