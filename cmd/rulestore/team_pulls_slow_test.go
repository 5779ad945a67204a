//go:build slow

package main

import (
	"encoding/json"
	"os/exec"
	"strings"

	"rulestore/content"
)

// pulls is the work of the team, in order.
var pulls = []pull{
	{name: "Правила о комиссиях и картах", merge: "squash",
		edit: func(t *team) {
			t.guideline(fees, "Комиссии", "first", "second")
			t.commit("Комиссии")
			t.guideline(cards, "Карты", "first")
			t.commit("Карты")
		},
		bumps:  cards + " 1.0.0 addition, " + fees + " 1.0.0 addition",
		served: map[string]string{fees: "1.0.0 Комиссии", cards: "1.0.0 Карты"}},
	{name: "Иначе сказано", merge: "merge",
		edit:   func(t *team) { t.title(fees, "Комиссии банка") },
		bumps:  fees + " 1.0.1 wording",
		served: map[string]string{fees: "1.0.1 Комиссии банка"}},
	{name: "Ещё одно условие", merge: "rebase",
		edit: func(t *team) {
			t.guideline(fees, "Комиссии банка", "first", "second", "third")
			t.commit("Третье условие")
		},
		bumps:  fees + " 1.1.0 addition",
		served: map[string]string{fees: "1.1.0 Комиссии банка"}},
	{name: "Условие убрано", merge: "squash",
		edit: func(t *team) {
			t.guideline(fees, "Комиссии банка", "first", "third")
			t.commit("Второе условие устарело")
		},
		bumps:  fees + " 2.0.0 breaking",
		served: map[string]string{fees: "2.0.0 Комиссии банка"},
		after:  func(t *team) { t.expectStatus("/api/v1/guidelines/bank.fees.001/versions/1.1.0", "200 superseded") }},
	{name: "Сценарий останавливается", merge: "merge",
		edit: func(t *team) {
			t.write("scenarios/base.yaml", t.read("scenarios/base.yaml")+
				"stop_filters:\n  - {stop_code: STOP_FRAUD, title: Обман, condition: Есть признаки обмана}\n")
			t.commit("Условие остановки")
		},
		bumps:  "scenarios/base 1.1.0 addition",
		served: map[string]string{"scenarios/base": "1.1.0 Основа"}},
	{name: "Сценарий не останавливается", merge: "rebase",
		edit: func(t *team) {
			t.git("revert", "--no-edit", "-m", "1", "HEAD") // as the button does: the seal goes too
			if strings.Contains(t.read(content.SealsPath("scenarios/base")), "scenarios/base/v1.1.0") {
				t.Error("the revert left the seal")
			}
		},
		bumps:  "scenarios/base 2.0.0 breaking",
		served: map[string]string{"scenarios/base": "2.0.0 Основа"},
		after: func(t *team) {
			if !strings.Contains(t.read(content.SealsPath("scenarios/base")), "scenarios/base/v1.1.0") {
				t.Error("the seal was not written again")
			}
		}},
	{name: "Карты становятся накоплениями", merge: "squash",
		edit: func(t *team) {
			t.git("mv", file(cards), file(savings))
			t.sub(file(savings), `guideline_id: .*`, "guideline_id: bank.savings.001")
			t.sub(file(savings), `title: Карты`, "title: Накопления")
			t.commit("Переименование")
		},
		bumps:  cards + " removed breaking, " + savings + " 1.0.0 addition",
		served: map[string]string{savings: "1.0.0 Накопления"}, // what was published goes on being served
	},
	{name: "Карты в архив", merge: "merge",
		edit: func(t *team) {
			t.must("mark", cards, "archived", "--reason", "Заменено правилом о накоплениях")
			t.commit("Архив")
		},
		served: map[string]string{cards: ""},
		after:  func(t *team) { t.expectStatus("/api/v1/guidelines/bank.cards.001", "200 archived") }},
	{name: "Комиссии разделены", merge: "rebase",
		edit: func(t *team) {
			t.guideline(fees, "Комиссии банка", "first")
			t.guideline(deposits, "Вклады", "third")
			t.commit("Разделение")
		},
		bumps:  deposits + " 1.0.0 addition, " + fees + " 3.0.0 breaking",
		served: map[string]string{fees: "3.0.0 Комиссии банка", deposits: "1.0.0 Вклады"}},
	{name: "Разделение отменено", merge: "squash",
		edit: func(t *team) {
			t.git("checkout", "-q", fees+"/v2.0.0", "--", file(fees))
			t.commit("Возврат третьего условия")
		},
		bumps:  fees + " 3.1.0 addition",
		served: map[string]string{fees: "3.1.0 Комиссии банка"}},
	{name: "Комментарий", merge: "merge",
		edit: func(t *team) {
			t.write(file(fees), "# Кто правит, пишет сюда.\n"+t.read(file(fees)))
			t.commit("Комментарий")
		}},
	{name: "Опечатка и больший шаг", merge: "rebase", args: "--bump minor",
		edit:   func(t *team) { t.title(savings, "Накопления семьи") },
		bumps:  savings + " 1.0.1 wording",
		plan:   savings + "/v1.1.0",
		served: map[string]string{savings: "1.1.0 Накопления семьи"}},
	{name: "Меньший шаг не выйдет", merge: "squash",
		edit: func(t *team) {
			t.guideline(savings, "Накопления семьи", "other")
			t.commit("Другое условие")
			t.refused("is too small a step", "publish", "--prepare", "--bump", "minor")
		},
		bumps:  savings + " 2.0.0 breaking",
		served: map[string]string{savings: "2.0.0 Накопления семьи"}},
	{name: "Сломано и починено", merge: "squash",
		edit: func(t *team) {
			t.sub(file(savings), `severity: info`, "severity: fatal")
			t.commit("Опечатка")
			t.refused("is not one of the allowed values", "publish", "--prepare")
			t.sub(file(savings), `severity: fatal`, "severity: warning")
			t.commit("Исправлено")
		},
		bumps:  savings + " 2.1.0 addition",
		served: map[string]string{savings: "2.1.0 Накопления семьи"}},
	{name: "Строка изменена дважды: первый", merge: "merge",
		edit: func(t *team) {
			t.git("branch", "rival")
			t.title(deposits, "Вклады первого")
		},
		bumps:  deposits + " 1.0.1 wording",
		served: map[string]string{deposits: "1.0.1 Вклады первого"}},
	{name: "Строка изменена дважды: второй", merge: "merge",
		edit: func(t *team) {
			t.git("switch", "-q", "rival")
			t.title(deposits, "Вклады второго")
			t.mergeConflict("main", file(deposits))
			t.git("checkout", "-q", "--ours", "--", file(deposits))
			t.commit("Название второго")
			t.adopt("rival")
		},
		bumps:  deposits + " 1.0.2 wording",
		served: map[string]string{deposits: "1.0.2 Вклады второго"}},
	{name: "Одна версия дважды: первый", merge: "squash",
		edit: func(t *team) {
			t.git("switch", "-q", "-c", "late")
			t.sub(file(deposits), `summary: .*`, "summary: Что сказать о вкладе во второй раз.")
			t.commit("Описание")
			t.must("publish", "--prepare")
			t.git("switch", "-q", "-")
			t.title(deposits, "Вклады граждан")
		},
		bumps:  deposits + " 1.0.3 wording",
		served: map[string]string{deposits: "1.0.3 Вклады граждан"}},
	{name: "Одна версия дважды: второй", merge: "merge",
		edit: func(t *team) {
			t.git("switch", "-q", "late")
			t.sub(file(deposits), `summary: .*`, "summary: Что сказать о вкладе в третий раз.")
			t.commit("Описание ещё раз")
			t.refused(
				deposits+"/v1.0.3 was published by somebody else meanwhile, and this branch does not have it: bring "+
					"the branch up to date",
				"publish", "--prepare",
			)
			t.mergeConflict("main", content.SealsPath(deposits))
			t.git("checkout", "-q", "--theirs", "--", content.SealsPath(deposits)) // what the base has wins
			t.commit("С основной веткой")
			t.adopt("late")
		},
		bumps:  deposits + " 1.0.4 wording",
		served: map[string]string{deposits: "1.0.4 Вклады граждан"}},
	{name: "Старая версия исправлена", merge: "ours",
		edit: func(t *team) {
			branch := t.git("branch", "--show-current")
			t.git("switch", "-q", "-C", branch, fees+"/v1.1.0")
			t.sub(file(fees), `summary: .*`, "summary: Исправлено в старой версии.")
			t.commit("Исправление старой версии")
			t.git("tag", "-a", fees+"/v1.1.1", "-m", "Исправление старой версии")
			t.git("push", "-q", "origin", fees+"/v1.1.1")
		},
		bumps: fees + " changed wording",
		after: func(t *team) {
			t.expectStatus("/api/v1/guidelines/bank.fees.001/versions/1.1.1", "200 superseded")
			t.expectStatus("/api/v1/guidelines/bank.fees.001", "200 current")
		}},
	{name: "Печать исправления", merge: "merge",
		edit: func(t *team) {
			t.write(content.SealsPath(fees), t.read(content.SealsPath(fees))+t.hintedSeal(fees+"/v1.1.1")+"\n")
			t.commit("Печать исправления")
		}},
	{name: "Удалено", merge: "squash",
		edit: func(t *team) {
			t.git("rm", "-q", file(deposits))
			t.commit("Удаление")
		},
		bumps: deposits + " removed breaking"},
	{name: "Возвращено", merge: "rebase",
		edit:  func(t *team) { t.git("revert", "--no-edit", "HEAD") },
		bumps: deposits + " added addition"},
	{name: "Изъято", merge: "squash",
		edit: func(t *team) {
			t.must("mark", fees+"@1.0.0", "redacted", "--reason", "Ошибка в тексте")
			t.commit("Изъятие")
		},
		after: func(t *team) { t.expectStatus("/api/v1/guidelines/bank.fees.001/versions/1.0.0", "410 410") }},
	{name: "Ещё не вступило в силу", merge: "merge",
		edit: func(t *team) {
			t.sub(file(savings), `valid_from: .*`, "valid_from: 2999-01-01")
			t.commit("С новой даты")
			t.refused("valid_from is 2999-01-01, in the future", "publish", savings, "--prepare")
			t.sub(file(savings), `valid_from: .*`, "valid_from: 2026-02-01")
			t.commit("Дата верна")
		},
		bumps:  savings + " 2.1.1 wording",
		served: map[string]string{savings: "2.1.1 Накопления семьи"}},
	{name: "Новое правило и ссылка на него", merge: "squash",
		edit: func(t *team) {
			t.guideline("guidelines/bank.loans.001", "Кредиты", "first")
			t.sub(file(savings), `(?m)^    severity: warning`,
				"    severity: warning\n    related_guidelines: [bank.loans.001]")
			t.commit("Кредиты")
			t.refused(savings+" refers to guidelines/bank.loans.001, which is not published: publish both",
				"publish", "--prepare", savings)
		},
		bumps:  "guidelines/bank.loans.001 1.0.0 addition, " + savings + " 2.2.0 addition",
		served: map[string]string{"guidelines/bank.loans.001": "1.0.0 Кредиты", savings: "2.2.0 Накопления семьи"}},
	{name: "Срочно, без запроса", args: "--release 1.0.0",
		edit:   func(t *team) { t.title(fees, "Комиссии и тарифы") },
		bumps:  fees + " 3.1.1 wording",
		plan:   fees + "/v3.1.1 v1.0.0",
		served: map[string]string{fees: "3.1.1 Комиссии и тарифы"},
		after: func(t *team) {
			if log := string(t.server.mustGet("/api/v1/changelog", "*/*").body); !strings.Contains(log,
				`"product_version":"1.0"`) {
				t.Errorf("no release in %s", log)
			}
		}},
	{name: "Важное", merge: "merge",
		edit: func(t *team) {
			t.guideline("guidelines/bank.loans.001", "Кредиты", "first", "second")
			t.commit("Проверка кредитора\n\nПодробности.\n\nCriticality: critical")
		},
		bumps:  "guidelines/bank.loans.001 1.1.0 addition",
		served: map[string]string{"guidelines/bank.loans.001": "1.1.0 Кредиты"},
		after: func(t *team) {
			t.server.await("a critical change of bank.loans.001", func() bool {
				return t.criticality("bank.loans.001", "1.1.0") == "critical" // once the tag has come
			})
		}},
	{name: "Два запроса рядом: первый", merge: "merge",
		edit: func(t *team) {
			t.git("branch", "beside")
			t.title("scenarios/base", "Основа основ")
		},
		bumps:  "scenarios/base 2.0.1 wording",
		served: map[string]string{"scenarios/base": "2.0.1 Основа основ"}},
	{name: "Два запроса рядом: второй", merge: "rebase",
		edit: func(t *team) {
			t.adopt("beside")
			t.title(deposits, "Вклады")
		},
		bumps:  deposits + " 1.0.5 wording",
		served: map[string]string{deposits: "1.0.5 Вклады"}},
	{name: "Снова слово в слово", merge: "squash",
		edit: func(t *team) {
			t.title(fees, "Комиссии")
			t.title(fees, "Комиссии и тарифы")
		}},
}

// mergeConflict merges a branch and makes sure that one file is in conflict.
func (t *team) mergeConflict(branch, path string) {
	t.Helper()
	cmd := exec.Command("git", "merge", "-q", branch)
	cmd.Dir = t.dir
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "CONFLICT (content): Merge conflict in "+path) {
		t.Fatalf("no conflict in %s: %v\n%s", path, err, out)
	}
	t.refused("not everything is committed", "publish", "--prepare")
}

// adopt makes a branch the one of the request.
func (t *team) adopt(branch string) {
	t.Helper()
	number := t.git("for-each-ref", "--format=%(refname:short)", "refs/heads/pr-*")
	t.git("switch", "-q", "-C", number, branch)
	t.git("branch", "-q", "-D", branch)
}

// criticality returns what the changelog says of a version.
func (t *team) criticality(id, version string) string {
	t.Helper()
	var log struct {
		Entries []struct {
			ID          string `json:"guideline_id"`
			Version     string `json:"new_version"`
			Criticality string
		}
	}
	if err := json.Unmarshal(t.server.mustGet("/api/v1/changelog", "*/*").body, &log); err != nil {
		t.Fatal(err)
	}
	for _, e := range log.Entries {
		if e.ID == id && e.Version == version {
			return e.Criticality
		}
	}
	return ""
}

// hintedSeal returns the line that the health document shows for a tag without a
// seal.
func (t *team) hintedSeal(tag string) string {
	t.Helper()
	var health struct{ Findings []struct{ Tag, Hint string } }
	if err := json.Unmarshal(t.server.mustGet("/api/v1/health", "*/*").body, &health); err != nil {
		t.Fatal(err)
	}
	for _, f := range health.Findings {
		if _, line, ok := strings.Cut(f.Hint, ".sum: "); ok && f.Tag == tag {
			return line
		}
	}
	t.Fatalf("no hint for %s in %+v", tag, health)
	return ""
}
