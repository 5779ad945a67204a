//go:build slow

package server_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A form with as many rows as its lists may have keeps the page below 100 KB: few rows have
// fields at a time, buttons lead to the others, and what such a page sends back is the same.
func TestFormsWithMostRows(t *testing.T) {
	c := ask(t, starterSite())
	for _, tool := range tools() {
		for i := range tool.Examples {
			form, lists := mostRows(t, tool.ID, i+1)
			if lists == nil {
				continue
			}
			t.Run(fmt.Sprint(tool.ID, i+1), func(t *testing.T) {
				r := c.postForm(toolsPath+tool.ID, form)
				first := string(r.body)
				if len(first) > 100_000 || r.status != http.StatusOK && r.status != http.StatusUnprocessableEntity {
					t.Errorf("%d: %d bytes", r.status, len(first))
				}
				for _, list := range lists {
					last := regexp.MustCompile(`name="show" value="(`+regexp.QuoteMeta(list)+
						`\.\d+)"`).FindAllStringSubmatch(first, -1)
					if last == nil {
						continue
					}
					again := sentBy(first)
					again.Set("show", last[len(last)-1][1])
					shown := string(c.postForm(toolsPath+tool.ID, again).body)
					if !strings.Contains(shown, `name="`+again.Get("show")+`.`) &&
						!strings.Contains(shown, `name="`+again.Get("show")+`"`) || len(shown) > 100_000 {
						t.Errorf("%s: the last rows have no fields, or %d bytes", list, len(shown))
					}
					back := c.postForm(toolsPath+tool.ID, sentBy(shown))
					if want := inputsHash.FindString(first); back.status != r.status ||
						inputsHash.FindString(string(back.body)) != want {
						t.Errorf("%s: what the page sends back is not what it got: %d", list, back.status)
					}
				}
			})
		}
	}
}

// mostRows is an example as a form sends it, with as many rows in its lists of objects as they
// may have, and the names of these lists.
func mostRows(t *testing.T, id string, example int) (form url.Values, lists []string) {
	form = exampleOf(t, id, example)
	var schema struct {
		Properties struct {
			Inputs struct {
				Properties map[string]struct{ MaxItems int }
			}
		}
	}
	for _, tool := range tools() {
		if tool.ID == id {
			must(0, json.Unmarshal(tool.InputSchema(), &schema))
		}
	}
	for name, list := range schema.Properties.Inputs.Properties {
		of := "inputs." + name
		for field, values := range exampleOf(t, id, example) {
			if rest, ok := strings.CutPrefix(field, of+".0"); ok && list.MaxItems > 0 {
				for i := 1; i < list.MaxItems; i++ {
					value := values[0]
					if rest == ".id" {
						value += strconv.Itoa(i)
					}
					form.Set(fmt.Sprintf("%s.%d%s", of, i, rest), value)
				}
				if !slices.Contains(lists, of) {
					lists = append(lists, of)
				}
			}
		}
	}
	return form, lists
}

var (
	aField  = regexp.MustCompile(`<input [^>]*>|<select (?s:.*?)</select>`)
	aName   = regexp.MustCompile(` name="([^"]*)"`)
	aValue  = regexp.MustCompile(` value="([^"]*)"`)
	aChosen = regexp.MustCompile(`<option value="([^"]*)" selected`)
)

// sentBy is what a browser would send of the form of a page.
func sentBy(page string) url.Values {
	form := url.Values{}
	for _, field := range aField.FindAllString(page[strings.Index(page, `id="calculation"`):], -1) {
		name, value := aName.FindStringSubmatch(field), aValue.FindStringSubmatch(field)
		if strings.HasPrefix(field, "<select") {
			value = aChosen.FindStringSubmatch(field)
		}
		if name != nil && value != nil && (!strings.Contains(field, `type="radio"`) ||
			strings.Contains(field, " checked")) {
			form.Set(html.UnescapeString(name[1]), html.UnescapeString(value[1]))
		}
	}
	return form
}

var inputsHash = regexp.MustCompile(`исходных данных</dt><dd><code>(sha256:[0-9a-f]{64})<`)

// Every example of every tool, filled into its form, gives what the engine gives
// for the example: the same inputs by their hash. The page of an example has it
// filled in.
func TestCalculationForms(t *testing.T) {
	c := ask(t, starterSite())
	for _, tool := range tools() {
		for i, e := range tool.Examples {
			decoder := json.NewDecoder(strings.NewReader(e.Request))
			decoder.UseNumber()
			var request map[string]any
			if err := decoder.Decode(&request); err != nil {
				t.Fatal(err)
			}
			form := flattened(url.Values{}, "", request)
			r := c.postForm(toolsPath+tool.ID, form)
			want := must(tool.Calculate([]byte(e.Request), starterSite().Facts())).InputsHash()
			if found := inputsHash.FindStringSubmatch(string(r.body)); r.status != http.StatusOK || found == nil ||
				found[1] != want || r.header.Get("Cache-Control") != "private, no-cache" {
				t.Errorf("%s: %q: %d, not the same inputs as %s", tool.ID, e.Title, r.status, e.Request)
			}
			ids := map[string]bool{}
			for _, m := range idIn.FindAllStringSubmatch(string(r.body), -1) {
				if ids[m[1]] {
					t.Errorf("%s: %q: two elements have the id %s", tool.ID, e.Title, m[1])
				}
				ids[m[1]] = true
			}
			shown := c.page(toolsPath+tool.ID+"?example="+strconv.Itoa(i+1), http.StatusOK)
			for name, value := range form {
				if strings.HasPrefix(name, "inputs.") && !strings.Contains(shown, `name="`+name+`"`) {
					t.Errorf("%s: %q: no field for %s=%s", tool.ID, e.Title, name, value)
				}
			}
		}
	}
}
