package change_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"
	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content/change"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
)

const drafts = `
-- commit 2026-02-02T10:00:00+03:00 --
Begin
-- rulestore.yaml --
schema_version: "1.0"
service: test
title: Проверка
description: Репозиторий для проверки.
audience: ИИ-ассистенты
default_language: ru
disclaimer: Это проверка, не консультация.
demo: true
-- scenarios/wording.yaml --
{scenario_id: wording, schema_version: "1.0", title: Название, description: Описание сценария.}
-- scenarios/addition.yaml --
{scenario_id: addition, schema_version: "1.0", title: Название, description: Описание сценария.}
-- scenarios/breaking.yaml --
{scenario_id: breaking, schema_version: "1.0", title: Название, description: Описание сценария., stop_filters: [{stop_code: STOP, title: Стоп, condition: Всегда.}]}
-- scenarios/candidate.yaml --
{scenario_id: candidate, schema_version: "1.0", title: Название, description: Описание сценария.}
-- scenarios/layout.yaml --
{scenario_id: layout, schema_version: "1.0", title: Название, description: Описание сценария.}
-- scenarios/further.yaml --
{scenario_id: further, schema_version: "1.0", title: Название, description: Описание сценария., stop_filters: [{stop_code: STOP, title: Стоп, condition: Всегда.}]}
-- tag scenarios/further/v1.0.0 --
-- tag scenarios/wording/v1.0.0 --
-- tag scenarios/addition/v0.3.0 --
-- tag scenarios/breaking/v1.4.2 --
-- tag scenarios/candidate/v1.0.0 --
-- tag scenarios/layout/v1.0.0 --
-- commit 2026-02-03T10:00:00+03:00 --
A candidate
-- scenarios/candidate.yaml --
{scenario_id: candidate, schema_version: "1.0", title: Название, description: Описание сценария., product_types: [a]}
-- tag scenarios/candidate/v2.0.0-rc.1 --
-- scenarios/further.yaml --
{scenario_id: further, schema_version: "1.0", title: Иначе, description: Описание сценария., stop_filters: [{stop_code: STOP, title: Стоп, condition: Всегда.}]}
-- tag scenarios/further/v1.1.0-rc.1 --
-- scenarios/early.yaml --
{scenario_id: early, schema_version: "1.0", title: Название, description: Описание сценария.}
-- tag scenarios/early/v0.2.0-rc.1 --
-- commit 2026-02-04T10:00:00+03:00 --
Say it better
-- scenarios/further.yaml --
{scenario_id: further, schema_version: "1.0", title: Иначе, description: Описание сценария.}
-- scenarios/early.yaml --
{scenario_id: early, schema_version: "1.0", title: Иначе, description: Описание сценария.}
-- scenarios/wording.yaml --
{scenario_id: wording, schema_version: "1.0", title: Другое название, description: Описание сценария.}
-- scenarios/addition.yaml --
{scenario_id: addition, schema_version: "1.0", title: Название, description: Описание сценария., stop_filters: [{stop_code: STOP, title: Стоп, condition: Всегда.}]}
-- scenarios/candidate.yaml --
{scenario_id: candidate, schema_version: "1.0", title: Новое название, description: Описание сценария., product_types: [a]}
-- scenarios/layout.yaml --
# Here is a comment.
scenario_id: layout
schema_version: "1.0"
title: Название
description: Описание сценария.
-- commit 2026-02-05T10:00:00+03:00 --
Take away the stop
-- scenarios/breaking.yaml --
{scenario_id: breaking, schema_version: "1.0", title: Название, description: Описание сценария.}
-- scenarios/wording.yaml --
{scenario_id: wording, schema_version: "1.0", title: Третье название, description: Описание сценария.}
-- scenarios/first.yaml --
{scenario_id: first, schema_version: "1.0", title: Название, description: Описание сценария.}
`

func TestPlan(t *testing.T) {
	script, err := gittest.ParseTxtar(txtar.Parse([]byte(drafts)))
	if err != nil {
		t.Fatal(err)
	}
	snapshot := load(t, script)
	v := semver.MustParse
	for i, c := range []struct {
		ask  map[string]change.Ask
		want string
	}{
		{nil, `scenarios/addition/v0.3.1 <- 0.3.0 "addition: stop_filters added" "Say it better"
scenarios/breaking/v2.0.0 <- 1.4.2 "breaking: stop_filters removed" "Take away the stop"
scenarios/candidate/v2.0.0 <- 1.0.0 "breaking: product_types added" "Say it better"
scenarios/early/v0.2.0 <-  "the first publication" "Say it better"
scenarios/first/v1.0.0 <-  "the first publication" "Take away the stop"
scenarios/further/v2.0.0 <- 1.0.0 "breaking: stop_filters removed" "Say it better"
scenarios/wording/v1.0.1 <- 1.0.0 "wording: title changed" "Say it better\n\n- Take away the stop"
`},
		{map[string]change.Ask{"scenarios/wording": {Bump: change.Minor}, "scenarios/first": {Version: v("0.1.0")},
			"scenarios/addition": {Bump: change.Major}},
			`scenarios/addition/v1.0.0 scenarios/breaking/v2.0.0 scenarios/candidate/v2.0.0 scenarios/early/v0.2.0 ` +
				`scenarios/first/v0.1.0 scenarios/further/v2.0.0 scenarios/wording/v1.1.0`},
		{map[string]change.Ask{"scenarios/breaking": {Bump: change.Minor}},
			"scenarios/breaking: version 1.5.0 is too small a step: the change is breaking: stop_filters removed, it " +
				"needs at least 2.0.0"},
		{map[string]change.Ask{"scenarios/first": {Version: v("0.0.1")}},
			"scenarios/first: version 0.0.1 is too small a step: the change is the first publication, it needs at " +
				"least 0.1.0"},
		{map[string]change.Ask{"scenarios/candidate": {Version: v("2.0.0-beta.1")}},
			"scenarios/candidate: version 2.0.0-beta.1 is not higher than 2.0.0-rc.1, which is published"},
		{map[string]change.Ask{"scenarios/layout": {Bump: change.Patch}},
			"scenarios/layout: there is nothing to publish: its file says what is published"},
		{map[string]change.Ask{"scenarios/none": {}},
			"scenarios/none: there is nothing to publish: its file says what is published"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			plan, err := change.Plan(schemas.Embedded(), snapshot, c.ask)
			got := ""
			var tags []string
			for _, p := range plan {
				old := ""
				if p.Old != nil {
					old = p.Old.String()
				}
				got += fmt.Sprintf("%s <- %s %q %q\n", p.Tag, old, p.Why.String(), p.Message)
				tags = append(tags, p.Tag.String())
			}
			switch {
			case err != nil:
				got = err.Error()
			case c.ask != nil:
				got = strings.Join(tags, " ")
			}
			if got != c.want {
				t.Errorf("%v:\n got %s\nwant %s", c.ask, got, c.want)
			}
		})
	}
}

// A step of a version fits a change, or is too small or greater than it has to be; before 1.0.0
// everything moves one place further right.
func TestFit(t *testing.T) {
	for i, test := range []struct {
		from, to string
		class    change.Class
		want     int
	}{
		{"1.2.3", "1.2.4", change.Wording, 0}, {"1.2.3", "1.2.4", change.None, 0},
		{"1.2.3", "1.2.9", change.Wording, 0},
		{"1.2.3", "1.3.0", change.Addition, 0}, {"1.2.3", "2.0.0", change.Breaking, 0},
		{"1.2.3", "1.2.4", change.Addition, -1}, {"1.2.3", "1.2.4", change.Breaking, -1},
		{"1.2.3", "1.3.0", change.Breaking, -1},
		{"1.2.3", "1.3.0", change.Wording, 1}, {"1.2.3", "2.0.0", change.Addition, 1},
		{"1.2.3", "3.0.0", change.None, 1},
		{"0.2.3", "0.2.4", change.Addition, 0}, {"0.2.3", "0.3.0", change.Breaking, 0},
		{"0.2.3", "0.2.4", change.Breaking, -1}, {"0.2.3", "0.3.0", change.Addition, 1},
		{"0.2.3", "1.0.0", change.Breaking, 1},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := change.Fit(semver.MustParse(test.from), semver.MustParse(test.to), test.class); got != test.want {
				t.Errorf("%s to %s with %s: %d, not %d", test.from, test.to, test.class, got, test.want)
			}
		})
	}
}
