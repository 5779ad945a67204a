package server_test

import (
	"html"
	"net/http"
	"strings"
	"testing"
)

// A page of a wrong query calls parameters by their titles, and says its hints once.
func TestFaultsOnPages(t *testing.T) {
	c := ask(t, kindsSite())
	for query, want := range map[string][]string{
		"/api/v1/guidelines?status=zz&offset=-1&foo=1": {
			"<p>Статус <code>status</code>: Недопустимое значение.", "<code>offset</code>: Ожидается целое число",
			"<p><code>foo</code>: Неизвестный параметр.", "Допустимые параметры: scenario, status",
		},
		"/api/v1/guidelines/fraud.code.001?section=nope": {`<p>Адрес раздела <code>section</code>: Такого раздела нет.</p>` +
			`<p class="hint">Адреса разделов перечисляет view=brief, на странице — её содержание.</p>`},
		"/api/v1/guidelines/fraud.code.001?section=rule": {`Возможно, rules. Адреса`},
		"/api/v1/fraud/brief": {"Не указано, что искать.</p><p class=\"hint\">Укажите signal, state",
			`<li><a href="/openapi.yaml">`},
		"/api/v1/fraud/brief?signal=APK_REQUESTED&signal=CODE_REQUESTD":         {`Возможно, CODE_REQUESTED. Коды`},
		"/api/v1/guidelines?product_type=/x/":                                   {`в таксономии: /api/v1/taxonomy.`},
		"/api/v1/search?kind=bad&product_type=b&q=" + strings.Repeat("x", 7000): {"Допустимые значения: "},
	} {
		raw := c.page(query, http.StatusBadRequest)
		page := strings.ReplaceAll(html.UnescapeString(raw), "\u00A0", " ")
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%.100s: no %s in\n%s", query, text, page)
			}
		}
		if strings.Count(page, "Допустимые параметры") > 1 || len(raw) > 32<<10 {
			t.Errorf("%.100s: twice, in codes or too long: %s", query, page)
		}
	}
	body := c.page("/api/v1/external-parameters?product_type=zz", http.StatusBadRequest)
	if n := strings.Count(body, `<li class="error">`); n != 1 {
		t.Errorf("%d errors of one parameter in\n%s", n, body)
	}
	if body := string(c.get("/api/v1/guidelines?status=zz").body); strings.Contains(body, "«Статус»") ||
		!strings.Contains(body, `"/query/status"`) {
		t.Errorf("a program gets titles: %s", body)
	}
}
