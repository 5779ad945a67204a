package server_test

import (
	"html"
	"net/http"
	"strings"
	"testing"
)

// A page of a wrong query calls parameters by their titles, says its hints once, offers what may be
// asked and what was meant as links, and repeats a query in them only if it is short.
func TestFaultsOnPages(t *testing.T) {
	c := ask(t, kindsSite())
	for query, want := range map[string][]string{
		"/api/v1/guidelines?status=zz&offset=-1&foo=1": {
			"<p>Статус <code>status</code>: Недопустимое значение.", "<code>offset</code>: Ожидается целое число",
			"<p><code>foo</code>: Неизвестный параметр.", "«Сценарий» (scenario), «Статус» (status)",
			`Выберите: <a href="/api/v1/guidelines?foo=1&offset=-1&status=current" rel="nofollow">действует</a>, `,
			"От 0 до 1 000 000 000.",
		},
		"/api/v1/fraud/signals?sufficient_for_stop=x": {">да</a>, <a"},
		"/api/v1/search?q=a&kind=x":                   {">Правила</a>"},
		"/api/v1/math?family=x":                       {">Кредит</a>"},
		"/compare/instructions/assistant?class=x":     {">ломающее изменение</a>"},
		"/api/v1/guidelines/fraud.code.001?section=nope": {`<p>Адрес раздела <code>section</code>: Такого раздела нет.</p>` +
			`<p class="hint">Адреса разделов перечисляет view=brief, на странице — её содержание.</p>`},
		"/api/v1/guidelines/fraud.code.001?section=rule": {
			`Возможно, <a href="/api/v1/guidelines/fraud.code.001?section=rules">rules</a>. Адреса`},
		"/api/v1/fraud/brief": {"Не указано, что искать.</p><p class=\"hint\">Укажите «Код признака» (signal), «Код состояния",
			`<li><a href="/openapi.yaml">`},
		"/api/v1/fraud/brief?signal=APK_REQUESTED&signal=CODE_REQUESTD": {`Возможно, <a ` +
			`href="/api/v1/fraud/brief?signal=APK_REQUESTED&signal=CODE_REQUESTED">CODE_REQUESTED</a>. Коды`},
		"/api/v1/fraud/brief?signal=ZZ":                                         {`в справочнике <a href="/api/v1/fraud/signals">/api/v1/fraud/signals</a>.`},
		"/api/v1/guidelines?product_type=cart":                                  {`Возможно, <a href="/api/v1/guidelines?product_type=card">card</a>. Коды`},
		"/api/v1/guidelines?product_type=/x/":                                   {`в таксономии: <a href="/api/v1/taxonomy">`},
		"/api/v1/search?kind=bad&product_type=b&q=" + strings.Repeat("x", 7000): {"Допустимые значения: "},
	} {
		raw := c.page(query, http.StatusBadRequest)
		page := strings.ReplaceAll(html.UnescapeString(raw), "\u00A0", " ")
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%.100s: no %s in\n%s", query, text, page)
			}
		}
		if strings.Count(page, "Допустимые параметры") > 1 || strings.Contains(page, "current, superseded") ||
			len(raw) > 32<<10 {
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
