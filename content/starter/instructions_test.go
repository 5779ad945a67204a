package starter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

// The calculations of the registry, by the release that brought them.
var (
	tools130 = words("loan_payment")
	tools15  = words(`
		mortgage_annuity_payment mortgage_differentiated_payment mortgage_schedule mortgage_early_repayment
		mortgage_outstanding_balance mortgage_max_principal mortgage_loan_to_value mortgage_phased_payment mortgage_total_cost
		deposit_simple_interest deposit_capitalized_interest deposit_effective_rate deposit_cashflow_balance
		deposit_daily_balance_interest deposit_early_withdrawal deposit_interest_tax deposit_insurance_coverage
		card_grace_period_end card_minimum_payment card_interest_accrued card_payoff_fixed_payment
		card_payoff_minimum_payment card_required_payment card_cash_withdrawal_cost card_overdue_penalty
		kasko_premium kasko_premium_installments kasko_deductible_payout kasko_proportional_payout
		kasko_total_loss_payout kasko_premium_refund kasko_deductible_break_even`)
	tools16 = words(`
		pfm_cash_flow pfm_emergency_fund pfm_net_worth pfm_goal_contribution pfm_goal_projection
		pfm_goal_allocation pfm_debt_payoff_plan pfm_liquidity_ratio pfm_horizon_risk_check`)
	tools17 = words("consumer_rights_deadline_date")
	tools18 = words(`
		invest_reliable_return invest_fee_impact invest_break_even_yield loan_refinancing loan_payment_to_income
		deposit_comparison portfolio_concentration`)
	toolsOf26 = words("money_use_interest") // those of November 2026

	tools50  = slices.Concat(tools130, tools15, tools16, tools17, tools18)
	allTools = slices.Concat(tools50, toolsOf26)
)

func TestCountsOfCalculations(t *testing.T) {
	equal(t, "of the releases", []int{len(tools130), len(tools15), len(tools16), len(tools17), len(tools18)},
		[]int{1, 32, 9, 1, 7})
	equal(t, "in all", len(by(tools50, func(s string) string { return s })), 50)
}

type assistant struct {
	InstructionID string `json:"instruction_id"`
	Title         string
	Priority      string `json:"resource_priority"`
	Scenarios     []string
	Instructions  []struct{ Scenario, Instruction string } `json:"scenario_instructions"`
	Workflow      []string
	Guardrails    []string `json:"guardrail_priority"`
	Trace         []string `json:"required_trace_fields"`
	Never         []string `json:"prohibited_claims"`
	Integrity     struct {
		Algorithm, Recipe, Command string
		Excluded                   []string `json:"excluded_fields"`
		OnMismatch                 string   `json:"on_mismatch"`
	} `json:"integrity_policy"`
	Dynamic struct {
		Rule, Refresh string
		NeverCache    []string `json:"never_cache"`
	} `json:"dynamic_data_policy"`
	Response  map[string][]string `json:"global_response_policy"`
	Demo      bool                `json:"demo_disclosure_required"`
	ValidFrom string              `json:"valid_from"`
}

func TestAssistant(t *testing.T) {
	a := latest[assistant](t, content.Instructions, "assistant")
	equal(t, "instruction_id", a.InstructionID, "service.assistant.001")
	substantial(t, "resource_priority", a.Priority, 80)
	equal(t, "demo_disclosure_required", a.Demo, true)
	atLeast(t, "steps of the workflow", len(a.Workflow), 12)
	says(t, "the first step", a.Workflow[0], "безопасность")
	says(t, "the highest guardrail", a.Guardrails[0], "мошенничеств")
	sameSet(t, "scenarios", a.Scenarios, snapshot(t).Settings.Scenarios)
	var covered []string
	for _, s := range a.Instructions {
		covered = append(covered, s.Scenario)
		current(t, content.Instructions, s.Instruction)
	}
	sameSet(t, "scenarios with an instruction", covered, a.Scenarios)
	for _, field := range words(`instruction_id instruction_version instruction_checksum accessed_at
		guidelines_used.guideline_id guidelines_used.guideline_version guidelines_used.content_checksum guidelines_used.status
		external_parameters_used.parameter_id external_parameters_used.version external_parameters_used.status external_parameters_used.verified_at
		applied_stop_codes selected_primary_route`) {
		if !slices.Contains(a.Trace, field) {
			t.Errorf("required_trace_fields lacks %s", field)
		}
	}
	says(t, "prohibited claims", strings.Join(a.Never, "\n"), "победу в споре", "возврат денег", "доказано",
		"виновны", "недействительным",
		"банк россии банком пользователя", "полную стоимость кредита", "индивидуальной инвестиционной рекомендацией")
}

// The recipe of the checksum is the one that the service itself follows.
func TestAssistantIntegrityPolicy(t *testing.T) {
	for _, e := range everything(t, content.Instructions) {
		if e.Name != "assistant" {
			continue
		}
		p := decode[assistant](t, e).Integrity
		equal(t, e.Tag(), p.Algorithm, content.Algorithm)
		equal(t, e.Tag(), p.Excluded, content.Derived)
		equal(t, e.Tag(), p.Command, "curl -fsS URL | jq -jcS 'del(."+
			strings.Join(content.Derived, ", .")+")' | sha256sum")
		says(t, e.Tag(), p.Recipe, "rfc 8785", "sha-256", "content_checksum", "x-content-checksum", "source_checksum")
		says(t, e.Tag(), p.OnMismatch, "не применять", "checksum_mismatch")
	}
}

func TestAssistantDynamicData(t *testing.T) {
	p := latest[assistant](t, content.Instructions, "assistant").Dynamic
	says(t, "rule", p.Rule, "только из внешних параметров", "parameter_id", "датой проверки")
	says(t, "refresh", p.Refresh, "перед каждым ответом", "review_required")
	atLeast(t, "what is never cached", len(p.NeverCache), 3)
}

// Five policies since 1.4, none before.
func TestGlobalResponsePolicy(t *testing.T) {
	for _, e := range everything(t, content.Instructions) {
		if e.Name != "assistant" {
			continue
		}
		got := decode[assistant](t, e).Response
		want := words("assumption_policy calculation_policy comparison_policy source_policy instruction_priority")
		if e.Version.Minor() < 7 {
			want = nil
		}
		var policies []string
		for name, rules := range got {
			policies = append(policies, name)
			atLeast(t, e.Tag()+" "+name, len(rules), 4)
		}
		sameSet(t, e.Tag(), policies, want)
	}
}

// Steps are numbered, sources are official, and nothing is given to the service.
func TestInstructionsInGeneral(t *testing.T) {
	type instruction struct {
		ID           string `json:"instruction_id"`
		Steps        []step
		Sources      []source
		AcceptsData  *bool    `json:"resource_accepts_user_data"`
		AcceptsFiles *bool    `json:"resource_accepts_documents"`
		StoresState  *bool    `json:"resource_stores_case_state"`
		PerformedBy  string   `json:"performed_by"`
		Prohibited   []string `json:"prohibited_ai_actions"`
		ValidFrom    string   `json:"valid_from"`
		RecheckAfter string   `json:"recheck_after"`
	}
	for _, e := range everything(t, content.Instructions) {
		i := decode[instruction](t, e)
		equal(t, e.Tag(), i.ID, "service."+e.Name+".001")
		numbered(t, i.Steps)
		for _, s := range i.Sources {
			if s.URL != "" {
				official(t, s.URL)
			}
		}
		for _, flag := range []*bool{i.AcceptsData, i.AcceptsFiles, i.StoresState} {
			if flag != nil && *flag {
				t.Errorf("%s: the service accepts data or keeps state", e.Tag())
			}
		}
		published := e.PublishedAt.Format("2006-01-02")
		if i.ValidFrom > published || i.RecheckAfter != "" && i.RecheckAfter <= published {
			t.Errorf("%s: published on %s, valid from %s, to be checked after %s", e.Tag(), published,
				i.ValidFrom, i.RecheckAfter)
		}
	}
	for _, name := range words("assistant product-document-analysis fraud-response consumer-rights-response " +
		"math-module credit-history-analysis personal-finance-manager investment-advice") {
		current(t, content.Instructions, name)
	}
}

type generic struct {
	Steps       []step
	Documents   []struct{ Code string }
	Rules       []textRule
	StopFilters []struct {
		StopCode string `json:"stop_code"`
	} `json:"stop_filters"`
	Handoff      []struct{ Scenario string }
	Prohibited   []string `json:"prohibited_ai_actions"`
	OutputSchema string   `json:"output_schema"`
	Guidelines   []string `json:"referenced_guidelines"`
}

func stopCodes(g generic) (codes []string) {
	for _, f := range g.StopFilters {
		codes = append(codes, f.StopCode)
	}
	return codes
}

func TestProductDocumentAnalysis(t *testing.T) {
	g := latest[generic](t, content.Instructions, "product-document-analysis")
	equal(t, "output", g.OutputSchema, "product-analysis-output")
	atLeast(t, "steps", len(g.Steps), 8)
	atLeast(t, "documents", len(g.Documents), 8)
	atLeast(t, "rules", len(g.Rules), 8)
	atLeast(t, "prohibitions", len(g.Prohibited), 6)
	sameSet(t, "stop codes", stopCodes(g), words("STOP_FRAUD_SIGNS STOP_UNVERIFIED_PROVIDER STOP_INSUFFICIENT_DATA"))
	sameSet(t, "hand-off", codes(g.Handoff, func(h struct{ Scenario string }) string { return h.Scenario }),
		words("fraud_risk consumer_rights investment_advice"))
	sameSet(t, "guidelines", g.Guidelines, words(
		"product.common.001 product.deposit.analysis.001 product.mortgage.analysis.001 "+
			"product.credit-card.analysis.001 product.kasko.analysis.001 product.consumer-loan.analysis.001 "+
			"product.deposit.protection-and-tax.001",
	))
}

func TestCreditHistoryAnalysis(t *testing.T) {
	g := latest[generic](t, content.Instructions, "credit-history-analysis")
	equal(t, "output", g.OutputSchema, "credit-history-analysis-output")
	atLeast(t, "steps", len(g.Steps), 8)
	atLeast(t, "rules", len(g.Rules), 8)
	sameSet(t, "stop codes", stopCodes(g), words("STOP_FRAUD_SIGNS STOP_PERSONAL_DATA STOP_PAID_CORRECTION"))
	says(t, "the first step", strings.Join(g.Steps[0].Instructions, "\n"), "кредитор и полиция",
		"самозапрет", "не отменяет")
}

type mathModule struct {
	Access struct {
		Registry, Dispatcher string
		Calculate            string   `json:"loan_calculate"`
		Compare              string   `json:"loan_compare"`
		MCP                  []string `json:"mcp_tools"`
	}
	Tools []struct {
		ToolID  string `json:"tool_id"`
		Title   string
		UseWhen string `json:"use_when"`
		Needs   string
	}
	Comparison []struct{ Status, Condition, Response string } `json:"comparison_statuses"`
	Results    []struct{ Status string }                      `json:"result_statuses"`
	Rules      []textRule
	Prohibited []string `json:"prohibited_ai_actions"`
	Output     string   `json:"output_schema"`
}

func TestMathModule(t *testing.T) {
	m := latest[mathModule](t, content.Instructions, "math-module")
	equal(t, "registry", m.Access.Registry, "GET /api/v1/math")
	equal(t, "dispatcher", m.Access.Dispatcher, "POST /api/v1/math/tools/{toolId}")
	equal(t, "addresses that are going", m.Access.Calculate+m.Access.Compare, "")
	for _, tool := range words("find_calculation calculate consumer_rights_deadline_date") {
		if !slices.Contains(m.Access.MCP, tool) {
			t.Errorf("the MCP tool %s is missing", tool)
		}
	}
	var statuses, results []string
	for _, c := range m.Comparison {
		statuses = append(statuses, c.Status)
	}
	for _, r := range m.Results {
		results = append(results, r.Status)
	}
	equal(t, "comparison", statuses,
		words("within_tolerance deviation_detected contract_value_only calculation_not_available"))
	equal(t, "results", results, words("computed calculation_not_available do_not_guess"))
	says(t, "deviation", m.Comparison[1].Condition, "оба допуска", "в днях")
	equal(t, "output", m.Output, "math/loan-calculation")
	var rules []string
	for _, r := range m.Rules {
		rules = append(rules, r.Text)
	}
	says(t, "rules", strings.Join(rules, "\n"), "not_calculated", "внешн", "числом дней",
		"и абсолютный, и относительный", "юридически не подтверждённая")
	atLeast(t, "prohibitions", len(m.Prohibited), 8)
}

// Each version knows the calculations that its release had; those of personal
// finance are told by their own instruction until 1.8.
func TestCalculationsOfMathModule(t *testing.T) {
	for v, want := range map[string][]string{
		"1.0.0": tools130,
		"1.1.0": slices.Concat(tools130, tools15),
		"1.2.0": tools50,
		"2.0.0": tools50,
		"2.3.0": allTools,
	} {
		t.Run(v, func(t *testing.T) {
			var got []string
			for _, tool := range decode[mathModule](t, version(t, content.Instructions, "math-module", v)).Tools {
				got = append(got, tool.ToolID)
				substantial(t, tool.ToolID, tool.Title, 10)
				substantial(t, tool.ToolID, tool.UseWhen, 25)
				substantial(t, tool.ToolID, tool.Needs, 15)
			}
			sameSet(t, "math-module "+v, got, want)
		})
	}
}

func TestPersonalFinanceManager(t *testing.T) {
	type manager struct {
		Tools []struct {
			ToolID string `json:"tool_id"`
		}
		StopFilters []struct {
			StopCode    string `json:"stop_code"`
			Calculation string `json:"calculation_code"`
			Condition   string
			Threshold   string
			Action      string
			Tools       []string `json:"tool_ids"`
		} `json:"stop_filters"`
		Handoff struct {
			Scenario, Instruction string
			ConfirmingTool        string   `json:"confirming_tool"`
			Allowed               []string `json:"allowed_when"`
			Denied                []string `json:"denied_when"`
			Passed                []string
			NotPassed             []string `json:"not_passed"`
		}
	}
	m := latest[manager](t, content.Instructions, "personal-finance-manager")
	var tools, filters []string
	for _, tool := range m.Tools {
		tools = append(tools, tool.ToolID)
	}
	sameSet(t, "tools", tools, tools16)
	for _, f := range m.StopFilters {
		filters = append(filters, f.Calculation+" "+f.StopCode)
		substantial(t, f.StopCode, f.Condition, 30)
		substantial(t, f.StopCode, f.Threshold, 30)
		substantial(t, f.StopCode, f.Action, 30)
		atLeast(t, "tools of "+f.StopCode, len(f.Tools), 1)
		for _, tool := range f.Tools {
			if !slices.Contains(tools16, tool) {
				t.Errorf("%s is checked by %s", f.StopCode, tool)
			}
		}
	}
	equal(t, "stop filters", filters, []string{
		"cash_flow_deficit STOP_CASH_FLOW_DEFICIT", "horizon_mismatch STOP_HORIZON_MISMATCH",
		"liquidity_shortfall STOP_LIQUIDITY",
		"risk_exceeds_capacity STOP_RISK_EXCEEDS_CAPACITY", "double_counting STOP_DOUBLE_COUNTING",
	})
	h := m.Handoff
	equal(t, "hand-off", h.Scenario+" "+h.Instruction+" "+h.ConfirmingTool,
		"investment_advice investment-advice pfm_horizon_risk_check")
	says(t, "allowed", strings.Join(h.Allowed, "\n"), "все пять условий проверены, и ни одно не сработало")
	says(t, "denied", strings.Join(h.Denied, "\n"), "сработало хотя бы одно", "не проверено")
	says(t, "not passed", strings.Join(h.NotPassed, "\n"), "профиль")
}

type investmentAdvice struct {
	Receives *bool `json:"resource_receives_client_profiles"`
	Creates  *bool `json:"resource_creates_recommendations"`
	Contract struct {
		Label, Rule string
		Required    string `json:"required_result"`
	}
	Checks []struct {
		CheckID   string   `json:"check_id"`
		Passed    []string `json:"passed_when"`
		NotPassed []string `json:"not_passed_when"`
		Evidence  []string
		StopCode  string `json:"stop_code"`
	} `json:"eligibility_checks"`
	Results []struct {
		Result  string
		Success bool
	} `json:"eligibility_results"`
	Guidelines []string `json:"referenced_guidelines"`
}

// The contract 3.0.0: three independent results, and only passed is a success.
func TestInvestmentAdvice(t *testing.T) {
	e := current(t, content.Instructions, "investment-advice")
	equal(t, "contract", e.Version.Major(), uint64(3))
	a := decode[investmentAdvice](t, e)
	refused(t, "client profiles and recommendations", a.Receives, a.Creates)
	equal(t, "label", a.Contract.Label, "индивидуальная инвестиционная рекомендация")
	equal(t, "required result", a.Contract.Required, "passed")
	says(t, "rule", a.Contract.Rule, "content_eligibility", "provider_eligibility", "delivery_eligibility",
		"каждая проверка пройдена", "успехом не считаются")
	equal(t, "results", fmt.Sprint(a.Results), "[{passed true} {failed false} {unknown false} {unverified false}]")
	var checks []string
	evidence := map[string]bool{}
	for _, c := range a.Checks {
		checks = append(checks, c.CheckID+" "+c.StopCode)
		atLeast(t, c.CheckID, len(c.Passed), 3)
		atLeast(t, c.CheckID, len(c.NotPassed), 3)
		for _, x := range c.Evidence {
			if evidence[x] {
				t.Errorf("%s rests on the evidence of another check: %s", c.CheckID, x)
			}
			evidence[x] = true
		}
	}
	equal(t, "checks", checks, []string{
		"content_eligibility STOP_CONTENT_ELIGIBILITY", "provider_eligibility STOP_PROVIDER_ELIGIBILITY",
		"delivery_eligibility STOP_DELIVERY_ELIGIBILITY",
	})
	sameSet(t, "guidelines", a.Guidelines, words("investment.stop-filters.001 investment.message-classification.001"))
	equal(t, "checks before 3.0.0", len(decode[investmentAdvice](t,
		version(t, content.Instructions, "investment-advice", "2.0.0")).Checks), 1)
}

func TestIntegrationProfile(t *testing.T) {
	type profile struct {
		Permitted []struct{ Code, Condition, Wording string } `json:"permitted_attribution"`
		Never     []string                                    `json:"prohibited_attribution"`
		Wordings  []string                                    `json:"prohibited_wordings"`
		Duties    []string                                    `json:"obligations"`
	}
	p := latest[profile](t, content.Profiles, "integration-profile")
	for _, c := range p.Permitted {
		substantial(t, c.Code, c.Condition, 30)
		substantial(t, c.Code, c.Wording, 40)
	}
	equal(t, "the first case", p.Permitted[0].Code, "DEMO_DISCLOSURE")
	says(t, "disclosure", p.Permitted[0].Wording, "демонстрационн", "не юридическая консультация")
	atLeast(t, "cases", len(p.Permitted), 4)
	atLeast(t, "cases in which not", len(p.Never), 6)
	atLeast(t, "wordings", len(p.Wordings), 4)
	says(t, "duties", strings.Join(p.Duties, "\n"), "контрольные суммы", "не передавать сервису данных")
}

func TestFallbackPolicy(t *testing.T) {
	type policy struct {
		Rules  []string `json:"general_rules"`
		Limits []struct {
			Code  string
			Hours int `json:"max_age_hours"`
		} `json:"cache_limits"`
		Situations []struct {
			Code, Condition, Action string
			Message                 string   `json:"user_message"`
			Never                   []string `json:"prohibited"`
		}
	}
	p := latest[policy](t, content.Policies, "fallback-policy")
	var situations []string
	for _, s := range p.Situations {
		situations = append(situations, s.Code)
		substantial(t, s.Code, s.Condition, 25)
		substantial(t, s.Code, s.Action, 60)
		substantial(t, s.Code, s.Message, 40)
		atLeast(t, "prohibitions of "+s.Code, len(s.Never), 1)
	}
	for _, code := range words("SERVICE_UNREACHABLE CONTENT_STALE CHECKSUM_MISMATCH ITEM_ARCHIVED " +
		"ITEM_REVIEW_REQUIRED ITEM_REDACTED CALCULATION_NOT_AVAILABLE") {
		if !slices.Contains(situations, code) {
			t.Errorf("the policy does not say what to do in the situation %s", code)
		}
	}
	for _, l := range p.Limits {
		if l.Hours > 24 || l.Code == "external_parameters" && l.Hours > 24 || l.Code == "calculations" && l.Hours != 0 {
			t.Errorf("%s may be kept for %d hours", l.Code, l.Hours)
		}
	}
	says(t, "rules", strings.Join(p.Rules, "\n"), "срочный совет о безопасности не зависит", "по памяти")
}
