package loader_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
)

// tagged is a repository with two items, one of which is published, and these tags.
func tagged(t *testing.T, tags ...string) content.Report {
	t.Helper()
	var text strings.Builder
	text.WriteString("-- commit 2026-02-02T10:00:00+03:00 --\nBegin\n-- rulestore.yaml --\n" + settings)
	for _, id := range []string{"product.deposit.001", "product.loan.001"} {
		text.WriteString("-- guidelines/" + id + ".yaml --\n" + guidelineText(id))
	}
	text.WriteString("-- scenarios/deposits.yaml --\n{scenario_id: deposits, schema_version: \"1.0\", title: Вклады, " +
		"description: Как выбрать вклад.}\n")
	for _, tag := range append([]string{"scenarios/deposits/v1.0.0"}, tags...) {
		fmt.Fprintf(&text, "-- tag %s --\nA tag\n", tag)
	}
	return loaded(t, txtar.Parse([]byte(text.String()))).Report
}

func guidelineText(id string) string {
	return `guideline_id: ` + id + `
schema_version: "1.0"
scenario: product_analysis
title: Проверка договора
summary: Что ассистент проверяет в договоре.
owner: Редакция
applicability: {triggers: [Пользователь прислал договор], exclusions: []}
required_inputs: []
rules:
  - {rule_id: fees, title: Комиссии, condition: Есть комиссия., action: Назвать её., explanation: Она уменьшает выгоду., severity: info}
guardrails:
  - {guardrail_id: no_advice, type: must, text: Не давать совета купить., reason: Это не рекомендация.}
sources:
  - {title: Закон, url: https://www.cbr.ru/, checked_on: 2026-01-10}
valid_from: 2026-02-02
`
}

// A tag that begins like one that publishes, and is none, is refused, with the form of the right one.
func TestTagsWithWrongNames(t *testing.T) {
	for _, wrong := range []string{
		"guidelines/product.loan.001/2.0.0", "guidelines/product.loan.001/V2.0.0", "guidelines/product.lоan.001/v2.0.0",
		"guidelines/product.loan.001/v1.2", "guidelines/product.loan.001/v2", "guidelines/product.loan.001/v01.2.0",
		"guidelines/product.loan.001/v1.2.0+build", "guidelines/Product.Loan.001/v1.2.0", "v1.2", "v1",
	} {
		t.Run(wrong, func(t *testing.T) {
			r := tagged(t, wrong)
			found := findingsOn(r, wrong)
			if len(found) != 1 || found[0].Rule != "tag" || !slices.Contains(r.Refused, wrong) ||
				!strings.Contains(found[0].Hint, "delete the tag") {
				t.Errorf("found %v", found)
			}
		})
	}
}

func findingsOn(r content.Report, tag string) (found []content.Finding) {
	for _, f := range r.Findings {
		if f.Tag == tag {
			found = append(found, f)
		}
	}
	return found
}

// Tags of others are left alone.
func TestForeignTagsAreSilent(t *testing.T) {
	for _, tag := range []string{
		"deploy-2026-01-01", "backup/foo", "backup/v1.0.0", "nightly", "latest", "stable", "2026.01.01",
		"release-2026.1.1", "release-2026-01-01",
		"release/2026-11", "r5", "build-1234", "v-next", "other/thing/v1.0.0", "staging/v1.2.3",
		"old.branch/v1.0.0", "sprint-12", "1.9",
		"guide", "rules", "version-1.9.0", "test.one.001/v2.0.0", "hotfix/1.2", "docs/v2.0.0", "deploy/2026-05-01", "guidelines-backup",
		"test/guidelines/v1.0.0", "7", "guideline/product.loan.001/v2.0.0", "Guidelines/product.loan.001/v2.0.0",
		"guidelinеs/product.loan.001/v2.0.0", "V1.9.0", "1.9.0", "v.1.9.0",
	} {
		t.Run(tag, func(t *testing.T) {
			if found := findingsOn(tagged(t, tag), tag); len(found) > 0 {
				t.Errorf("found %v", found)
			}
		})
	}
}

// Somebody else's tags are no flood.
func TestWrongTagsAreFew(t *testing.T) {
	var tags []string
	for i := range 300 {
		tags = append(tags, fmt.Sprintf("v1.%d", i))
	}
	n := 0
	var last content.Finding
	for _, f := range tagged(t, tags...).Findings {
		if f.Rule == "tag" {
			n++
			if f.Tag == "" {
				last = f
			}
		}
	}
	if n != 21 || last.Message != "280 more tags have such names" {
		t.Errorf("%d findings, the last is %s", n, last)
	}
}

// The names of tags that are looked at, and what is passed over without being read.
func TestTagsOfOthers(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0")
	var list strings.Builder
	head := r.git("rev-parse", "HEAD")
	for i := range 20_000 {
		fmt.Fprintf(&list, "%s refs/tags/build-%d\n%s refs/tags/team%d/service/v1.0.%d\n", head, i, head, i%500, i)
	}
	for _, wrong := range []string{"guidelines/test.one.001/v1.2", "v1.9"} {
		fmt.Fprintf(&list, "%s refs/tags/%s\n", head, wrong)
	}
	must(r, os.WriteFile(filepath.Join(r.dir, ".git", "packed-refs"), []byte(list.String()), 0o644))
	got := r.load()
	r.expect(got, `1.0.0 current "Один"`, "finding guidelines/test.one.001/v1.2: ", "finding v1.9: ")
	r.refuse(got, "build-", "team", "service")
}

// A ref whose file a crash left empty: the publication of a tag is refused until the file is whole, what is sealed
// is served, and what is not ours stops nothing.
func TestBrokenRefFiles(t *testing.T) {
	r := newRepo(t).play(`
		edit two Два; publish two 1.0.0; seal; edit one Один; publish one 1.0.0; edit one Один, иначе
		publish one 1.1.0
	`)
	refs := filepath.Join(r.dir, ".git", "refs")
	whole, err := os.ReadFile(filepath.Join(refs, "tags/guidelines/test.one.001/v1.1.0"))
	must(r, err)
	for _, name := range []string{"tags/guidelines/test.one.001/v1.1.0", "tags/guidelines/test.two.001/v1.0.0",
		"tags/deployed", "heads/somebody"} {
		must(r, os.WriteFile(filepath.Join(refs, name), nil, 0o644))
	}
	l := r.loader()
	result, err := l.Load(t.Context())
	got := describe(result, err)
	r.expect(got, `1.0.0 current "Один"`, `1.0.0 current "Два"`, "refused guidelines/test.one.001/v1.1.0",
		"what refs/tags/guidelines/test.one.001/v1.1.0 says is no id of an object",
		"finding guidelines/test.two.001/v1.0.0: ")
	r.refuse(got, "1.1.0 current", "refused guidelines/test.two.001", "deployed", "somebody")
	must(r, os.WriteFile(filepath.Join(refs, "tags/guidelines/test.one.001/v1.1.0"), whole, 0o644))
	r.expect(describe(l.Look(t.Context(), result.State)), `1.1.0 current "Один, иначе"`)
}

// What many tags refuse is counted whole, and kept in part.
func TestManyTagsThatPublishNothing(t *testing.T) {
	const lost, misnamed, foreign = content.MaxFindings + 100, 100, 100
	var tags []string
	for i := range lost {
		tags = append(tags, fmt.Sprintf("guidelines/product.none.001/v1.0.%d", i))
	}
	for i := range misnamed {
		tags = append(tags, fmt.Sprintf("guidelines/product.loan.001/v%d", i))
	}
	for i := range foreign {
		tags = append(tags, fmt.Sprintf("guidline/product.loan.001/v1.0.%d", i))
	}
	r := tagged(t, tags...)
	if len(r.Refused) != lost+misnamed {
		t.Errorf("%d tags are refused", len(r.Refused))
	}
	if len(r.Findings) != content.MaxFindings || r.Total() < lost || r.Count(content.Error) < lost {
		t.Errorf("%d findings of %d, %d errors", len(r.Findings), r.Total(), r.Count(content.Error))
	}
}
