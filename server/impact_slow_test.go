//go:build slow

package server_test

import (
	"html"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
	"rulestore/server/api"
)

// What uses a thing is what the thing is said to be used by elsewhere, and each of them says
// that it uses it; pages list the same and draw it.
func TestImpact(t *testing.T) {
	s := starterSite()
	c, used := ask(t, s), 0
	for _, item := range s.Snapshot.Items {
		if item.Current == nil {
			continue
		}
		got := c.impact(item.ID())
		named := decode[struct{ Total int }](t, c.get(pathOf(item.Kind, item.Name)+"?view=referenced_by").body)
		registry := item.Kind == content.Registries // of which the records are named, too
		if got.Total < named.Total || got.Total > named.Total && !registry || got.Total != len(got.Users) ||
			got.UsesTotal != len(got.Uses) || got.ID != item.Current.ID() {
			t.Errorf("%s: %d users, %d listed, %d name it", item.ID(), got.Total, len(got.Users), named.Total)
		}
		body := html.UnescapeString(c.page(api.ImpactPath+item.ID(), http.StatusOK))
		page := html.UnescapeString(c.page(pathOf(item.Kind, item.Name), http.StatusOK))
		if !strings.Contains(page, `href="`+api.ImpactPath+item.ID()+`"`) {
			t.Errorf("%s: nothing leads to its impact", item.ID())
		}
		for _, u := range got.Users {
			used++
			if path := strings.TrimPrefix(u.URL, baseURL); len(got.Users) <= 20 &&
				!strings.Contains(body, `<li><a href="`+path+`">`) || !registry && len(got.Users) <= 50 &&
				!strings.Contains(page, `"`+path) {
				t.Errorf("%s: no %s on its pages", item.ID(), path)
			}
		}
		if (got.Total > 0) != strings.Contains(body, `aria-labelledby="users-graph"`) || len(body) > 100<<10 {
			t.Errorf("%s: %d users, %d bytes", item.ID(), got.Total, len(body))
		}
	}
	if used < 10 {
		t.Errorf("%d uses", used)
	}
}

// A preview says which sections a draft changes, how gravely, and who uses them. Who is served
// what is published is told nothing of it.
func TestImpactOfDrafts(t *testing.T) {
	const path, title = "registries/fraud-signals.yaml", "Просят удалённый доступ к устройству"
	script := slices.Clone(starterScript())
	var text string
	for _, step := range script {
		for _, name := range slices.Sorted(maps.Keys(step.Files)) {
			if name == path {
				text = string(step.Files[name])
			}
		}
	}
	if !strings.Contains(text, title) {
		t.Fatal("no such record")
	}
	script = append(script, gitrepo.ScriptCommit{
		Date: today.Add(-time.Hour), Message: "Признак назван иначе",
		Files: map[string][]byte{path: []byte(strings.Replace(text, title, "Просят доступ к телефону", 1))},
	})
	l := loader.New(loader.Config{Source: must(gitrepo.InMemory(script)), Drafts: true, Schemas: schemas.Embedded(),
		Now: func() time.Time { return today }})
	c := ask(t, build(nil, must(l.Load(t.Context())).Snapshot))
	signal := "registries/fraud-signals?section=signals/REMOTE_ACCESS_REQUESTED"
	used := c.impact(signal).Total
	for _, path := range []string{"registries/fraud-signals", signal} {
		d := c.impact(path).Draft
		if d == nil || d.Change != "wording" || len(d.Sections) != 1 ||
			d.Sections[0].Section != "signals/REMOTE_ACCESS_REQUESTED" ||
			d.Sections[0].Total != used || used == 0 || d.Total < used || !strings.Contains(d.Version, d.Since[:2]) {
			t.Errorf("%s: %+v", path, d)
		}
		if body := c.page(api.ImpactPath+path, http.StatusOK); !strings.Contains(body, "Что затронет черновик") {
			t.Error(body)
		}
	}
	if d := c.impact("registries/fraud-signals?section=signals/SMS_CODE_REQUESTED").Draft; d == nil ||
		len(d.Sections) > 0 {
		t.Errorf("%+v", d)
	}
	if d := c.impact("guidelines/product.common.001").Draft; d != nil {
		t.Errorf("%+v", d)
	}
	if body := c.page(content.Registries.ItemPath("fraud-signals"), http.StatusOK); !strings.Contains(body,
		"Что затронет эта правка") {
		t.Error("nothing leads to what the draft touches")
	}
	if d := ask(t, starterSite()).impact("registries/fraud-signals").Draft; d != nil {
		t.Errorf("%+v", d)
	}
}
