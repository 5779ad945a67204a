//go:build slow

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An author of one of several repositories sees drafts of it over what is published beneath, in
// their own order of service, or drafts of all.
func TestDraftsOfSeveral(t *testing.T) {
	t.Parallel()
	_, base := newYoung(t)
	_, house := newHouse(t, base, "house")
	repos := []string{"--repo", base.dir, "--repo", "house=" + house.dir, "--poll", "1s"}
	base.write("parameters/new.limit.yaml", newLimit)
	base.publish("parameters/new.limit", "1.0.0")
	base.retitle(common, "Черновик в общем")
	house.write("instructions/house-check.yaml", checking("new.limit"))
	house.write("guidelines/"+common+".yaml", strings.Replace(base.read("guidelines/"+common+".yaml"), "\ntitle: ",
		"\ntitle: Подмена ", 1))
	own, all := start(t, append(repos, "--drafts=house")...), start(t, append(repos, "--drafts")...)
	const check = "/api/v1/instructions/house-check"
	title := func(s *running, path string) string {
		title, _ := s.document(path)["title"].(string)
		return title
	}
	for _, s := range []*running{own, all} {
		if a := s.mustGet(check, "application/json"); a.status != 200 || a.header.Get("X-Source") != "house" ||
			a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%d %v for a draft that refers to what is beneath", a.status, a.header)
		}
		if page := string(s.mustGet("/", "text/html").body); !strings.Contains(page,
			"house: guidelines/"+common+".yaml") {
			t.Error("nothing is said of a file with the name of an item beneath")
		}
		if page := string(s.mustGet(check, "text/html").body); strings.Contains(page, "new.limit: ") {
			t.Error("a reference to what is beneath is a mistake")
		}
		if a := s.mustGet(commonPath, "application/json"); a.header.Get("X-Source") != "base" {
			t.Errorf("the rule beneath is of %q", a.header.Get("X-Source"))
		}
	}
	if got := title(all, commonPath); got != "Черновик в общем" {
		t.Errorf("with drafts of all the rule beneath is %q", got)
	}
	if got := title(own, commonPath); got == "Черновик в общем" {
		t.Error("with drafts of the house a draft beneath is served")
	}
	shown := map[any]any{}
	for _, part := range own.document("/api/v1/health")["sources"].([]any) {
		shown[part.(map[string]any)["source"]] = part.(map[string]any)["drafts"]
	}
	if shown["base"] != nil || shown["house"] != true {
		t.Errorf("health says that drafts are shown of %v", shown)
	}
	house.write("instructions/house-check.yaml", strings.Replace(checking("new.limit"), "Проверка", "Правлено", 1))
	for _, s := range []*running{own, all} {
		s.await("what is saved", func() bool { return title(s, check) == "Правлено" })
	}
	base.write("parameters/new.limit.yaml", strings.Replace(newLimit, "Предел суммы", "Черновик предела", 1))
	all.await("what is saved beneath", func() bool {
		return title(all, "/api/v1/external-parameters/new.limit") == "Черновик предела"
	})
	house.write("instructions/house-check.yaml", checking("nothing.there"))
	for _, s := range []*running{own, all} {
		s.await("what is wrong", func() bool {
			return strings.Contains(string(s.mustGet(check, "text/html").body), "nothing.there")
		})
	}
}

// The log of each repository is checked against a policy of its own, with the repositories or
// without: what one repository seals of another, or a server says is of another, is found.
func TestPoliciesOfSeveral(t *testing.T) {
	t.Parallel()
	baseBare, base := newYoung(t)
	houseBare, house := newHouse(t, base, "house")
	dir := t.TempDir()
	sign := func(a *clone, name string) {
		t.Helper()
		key, policy := filepath.Join(dir, name+".key"), filepath.Join(dir, name+".yaml")
		if _, err := os.Stat(key); err != nil {
			public, err := rulestoreIn(dir, nil, "log", "key", name+".example.org/log", key)
			if err != nil {
				t.Fatal(err, public)
			}
			if err := os.WriteFile(policy, []byte("log: "+strings.Fields(public)[0]+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := rulestoreIn(a.dir, nil, "log", "sign", "--key-file", key); err != nil {
			t.Fatal(err, out)
		}
		a.push()
	}
	house.retitle("house."+common, "Запечатано")
	if out, err := rulestoreIn(house.dir, nil, "publish", "house."+common, "--beneath", base.dir); err != nil {
		t.Fatal(err, out)
	}
	sign(base, "base")
	sign(house, "house")
	repos := []string{"--repo", baseBare, "--repo", "house=" + houseBare}
	s := start(t, append(repos, "--base-url", baseURL, "--poll", "1s")...)
	before := house.git("rev-parse", "HEAD")
	house.retitle("house."+common, "Опубликовано и взято назад")
	if out, err := rulestoreIn(house.dir, nil, "publish", "house."+common, "--beneath", base.dir); err != nil {
		t.Fatal(err, out)
	}
	sign(house, "house")
	s.await("what is new in the house", func() bool { return s.title("house."+common) == "Опубликовано и взято назад" })
	gitIn(t, houseBare, "update-ref", "refs/heads/main", before)
	s.await("the refusal", func() bool {
		return strings.Contains(s.log.String(), "the log does not go on with the one that is served")
	})
	if title := s.title("house." + common); title != "Опубликовано и взято назад" {
		t.Errorf("what was taken back is served no more: %s", title)
	}
}
