package starter_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

// The releases as the specification tells them, newest first.
func TestProductReleases(t *testing.T) {
	want := []struct {
		version, product, module, scenario string
		changes                            []string
	}{
		{"1.8.0", "1.8", "", "math_module", []string{"надёжная доходность", "влияние комиссий",
			"безубыточная доходность", "рефинансирование", "платежа к доходу", "сравнение вкладов",
			"концентрация портфеля", "mcp"}},
		{"1.7.0", "1.7", "", "consumer_rights", []string{"сроках", "доказательствах", "обжаловании", "исполнении",
			"машина состояний", "consumer_rights_deadline_date", "мошенничества сначала"}},
		{"1.6.0", "1.6", "1.0.0", "personal_finance_manager",
			[]string{"девять детерминированных", "дефицит денежного потока", "горизонта", "ликвидность", "риск",
				"двойной счёт", "investment_advice"}},
		{"1.5.0", "1.5", "", "math_module", []string{"32", "ипотека, вклады, кредитные карты, каско", "диспетчер",
			"loan_payment 1.1.0", "остаточный платёж"}},
		{"1.4.0", "1.4", "", "global", []string{"global_response_policy", "assumption_policy", "calculation_policy",
			"comparison_policy", "source_policy", "instruction_priority", "product_releases"}},
		{"1.3.0", "1.3", "1.0.0", "math_module", []string{"loan_payment 1.0.0", "аннуитетный и дифференцированный",
			"инструкция математического модуля", "ассистента 1.6.0"}},
		{"1.2.0", "1.2", "", "fraud_risk", []string{"49 новых", "подделки голоса и лица",
			"маршрут проверки сертификата", "состояние"}},
		{"1.1.0", "1.1", "1.0.0", "credit_history_analysis",
			[]string{"сценарий «анализ кредитной истории»", "инструкция", "схема результата"}},
	}
	got := snapshot(t).Products
	equal(t, "number of releases", len(got), len(want))
	for i, w := range want[:min(len(want), len(got))] {
		r := got[i]
		equal(t, "release", []string{r.Version, r.Product, r.ModuleVersion, r.Scenario, r.Type},
			[]string{w.version, w.product, w.module, w.scenario, "feature"})
		says(t, w.version, strings.Join(r.Changes, "\n"), w.changes...)
		atLeast(t, "changes of "+w.version, len(r.Changes), 3)
		if i > 0 && !r.Date.Before(got[i-1].Date) {
			t.Errorf("%s is not older than %s", r.Version, got[i-1].Version)
		}
	}
}

// The contract 3.0.0 leaves the product version at 1.7.
func TestInvestmentAdviceRelease(t *testing.T) {
	changes := snapshot(t).Changes
	i := slices.IndexFunc(changes, func(c *content.Change) bool {
		return c.Scenario == "investment_advice" && c.Version == "3.0.0"
	})
	if i < 0 {
		t.Fatal("the release investment_advice 3.0.0 is missing")
	}
	c := changes[i]
	equal(t, "product and module version", c.Product+" "+c.ModuleVersion, "1.7 3.0.0")
	says(t, "changes", strings.Join(c.Changes, "\n"),
		"content_eligibility, provider_eligibility и delivery_eligibility", "успехом не считаются",
		"не получает профилей клиентов и не создаёт рекомендаций")
	releases := snapshot(t).Products
	if !c.Date.After(releases[1].Date) || !c.Date.Before(releases[0].Date) {
		t.Errorf("it was published on %s, not between 1.7 and 1.8", c.Date)
	}
}

// What was current when a release was made.
func TestWhatReleasesBrought(t *testing.T) {
	const guidelines, instructions, registries, scenarios, schemas, calendars = "guidelines/", "instructions/",
		"registries/", "scenarios/", "schemas/", "calendars/"
	day := map[string]string{}
	for _, r := range snapshot(t).Products {
		day[r.Product] = r.Date.UTC().Format("2006-01-02")
	}
	for _, test := range []struct {
		release string
		items   string // with the version that was current; - if it was not there
	}{
		{"1.1", scenarios + "credit_history_analysis@1.0.0 " + instructions + "credit-history-analysis@1.0.0 " +
			schemas + "credit-history-analysis-output@1.0.0 " +
			registries + "fraud-signals@1.0.0 " + guidelines + "fraud.ai-deepfake-impersonation.001@- " +
			scenarios + "math_module@-"},
		{"1.2", registries + "fraud-signals@1.1.0 " + registries + "fraud-states@1.1.0 " + registries +
			"fraud-routes@1.1.0 " + registries + "fraud-scenarios@1.1.0 " +
			instructions + "fraud-response@1.1.0 " + guidelines + "fraud.ai-deepfake-impersonation.001@1.0.0 " +
			instructions + "math-module@-"},
		{"1.3", instructions + "assistant@1.6.0 " + instructions + "math-module@1.0.0 " + scenarios +
			"math_module@1.0.0 " + schemas + "math/loan-calculation@1.0.0 " + scenarios + "personal_finance_manager@-"},
		{"1.4", instructions + "assistant@1.7.0 " + instructions + "math-module@1.0.0"},
		{"1.5", instructions + "math-module@1.1.0 " + guidelines + "product.mortgage.analysis.001@1.1.0 " +
			instructions + "personal-finance-manager@-"},
		{"1.6", scenarios + "personal_finance_manager@1.0.0 " + instructions + "personal-finance-manager@1.0.0 " +
			guidelines + "consumer-rights.timeline.001@-"},
		{"1.7", guidelines + "consumer-rights.timeline.001@1.0.0 " + guidelines +
			"consumer-rights.evidence.001@1.0.0 " + guidelines + "consumer-rights.case-status.001@1.0.0 " +
			guidelines + "consumer-rights.ombudsman-appeal.001@1.0.0 " + guidelines +
			"consumer-rights.enforcement.001@1.0.0 " +
			instructions + "consumer-rights-response@2.0.0 " + calendars + "ru-2026@1.0.0 " + instructions +
			"investment-advice@2.0.0"},
		{"1.8", instructions + "math-module@1.2.0 " + instructions + "investment-advice@3.0.0 " + scenarios +
			"investment_advice@3.0.0 " + calendars + "ru-2027@1.0.0"},
	} {
		t.Run(test.release, func(t *testing.T) {
			for _, want := range words(test.items) {
				id, version, _ := strings.Cut(want, "@")
				folder, name, _ := strings.Cut(id, "/")
				got := "-"
				if e := snapshot(t).On(day[test.release]).Current(item(t, content.KindOf(folder), name)); e != nil {
					got = e.Version.String()
				}
				equal(t, id+" at release "+test.release, got, version)
			}
		})
	}
}

// Dates are in the order of the versions, and no publication is later than the
// day for which the content was made.
func TestDatesAreInOrder(t *testing.T) {
	previous := script(t)[0].Date
	for _, step := range script(t)[1:] {
		if !step.Date.After(previous) {
			t.Errorf("%s comes after %s", step.Date, previous)
		}
		previous = step.Date
	}
	for _, e := range everything(t) {
		if e.PublishedAt.After(now) {
			t.Errorf("%s is published on %s", e.Tag(), e.PublishedAt)
		}
		if p := e.Predecessor; p != nil && !p.PublishedAt.Before(e.PublishedAt) {
			t.Errorf("%s is not younger than %s", e.Tag(), p.Version)
		}
		substantial(t, e.Tag()+": change note", e.ChangeNote, 20)
		// The note of a scenario is that of a release of the module.
		if first := strings.HasPrefix(e.ChangeNote, "Первая публикация"); e.Kind != content.Scenarios &&
			first != (e.Predecessor == nil) {
			t.Errorf("%s says: %s", e.Tag(), e.ChangeNote)
		}
	}
}

// At least a third of the guidelines and the main instructions have two or more
// versions, and a new version says something new: not only its dates differ.
func TestVersionsDifferInSubstance(t *testing.T) {
	several, all := 0, 0
	for _, i := range snapshot(t).Items {
		if i.Kind == content.Guidelines {
			all++
			if len(i.Entries) > 1 {
				several++
			}
		}
	}
	atLeast(t, "guidelines in several versions", several*3, all)
	for _, name := range words("assistant product-document-analysis fraud-response consumer-rights-response " +
		"math-module credit-history-analysis investment-advice") {
		atLeast(t, "versions of "+name, len(item(t, content.Instructions, name).Entries), 2)
	}
	for _, e := range everything(t) {
		if e.Predecessor == nil {
			continue
		}
		changed := 0
		for _, m := range e.Body() {
			dates := slices.Contains(words("valid_from recheck_after verified_at"), m.Name)
			before := e.Predecessor.Body().Get(m.Name)
			if !dates && !bytes.Equal(checkedOn.ReplaceAll(m.Value, nil), checkedOn.ReplaceAll(before, nil)) {
				changed++
			}
		}
		if changed == 0 {
			t.Errorf("%s says what %s said", e.Tag(), e.Predecessor.Version)
		}
	}
}

// checkedOn is the day on which a source was read.
var checkedOn = regexp.MustCompile(`"checked_on":"[^"]*"`)

// A version number tells what the change means to those who refer to a rule: a
// rule, an input or a guardrail that is gone needs a new major version.
func TestGuidelineVersionsTellWhatBreaks(t *testing.T) {
	for _, e := range everything(t, content.Guidelines) {
		if e.Predecessor == nil || e.Version.Major() > e.Predecessor.Version.Major() {
			continue
		}
		before, since := referable(decode[guideline](t, e.Predecessor)), referable(decode[guideline](t, e))
		for _, code := range before {
			if !slices.Contains(since, code) {
				t.Errorf("%s has no %s any more", e.Tag(), code)
			}
		}
	}
}

func referable(g guideline) (codes []string) {
	for _, r := range g.Rules {
		codes = append(codes, "rule "+r.RuleID)
	}
	for _, in := range g.RequiredInputs {
		codes = append(codes, "input "+in.InputID)
	}
	for _, r := range g.Guardrails {
		codes = append(codes, "guardrail "+r.GuardrailID)
	}
	return codes
}

// The records that other items and callers name are never taken away.
func TestRecordsStay(t *testing.T) {
	for _, e := range everything(t, content.Registries) {
		if e.Predecessor == nil {
			continue
		}
		since := records(t, e)
		for _, code := range records(t, e.Predecessor) {
			if !slices.Contains(since, code) {
				t.Errorf("%s has no %s any more", e.Tag(), code)
			}
		}
	}
}

// records returns the codes of the records of a registry.
func records(t *testing.T, e *content.Entry) (codes []string) {
	t.Helper()
	for _, p := range passages(t, e) {
		if len(p.at) == 3 && slices.Contains(words("code term_id scenario_id route_id resource_id"), p.at[2]) {
			codes = append(codes, p.at[0]+" "+p.text)
		}
	}
	return codes
}

func TestCriticality(t *testing.T) {
	critical := 0
	for _, c := range snapshot(t).Changes {
		if c.Guideline != "" && !slices.Contains(words("critical significant minor"), c.Criticality) {
			t.Errorf("%s %s is %s", c.Guideline, c.New, c.Criticality)
		}
		if c.Criticality == "critical" {
			critical++
		}
	}
	atLeast(t, "critical changes", critical, 2)
}
