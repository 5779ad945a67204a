package server_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"rulestore/server/api"
)

// depending is a thing with what depends on it, and what it depends on.
type depending struct {
	Kind, ID, Title, URL string
	Total                int         `json:"used_by_total"`
	Users                []depending `json:"used_by"`
	UsesTotal            int         `json:"uses_total"`
	Uses                 []depending
	Second               int `json:"second_total"`
	Draft                *struct {
		Version, Since, Change string
		Total                  int `json:"used_by_total"`
		Sections               []struct {
			Section, Title, Change string
			Total                  int `json:"used_by_total"`
		}
	}
}

func (c client) impact(path string) depending {
	c.Helper()
	r := c.get(api.ImpactPath + path)
	if r.status != http.StatusOK {
		c.Fatalf("%s: %d %s", path, r.status, r.body)
	}
	return decode[depending](c, r.body)
}

// A registry is used by what names one of its records, and uses what they name.
func TestImpactOfRegistry(t *testing.T) {
	c := ask(t, starterSite())
	for record, registry := range map[string]string{
		"fraud-signals?section=signals/REMOTE_ACCESS_REQUESTED":        "fraud-signals",
		"fraud-routes?section=routes/mobile-operator-sim-recovery.001": "fraud-routes",
	} {
		all := c.impact("registries/" + registry)
		users := map[string]bool{}
		for _, u := range all.Users {
			if users[u.URL] = true; strings.HasPrefix(u.URL, all.URL+"/") {
				t.Errorf("%s is used by its own record %s", registry, u.ID)
			}
		}
		own := c.impact("registries/" + record)
		for _, u := range own.Users {
			if !users[u.URL] && !strings.HasPrefix(u.URL, all.URL+"/") {
				t.Errorf("%s is not used by %s, which uses %s", registry, u.ID, own.ID)
			}
		}
		if len(own.Users) == 0 || all.UsesTotal+all.Total == 0 {
			t.Errorf("%s: %d users, %s: %d", own.ID, len(own.Users), registry, all.Total)
		}
	}
}

// A record is used by what names its code, and each of those says so.
func TestImpactGoesBothWays(t *testing.T) {
	c := ask(t, starterSite())
	for _, path := range []string{
		"registries/fraud-signals?section=signals/REMOTE_ACCESS_REQUESTED", "tools/loan_payment",
		"parameters/consumer-rights.ombudsman-participants",
		"registries/taxonomy?section=product_types/mortgage",
	} {
		got := c.impact(path)
		if got.Total == 0 || got.Kind == "" || got.Title == "" || got.Second == 0 {
			t.Errorf("%s: %+v", path, got)
		}
		for _, u := range got.Users {
			if u.Kind != "guideline" && u.Kind != "instruction" {
				continue
			}
			folder := map[string]string{"guideline": "guidelines/", "instruction": "instructions/"}[u.Kind]
			name := u.URL[strings.LastIndexByte(u.URL, '/')+1:]
			if uses := c.impact(folder + name).Uses; !slices.ContainsFunc(uses,
				func(d depending) bool { return d.URL == got.URL }) {
				t.Errorf("%s does not say that it uses %s", name, path)
			}
		}
	}
	if text := string(c.get(api.ImpactPath+"tools/loan_payment", "Accept", markdownType).body); !strings.HasPrefix(text,
		"# ") || !strings.Contains(text, "## Кто использует: ") {
		t.Error(text)
	}
	for path, status := range map[string]int{
		"guidelines/nothing": 404, "nothing": 404, "": 404, "tools/nothing": 404,
		"registries/fraud-signals?section=signals/NOTHING": 400,
		"guidelines/product.common.001?section=rules":      400, "guidelines/product.common.001?x=1": 400,
		"guidelines/product.common.001?section=": 200,
	} {
		t.Run(path, func(t *testing.T) {
			if r := c.get(api.ImpactPath+path, "Accept", browser); r.status != status {
				t.Errorf("%q: %d, not %d", path, r.status, status)
			}
		})
	}
}
