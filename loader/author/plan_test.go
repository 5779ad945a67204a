package author

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
	"rulestore/schemas"
)

// Drafts, and what is done to publish them; why nothing is, begins with "!".
func TestPlan(t *testing.T) {
	t.Parallel()
	const (
		oneWas, twoWas = one + "/v1.0.0 sealed tagged Один", two + "/v1.0.0 sealed tagged Два"
		testWas        = test + "/v1.0.0 sealed tagged Проверка"
		changed        = "/v1.0.1 after 1.0.0: wording: title changed\n"
		sealOne        = "write sealed/scenarios/one.sum +v1.0.1 2026-03-01\n"
		sealTwo        = "write sealed/scenarios/two.sum +v1.0.1 2026-03-01\n"
		commitOne      = "commit Публикация: scenarios/one 1.0.1\n"
		tagOne         = "tag scenarios/one/v1.0.1 HEAD \"Первый\"\n"
		try            = "  (a prerelease: only a server with --drafts shows it, readers go on with 1.0.0; " +
			"`rulestore publish scenarios/one@1.1.0` releases it)\n"
		early = test + ": valid_from is 2999-01-01, in the future: what is published is current at once, so " +
			"publish it on that day, or ahead of time: `rulestore publish instructions/test --at 2999-01-01`"
		ahead  = "  (published ahead: readers find it from 2999-01-01 on, at 00:00 UTC)\n"
		refers = "instructions/test.yaml:6:13: instructions/test refers to scenarios/new, which "
	)
	both := []string{oneWas, one + " Первый", twoWas, two + " Второй"}
	first := []string{oneWas, one + " Первый"}
	late := []string{oneWas, testWas, test + " from:2999-01-01 Потом"}
	at := time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC)
	pushing := func(f *facts) { f.remoteHas(one+"/v1.0.0", "object") }
	for _, c := range []struct {
		name  string
		given []string
		but   func(f *facts)
		o     Options
		says  string // what people are told
		does  string
	}{
		{name: "nothing", given: []string{oneWas}},
		{
			name: "a change", given: first, says: one + changed, does: sealOne + commitOne + tagOne,
		},
		{
			name: "two changes", given: both, says: one + changed + two + changed,
			does: sealOne + sealTwo + "commit Публикация, версий: 2\n" + tagOne +
				"tag scenarios/two/v1.0.1 HEAD \"Второй\"\n",
		},
		{
			name: "pushed", given: first, but: pushing, says: one + changed,
			does: sealOne + commitOne + tagOne + "push origin HEAD:refs/heads/main refs/tags/scenarios/one/v1.0.1\n",
		},
		{
			name: "pushed, what was made before", given: []string{oneWas, one + "/v1.0.1 sealed tagged Первый"},
			but: func(f *facts) {
				pushing(f)
				f.there.branches[f.branch] = "before"
			},
			says: "push scenarios/one/v1.0.1\n",
			does: "push origin HEAD:refs/heads/main refs/tags/scenarios/one/v1.0.1\n",
		},
		{name: "pushed, nothing", given: []string{oneWas},
			but: func(f *facts) { pushing(f); f.there.branches[f.branch] = "before" }},
		{
			name: "one of two, by the path of its file", given: both, o: Options{Items: []string{"./" + one + ".yaml"}},
			says: one + changed, does: sealOne + commitOne + tagOne,
		},
		{
			name: "one of two, by its name", given: both, o: Options{Items: []string{"one"}}, says: one + changed,
			does: sealOne + commitOne + tagOne,
		},
		{
			name: "nobody's name", given: both, o: Options{Items: []string{"onee"}},
			says: `!there is no item "onee": did you mean one?`,
		},
		{
			name: "a greater step", given: both, o: Options{Bump: change.Minor, Items: []string{one}},
			says: one + "/v1.1.0 after 1.0.0: wording: title changed\n",
			does: "write sealed/scenarios/one.sum +v1.1.0 2026-03-01\ncommit Публикация: scenarios/one 1.1.0\n" +
				"tag scenarios/one/v1.1.0 HEAD \"Первый\"\n",
		},
		{
			name: "a greater step for one", given: both, o: Options{
				Ask: map[string]change.Ask{"./scenarios/one.yaml": {Bump: change.Major}}, Items: []string{one},
			},
			says: one + "/v2.0.0 after 1.0.0: wording: title changed\n",
			does: "write sealed/scenarios/one.sum +v2.0.0 2026-03-01\ncommit Публикация: scenarios/one 2.0.0\n" +
				"tag scenarios/one/v2.0.0 HEAD \"Первый\"\n",
		},
		{
			name: "a step for what is not published", given: both,
			o:    Options{Items: []string{"one"}, Ask: map[string]change.Ask{"two": {Bump: change.Major}}},
			says: "!--bump two: the item is not among those to publish",
		},
		{
			name: "a step and a version", given: both,
			o:    Options{Ask: map[string]change.Ask{"one": {Bump: change.Major}, one: {Version: version("3.0.0")}}},
			says: "!scenarios/one: a version is asked for twice, by itself or as a step: give one",
		},
		{
			name: "two steps", given: both,
			o:    Options{Ask: map[string]change.Ask{"one": {Bump: change.Major}, one: {Bump: change.Minor}}},
			says: "!a version is asked for twice",
		},
		{
			name: "two versions", given: both,
			o:    Options{Ask: map[string]change.Ask{"one": {Version: version("2.0.0")}, one: {Version: version("3.0.0")}}},
			says: "!a version is asked for twice",
		},
		{
			name: "too small a step", given: both, o: Options{Ask: asking("one", "1.0.0")},
			says: "!scenarios/one: version 1.0.0 is too small a step: the change is wording: title changed, " +
				"it needs at " +
				"least 1.0.1",
		},
		{
			name: "a new item", given: []string{oneWas, "scenarios/new Новый"},
			says: "scenarios/new/v1.0.0: the first publication\n",
			does: "write sealed/scenarios/new.sum +v1.0.0 2026-03-01\ncommit Публикация: scenarios/new 1.0.0\n" +
				"tag scenarios/new/v1.0.0 HEAD \"Новый\"\n",
		},
		{
			name: "a comment", given: []string{oneWas, one + " Один"}, o: Options{Bump: change.Minor},
		},
		{
			name: "a tag made by hand", given: []string{oneWas, one + "/v1.4.0 tagged Первый"},
			says: "unsealed " + one + "/v1.4.0\n",
			does: "write sealed/scenarios/one.sum +v1.4.0 2026-02-01\ncommit Публикация: scenarios/one 1.4.0\n",
		},
		{
			name: "a seal that is gone", given: []string{one + "/v1.0.0 lost tagged Один"},
			says: "restored " + one + "/v1.0.0\n",
			does: "write sealed/scenarios/one.sum +v1.0.0 2026-02-01\ncommit Возвращены печати: 1\n",
		},
		{
			name: "a tag that is gone", given: []string{one + "/v1.0.0 sealed Один"},
			says: one + "/v1.0.0: sealed, and not tagged yet\n", does: "tag scenarios/one/v1.0.0 cccc \"Один\"\n",
		},
		{
			name: "a tag that is gone, to tag", given: first, o: Options{Mode: Tag},
			but:  func(f *facts) { delete(f.tags, one+"/v1.0.0"); pushing(f); delete(f.there.tags, one+"/v1.0.0") },
			says: one + "/v1.0.0: sealed, and not tagged yet\n",
			does: "tag scenarios/one/v1.0.0 cccc \"Один\"\npush origin refs/tags/scenarios/one/v1.0.0\n",
		},
		{
			name: "a tag for what is not there yet", given: []string{one + "/v1.0.0 sealed Один"},
			o: Options{Mode: Tag},
			but: func(f *facts) {
				pushing(f)
				f.there.tags, f.unsent = nil, map[string]bool{strings.Repeat("c", 40): true}
			},
			says: "!commit cccccccccccc is not part of main on origin yet: merge it there, `git pull`, then tag",
		},
		{
			name: "a tag that a rebase left behind", given: []string{one + "/v1.0.0 sealed left Один"},
			but: func(f *facts) {
				f.remoteHas("", "")
			},
			says: one + "/v1.0.0: sealed, and not tagged yet\n",
			does: "tag scenarios/one/v1.0.0 cccc \"Один\"\npush origin refs/tags/scenarios/one/v1.0.0\n",
		},
		{
			name: "another tag than here", given: []string{oneWas},
			but: func(f *facts) { f.remoteHas(one+"/v1.0.0", "other") },
			says: "warning: scenarios/one/v1.0.0 is another tag in origin than here: take that one away and " +
				"send yours, " +
				"`git push origin :refs/tags/scenarios/one/v1.0.0`, `rulestore publish --push`\n",
		},
		{
			name: "a tag that is there alone", given: first,
			but:  func(f *facts) { pushing(f); f.remoteHas(one+"/v1.0.1", "x") },
			says: "!scenarios/one/v1.0.1 exists already in origin: `git fetch --tags`, then publish again",
		},
		{
			name: "a version that is taken", given: first, but: func(f *facts) {
				f.tags[one+"/v1.0.1"], f.tags[one+"/v1.0.2"] = tagRef{}, tagRef{}
			},
			says: "!scenarios/one/v1.0.1 exists already, in this repository: choose another version, `rulestore publish " +
				"scenarios/one@1.0.3`",
		},
		{
			name: "a prerelease that is taken", given: first,
			but: func(f *facts) { f.tags[one+"/v1.1.0-rc.1"] = tagRef{} },
			o:   Options{Items: []string{one}, Ask: asking(one, "1.1.0-rc.1")}, says: "!`rulestore publish " +
				"scenarios/one@1.1.0-rc.2`",
		},
		{
			name: "a prerelease without a number that is taken", given: first, but: func(f *facts) {
				f.tags[one+"/v1.1.0-beta"] = tagRef{}
			},
			o: Options{Items: []string{one}, Ask: asking(one, "1.1.0-beta")}, says: "!`rulestore publish " +
				"scenarios/one@1.1.0-beta.1`",
		},
		{
			name: "what concerns all and is not committed", given: both,
			but: func(f *facts) { f.dirty = []string{one + ".yaml", "lifecycle.yaml"} },
			says: "!not everything is committed: commit these first, put them aside with `git stash --include-untracked`, " +
				"or name what is to be published without them, `rulestore publish " +
				"ITEM`:\n\tscenarios/one.yaml\n\tlifecycle.yaml",
		},
		{
			name: "much that is not committed", given: both,
			but: func(f *facts) { f.dirty = strings.Fields("a b c d e f g") },
			o:   Options{Mode: Tag}, says: "!`git stash --include-untracked`:\n\ta\n\tb\n\tc\n\td\n\te\n\tand 2 more",
		},
		{
			name:  "what is not committed beside what is asked for",
			but:   func(f *facts) { f.dirty = []string{two + ".yaml"} },
			given: []string{oneWas, one + " Первый", twoWas, two + " dirty Второй"}, o: Options{Items: []string{one}},
			says: one + changed, does: sealOne + commitOne + tagOne,
		},
		{
			name: "what refers to what is not committed and not published",
			but:  func(f *facts) { f.dirty = []string{"scenarios/new.yaml"} },
			given: []string{
				testWas, test + " to:scenarios/new Новая", "scenarios/new dirty Новый", oneWas, one + " Первый",
			},
			says: one + changed +
				"left out scenarios/new: scenarios/new.yaml is not committed: commit it first\n" +
				"left out instructions/test: " + refers + "waits\n",
			does: sealOne + commitOne + tagOne,
		},
		{
			name: "what is asked for and not committed", given: []string{twoWas, two + " dirty Второй"},
			but: func(f *facts) { f.dirty = []string{two + ".yaml"} }, o: Options{Items: []string{two}},
			says: "!scenarios/two.yaml is not committed: commit it first",
		},
		{
			name: "a conflict", given: first, but: func(f *facts) { f.dirty, f.merging = []string{"README.md"}, true },
			o: Options{Items: []string{one}}, says: "!`git stash --include-untracked`:\n\tREADME.md",
		},
		{
			name: "seals that the plan does not write", given: first,
			but:  func(f *facts) { f.dirty = []string{"sealed/scenarios/one.sum", "sealed/scenarios/two.sum"} },
			says: "!`rulestore publish ITEM`:\n\tsealed/scenarios/two.sum",
		},
		{
			name: "seals of an interrupted publication", given: first,
			but:  func(f *facts) { f.dirty = []string{"sealed/scenarios/one.sum"} },
			says: one + changed, does: sealOne + commitOne + tagOne,
		},
		{
			name: "a release of the product", given: first, o: Options{Release: version("1.0.0")},
			says: one + changed + "v1.0.0: a release of the product\n",
			does: sealOne + commitOne + tagOne + "tag v1.0.0 HEAD \"Выпуск 1.0.0\"\n",
		},
		{
			name: "a release that is there", given: first, but: func(f *facts) { f.remoteHas("v1.0.0", "x") },
			o: Options{Release: version("1.0.0")}, says: "!the release v1.0.0 exists already in origin",
		},
		{
			name: "a release that is too low", given: first, but: func(f *facts) { f.tags["v1.0.0"] = tagRef{} },
			o: Options{Release: version("0.9.0")}, says: "!the release v0.9.0 is not higher than v1.0.0, which exists",
		},

		// A prerelease leads to its release: of another content by itself, of the same by its name.
		{
			name: "a prerelease", given: first, o: Options{Ask: asking(one, "1.1.0-rc.1")},
			says: one + "/v1.1.0-rc.1 after 1.0.0: wording: title changed\n" + try,
			does: "write sealed/scenarios/one.sum +v1.1.0-rc.1 2026-03-01\n" +
				"commit Публикация: scenarios/one 1.1.0-rc.1\n" +
				"tag scenarios/one/v1.1.0-rc.1 HEAD \"Первый\"\n",
		},
		{name: "a prerelease again", given: []string{oneWas, one + "/v1.1.0-rc.1 sealed tagged Первый"}},
		{
			name: "its release", given: []string{oneWas, one + "/v1.1.0-rc.1 sealed tagged Первый"},
			o:    Options{Items: []string{one}, Ask: asking(one, "1.1.0")},
			says: one + "/v1.1.0 after 1.0.0: wording: title changed\n",
			does: "write sealed/scenarios/one.sum +v1.1.0 2026-03-01\ncommit Публикация: scenarios/one 1.1.0\n" +
				"tag scenarios/one/v1.1.0 HEAD \"Первый\"\n",
		},
		{
			name:  "its release, of other content",
			given: []string{oneWas, one + "/v1.1.0-rc.1 sealed tagged Проба", one + " Первый"},
			says: one + "/v1.1.0 after 1.0.0: wording: title changed\n  (other content than 1.1.0-rc.1, " +
				"which was tried: `rulestore diff scenarios/one 1.1.0-rc.1` shows what changed since)\n",
			does: "write sealed/scenarios/one.sum +v1.1.0 2026-03-01\ncommit Публикация: scenarios/one 1.1.0\n" +
				"tag scenarios/one/v1.1.0 HEAD \"Первый\"\n",
		},
		{
			name: "its release, without the file", given: []string{one + "/v1.1.0-rc.1 sealed tagged removed Первый"},
			o: Options{Items: []string{one}, Ask: asking(one, "1.1.0")},
			says: "!scenarios/one.yaml does not say at the head what scenarios/one/v1.1.0-rc.1 says: " +
				"`git checkout scenarios/one/v1.1.0-rc.1 -- scenarios/one.yaml`, commit it, then publish",
		},
		{
			name: "a prerelease of a new item", given: []string{"scenarios/new Новый"},
			o: Options{Ask: asking("new", "0.2.0-rc.1")},
			says: "scenarios/new/v0.2.0-rc.1: the first publication\n  (a prerelease: only a server with --drafts " +
				"shows it, " +
				"readers find nothing of it; `rulestore publish scenarios/new@0.2.0` releases it)\n",
			does: "write sealed/scenarios/new.sum +v0.2.0-rc.1 2026-03-01\n" +
				"commit Публикация: scenarios/new 0.2.0-rc.1\n" +
				"tag scenarios/new/v0.2.0-rc.1 HEAD \"Новый\"\n",
		},

		// What readers are to find later waits, with what refers to it; by its name it is refused, and for a day
		// it is published ahead.
		{name: "a later day", given: late, says: "left out " + test + ": " + early + "\n"},
		{name: "a later day, by its name", given: late, o: Options{Items: []string{test}}, says: "!" + early},
		{
			name: "a later day than that of --at", given: late,
			o:    Options{Items: []string{test}, At: at.AddDate(0, 0, -1)},
			says: "!" + early,
		},
		{
			name: "a day that is not in the future", given: late,
			o:    Options{At: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)},
			says: "!--at 2026-03-01 is not in the future (UTC)",
		},
		{
			name: "ahead", given: late, o: Options{Items: []string{test}, At: at},
			says: test + changed + ahead,
			does: "write sealed/instructions/test.sum +v1.0.1 2999-01-01\n" +
				"commit Публикация: instructions/test 1.0.1\n" +
				"tag instructions/test/v1.0.1 HEAD \"Потом\"\n",
		},
		{
			name: "today", given: []string{oneWas, test + " from:2026-03-01 Сегодня"},
			says: test + "/v1.0.0: the first publication\n",
			does: "write sealed/instructions/test.sum +v1.0.0 2026-03-01\n" +
				"commit Публикация: instructions/test 1.0.0\n" +
				"tag instructions/test/v1.0.0 HEAD \"Сегодня\"\n",
		},
		{
			name:  "above what is published ahead",
			given: []string{oneWas, one + "/v1.0.1 sealed tagged at:2999-01-01 Потом", one + " Первый"},
			says: one + "/v1.0.2 after 1.0.1: wording: title changed\n" +
				"  (1.0.1 is published ahead, for 2999-01-01, and will never be current: 1.0.2 is higher)\n",
			does: "write sealed/scenarios/one.sum +v1.0.2 2026-03-01\ncommit Публикация: scenarios/one 1.0.2\n" +
				"tag scenarios/one/v1.0.2 HEAD \"Первый\"\n",
		},
		{
			name:  "a reference to what is not published",
			given: []string{testWas, test + " to:scenarios/new Новая", "scenarios/new Новый", oneWas},
			o:     Options{Items: []string{test}},
			says:  "!" + refers + "is not published: publish both, `rulestore publish instructions/test scenarios/new`",
		},
		{
			name: "a reference to what readers find later", given: []string{
				oneWas, testWas, test + " to:scenarios/new Новая", "scenarios/new/v1.0.0 sealed tagged " +
					"at:2999-01-01 Новый",
			},
			says: "left out " + test + ": " + refers + "readers find from 2999-01-01 on: publish it for that day, " +
				"`rulestore publish instructions/test --at 2999-01-01`\n",
		},

		// On the branch of a pull request.
		{
			name: "prepared", given: first, but: onBranch, o: Options{Mode: Prepare}, says: one + changed,
			does: sealOne + commitOne,
		},
		{name: "prepared again", given: append(first, one+"/v1.0.1 prepared Первый"), but: onBranch,
			o: Options{Mode: Prepare}},
		{
			name: "prepared again, after a change", given: append(first, one+"/v1.1.0 prepared Раньше"), but: onBranch,
			o: Options{Mode: Prepare}, says: one + "/v1.1.0 after 1.0.0: wording: title changed\n",
			does: "write sealed/scenarios/one.sum +v1.1.0 2026-03-01 -v1.1.0 2026-02-01\ncommit Публикация: " +
				"scenarios/one 1.1.0\n",
		},
		{
			name: "prepared, and taken back", given: []string{oneWas, one + "/v1.0.1 prepared Первый"}, but: onBranch,
			o: Options{Mode: Prepare}, says: "withdrawn scenarios/one/v1.0.1\n",
			does: "write sealed/scenarios/one.sum -v1.0.1 2026-02-01\ncommit Отозваны печати: 1\n",
		},
		{
			name: "prepared, and pushed", given: first, but: func(f *facts) {
				onBranch(f)
				f.there = &remoteRefs{head: "main"}
			},
			o: Options{Mode: Prepare}, says: one + changed,
			does: sealOne + commitOne + "push origin HEAD:refs/heads/change\n",
		},
		{
			name: "somebody was faster", given: append(first, one+"/v1.0.1 served Чужой"), but: onBranch,
			o: Options{Mode: Prepare},
			says: "!scenarios/one/v1.0.1 was published by somebody else meanwhile, and this branch does not have " +
				"it: bring the " +
				"branch up to date with `git merge origin/main`, and prepare again; after it comes v1.0.2 at least",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := given(t, c.given...)
			if c.but != nil {
				c.but(f)
			}
			c.o.Schemas = schemas.Embedded()
			p := f.plan(c.o)
			var err error
			for _, o := range p.Obstacles {
				err = errors.Join(err, o)
			}
			if part, refused := strings.CutPrefix(c.says, "!"); refused {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("%v\nlacks %s", err, part)
				}
				return
			}
			if p.Steps = p.steps(f, c.o); err != nil || said(p) != c.says || does(p) != c.does {
				t.Errorf("%v\nsaid is\n%sdone is\n%sexpected is\n%s%s", err, said(p), does(p), c.says, c.does)
			}
		})
	}
}

// onBranch is the branch of a pull request.
func onBranch(f *facts) { f.branch = "change" }

// What is not committed, not valid or not readable is not published.
func TestPlanRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		do   func(w *work)
		o    Options
		want string // what is planned, or, if it begins with "!", a part of the error
	}{
		{
			name: "what is not committed", do: func(w *work) {
				w.edit(one+".yaml", `^title: .*`, "title: Первый")
				w.put("scenarios/new.yaml", newScenario)
				w.put("notes.txt", "Ничего\n")
			},
			want: "!or put them aside with `git stash --include-untracked`:\n" +
				"\tscenarios/one.yaml\n\tscenarios/new.yaml",
		},
		{
			name: "what is not committed beside what is", do: func(w *work) {
				w.title(one, "Первый")
				w.edit(two+".yaml", `^title: .*`, "title: Второй")
				w.put("scenarios/new.yaml", newScenario)
			},
			want: one + "/v1.0.1 after 1.0.0: wording: title changed\n" +
				"left out scenarios/two: scenarios/two.yaml is not committed: commit it first\n" +
				"left out scenarios/new: scenarios/new.yaml is not committed: commit it first\n",
		},
		{
			name: "a mistake", do: func(w *work) {
				twoTitles(w)
				w.edit(two+".yaml", `^title`, "titel")
				w.commit("Опечатка")
			},
			want: one + "/v1.0.1 after 1.0.0: wording: title changed\nleft out " + two + ": " + two + " has " +
				"mistakes, `rulestore validate scenarios/two.yaml` shows them: scenarios/two.yaml:1:1: error: the field " +
				"\"title\" is missing [missing-field]\n",
		},
		{
			name: "nothing but a mistake", do: func(w *work) {
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
			t.Parallel()
			w := copied(t)
			c.do(w)
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
		"Выпуск 1.0.0\n\n- Третье: Первая публикация\n- Третье: Вторая публикация\n- Проверка: Первая публикация\n" +
			"- Таксономия: Первая публикация\n- Предел суммы: Первая публикация\n- Сценарий: Первая публикация\n" +
			"- Два: Первая публикация\n- Третье: Первое\n- Сценарий: Сценарий",
	}
	if strings.Join(got, "\n--\n") != strings.Join(want, "\n--\n") {
		t.Errorf("%s", strings.Join(got, "\n--\n"))
	}
}

// What is written into a repository is in the language of its content, whoever writes it.
func TestLanguageOfMessages(t *testing.T) {
	for language, want := range map[string]string{
		"ru": "commit Публикация: scenarios/one 1.0.1\ntag scenarios/one/v1.0.1 HEAD \"Первый\"\n" +
			"tag v1.0.0 HEAD \"Выпуск 1.0.0\"\n",
		"en": "commit Publish scenarios/one 1.0.1\ntag scenarios/one/v1.0.1 HEAD \"Первый\"\n" +
			"tag v1.0.0 HEAD \"Release 1.0.0\"\n",
		"de": "commit Publish scenarios/one 1.0.1\ntag scenarios/one/v1.0.1 HEAD \"Первый\"\n" +
			"tag v1.0.0 HEAD \"Release 1.0.0\"\n",
	} {
		f := given(t, "scenarios/one/v1.0.0 sealed tagged Один", "scenarios/one Первый")
		f.snapshot.Settings.DefaultLanguage = language
		o := Options{Schemas: schemas.Embedded(), Release: version("1.0.0")}
		p := f.plan(o)
		p.Steps = p.steps(f, o)
		if _, got, _ := strings.Cut(does(p), "\n"); got != want {
			t.Errorf("%s: %s", language, got)
		}
	}
	for text, want := range map[string]i18n.Text{
		"Публикация, версий: 2\n\n- a\n": i18n.New("Publish %d versions\n\n- %s\n", 2, "a"),
		"Подписан журнал, листьев: 7":    Signing(7),
	} {
		if got := inLanguageOf(content.Settings{DefaultLanguage: "ru"}, want); got != text {
			t.Errorf("%q, expected %q", got, text)
		}
	}
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
