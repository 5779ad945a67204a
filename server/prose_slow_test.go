//go:build slow

package server_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var (
	markup      = regexp.MustCompile(`<[^>]*>`)
	linkElement = regexp.MustCompile(`(?s)<a [^>]*>.*?</a>`)
	codeElement = regexp.MustCompile(`<code>([^<]*)</code>`)
	drawing     = regexp.MustCompile(`(?s)<(pre|svg|script|form|head|h3|h4|summary)\b.*?</(pre|svg|script|form|head|h3|h4|summary)>`)
	identifier  = regexp.MustCompile(`[A-Za-z][A-Za-z0-9._/-]*[A-Za-z0-9]`)
)

// An id of an item in a text is a link to it, on the page of every item; a code beside its title is
// one already.
func TestIdsInProseAreLinks(t *testing.T) {
	s := starterSite()
	c := ask(t, s)
	ids := map[string]string{}
	for _, it := range s.Snapshot.Items {
		if it.Current != nil && strings.ContainsAny(it.Name, ".-_") {
			ids[it.Name], ids[it.Current.ID()] = it.ID(), it.ID()
		}
	}
	for _, it := range s.Snapshot.Items {
		if it.Current == nil {
			continue
		}
		own := func(word string) bool { return ids[word] == "" || ids[word] == it.ID() }
		body := drawing.ReplaceAllString(c.page(it.Kind.ItemPath(it.Name), http.StatusOK), "")
		body = linkElement.ReplaceAllString(body, "</a>")
		for _, m := range codeElement.FindAllStringSubmatchIndex(body, -1) {
			before := []rune(body[max(0, m[0]-60):m[0]])
			if word := body[m[2]:m[3]]; !own(word) && !strings.HasSuffix(string(before), "</a> ") {
				t.Errorf("%s: …%s<code>%s</code>", it.ID(), string(before), word)
			}
		}
		text := html.UnescapeString(markup.ReplaceAllString(codeElement.ReplaceAllString(body, ""), "\n"))
		for _, m := range identifier.FindAllStringIndex(text, -1) {
			if word := text[m[0]:m[1]]; !own(word) {
				t.Errorf("%s: …%s", it.ID(), text[max(0, m[0]-60):m[1]])
			}
		}
	}
	for path, want := range map[string]string{
		"/api/v1/guidelines/consumer-rights.timeline.001":         `Вернуть <a href="#rules/do_not_guess" title="Не угадывать"><code>do_not_guess</code></a>`,
		"/api/v1/external-parameters/credit.psk-cap":              `<a href="/api/v1/external-parameters/credit.psk-over-average" title="`,
		"/api/v1/instructions/product-document-analysis":          `>Передача: <a href="/api/v1/scenarios/fraud_risk">Риск мошенничества</a> <code>fraud_risk</code>`,
		"/api/v1/external-parameters/tax.income-threshold":        `ставка <a href="/api/v1/external-parameters/tax.income-rate" title="`,
		"/api/v1/external-parameters/payments.suspension-days":    ">25\u00a0июля\u00a02024</time>",
		"/api/v1/external-parameters/bankruptcy.out-of-court-min": ">25\u00a0000\u00a0₽<",
	} {
		t.Run(path, func(t *testing.T) {
			if body := c.page(path, http.StatusOK); !strings.Contains(body, want) {
				t.Errorf("%s: no %s", path, want)
			}
		})
	}
}
