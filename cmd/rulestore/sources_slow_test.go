//go:build slow

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// houseSettings are those of a repository that builds on another.
const houseSettings = `schema_version: "1.0"
service: house
title: Правила банка
description: Правила одного банка поверх общих.
audience: ИИ-системы
default_language: ru
disclaimer: Сведения справочные.
demo: false
scenarios: [product_analysis]
`

// newHouse makes a repository that builds on the one that a clone is of: with a rule of its
// own, which is published.
func newHouse(t *testing.T, base *clone, name string) (bare string, a *clone) {
	t.Helper()
	dir := t.TempDir()
	bare = filepath.Join(dir, name+".git")
	a = &clone{t, filepath.Join(dir, "author")}
	gitIn(t, dir, "init", "-q", "--bare", "-b", "main", bare)
	gitIn(t, dir, "clone", "-q", bare, a.dir)
	a.git("checkout", "-q", "-B", "main")
	a.write("rulestore.yaml", houseSettings)
	a.borrow(base, "guidelines/"+common, "guidelines/"+name+"."+common)
	a.publish("guidelines/"+name+"."+common, "1.0.0")
	a.push()
	return bare, a
}

func overriding(item, by string) string {
	return "{item: " + item + ", status: overridden, replaced_by: " + by +
		", reason: У банка свои тарифы, since: 2026-01-01}"
}

const (
	commonPath = "/api/v1/guidelines/" + common
	housePath  = "/api/v1/guidelines/house." + common
)

// A house's rules are served beside those that it builds on, each with its source, and it
// overrides one as long as it says so.
func TestTwoRepositories(t *testing.T) {
	t.Parallel()
	baseBare, base := newYoung(t)
	houseBare, house := newHouse(t, base, "house")
	repos := []string{"--repo", baseBare, "--repo", "house=" + houseBare, "--base-url", baseURL}
	s := start(t, append(repos, "--poll", "1s", "--admin-addr", "127.0.0.1:0")...)

	for path, source := range map[string]string{commonPath: "base", housePath: "house"} {
		a := s.mustGet(path, "application/json")
		if err := agree(a); err != nil || a.header.Get("X-Source") != source {
			t.Errorf("%s: %v, source %q", path, err, a.header.Get("X-Source"))
		}
	}
	before := s.snapshot()
	house.mark(overriding("guidelines/"+common, "guidelines/house."+common))
	s.await("the override", func() bool {
		return strings.Contains(string(s.mustGet(commonPath, "application/json").body), "overridden_by_url")
	})
	if s.snapshot() == before {
		t.Error("the snapshot is called as before")
	}
	a := s.mustGet(commonPath, "application/json")
	if err := agree(a); err != nil {
		t.Error(err)
	}
	if links := strings.Join(a.header["Link"], "\n"); !strings.Contains(links,
		baseURL+housePath+`>; rel="urn:rulestore:overridden-by"`) {
		t.Errorf("links:\n%s", links)
	}
	versions := s.document(commonPath + "/versions")
	by, _ := versions["overridden_by"].(map[string]any)
	if versions["source"] != "base" || by["item"] != "guidelines/house."+common || by["source"] != "house" ||
		by["reason"] != "У банка свои тарифы" {
		t.Errorf("the versions are %v", versions)
	}
	if page := string(s.mustGet(commonPath, "text/html").body); !strings.Contains(page, "У банка свои тарифы") ||
		!strings.Contains(page, housePath) {
		t.Error("the page says nothing of what overrides it")
	}
	assistants, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
		Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: s.url + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer assistants.Close()
	read, err := assistants.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "rulestore://guidelines/" + common})
	if err != nil || read.Contents[0].Meta["source"] != "base" || read.Contents[0].Meta["overridden_by"] == nil {
		t.Errorf("a resource says of its repository %v, %v", read, err)
	}
	prompts, err := assistants.ListPrompts(t.Context(), nil)
	if err != nil || len(prompts.Prompts) == 0 || prompts.Prompts[0].Meta["source"] != "base" {
		t.Errorf("a prompt says of its repository %v, %v", prompts, err)
	}
	resources, err := assistants.ListResources(t.Context(), nil)
	if err != nil || resources.Resources[0].Meta["source"] == nil {
		t.Errorf("the list of resources says of repositories %v, %v", resources, err)
	}
	var ids []string
	for _, hit := range s.document("/api/v1/search?q=общие+правила+анализа")["results"].([]any) {
		h := hit.(map[string]any)
		if h["source"] == nil && h["kind"] != "calculation" {
			t.Errorf("a hit without a source: %v", h)
		}
		ids = append(ids, h["id"].(string))
	}
	if own, other := slices.Index(ids, "house."+common), slices.Index(ids, common); own < 0 ||
		other < 0 || own > other {
		t.Errorf("found %v", ids)
	}
	if found := s.rules("house"); slices.Contains(found, "override") {
		t.Errorf("findings %v", found)
	}
	out, err := rulestoreIn(t.TempDir(), nil, "history", "--admin-addr", s.admin())
	for source, a := range map[string]*clone{"base": base, "house": house} {
		says := source + ": commit " + a.git("rev-parse", "--short=12", "main")
		if err != nil || !strings.Contains(out, says) {
			t.Errorf("the history does not say %q: %v\n%s", says, err, out)
		}
	}
	house.mark()
	s.await("the end of the override", func() bool {
		return !strings.Contains(string(s.mustGet(commonPath, "application/json").body), "overridden_by_url")
	})

	if again := start(t, repos...); again.snapshot() != s.snapshot() {
		t.Error("another process of the same repositories names another snapshot")
	}
}

// A later repository refers to what an earlier one has, never the other way round; and what
// comes to each is served while the other is as it was, or cannot be read.
func TestRepositoriesThatMove(t *testing.T) {
	t.Parallel()
	baseBare, base := newYoung(t)
	houseBare, house := newHouse(t, base, "house")
	deptBare, dept := newHouse(t, base, "dept")
	base.write("parameters/new.limit.yaml", newLimit)
	base.publish("parameters/new.limit", "1.0.0")
	base.push()
	house.write("instructions/house-check.yaml", checking("new.limit"))
	house.publish("instructions/house-check", "1.0.0")
	house.push()
	base.write("instructions/base-check.yaml", strings.Replace(checking("house.limit"), "house.check", "base.check", 1))
	base.publish("instructions/base-check", "1.0.0")
	base.push()
	house.write("parameters/house.limit.yaml", strings.ReplaceAll(newLimit, "new.limit", "house.limit"))
	house.publish("parameters/house.limit", "1.0.0")
	house.push()
	repos := []string{"--repo", "common=" + baseBare, "--repo", "house=" + houseBare, "--repo",
		"dept=" + deptBare, "--base-url", baseURL}
	s := start(t, append(repos, "--poll", "1s")...)
	status := func(path string, want int) func() bool {
		return func() bool { return s.mustGet(path, "application/json").status == want }
	}
	const houseCheck, baseCheck = "/api/v1/instructions/house-check", "/api/v1/instructions/base-check"
	if !status(houseCheck, 200)() || !status(baseCheck, 404)() {
		t.Fatalf("a later one may refer to an earlier one, and no other way round\n%s", s.log)
	}
	dept.mark(overriding("guidelines/house."+common, "guidelines/dept."+common),
		overriding("guidelines/"+common, "guidelines/dept."+common))
	s.await("the third to override the second and the first", func() bool {
		return s.document(housePath + "/versions")["overridden_by"] != nil &&
			s.document(commonPath + "/versions")["overridden_by"] != nil
	})
	house.mark(overriding("guidelines/"+common, "guidelines/house."+common))
	s.await("the second to come before the third", func() bool {
		by, _ := s.document(commonPath + "/versions")["overridden_by"].(map[string]any)
		return by["source"] == "house" && slices.Contains(s.rules("dept"), "override")
	})

	base.git("tag", "-d", "parameters/new.limit/v1.0.0")
	base.push()
	s.await("what refers to it to wait", status(houseCheck, 404))
	base.publish("parameters/new.limit", "1.0.1")
	base.push()
	s.await("what refers to it to come back", status(houseCheck, 200))

	base.borrow(base, "guidelines/"+common, "guidelines/house."+common)
	base.publish("guidelines/house."+common, "3.0.0")
	base.push()
	s.await("the name to be that of the first", func() bool {
		return s.mustGet(housePath, "application/json").header.Get("X-Source") == "common"
	})
	if !status(housePath+"/versions/1.0.0", 404)() || !slices.Contains(s.rules("house"), "taken") {
		t.Errorf("the second has that name still: %v", s.rules("house"))
	}
	base.git("tag", "-d", "guidelines/house."+common+"/v3.0.0")
	base.push()
	s.await("the name to be that of the second again", func() bool {
		return s.mustGet(housePath, "application/json").header.Get("X-Source") == "house"
	})

	if err := os.Rename(houseBare, houseBare+".away"); err != nil {
		t.Fatal(err)
	}
	base.retitle(common, "Пока одного нет")
	base.publish("guidelines/"+common, "9.0.0")
	base.push()
	s.await("the first to go on", func() bool { return s.title(common) == "Пока одного нет" })
	if !status(housePath, 200)() {
		t.Error("what was served of the one that is away is not served any more")
	}
	s.await("health to say which is away", func() bool {
		for _, part := range s.document("/api/v1/health")["sources"].([]any) {
			if p := part.(map[string]any); p["source"] == "house" && p["last_error"] != nil {
				return true
			}
		}
		return false
	})
	if err := os.Rename(houseBare+".away", houseBare); err != nil {
		t.Fatal(err)
	}
	house.retitle("house."+common, "Снова здесь")
	house.publish("guidelines/house."+common, "1.0.1")
	house.push()
	s.await("the one that was away", func() bool { return s.title("house."+common) == "Снова здесь" })
	base.borrow(base, "guidelines/"+common, "guidelines/dept."+common)
	base.publish("guidelines/dept."+common, "1.0.0")
	base.push()
	const deptPath = "/api/v1/guidelines/dept." + common
	s.await("all that the third has to be of the first", func() bool {
		return s.mustGet(deptPath, "application/json").header.Get("X-Source") == "common"
	})
	if again := start(t, repos...); again.snapshot() != s.snapshot() {
		t.Error("another process of the same repositories names another snapshot")
	}
}

const newLimit = `parameter_id: new.limit
schema_version: "1.0"
title: Предел суммы
description: Наибольшая сумма требования.
value_type: money
value: 500000
unit: RUB
sources:
  - {title: Закон, url: https://base.garant.ru/71958414/, checked_on: 2026-03-17}
verified_at: 2026-03-17
certainty: high
valid_from: 2026-01-01
`

// checking is an instruction that refers to a parameter.
func checking(parameter string) string {
	return `instruction_id: house.check
schema_version: "1.0"
title: Проверка
summary: Как проверить условия.
steps:
  - {step: 1, code: CHECK, title: Проверить, instructions: [Сравнить условия с договором.]}
external_parameters: [` + parameter + `]
valid_from: 2026-01-01
`
}

// Who writes in a later repository is told of what it builds on, before anything is published.
func TestAuthorsBuildOnAnother(t *testing.T) {
	t.Parallel()
	_, base := newYoung(t)
	_, house := newHouse(t, base, "house")
	base.write("parameters/new.limit.yaml", newLimit)
	base.publish("parameters/new.limit", "1.0.0")
	house.write("instructions/house-check.yaml", checking("new.limit"))
	house.git("add", "-A")
	house.git("commit", "-q", "-m", "Проверка")
	if out, err := rulestoreIn(house.dir, nil, "validate"); err == nil ||
		!strings.Contains(out, "parameters/new.limit") {
		t.Errorf("alone: %v\n%s", err, out)
	}
	if out, err := rulestoreIn(house.dir, nil, "validate", "--beneath", base.dir); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := rulestoreIn(house.dir, nil, "publish", "house-check", "--beneath", base.dir); err != nil ||
		!strings.Contains(house.git("tag"), "instructions/house-check/v1.0.0") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := rulestoreIn(house.dir, nil, "mark", "guidelines/"+common, "overridden", "--replaced-by",
		"house."+common, "--reason", "Свои тарифы"); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	house.write("guidelines/"+common+".yaml", strings.Replace(base.read("guidelines/"+common+".yaml"), "\ntitle: ",
		"\ntitle: Подмена ", 1))
	house.write("registries/taxonomy.yaml", base.read("registries/taxonomy.yaml")) // a copy
	house.git("add", "-A")
	house.git("commit", "-q", "-m", "Под чужим именем")
	for _, command := range []string{"validate", "publish"} {
		out, err := rulestoreIn(house.dir, []string{"RULESTORE_BENEATH=" + base.dir}, command)
		if err == nil || !strings.Contains(out, "guidelines/"+common+" cannot be published") ||
			strings.Contains(out, "taxonomy cannot") {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
}

// A later repository that cannot be read keeps nobody from being served: neither at a first
// start nor at a restart, and it is served once it can be.
func TestRepositoryThatCannotBeReadAtFirst(t *testing.T) {
	t.Parallel()
	baseBare, base := newYoung(t)
	houseBare, house := newHouse(t, base, "house")
	deptBare, _ := newHouse(t, base, "dept")
	house.git("checkout", "-q", "--orphan", "spoilt")
	house.write("rulestore.yaml", "service: [")
	house.git("commit", "-qam", "Испорчено")
	spoil := func() { house.git("push", "-qf", "origin", "spoilt:main") }
	spoil()
	missing := func(s *running) bool {
		for _, part := range s.document("/api/v1/health")["sources"].([]any) {
			if p := part.(map[string]any); p["source"] == "house" && p["last_error"] != nil {
				return p["checked_at"] != "0001-01-01T00:00:00Z"
			}
		}
		return false
	}
	for name, repos := range map[string][]string{
		"of two":   {"--repo", baseBare, "--repo", "house=" + houseBare},
		"of three": {"--repo", baseBare, "--repo", "house=" + houseBare, "--repo", "dept=" + deptBare},
	} {
		out, err := rulestoreIn(t.TempDir(), nil, append([]string{"check"}, repos...)...)
		if err == nil || !strings.Contains(out, "house.git") {
			t.Errorf("%s: check says %v\n%s", name, err, out)
		}
		s := start(t, append(repos, "--base-url", baseURL, "--poll", "1s", "--stale-after", "1h",
			"--admin-addr", "127.0.0.1:0")...)
		a := s.mustGet(commonPath, "application/json")
		if a.status != 200 || a.header.Get("X-Source") != "base" || !missing(s) {
			t.Errorf("%s: %d %v\n%s", name, a.status, a.header, s.mustGet("/api/v1/health", "*/*").body)
		}
		if got := s.document("/api/v1/sources")["total"]; got != float64(len(repos)/2-1) {
			t.Errorf("%s: %v repositories are listed", name, got)
		}
		if got := s.document("/api/v1/health")["status"]; got != "degraded" {
			t.Errorf("%s: health is %v", name, got)
		}
		if got := s.mustGet(housePath, "application/json").status; got != 404 {
			t.Errorf("%s: %d for what was never read", name, got)
		}
		if a := s.mustGet("/healthz", "*/*"); a.status != 200 {
			t.Errorf("%s: not ready: %s", name, a.body)
		}
		operator := func(order ...string) string {
			addr := answeringOperators.FindStringSubmatch(s.log.String())[1]
			out, _ := rulestoreIn(t.TempDir(), nil, append([]string{"admin", "--admin-addr", addr}, order...)...)
			return out
		}
		if out := operator(); !strings.Contains(out, "house:\ncannot be read: ") ||
			!strings.Contains(out, "base:\nserved: ") {
			t.Errorf("%s: operators are told\n%s", name, out)
		}
		if out := operator("confirm", "0123456789ab"); !strings.Contains(out,
			`no repository holds back state "0123456789ab"`) {
			t.Errorf("%s: of a state that nobody holds back operators are told\n%s", name, out)
		}
		house.git("push", "-qf", "origin", "main:main")
		s.await("what can be read", func() bool {
			return s.mustGet(housePath, "application/json").status == 200 && !missing(s)
		})
		if again := start(t, append(repos, "--base-url", baseURL)...); again.snapshot() != s.snapshot() {
			t.Errorf("%s: another process names another snapshot", name)
		}
		spoil()
	}
}

// Of one elsewhere that cannot be fetched, or has become unfit, goes on what was served of it;
// at a first start the others are served until it answers.
func TestRepositoryElsewhereThatIsAwayAtFirst(t *testing.T) {
	t.Parallel()
	baseBare, base := newYoung(t)
	houseBare, _ := newHouse(t, base, "house")
	host := newHost(t, filepath.Dir(houseBare))
	host.away.Store(true)
	args := []string{
		"--repo", baseBare, "--repo", "house=" + host.URL + "/house.git", "--cache-dir", t.TempDir(), "--base-url",
		baseURL, "--poll", "1s",
	}
	s := start(t, args...)
	if got := s.mustGet(commonPath, "application/json").status; got != 200 {
		t.Fatalf("%d while another is away", got)
	}
	host.away.Store(false)
	served := func() bool { return s.mustGet(housePath, "application/json").status == 200 }
	s.await("the one that was away", served)
	gitIn(t, houseBare, "update-ref", "-d", "refs/heads/main")
	s.await("health to say that it is unfit", func() bool { return s.document("/api/v1/health")["last_error"] != nil })
	before := s.snapshot()
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if s = start(t, args...); !served() || s.snapshot() != before {
		t.Errorf("after a restart %d is answered\n%s", s.mustGet(housePath, "application/json").status, s.log)
	}
	host.away.Store(true)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if s = start(t, args...); !served() || s.snapshot() != before {
		t.Errorf("after a restart without the host %d is answered\n%s",
			s.mustGet(housePath, "application/json").status, s.log)
	}
}

// borrow writes an item as another clone has it, under a name of its own.
func (a *clone) borrow(from *clone, item, as string) {
	a.Helper()
	_, name, _ := strings.Cut(item, "/")
	_, own, _ := strings.Cut(as, "/")
	a.write(as+".yaml", strings.ReplaceAll(from.read(item+".yaml"), "_id: "+name, "_id: "+own))
}

// publish commits what there is and tags an item.
func (a *clone) publish(item, version string) {
	a.Helper()
	a.git("add", "-A")
	a.git("commit", "-q", "--allow-empty", "-m", item+" "+version)
	a.git("tag", "-am", "Версия "+version, item+"/v"+version)
}

// mark writes lifecycle.yaml, commits and pushes it.
func (a *clone) mark(marks ...string) {
	a.Helper()
	a.write("lifecycle.yaml", "schema_version: \"1.2\"\nmarks: ["+strings.Join(marks, ", ")+"]\n")
	a.git("add", "-A")
	a.git("commit", "-q", "-m", "Пометки")
	a.push()
}

// document reads JSON that is served.
func (s *running) document(path string) (doc map[string]any) {
	s.Helper()
	a := s.mustGet(path, "application/json")
	if err := json.Unmarshal(a.body, &doc); err != nil {
		s.Fatalf("%s: %v\n%s", path, err, a.body)
	}
	return doc
}

// rules lists what health says of a repository: the rules of findings that have the source.
func (s *running) rules(source string) (rules []string) {
	s.Helper()
	for _, f := range s.document("/api/v1/health")["findings"].([]any) {
		if f := f.(map[string]any); f["source"] == source {
			rules = append(rules, f["rule"].(string))
		}
	}
	return rules
}

func (s *running) snapshot() string {
	s.Helper()
	return s.mustGet("/", "*/*").header.Get("X-Snapshot")
}
