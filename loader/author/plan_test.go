package author

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/change"
)

// What a plan says of an author's changes, and why there is none.
func TestPlan(t *testing.T) {
	t.Parallel()
	shared := copied(t)
	twoTitles(shared)
	for _, c := range []struct {
		name string
		do   func(w *work) // nil: two titles were changed
		o    Options
		want string // what is planned, or, if it begins with "!", a part of the error
	}{
		{name: "nothing", do: func(*work) {}},
		{
			name: "words", do: func(w *work) {
				w.title(rule, "Любой продукт")
				w.title(one, "Первый")
			},
			want: rule + "/v1.1.1 after 1.1.0: wording: title changed\n" + one + "/v1.0.1 after 1.0.0: wording: title changed\n",
		},
		{
			name: "one of two, by the path of its file", o: Options{Items: []string{"./" + one + ".yaml"}},
			want: one + "/v1.0.1 after 1.0.0: wording: title changed\n",
		},
		{
			name: "one of two, by its name", o: Options{Items: []string{"one"}},
			want: one + "/v1.0.1 after 1.0.0: wording: title changed\n",
		},
		{name: "nobody's name", o: Options{Items: []string{"onee"}}, want: `!there is no item "onee": did you mean one?`},
		{
			name: "a greater step", o: Options{Bump: change.Minor},
			want: one + "/v1.1.0 after 1.0.0: wording: title changed\n" + two + "/v1.1.0 after 1.0.0: wording: title changed\n",
		},
		{
			name: "a greater step for one",
			o:    Options{Ask: map[string]change.Ask{"./scenarios/one.yaml": {Bump: change.Major}}},
			want: one + "/v2.0.0 after 1.0.0: wording: title changed\n" + two + "/v1.0.1 after 1.0.0: wording: title changed\n",
		},
		{
			name: "a step for what is not published",
			o:    Options{Items: []string{"one"}, Ask: map[string]change.Ask{"two": {Bump: change.Major}}},
			want: "!--bump two: the item is not among those to publish",
		},
		{
			name: "a version twice",
			o:    Options{Ask: map[string]change.Ask{"one": {Bump: change.Major}, one: {Version: version("3.0.0")}}},
			want: "!scenarios/one: a version is asked for twice, by itself or as a step: give one",
		},
		{
			name: "two steps",
			o:    Options{Ask: map[string]change.Ask{"one": {Bump: change.Major}, one: {Bump: change.Minor}}},
			want: "!a version is asked for twice",
		},
		{
			name: "two versions",
			o:    Options{Ask: map[string]change.Ask{"one": {Version: version("2.0.0")}, one: {Version: version("3.0.0")}}},
			want: "!a version is asked for twice",
		},
		{
			name: "a version", o: Options{Items: []string{"one"}, Ask: asking("one", "1.2.0")},
			want: one + "/v1.2.0 after 1.0.0: wording: title changed\n",
		},
		{
			name: "too small a step", o: Options{Ask: asking("one", "1.0.0")},
			want: "!scenarios/one: version 1.0.0 is too small a step: the change is wording: title changed, it needs at " +
				"least 1.0.1",
		},
		{
			name: "a new item", do: func(w *work) {
				w.put("scenarios/new.yaml", newScenario)
				w.commit("Новый")
			},
			want: "scenarios/new/v1.0.0: the first publication\n",
		},
		{
			name: "a comment", do: func(w *work) {
				w.edit(one+".yaml", `^title`, "# слово\ntitle")
				w.commit("Комментарий")
			},
			o: Options{Bump: change.Minor},
		},
		{
			name: "a tag made by hand", do: func(w *work) {
				w.title(one, "Первый")
				w.sh("tag " + one + "/v1.4.0")
			},
			want: "unsealed " + one + "/v1.4.0\n",
		},
		{
			name: "a seal that is gone", do: func(w *work) {
				w.edit("sealed/"+rule+".sum", `^\S+/v1.1.0 .*\n`, "")
				w.commit("Без печати")
			},
			want: "restored " + rule + "/v1.1.0\n",
		},
		{
			name: "a tag that is gone", do: func(w *work) { w.sh("tag -d " + one + "/v1.0.0") },
			want: one + "/v1.0.0: sealed, and not tagged yet\n",
		},
		{
			name: "a version that is taken", do: func(w *work) {
				twoTitles(w)
				w.sh("tag " + one + "/v1.0.1 HEAD^{tree}\n tag " + one + "/v1.0.2 HEAD^{tree}")
			},
			want: "!scenarios/one/v1.0.1 exists already, in this repository: choose another version, `rulestore publish " +
				"scenarios/one@1.0.3`",
		},
		{
			name: "a prerelease that is taken", do: func(w *work) {
				twoTitles(w)
				w.sh("tag " + one + "/v1.1.0-rc.1 HEAD^{tree}")
			},
			o: Options{Items: []string{one}, Ask: asking(one, "1.1.0-rc.1")}, want: "!`rulestore publish " +
				"scenarios/one@1.1.0-rc.2`",
		},
		{
			name: "a prerelease without a number that is taken", do: func(w *work) {
				twoTitles(w)
				w.sh("tag " + one + "/v1.1.0-beta HEAD^{tree}")
			},
			o: Options{Items: []string{one}, Ask: asking(one, "1.1.0-beta")}, want: "!`rulestore publish " +
				"scenarios/one@1.1.0-beta.1`",
		},
		{
			name: "what is not committed", do: func(w *work) {
				w.edit(one+".yaml", `^title: .*`, "title: Первый")
				w.put("scenarios/new.yaml", newScenario)
				w.put("notes.txt", "Ничего\n")
			},
			want: "!not everything is committed: commit these first, put them aside with `git stash --include-untracked`, " +
				"or name what is to be published without them, `rulestore publish " +
				"ITEM`:\n\tscenarios/one.yaml\n\tscenarios/new.yaml",
		},
		{
			name: "much that is not committed", do: func(w *work) {
				for _, name := range strings.Fields("a b c d e f g") {
					w.put("scenarios/"+name+".yaml", newScenario)
				}
			},
			o: Options{Mode: Tag}, want: "!`git stash --include-untracked`:\n\tscenarios/a.yaml\n\tscenarios/b.yaml\n" +
				"\tscenarios/c.yaml\n\tscenarios/d.yaml\n\tscenarios/e.yaml\n\tand 2 more",
		},
		{
			name: "what is not committed beside what is asked for", do: func(w *work) {
				twoTitles(w)
				w.edit(two+".yaml", `^title: .*`, "title: Не в коммите")
			},
			o: Options{Items: []string{one}}, want: one + "/v1.0.1 after 1.0.0: wording: title changed\n",
		},
		{
			name: "what is asked for and not committed", do: func(w *work) { w.edit(two+".yaml", `^title: .*`, "title: Иначе") },
			o: Options{Items: []string{two}}, want: "!scenarios/two.yaml is not committed: commit it first",
		},
		{
			name: "seals that nobody wrote", do: func(w *work) {
				twoTitles(w)
				w.edit("sealed/scenarios/one.sum", `\z`, "garbage\n")
			},
			want: "!\tsealed/scenarios/one.sum",
		},
		{
			name: "a mistake", do: func(w *work) {
				twoTitles(w)
				w.edit(two+".yaml", `^title`, "titel")
				w.commit("Опечатка")
			},
			want: "!there is something to mend first:\n\tscenarios/two.yaml:1:1: error: the field \"title\" is missing",
		},
		{
			name: "a mistake elsewhere", do: func(w *work) {
				twoTitles(w)
				w.edit(two+".yaml", `^title`, "titel")
				w.commit("Опечатка")
			},
			o: Options{Items: []string{one}}, want: one + "/v1.0.1 after 1.0.0: wording: title changed\n",
		},
		{
			name: "a mistake in what concerns all", do: func(w *work) {
				w.edit("lifecycle.yaml", `^marks`, "marcs")
				w.title(one, "Первый")
			},
			o: Options{Items: []string{one}}, want: "!\tlifecycle.yaml:",
		},
		{
			name: "another encoding", do: func(w *work) {
				w.edit(one+".yaml", `^title: .*`, "title: Первый")
				w.sh("config i18n.commitEncoding klingon")
				w.put(".git/message", "\xcf\xf0\n")
				w.sh("commit -q -a -F .git/message")
			},
			want: "!error: the message of commit HASH is not UTF-8, nor in the encoding that the commit states",
		},
		{
			name: "nobody's name for git", do: func(w *work) {
				w.title(one, "Первый")
				w.environ = append(os.Environ(), "GIT_COMMITTER_NAME= ", "GIT_COMMITTER_EMAIL= ")
			},
			want: "!git var: ",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &work{T: t, Repository: shared.Repository}
			if c.do != nil {
				t.Parallel()
				w = copied(t)
				c.do(w)
			}
			w.plans(c.o, c.want)
		})
	}
}

// plans compares what is planned, or a part of why nothing is, with what was expected.
func (w *work) plans(o Options, want string) {
	w.Helper()
	p, err := w.plan(o)
	if part, refused := strings.CutPrefix(want, "!"); refused {
		if err == nil {
			w.Errorf("planned:\n%s", said(p))
		} else if !strings.Contains(hash.ReplaceAllString(err.Error(), "HASH"), part) {
			w.Errorf("%v\nlacks %s", err, part)
		}
		return
	}
	if err != nil {
		w.Fatal(err)
	}
	if got := said(p); got != want || p.Empty() != idle.MatchString(want) {
		w.Errorf("planned, empty %v:\n%sexpected:\n%s", p.Empty(), got, want)
	}
}

// idle matches plans of which nothing comes.
var idle = regexp.MustCompile(`^((left out|warning|first).*\n)*$`)

func twoTitles(w *work) {
	w.title(one, "Первый")
	w.title(two, "Второй")
}

const newScenario = "scenario_id: new\nschema_version: \"1.0\"\ntitle: Новый\ndescription: Сценарий для испытаний.\n"

// The message of a tag is made of those of the commits since the publication before it.
func TestMessages(t *testing.T) {
	t.Parallel()
	w := copied(t)
	for _, message := range []string{"Первое\n\nCriticality: major", "Второе\n\nCriticality: minor", "Третье"} {
		w.edit(rule+".yaml", `^title: .*`, "title: "+strings.Fields(message)[0])
		w.commit(message)
	}
	w.edit(one+".yaml", `^title: .*`, "title: Сценарий")
	w.commit("Сценарий\n\nCriticality: minor")
	p, err := w.plan(Options{Release: version("1.0.0")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range p.Tags {
		got = append(got, s.Message)
	}
	want := []string{
		"Первое\n\n- Второе\n- Третье\n\nCriticality: minor", "Сценарий",
		"Выпуск 1.0.0\n\n- Третье: Вторая публикация\n- Третье: Первая публикация\n- Проверка: Первая публикация\n" +
			"- Таксономия: Первая публикация\n- Предел суммы: Первая публикация\n- Сценарий: Первая публикация\n" +
			"- Два: Первая публикация\n- Третье: Первое\n- Сценарий: Сценарий",
	}
	if strings.Join(got, "\n--\n") != strings.Join(want, "\n--\n") {
		t.Errorf("%s", strings.Join(got, "\n--\n"))
	}
}

// A prerelease leads to its release: of another content by itself, of the same by its name.
func TestPrereleases(t *testing.T) {
	t.Parallel()
	const try = "  (a prerelease: only a server with --drafts shows it, readers go on with 1.0.0; " +
		"`rulestore publish scenarios/one@1.1.0` releases it)\n"
	w := copied(t)
	w.title(one, "Проба")
	candidate := Options{Items: []string{one}, Ask: asking(one, "1.1.0-rc.1")}
	w.plans(candidate, one+"/v1.1.0-rc.1 after 1.0.0: wording: title changed\n"+try)
	w.publish(candidate)
	w.plans(Options{}, "")
	release := Options{Items: []string{one}, Ask: asking(one, "1.1.0")}
	w.plans(release, one+"/v1.1.0 after 1.0.0: wording: title changed\n")

	w.title(one, "Готово")
	w.plans(Options{}, one+"/v1.1.0 after 1.0.0: wording: title changed\n  (other content than 1.1.0-rc.1, "+
		"which was tried: `rulestore diff scenarios/one 1.1.0-rc.1` shows what changed since)\n")
	w.sh("rm -q " + one + ".yaml")
	w.edit("instructions/test.yaml", `^scenarios: .*`, "scenarios: [two]")
	w.commit("Нет файла")
	w.plans(release, "!scenarios/one.yaml does not say at the head what scenarios/one/v1.1.0-rc.1 says: "+
		"`git checkout scenarios/one/v1.1.0-rc.1 -- scenarios/one.yaml`, commit it, then publish")
	w.put("scenarios/new.yaml", newScenario)
	w.commit("Новый")
	w.plans(Options{Items: []string{"new"}, Ask: asking("new", "0.2.0-rc.1")},
		"scenarios/new/v0.2.0-rc.1: the first publication\n  (a prerelease: only a server with --drafts shows it, "+
			"readers find nothing of it; `rulestore publish scenarios/new@0.2.0` releases it)\n")
}

// What readers are to find later waits, with what refers to it; by its name it is refused, and for a
// day it is published ahead.
func TestDue(t *testing.T) {
	t.Parallel()
	day := func(text string) time.Time {
		at, err := time.Parse(content.Date, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	const early = test + ": valid_from is 2999-01-01, in the future: what is published is current at once, so " +
		"publish it " +
		"on that day, or ahead of time: `rulestore publish instructions/test --at 2999-01-01`"
	w := copied(t)
	w.edit(test+".yaml", `^valid_from: .*`, "valid_from: 2999-01-01")
	w.title(one, "Иначе")
	changed := one + "/v1.0.1 after 1.0.0: wording: title changed\n"
	w.plans(Options{}, changed+"left out "+test+": "+early+"\n")
	w.plans(Options{Items: []string{test}}, "!"+early)
	w.plans(Options{Items: []string{test}, At: day("2998-12-31")}, "!"+early)
	w.plans(Options{At: day("2026-03-01")}, "!--at 2026-03-01 is not in the future (UTC)")
	w.plans(Options{Items: []string{test}, Ask: asking(test, "1.1.0-rc.1")}, test+"/v1.1.0-rc.1 after 1.0.0: wording: "+
		"valid_from changed\n  (a prerelease: only a server with --drafts shows it, readers go on with 1.0.0; `rulestore "+
		"publish instructions/test@1.1.0` releases it)\n")
	w.edit(test+".yaml", `^valid_from: .*`, "valid_from: 2026-03-02")
	w.commit("Завтра")
	w.plans(Options{}, changed+"left out "+test+": "+strings.ReplaceAll(early, "2999-01-01", "2026-03-02")+"\n")
	w.edit(test+".yaml", `^valid_from: .*`, "valid_from: 2026-03-01")
	w.commit("Сегодня")
	w.plans(Options{}, test+"/v1.0.1 after 1.0.0: wording: valid_from changed\n"+changed)
	w.edit(test+".yaml", `^valid_from: .*`, "valid_from: 2999-01-01")
	w.commit("Потом")

	const ahead = "  (published ahead: readers find it from 2999-01-01 on, at 00:00 UTC)\n"
	o := Options{Items: []string{test}, At: day("2999-01-01")}
	w.plans(o, test+"/v1.0.1 after 1.0.0: wording: valid_from changed\n"+ahead)
	w.publish(o)
	if !strings.HasSuffix(w.ask("show", "HEAD:sealed/instructions/test.sum"), " 2999-01-01T00:00:00Z") {
		t.Error(w.ask("show", "HEAD:sealed/instructions/test.sum"))
	}
	w.plans(Options{}, changed)

	w.edit(test+".yaml", `^valid_from: .*`, "valid_from: 2026-01-01")
	w.title(test, "Раньше")
	w.plans(Options{Items: []string{test}}, test+"/v1.0.2 after 1.0.1: wording: title changed\n"+
		"  (1.0.1 is published ahead, for 2999-01-01, and will never be current: 1.0.2 is higher)\n")
	w.plans(Options{Items: []string{test}, At: day("2999-02-01")}, test+
		"/v1.0.2 after 1.0.1: wording: title changed\n"+
		strings.Replace(ahead, "2999-01-01", "2999-02-01", 1))
}

// A draft that a load left out is found by its name, with its folder or without, and no publication is.
func TestLeftOut(t *testing.T) {
	const draft = "scenarios/a/v1.0.1-20260101000000-0123456789ab"
	const held = "scenarios/b/v1.0.0-20260101000000-0123456789ab.dirty"
	r := content.Report{
		Refused: []string{"scenarios/a/v1.0.0", draft}, Held: []string{held, "no tag"},
		Findings: []content.Finding{
			{Tag: draft, Rule: "one"}, {Tag: "scenarios/a/v1.0.0", Rule: "two"}, {Rule: "three"},
		},
	}
	for name, want := range map[string]string{
		"a": "scenarios/a [one]", "scenarios/a": "scenarios/a [one]", "scenarios/a.yaml": "scenarios/a [one]",
		"b": "scenarios/b []", "c": " []", "guidelines/a": " []", "": " []",
	} {
		item, why := LeftOut(r, name)
		var rules []string
		for _, f := range why {
			rules = append(rules, f.Rule)
		}
		if got := fmt.Sprint(item, " ", rules); got != want {
			t.Errorf("%q: %s, expected %s", name, got, want)
		}
	}
}

// What is published refers to what readers find by then.
func TestReferences(t *testing.T) {
	t.Parallel()
	w := copied(t)
	w.put("scenarios/new.yaml", newScenario)
	w.edit(test+".yaml", `^scenarios: .*`, "scenarios: [new]")
	w.commit("Новый")
	const refers = "instructions/test.yaml:7:13: instructions/test refers to scenarios/new, which "
	both := test + "/v2.0.0 after 1.0.0: breaking: scenarios[one] removed\nscenarios/new/v1.0.0: the first publication\n"
	w.plans(Options{Items: []string{test}}, "!"+refers+"is not published: publish both, `rulestore publish "+
		"instructions/test scenarios/new`")
	w.plans(Options{}, both)

	at := time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC)
	w.publish(Options{Items: []string{"new"}, At: at})
	w.plans(Options{}, "left out "+test+": "+refers+"readers find from 2999-01-01 on: publish it for that day, "+
		"`rulestore "+
		"publish instructions/test --at 2999-01-01`\n")
	w.plans(Options{Items: []string{test}, At: at}, test+"/v2.0.0 after 1.0.0: breaking: scenarios[one] removed\n"+
		"  (published ahead: readers find it from 2999-01-01 on, at 00:00 UTC)\n")
}
