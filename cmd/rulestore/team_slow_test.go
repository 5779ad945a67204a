//go:build slow

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

// team is a repository that several people work on through pull requests, with
// the server that follows it.
type team struct {
	*clone
	server  *running
	current map[string]string // what the server has to list: "version title" by item
}

// pull is a pull request: what is done on its branch, how it is merged, and what
// has to come of it.
type pull struct {
	name   string
	edit   func(t *team)
	merge  string // squash, rebase, merge, ours (history without content); "" is no branch: straight to main
	bumps  string // what validate says: item, next version and class
	plan   string // the tags that publish makes, if they are not those
	args   string // of publish --prepare, or of publish
	served map[string]string
	after  func(t *team)
}

// A team of people who edit, rename, remove, split, revert, get into conflicts
// and mend old versions, merging in every way there is: after each request the
// least version is what it should be, and the server serves exactly that.
func TestTeam(t *testing.T) {
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "Команда")
		t.Setenv("GIT_"+who+"_EMAIL", "team@example.org")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	tm := newTeam(t)
	if len(pulls) < 30 {
		t.Errorf("%d pull requests", len(pulls))
	}
	for i, p := range pulls {
		tm.do(fmt.Sprintf("%02d", i+1), p)
	}
	var out, errs bytes.Buffer
	if err := run(t.Context(), []string{"verify", tm.server.url, "--repo", tm.dir}, func(string) string { return "" },
		nil, &out, &errs); err != nil {
		t.Errorf("verify: %v\n%s%s", err, out.String(), errs.String())
	}
}

func newTeam(t *testing.T) *team {
	t.Helper()
	dir := t.TempDir()
	bare := filepath.Join(dir, "rules.git")
	gitIn(t, dir, "init", "-q", "--bare", "-b", "main", bare)
	gitIn(t, dir, "clone", "-q", bare, "author")
	tm := &team{clone: &clone{t, filepath.Join(dir, "author")}, current: map[string]string{}}
	tm.git("switch", "-q", "-c", "main")
	files, err := templates()
	if err != nil {
		t.Fatal(err)
	}
	tm.write(".gitattributes", string(files[".gitattributes"]))
	tm.write(content.SettingsFile, smallSettings)
	tm.scenario("base", "Основа")
	tm.git("push", "-q", "-u", "origin", "main")
	tm.must("publish", "--push")
	tm.current["scenarios/base"] = "1.0.0 Основа"
	tm.server = start(t, "--repo", bare)
	return tm
}

// try runs a command in the team's clone.
func (t *team) try(args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	err = run(t.Context(), append(args, "--repo", t.dir), func(string) string { return "" }, nil, &out, &errs)
	return out.String(), errs.String(), err
}

func (t *team) must(args ...string) string {
	t.Helper()
	out, errs, err := t.try(args...)
	if err != nil {
		t.Fatalf("rulestore %s: %v\n%s%s", strings.Join(args, " "), err, out, errs)
	}
	return out
}

// refused makes sure that a command fails and says why.
func (t *team) refused(why string, args ...string) {
	t.Helper()
	if _, errs, err := t.try(args...); err == nil || !strings.Contains(errs, why) {
		t.Errorf("rulestore %s: %v\n%s\nexpected %s", strings.Join(args, " "), err, errs, why)
	}
}

// do takes one pull request from its first commit to what is served.
func (t *team) do(number string, p pull) {
	t.Helper()
	t.Logf("%s %s", number, p.name)
	branch := "pr-" + number
	if p.merge != "" {
		t.git("switch", "-q", "-c", branch)
	}
	p.edit(t)
	base := "main"
	if p.merge == "" {
		base = "origin/main"
	}
	if got := t.bumps(base); got != p.bumps {
		t.Errorf("validate says %q, expected %q", got, p.bumps)
	}
	made := t.publish(branch, p)
	plan := p.plan
	if plan == "" && p.merge != "ours" {
		plan = tagsIn(p.bumps)
	}
	if made != plan {
		t.Errorf("published %q, expected %q", made, plan)
	}
	if t.Failed() {
		t.Fatalf("stopped in request %s, %s", number, p.name)
	}
	maps.Copy(t.current, p.served)
	maps.DeleteFunc(t.current, func(_, v string) bool { return v == "" })
	want := listing(t.current)
	t.server.await(want, func() bool { return t.listed() == want })
	if p.after != nil {
		p.after(t)
	}
}

// publish merges and publishes as a team does that protects its branch, or
// straight. It returns the tags made.
func (t *team) publish(branch string, p pull) string {
	t.Helper()
	if p.merge == "" {
		return tagsOf(t.must(append([]string{"publish", "--push"}, strings.Fields(p.args)...)...))
	}
	prepared := ""
	if p.merge != "ours" {
		prepared = tagsOf(t.must(append([]string{"publish", "--prepare"}, strings.Fields(p.args)...)...))
	}
	switch p.merge {
	case "rebase":
		t.git("rebase", "-q", "main")
	case "ours":
	default:
		t.git("switch", "-q", "main")
	}
	switch p.merge {
	case "squash":
		t.git("merge", "-q", "--squash", branch)
		t.git("commit", "-q", "--allow-empty", "-m", p.name)
	case "rebase":
		t.git("switch", "-q", "main")
		t.git("merge", "-q", "--ff-only", branch)
	case "merge":
		t.git("merge", "-q", "--no-ff", "-m", p.name, branch)
	case "ours":
		t.git("switch", "-q", "main")
		t.git("merge", "-q", "--no-ff", "-s", "ours", "-m", p.name, branch)
	}
	t.git("push", "-q", "origin", "main")
	t.git("branch", "-q", "-D", branch)
	if made := tagsOf(t.must("publish", "--tag", "--push")); made != prepared {
		t.Errorf("prepared %q, tagged %q", prepared, made)
	}
	return prepared
}

// bumps says what validate makes of the branch: item, next version, class.
func (t *team) bumps(base string) string {
	t.Helper()
	var said struct {
		Change struct {
			Items []struct{ Item, Next, Class, What string }
		}
	}
	out, errs, _ := t.try("validate", "--base", base, "--format", "json") // a broken file is a failure
	if err := json.Unmarshal([]byte(out), &said); err != nil {
		t.Fatalf("validate: %v\n%s%s", err, out, errs)
	}
	var all []string
	for _, i := range said.Change.Items {
		if i.Next == "" {
			i.Next = i.What
		}
		all = append(all, i.Item+" "+i.Next+" "+i.Class)
	}
	return strings.Join(all, ", ")
}

// tagsIn returns the tags that bumps ask for.
func tagsIn(bumps string) string {
	var tags []string
	for b := range strings.SplitSeq(bumps, ", ") {
		if f := strings.Fields(b); len(f) == 3 && strings.Contains(f[1], ".") { // else it is removed, for one
			tags = append(tags, f[0]+"/v"+f[1])
		}
	}
	return strings.Join(tags, " ")
}

// tagsOf returns the tags of a plan that publish printed.
func tagsOf(plan string) string {
	var tags []string
	for line := range strings.Lines(plan) {
		if tag, why, _ := strings.Cut(line, ":"); !strings.HasPrefix(line, "\t") &&
			!strings.Contains(why, "written again") {
			tags = append(tags, strings.Fields(tag)[0])
		}
	}
	return strings.Join(tags, " ")
}

// listed is what the server lists as current.
func (t *team) listed() string {
	t.Helper()
	var lists struct {
		Guidelines []struct {
			ID      string `json:"guideline_id"`
			Version string `json:"guideline_version"`
			Title   string
		}
		Scenarios []struct {
			ID      string `json:"scenario_id"`
			Version string `json:"scenario_version"`
			Title   string
		}
	}
	for _, path := range []string{"/api/v1/guidelines", "/api/v1/scenarios"} {
		if err := json.Unmarshal(t.server.mustGet(path, "*/*").body, &lists); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]string{}
	for _, g := range lists.Guidelines {
		got["guidelines/"+g.ID] = g.Version + " " + g.Title
	}
	for _, s := range lists.Scenarios {
		got["scenarios/"+s.ID] = s.Version + " " + s.Title
	}
	return listing(got)
}

func listing(items map[string]string) string {
	var b strings.Builder
	for _, item := range slices.Sorted(maps.Keys(items)) {
		fmt.Fprintf(&b, "%s %s\n", item, items[item])
	}
	return b.String()
}

// guideline writes a rule; rules are the ids of its rules. Comments keep fields
// apart, so that changes of different fields merge.
func (t *team) guideline(item, title string, rules ...string) {
	t.Helper()
	var list strings.Builder
	for _, r := range rules {
		fmt.Fprintf(&list, "  - rule_id: %s\n    title: Условие %[1]s\n"+
			"    condition: Всегда, когда об этом спрашивают\n    action: Проверить договор и назвать пункт\n"+
			"    explanation: Условие зависит от договора\n    severity: info\n", r)
	}
	t.write(file(item), `guideline_id: `+strings.TrimPrefix(item, "guidelines/")+`
schema_version: "1.0"
scenario: product_analysis
#
#
#
title: `+title+`
#
#
#
summary: Что сказать пользователю об условиях договора.
#
#
#
owner: Редакция
applicability:
  triggers: [Пользователь спрашивает об условиях]
  exclusions: []
required_inputs: []
rules:
`+list.String()+`guardrails:
  - guardrail_id: no_promises
    type: must
    text: Не обещать исход
    reason: Исход зависит от договора
sources:
  - title: Договор
    url: https://example.org/
    checked_on: 2026-01-01
#
#
#
valid_from: 2026-01-01
`)
	t.git("add", "-A")
}

// commit commits everything.
func (t *team) commit(message string) {
	t.Helper()
	t.git("add", "-A")
	t.git("commit", "-q", "-m", message)
}

// title gives an item another title and commits.
func (t *team) title(item, title string) {
	t.Helper()
	t.sub(file(item), `(?m)^title: .*$`, "title: "+title)
	t.commit(title)
}

// status is what the server answers at a path, and says of a version there.
func (t *team) status(path string) string {
	t.Helper()
	a := t.server.mustGet(path, "*/*")
	var body struct{ Status any }
	_ = json.Unmarshal(a.body, &body) // a page of another kind has no status
	return fmt.Sprint(a.status, " ", body.Status)
}

func (t *team) expectStatus(path, want string) {
	t.Helper()
	t.server.await(path, func() bool { return t.status(path) == want })
}

// The rules that the team writes.
const (
	fees     = "guidelines/bank.fees.001"
	cards    = "guidelines/bank.cards.001"
	savings  = "guidelines/bank.savings.001"
	deposits = "guidelines/bank.deposits.001"
)

func file(item string) string { return item + ".yaml" }
