package server_test

import (
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
