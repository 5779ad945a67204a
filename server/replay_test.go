package server_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// An answer that was given once is calculated again by what was published then: by the older
// version of a parameter, before and after it was due for a check, and whatever is published
// now.
func TestReplayOfThen(t *testing.T) {
	source := `sources: [{title: Закон, url: "https://base.garant.ru/1/", checked_on: 2026-03-17}]`
	file := strings.ReplaceAll(suspension, "SRC", source) + "recheck_after: 2026-06-30\n"
	first := published(t, content.Parameters, "test.suspension", "1.0.0", "2026-03-18", file)
	second := published(t, content.Parameters, "test.suspension", "1.1.0", "2026-08-01",
		strings.NewReplacer("value: 2,", "value: 3,", "2026-06-30", "2026-09-30").Replace(file))
	on := func(day string, publications ...*content.Publication) *site.Site {
		return siteWithMath(content.NewSnapshot(content.Input{
			Source: content.Source{Date: day}, Settings: starterSite().Snapshot.Settings, Publications: publications,
		}))
	}
	now := ask(t, on("2026-11-20", second, first))
	check := func(c client, kept string) string {
		t.Helper()
		r := c.post(api.CitationsPath, `{"calculations":[`+kept+`]}`)
		var said struct {
			Total        int
			Calculations []struct{ Result, Newer string }
		}
		if err := json.Unmarshal(r.body, &said); r.status != http.StatusOK || err != nil || said.Total != 1 ||
			len(said.Calculations) != 1 {
			t.Fatalf("%d %s", r.status, r.body)
		}
		return said.Calculations[0].Result
	}
	given := map[string]string{}
	for name, then := range map[string]*site.Site{
		"the first version": on("2026-04-01", first), "due for a check": on("2026-07-10", first),
		"the second":      on("2026-08-02", second, first),
		"the second, due": on("2026-11-20", second, first),
	} {
		t.Run(name, func(t *testing.T) {
			r := ask(t, then).post(toolsPath+"consumer_rights_deadline_date", suspended("2026-05-15", ``))
			kept := string(r.body)
			if got := check(now, kept); got != calc.RecordMatches {
				t.Errorf("%s\n%s", got, kept)
			}
			if got := check(now, strings.Replace(kept, `"2026-05-1`, `"2026-05-2`, 1)); got != calc.RecordOther {
				t.Errorf("another date: %s", got)
			}
			for other, answer := range given {
				if answer == kept {
					t.Errorf("the same answer as of %s", other)
				}
			}
			given[name] = kept
		})
	}
	if got := check(ask(t, on("2026-11-20", second)), given["the first version"]); got != calc.RecordUnknown {
		t.Errorf("without the first version: %s", got)
	}
	if got := check(ask(t, on("2026-07-10", first)), given["the second"]); got != calc.RecordUnknown {
		t.Errorf("before the second version: %s", got)
	}
}

func TestCitedCalculationsAreLimited(t *testing.T) {
	c := ask(t, starterSite())
	kept := `{"tool_id":"loan_payment","tool_version":"1.1.0","inputs_echo":{},"receipt":"sha256:0"}`
	for name, tt := range map[string]struct{ body, want string }{
		"too many": {`{"calculations":[` + strings.Repeat(kept+",", site.MaxCalculations) + kept + `]}`,
			`"pointer":"/calculations"`},
		"no receipt": {`{"calculations":[{"tool_id":"loan_payment","tool_version":"1.1.0","inputs_echo":{}}]}`,
			`"pointer":"/calculations/0/receipt"`},
		"no object":    {`{"calculations":[1]}`, `"pointer":"/calculations/0"`},
		"wrong inputs": {`{"calculations":[` + kept + `]}`, `"result":"other_result","differs":["inputs_echo"]`},
	} {
		t.Run(name, func(t *testing.T) {
			if r := c.post(api.CitationsPath, tt.body); !strings.Contains(strings.ReplaceAll(string(r.body), `": "`,
				`":"`),
				tt.want) {
				t.Errorf("%s: %d %s", name, r.status, r.body)
			}
		})
	}
}
