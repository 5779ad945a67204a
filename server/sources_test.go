package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/log/logtest"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
	"rulestore/server/site"
)

// severalSite is the store, and a house that builds on it.
var severalSite = sync.OnceValue(func() *site.Site {
	base := loadNamed(readScript("testdata/store.txtar"), loader.Below{Name: "base"})
	house := loadNamed(readScript("testdata/house.txtar"), loader.Below{
		Name:    "house",
		Beneath: func() *content.Beneath { return content.NewBeneath([]*content.Snapshot{base.Snapshot}) },
	})
	base.Log, house.Log = logtest.Of(base.Snapshot, logKey()), logtest.Of(house.Snapshot, logKey())
	j := loader.Join(base, house)
	return site.Build(nil, j.Snapshot, site.Config{
		BaseURL: baseURL, Version: "0.0.0-test", Schemas: schemas.Embedded(), Requests: counted,
		Log: base.Log, Logs: j.Logs, Report: &j.Report,
	})
})

func loadNamed(s gitrepo.Script, named loader.Below) loader.Result {
	l := loader.New(loader.Config{
		Source: must(gitrepo.InMemory(s)), Schemas: schemas.Embedded(),
		Now: func() time.Time { return today }, Below: named,
	})
	return must(l.Load(context.Background()))
}

// What is said of several repositories is described, and so is what is said where there is
// one.
func TestDescribedSources(t *testing.T) {
	several, one := checking(t, severalSite()), checking(t, storeSite())
	for path, want := range map[string]string{
		"/api/v1/sources":                                      `"source":"house"`,
		"/api/v1/sources/house/log":                            `"size":`,
		"/sources/house/log/checkpoint":                        "\n",
		"/api/v1/guidelines":                                   `"source":"house"`,
		"/api/v1/search?q=вклад":                               `"source":"house"`,
		"/api/v1/guidelines/product.deposit.001?view=brief":    `"overridden_by":{"item":"guidelines/house.deposit.001"`,
		"/api/v1/guidelines/product.deposit.001?section=rules": `"source":"base"`,
		"/api/v1/guidelines/product.deposit.001":               "house.deposit.001",
	} {
		t.Run(path, func(t *testing.T) {
			several := checking(t, severalSite())
			if r := several.wants(http.StatusOK, path); !strings.Contains(string(r.body), want) {
				t.Errorf("%s: %s", path, r.body)
			}
		})
	}
	for path, code := range map[string]string{
		"/api/v1/sources":               "path_not_found",
		"/api/v1/sources/house/log":     "path_not_found",
		"/sources/house/log/checkpoint": "source_not_found",
	} {
		t.Run(path, func(t *testing.T) {
			if r := one.wants(http.StatusNotFound, path); !strings.Contains(string(r.body), code) {
				t.Errorf("%s: %s", path, r.body)
			}
		})
	}
	for path, code := range map[string]string{
		"/sources/base/log/checkpoint":   "source_not_found",
		"/sources/nobody/log/checkpoint": "source_not_found",
	} {
		if r := several.wants(http.StatusNotFound, path); !strings.Contains(string(r.body), code) {
			t.Errorf("%s: %s", path, r.body)
		}
	}
}

// Who asks for what a later repository overrides is told of that, in every form; who asks for
// what overrides it is told where it is from, and scripts of other origins may read that.
func TestOverriddenIsSaid(t *testing.T) {
	c := ask(t, severalSite())
	const path = "/api/v1/guidelines/product.deposit.001"
	for _, query := range []string{"", "?view=brief", "?section=rules", "?view=referenced_by"} {
		for _, accept := range []string{"application/json", "text/markdown", "text/html"} {
			r := c.get(path+query, "Accept", accept)
			leads := strings.Contains(strings.Join(r.header.Values("Link"), " "), "overridden-by")
			if !strings.Contains(string(r.body), "house.deposit.001") || !leads || r.header.Get("X-Source") != "base" {
				t.Errorf("%s %s: %v\n%s", query, accept, r.header, r.body)
			}
		}
	}
	r := c.get("/api/v1/guidelines/house.deposit.001")
	if r.header.Get("X-Source") != "house" || !strings.Contains(r.header.Get("Access-Control-Expose-Headers"),
		"X-Source") {
		t.Errorf("%v", r.header)
	}
}

// Feeds and the texts for language models name the repository of an item, where there are several.
func TestSourceInFeedsAndTexts(t *testing.T) {
	several, one := ask(t, severalSite()), ask(t, storeSite())
	for path, want := range map[string]string{
		"/feeds/guidelines/house.deposit.001.atom":   `<category scheme="` + baseURL + `/api/v1/sources" term="house">`,
		"/feeds/guidelines/product.deposit.001.atom": `<category scheme="` + baseURL + `/api/v1/sources" term="base">`,
		"/llms.txt":      "/guidelines/house.deposit.001/current.md) (house)",
		"/llms-full.txt": "/guidelines/house.deposit.001/current.md) (house): ",
	} {
		t.Run(path, func(t *testing.T) {
			if r := several.get(path); !strings.Contains(string(r.body), want) {
				t.Errorf("%s: no %s in\n%s", path, want, r.body)
			}
		})
	}
	for _, path := range []string{"/feeds/guidelines/product.deposit.001.atom", "/llms.txt"} {
		if r := one.get(path); strings.Contains(string(r.body), "<category") ||
			strings.Contains(string(r.body), "(base)") {
			t.Errorf("%s names a repository, and there is one only\n%s", path, r.body)
		}
	}
}

// A mark of a later repository for an item of an earlier one counts for nothing, on no day.
func TestForeignMark(t *testing.T) {
	several, one := ask(t, severalSite()), ask(t, storeSite())
	for _, path := range []string{
		"/api/v1/guidelines/consumer-rights.claim.001",
		"/api/v1/guidelines/consumer-rights.claim.001?as_of=2026-11-10",
		"/api/v1/guidelines/consumer-rights.claim.001/versions/1.0.0",
		"/feeds/guidelines/consumer-rights.claim.001.atom",
	} {
		t.Run(path, func(t *testing.T) {
			r, want := several.get(path), one.get(path)
			if r.status != want.status || strings.Contains(string(r.body), "Чужое правило") {
				t.Errorf("%d, not %d\n%s", r.status, want.status, r.body)
			}
		})
	}
}

// Whoever goes on from next_since in the log of each repository gets every change of each once,
// with its source.
func TestChangelogBySourceAndPlace(t *testing.T) {
	made := severalSite()
	c := checking(t, made)
	for i, since := range []string{"0", "house:0"} {
		size, _, _ := made.LogSignedOf(i)
		source := made.Snapshot.Sources[i].Name
		for at := int64(0); at < size; at++ {
			var part struct {
				Total   int
				Next    any `json:"next_since"`
				Entries []struct {
					Source string
					Index  int64 `json:"log_index"`
				}
			}
			if err := json.Unmarshal(c.wants(http.StatusOK, "/api/v1/changelog?limit=1&since="+since).body,
				&part); err != nil {
				t.Fatal(err)
			}
			if len(part.Entries) != 1 || part.Entries[0].Source != source || part.Entries[0].Index != at ||
				int64(part.Total) != size-at {
				t.Fatalf("since=%s: %+v", since, part)
			}
			since = fmt.Sprint(part.Next)
		}
		if r := c.wants(http.StatusOK, "/api/v1/changelog?since="+
			since); !strings.Contains(string(r.body), `"total":0`) {
			t.Errorf("at the end, %s: %s", since, r.body)
		}
		if r := c.get("/api/v1/changelog?since="+since, "Accept", "text/html"); r.status != http.StatusOK ||
			strings.Contains(string(r.body), `type="date" value="`+since) {
			t.Errorf("the page since %s: %d, or with a place as a day", since, r.status)
		}
	}
	if size, _, _ := made.LogSignedOf(1); size == 0 {
		t.Error("the house has no log")
	}
	for since, code := range map[string]string{"none:0": "unknown_value", "house:99": "beyond_log", ":1": "no_date",
		"house:": "no_date", "house:-1": "no_date"} {
		t.Run(since, func(t *testing.T) {
			if r := c.wants(http.StatusBadRequest, "/api/v1/changelog?since="+
				since); !strings.Contains(string(r.body), code) {
				t.Errorf("since=%s: %s", since, r.body)
			}
		})
	}
}
