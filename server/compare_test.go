package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// comparison is what a comparison says.
type comparison struct {
	From, To struct {
		Guideline string `json:"guideline_version"`
		Parameter string `json:"parameter_version"`
	}
	Class   string
	Step    string `json:"version_step"`
	Counts  map[string]int
	Total   int
	Next    int `json:"next_offset"`
	Changes []struct{ ID, URL, Section, What, Class string }
	Applied *struct {
		From, To string
		Value    int
	}
	Now *struct{ Value int } `json:"applies_now"`
}

func (c client) compare(query string) comparison {
	c.Helper()
	r := c.get(api.ComparePath + query)
	if r.status != http.StatusOK {
		c.Fatalf("%s: %d %s", query, r.status, r.body)
	}
	return decode[comparison](c, r.body)
}

// Changes are chosen by their class and by the section that they are in, alike in every form;
// what is chosen adds up to all of them.
func TestCompareChosen(t *testing.T) {
	c := ask(t, storeSite())
	const pair = "guidelines/product.deposit.001?from=1.0.0&to=2.0.0"
	all, sum := c.compare(pair), 0
	for _, class := range []string{"breaking", "addition", "wording"} {
		got := c.compare(pair + "&class=" + class)
		if sum += got.Total; got.Total != all.Counts[class] || len(got.Changes) != got.Total || got.Class != all.Class {
			t.Errorf("%s: %d changes of %d", class, got.Total, all.Counts[class])
		}
		for _, change := range got.Changes {
			if change.Class != class {
				t.Errorf("%s: %+v", class, change)
			}
		}
		body := c.page(api.ComparePath+pair+"&class="+class, http.StatusOK)
		if n := strings.Count(body, `<div class="change `+class+" "); n != got.Total ||
			strings.Count(body, `<div class="change `) != n {
			t.Errorf("%s: %d changes on the page", class, n)
		}
		text := string(c.get(api.ComparePath+pair+"&class="+class, "Accept", markdownType).body)
		if n := strings.Count(text, "`](<https://"); n != got.Total {
			t.Errorf("%s: %d changes in Markdown", class, n)
		}
	}
	rules := c.compare(pair + "&section=rules")
	if sum != all.Total || rules.Total == 0 || rules.Total == all.Total {
		t.Errorf("%d changes by class, %d of the rules, %d in all", sum, rules.Total, all.Total)
	}
	for _, change := range rules.Changes {
		if !strings.HasPrefix(change.ID, "rules/") {
			t.Errorf("%+v is not in the rules", change)
		}
	}
	for query, want := range map[string]string{"&class=x": "unknown_value",
		"&class=wording&class=addition": "repeated_parameter", "&section=x": "unknown_section",
		"&view=sides": "unknown_parameter"} {
		if r := c.get(api.ComparePath + pair + query); r.status != http.StatusBadRequest ||
			!strings.Contains(string(r.body), want) {
			t.Errorf("%s: %d %s", query, r.status, r.body)
		}
	}
}

// Where the version moved less or more than what changed asks for, the comparison says so.
func TestCompareStep(t *testing.T) {
	c := ask(t, ruledSite(nil, []rule{first}, []rule{second}, []rule{second}))
	for query, want := range map[string]string{"from=1.0.0&to=1.1.0": "2.0.0", "from=1.1.0&to=1.2.0": "1.1.1",
		"from=1.0.0&to=1.2.0": "2.0.0", "from=1.2.0&to=1.0.0": ""} {
		got := c.compare("guidelines/product.passing.001?" + query)
		if (got.Step == "") != (want == "") || !strings.Contains(got.Step, want) {
			t.Errorf("%s: %q", query, got.Step)
		}
		if body := c.page(fmt.Sprint(api.ComparePath, "guidelines/product.passing.001?", query),
			http.StatusOK); got.Step != "" && !strings.Contains(body, got.Step) {
			t.Errorf("%s: the page does not say so", query)
		}
	}
}

// A comparison is made once while others are few, and the memory for them is bounded: of many, the
// oldest are made anew.
func TestComparisonsAreKept(t *testing.T) {
	s := build(nil, storeSite().Snapshot)
	item := s.Snapshot.Item(content.Guidelines, "product.deposit.001")
	compare := func(offset int) *site.Resource {
		return must(s.Compare(item, site.Comparison{From: item.Version("1.0.0"), To: item.Current, Offset: offset}))
	}
	first := compare(0)
	if compare(0) != first {
		t.Error("it is made for each request")
	}
	for offset := range 1000 {
		compare(offset)
	}
	if compare(0) == first {
		t.Error("all are kept")
	}
	if latest := compare(999); compare(999) != latest {
		t.Error("the latest is not kept")
	}
}

// rule is a rule of a guideline.
type rule struct {
	ID     string `json:"rule_id"`
	Title  string `json:"title"`
	Action string `json:"action"`
}

// ruledSite has a guideline of which each version has these rules, and these marks.
func ruledSite(marks []content.Mark, versions ...[]rule) *site.Site {
	var all []*content.Publication
	for i, rules := range versions {
		all = append(all, &content.Publication{
			Kind: content.Guidelines, Name: "product.passing.001", Version: semver.New(1, uint64(i), 0, "", ""),
			Text: content.Written{Object: content.Object{
				{Name: "guideline_id", Value: content.String("product.passing.001")},
				{Name: "schema_version", Value: content.String("1.0")},
				{Name: "title", Value: content.String("Правило")},
				{Name: "valid_from", Value: content.String(fmt.Sprintf("2026-0%d-01", i%9+1))},
				{Name: "rules", Value: must(json.Marshal(rules))},
			}},
			Checksum: fmt.Sprintf("sha256:%064x", i), PublishedAt: today.AddDate(0, 0, i-len(versions)),
			ChangeNote: fmt.Sprint("Правка номер ", i),
			SignedBy:   content.Signature{Signer: "petrov@bank.example", Key: "SHA256:x", Object: content.SignedTag},
		})
	}
	return build(nil, content.NewSnapshot(content.Input{Source: storeSite().Snapshot.Source,
		Publications: all, Marks: marks}))
}

var (
	first  = rule{"keep", "Хранить", "Хранить договор год."}
	second = rule{"ask", "Спросить", "Спросить о сроке."}
)
