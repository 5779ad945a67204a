package html

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"rulestore/server/api"
	"rulestore/server/site"
)

// A form has the fields that are named and declared, with the title, type, limit and values of
// their declarations, and others that the query has.
func TestForm(t *testing.T) {
	o := &api.Operation{Params: []*api.Param{
		{Name: "word", In: "query", Title: "Слово", Type: api.Word, Values: []string{"a", "b"}},
		{Name: "on", In: "query", Title: "Да или нет", Type: api.Switch},
		{Name: "day", In: "query", Title: "День", Type: api.Date},
		{Name: "then", In: "query", Title: "Момент", Type: api.DayOrInstant},
		{Name: "since", In: "query", Title: "С", Type: api.DayOrPlace},
		{Name: "q", In: "query", Title: "Слова", Type: api.Text, Length: 200},
		{Name: "code", In: "query", Title: "Код", Type: api.Text},
		{Name: "untitled", In: "query", Type: api.Text},
		{Name: "offset", In: "query", Type: api.Number},
	}}
	upper := offer{title: strings.ToUpper}
	for i, test := range []struct {
		query  string
		offers map[string]offer
		names  []string
		chosen bool
		fields []string // name, type or values, value
	}{
		{"", nil, nil, false, nil},
		{"offset=5", nil, []string{"q", "unknown", "day"}, false, []string{"q text 200 ", "day date "}},
		{"untitled=x", nil, []string{"day"}, true, []string{"day date ", "untitled hidden x"}},
		{"then=2026-05-01", nil, []string{"word"}, true, []string{"word =не важно a=a b=b ", "then date 2026-05-01"}},
		{"then=2026-05-01T12:00:00Z", nil, nil, true, []string{"then text 2026-05-01T12:00:00Z"}},
		{"since=house:5", nil, nil, true, []string{"since date "}},
		{"word=b", map[string]offer{"word": upper}, []string{"word"}, true, []string{"word =не важно a=A b=B! b"}},
		{"word=c", map[string]offer{"word": upper}, []string{"word"}, true, []string{"word =не важно a=A b=B c=C! c"}},
		{"word=b", map[string]offer{"word": {must: true}}, []string{"word"}, true, []string{"word a=a b=b! b"}},
		{"", map[string]offer{"code": {values: []string{"X"}}}, []string{"code"}, false,
			[]string{"code =не важно X=X "}},
		{"", map[string]offer{"code": {}}, []string{"code", "on"}, false,
			[]string{"on =не важно true=true false=false "}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			q, err := url.ParseQuery(test.query)
			if err != nil {
				t.Fatal(err)
			}
			f := maker{new(site.Site), "/root", nil}.form(o, "/list", q, test.offers, test.names...)
			var fields []string
			for _, field := range f.Fields {
				fields = append(fields, described(field))
			}
			if !slices.Equal(fields, test.fields) || f.Chosen != test.chosen || f.Action != "/root/list" {
				t.Errorf("%q: %q, chosen %t, sent to %s", test.query, fields, f.Chosen, f.Action)
			}
		})
	}
}

func described(f Field) string {
	kind := f.Type
	if f.Length > 0 {
		kind += " 200"
	}
	if f.Choices != nil {
		var all []string
		for _, c := range f.Choices {
			said := c.Value + "=" + c.Title
			if c.Chosen {
				said += "!"
			}
			all = append(all, said)
		}
		kind = strings.Join(all, " ")
	}
	return f.Name + " " + kind + " " + f.Value
}
