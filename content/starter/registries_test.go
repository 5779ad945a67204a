package starter_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

type (
	signals struct{ Signals []signal }
	signal  struct {
		Code, Title, Description, Category, Severity string
		SufficientForStop                            bool `json:"sufficient_for_stop"`
	}

	states struct{ States []state }
	state  struct {
		Code, Title, Description, Urgency string
		IrreversibleHarmPossible          bool `json:"irreversible_harm_possible"`
		Routes                            []string
	}

	schemes struct{ Scenarios []scheme }
	scheme  struct {
		ScenarioID         string `json:"scenario_id"`
		Title, Description string
		Signals, States    []string
		FirstActions       []string `json:"first_actions"`
		Guidelines         []string
	}

	routes struct{ Routes []route }
	route  struct {
		RouteID            string `json:"route_id"`
		Title, Description string
		Urgency            string
		TargetType         string   `json:"target_type"`
		ResourceIDs        []string `json:"resource_ids"`
		Actions            []string
		Parallel           []string `json:"required_parallel_routes"`
	}

	resources struct{ Resources []resource }
	resource  struct {
		ResourceID   string `json:"resource_id"`
		Title        string
		Kind         string `json:"resource_kind"`
		Domain       string `json:"official_domain"`
		URL          string
		HowToFind    []string `json:"how_to_find"`
		Competence   []string
		NotCompetent []string `json:"not_competent_for"`
		VerifiedAt   string   `json:"verified_at"`
		Status       string
	}

	glossary struct{ Terms []term }
	term     struct {
		TermID     string `json:"term_id"`
		Term       string
		Definition string
		Synonyms   []string
		SeeAlso    []string `json:"see_also"`
	}

	taxonomy struct {
		Scenarios        []record
		ProductTypes     []record `json:"product_types"`
		SignalCategories []record `json:"signal_categories"`
		StopCodes        []record `json:"stop_codes"`
		CompoundResults  []record `json:"compound_results"`
		Severities       []record
		Urgencies        []record
	}
	record struct {
		Code, Title, Description string
		Scenarios                []string
	}
)

func registry[T any](t *testing.T, name string) T {
	t.Helper()
	return latest[T](t, content.Registries, name)
}

// by orders records by their codes.
func by[T any](list []T, code func(T) string) map[string]T {
	out := map[string]T{}
	for _, v := range list {
		out[code(v)] = v
	}
	return out
}

func allSignals(t *testing.T) map[string]signal {
	t.Helper()
	return by(registry[signals](t, "fraud-signals").Signals, func(s signal) string { return s.Code })
}

func allStates(t *testing.T) map[string]state {
	t.Helper()
	return by(registry[states](t, "fraud-states").States, func(s state) string { return s.Code })
}

func allRoutes(t *testing.T) map[string]route {
	t.Helper()
	return by(registry[routes](t, "fraud-routes").Routes, func(r route) string { return r.RouteID })
}

func allResources(t *testing.T) map[string]resource {
	t.Helper()
	return by(registry[resources](t, "authority-resources").Resources, func(r resource) string { return r.ResourceID })
}

func codesOf(list []record) []string {
	return codes(list, func(r record) string { return r.Code })
}

// known checks that every code is in a registry.
func known[T any](t *testing.T, what string, codes []string, registry map[string]T) {
	t.Helper()
	for _, c := range codes {
		if _, ok := registry[c]; !ok {
			t.Errorf("%s: there is no %s", what, c)
		}
	}
}

func TestFraudSignals(t *testing.T) {
	all := allSignals(t)
	categories, stops := map[string]int{}, 0
	for _, s := range all {
		categories[s.Category]++
		substantial(t, s.Code, s.Title, 8)
		substantial(t, s.Code, s.Description, 80)
		if s.SufficientForStop {
			stops++
			equal(t, s.Code, s.Severity, "critical")
		}
	}
	equal(t, "signals", len(all), 121)
	equal(t, "signals that are sufficient for a stop", stops, 31)
	for category, n := range map[string]int{"certificate": 16, "pretext": 10, "p2p": 4,
		"asset_unblocking": 3, "physical": 2} {
		t.Run(category, func(t *testing.T) {
			equal(t, category, categories[category], n)
		})
	}
	for _, category := range words("impersonation device money investment") {
		atLeast(t, category, categories[category], 1)
	}
	known(t, "named in the specification", words(`
		PRETEXT_MOBILE_OPERATOR_5G APK_INSTALLATION_REQUESTED EMPLOYER_OR_EXECUTIVE_IMPERSONATION
		SECRECY_REQUESTED SECOND_STAGE_OFFICIAL_CALL BANK_SITE_REQUESTS_RUSSIAN_TLS_SUPPORT
		REQUESTS_INSTALL_MINISTRY_ROOT_CERTIFICATE CERTIFICATE_FILE_RECEIVED_IN_MESSAGE
		REMOTE_ACCESS_REQUESTED BANK_SITE_CERTIFICATE_WARNING UNKNOWN_LINK_OPENED UNKNOWN_FUNDS_RECEIVED
		MANUAL_REFUND_REQUESTED P2P_PAYMENT_FROM_THIRD_PARTY CRYPTO_RELEASE_AFTER_THIRD_PARTY_PAYMENT
		FAKE_PROFIT_DASHBOARD WITHDRAWAL_REQUIRES_ADDITIONAL_DEPOSIT PHYSICAL_QR_CODE_OVERLAY
		CARD_CVV_REQUESTED AI_GENERATED_KNOWN_PERSON_VOICE MONEY_TRANSFER_REQUESTED`), all)
}

// What stops while a certificate or a browser is talked about, and what does
// not: the mention alone is no fraud.
func TestCertificateSignals(t *testing.T) {
	all := allSignals(t)
	for code, want := range map[string]bool{
		"CERTIFICATE_FILE_RECEIVED_IN_MESSAGE":         true,
		"SMS_CODE_REQUESTED":                           true,
		"REMOTE_ACCESS_REQUESTED":                      true,
		"MONEY_TRANSFER_DURING_CERTIFICATE_TRANSITION": true,
		"BANK_SITE_REQUESTS_RUSSIAN_TLS_SUPPORT":       false,
		"REQUESTS_INSTALL_MINISTRY_ROOT_CERTIFICATE":   false,
		"BANK_SITE_CERTIFICATE_WARNING":                false,
	} {
		t.Run(code, func(t *testing.T) {
			if s := all[code]; s.Code == "" || s.SufficientForStop != want {
				t.Errorf("%s stops: %t, want %t", code, s.SufficientForStop, want)
			}
		})
	}
}

// 49 signals were new in release 1.2.0, and none of the 72 before it is gone.
func TestSignalsBeforeAndSince(t *testing.T) {
	list := func(v string) []string {
		s := decode[signals](t, version(t, content.Registries, "fraud-signals", v))
		return codes(s.Signals, func(s signal) string { return s.Code })
	}
	before, since := list("1.0.0"), list("1.1.0")
	equal(t, "before", len(before), 72)
	equal(t, "new", len(since)-len(before), 49)
	for _, code := range before {
		if !slices.Contains(since, code) {
			t.Errorf("%s is gone", code)
		}
	}
}

func TestFraudStates(t *testing.T) {
	all, ways := allStates(t), allRoutes(t)
	atLeast(t, "states", len(all), 15)
	for _, s := range all {
		substantial(t, s.Code, s.Title, 8)
		substantial(t, s.Code, s.Description, 40)
		if len(s.Routes) == 0 {
			t.Errorf("%s leads nowhere", s.Code)
			continue
		}
		known(t, s.Code, s.Routes, ways)
		if !s.IrreversibleHarmPossible {
			continue
		}
		if s.Urgency != "urgent" && s.Urgency != "immediate" {
			t.Errorf("%s: harm may be irreversible, and the urgency is %s", s.Code, s.Urgency)
		}
		if first := ways[s.Routes[0]].TargetType; first == "regulator" || first == "central_bank" {
			t.Errorf("%s leads to the %s first", s.Code, first)
		}
	}
	prompted := all["CERTIFICATE_OR_BROWSER_TRANSITION_PROMPTED"]
	equal(t, "routes of the contextual state", prompted.Routes,
		[]string{"verify-certificate-or-browser-transition.001"})
	equal(t, "harm in the contextual state", prompted.IrreversibleHarmPossible, false)
	says(t, prompted.Code, prompted.Description, "не мошенничество")
}

func TestFraudRoutes(t *testing.T) {
	all, where := allRoutes(t), allResources(t)
	atLeast(t, "routes", len(all), 15)
	parallel := 0
	for _, r := range all {
		substantial(t, r.RouteID, r.Title, 8)
		substantial(t, r.RouteID, r.Description, 30)
		atLeast(t, "actions of "+r.RouteID, len(r.Actions), 3)
		known(t, r.RouteID, r.ResourceIDs, where)
		known(t, r.RouteID, r.Parallel, all)
		if r.Urgency == "" || r.TargetType == "" {
			t.Errorf("%s: urgency %q, target %q", r.RouteID, r.Urgency, r.TargetType)
		}
		if slices.Contains(r.Parallel, r.RouteID) {
			t.Errorf("%s is parallel to itself", r.RouteID)
		}
		parallel += len(r.Parallel)
	}
	atLeast(t, "mandatory parallel routes", parallel, 3)
	verify := all["verify-certificate-or-browser-transition.001"]
	equal(t, "target of the contextual route", verify.TargetType, "official_page")
	for _, page := range words("gosuslugi-certificates gosuslugi-tls") {
		if !slices.Contains(verify.ResourceIDs, page) || where[page].Kind != "official_page" ||
			!strings.HasSuffix(where[page].Domain, "gosuslugi.ru") {
			t.Errorf("%s is not an official page of the contextual route", page)
		}
	}
}

// The routing rules of the specification, as the registries follow them.
func TestRoutingRulesInRegistries(t *testing.T) {
	ways, where := allRoutes(t), allStates(t)
	for _, test := range []struct {
		state, target string
		parallel      string // the target of a route that is mandatory next to it
	}{
		{"MONEY_TRANSFERRED_BY_USER", "bank", "police"},
		{"UNAUTHORIZED_DEBIT", "bank", "police"},
		{"INVESTMENT_MONEY_SENT", "bank", "police"},
		{"CASH_HANDED_OVER", "police", "bank"},
		{"DIGITAL_ACCOUNT_COMPROMISED", "service_owner", ""},
		{"GOVERNMENT_PORTAL_COMPROMISED", "government_portal", ""},
		{"SIM_COMPROMISED", "mobile_operator", ""},
		{"ILLEGAL_PROVIDER_CONTACT", "central_bank", ""},
		{"FRAUDULENT_CREDIT_ISSUED", "creditor", "police"},
		{"UNKNOWN_FUNDS_ON_ACCOUNT", "bank", ""},
		{"KNOWN_PERSON_IDENTITY_UNVERIFIED", "known_person", ""},
	} {
		t.Run(test.state, func(t *testing.T) {
			s := where[test.state]
			if len(s.Routes) == 0 {
				t.Errorf("the state %s is missing", test.state)
				return
			}
			primary := ways[s.Routes[0]]
			equal(t, "target of "+test.state, primary.TargetType, test.target)
			targets := codes(primary.Parallel, func(id string) string { return ways[id].TargetType })
			if test.parallel != "" && !slices.Contains(targets, test.parallel) {
				t.Errorf("%s: %s is not mandatory next to %s", test.state, test.parallel, test.target)
			}
			if test.parallel == "" && slices.Contains(targets, "police") {
				t.Errorf("%s: the police are mandatory without a loss of money", test.state)
			}
		})
	}
}

// The central bank is nobody's bank: no route that recovers or stops money
// leads to it, and the self-ban on credit is a measure for the future.
func TestCentralBankIsNobodysBank(t *testing.T) {
	for _, r := range allRoutes(t) {
		for i, id := range r.ResourceIDs {
			if id == "bank-of-russia" && r.TargetType != "central_bank" && i == 0 {
				t.Errorf("%s leads to the central bank as the %s", r.RouteID, r.TargetType)
			}
		}
		if r.TargetType == "central_bank" && (r.Urgency == "urgent" || r.Urgency == "immediate") {
			t.Errorf("%s is urgent and leads to the central bank", r.RouteID)
		}
		if r.TargetType == "bank" && !slices.Contains(r.ResourceIDs, "user-bank") {
			t.Errorf("%s leads to a bank that is not the user's", r.RouteID)
		}
	}
	ban := allRoutes(t)["credit-self-ban.001"]
	equal(t, "urgency of the self-ban", ban.Urgency, "preventive")
	says(t, ban.RouteID, ban.Description, "не отменяет")
	for _, e := range everything(t, content.Registries) {
		if e.Name != "authority-resources" {
			continue
		}
		for _, r := range decode[resources](t, e).Resources {
			if r.ResourceID == "bank-of-russia" {
				says(t, e.Tag(), strings.Join(r.NotCompetent, "\n"), "возвращать похищенные деньги",
					"заменять банк пользователя")
			}
		}
	}
}

func TestFraudScenarios(t *testing.T) {
	list := registry[schemes](t, "fraud-scenarios").Scenarios
	atLeast(t, "scenarios", len(list), 12)
	signals, states := allSignals(t), allStates(t)
	used := map[string]bool{}
	for _, s := range list {
		substantial(t, s.ScenarioID, s.Title, 8)
		substantial(t, s.ScenarioID, s.Description, 60)
		atLeast(t, "signals of "+s.ScenarioID, len(s.Signals), 3)
		atLeast(t, "states of "+s.ScenarioID, len(s.States), 2)
		atLeast(t, "first actions of "+s.ScenarioID, len(s.FirstActions), 3)
		known(t, s.ScenarioID, s.Signals, signals)
		known(t, s.ScenarioID, s.States, states)
		for _, code := range s.Signals {
			used[code] = true
		}
	}
	for code := range signals {
		// The one signal that is harmless by itself belongs to no scheme.
		if !used[code] && code != "BANK_SITE_REQUESTS_RUSSIAN_TLS_SUPPORT" {
			t.Errorf("%s belongs to no scenario", code)
		}
	}
}

func TestAuthorityResources(t *testing.T) {
	all := allResources(t)
	atLeast(t, "resources", len(all), 20)
	today := now.Format("2006-01-02")
	for _, r := range all {
		substantial(t, r.ResourceID, r.Title, 5)
		atLeast(t, "what it can do: "+r.ResourceID, len(r.Competence), 1)
		atLeast(t, "what it cannot do: "+r.ResourceID, len(r.NotCompetent), 2)
		equal(t, r.ResourceID, r.Status, "verified")
		if r.VerifiedAt == "" || r.VerifiedAt > today {
			t.Errorf("%s was verified on %q", r.ResourceID, r.VerifiedAt)
		}
		// What is the user's own has no domain that is the same for everybody.
		if r.Kind == "own_organization" {
			atLeast(t, "ways to find "+r.ResourceID, len(r.HowToFind), 2)
			equal(t, "domain of "+r.ResourceID, r.Domain, "")
			continue
		}
		official(t, r.URL)
		if !onDomain(r.URL, r.Domain) {
			t.Errorf("%s: %s is not on %s", r.ResourceID, r.URL, r.Domain)
		}
	}
	known(t, "bodies that the specification names",
		words("user-bank mvd bank-of-russia mobile-operator service-owner creditor gosuslugi financial-ombudsman "+
			"roskomnadzor fas fssp rostrud roszdravnadzor rosprirodnadzor nsis"), all)
}

func onDomain(address, domain string) bool {
	u, err := url.Parse(address)
	if domain == "мвд.рф" {
		domain = "xn--b1aew.xn--p1ai"
	}
	return err == nil && (u.Host == domain || strings.HasSuffix(u.Host, "."+domain))
}

func TestGlossary(t *testing.T) {
	list := registry[glossary](t, "glossary").Terms
	atLeast(t, "terms", len(list), 120)
	all := by(list, func(t term) string { return t.TermID })
	names := map[string]string{}
	for _, w := range list {
		substantial(t, w.TermID, w.Definition, 60)
		atLeast(t, "synonyms of "+w.TermID, len(w.Synonyms), 1)
		known(t, w.TermID, w.SeeAlso, all)
		for _, name := range append([]string{w.Term}, w.Synonyms...) {
			name = strings.ToLower(name)
			if other := names[name]; other != "" {
				t.Errorf("%q names both %s and %s", name, other, w.TermID)
			}
			names[name] = w.TermID
		}
	}
	for _, name := range words("пск асв осаго каско финомбудсмен самозапрет суброгация франшиза") {
		if names[name] == "" {
			t.Errorf("the glossary does not know %s", name)
		}
	}
}

func TestTaxonomy(t *testing.T) {
	x := registry[taxonomy](t, "taxonomy")
	sameSet(t, "scenarios", codesOf(x.Scenarios), codes(currents(t, content.Scenarios),
		func(e *content.Entry) string { return e.Name }))
	sameSet(t, "results", codesOf(x.CompoundResults),
		words("critical_stop high_risk not_fraud stop_manual_refund stop_verify_identity"))
	sameSet(t, "severities", codesOf(x.Severities), words("info warning high critical"))
	sameSet(t, "urgencies", codesOf(x.Urgencies), words("preventive prompt urgent immediate"))
	var categories []string
	for _, s := range allSignals(t) {
		if !slices.Contains(categories, s.Category) {
			categories = append(categories, s.Category)
		}
	}
	sameSet(t, "categories", codesOf(x.SignalCategories), categories)
	for _, list := range [][]record{x.Scenarios, x.ProductTypes, x.SignalCategories, x.StopCodes, x.CompoundResults,
		x.Severities, x.Urgencies} {
		for _, r := range list {
			substantial(t, r.Code, r.Title, 4)
			substantial(t, r.Code, r.Description, 20)
		}
	}
}

// Scenarios, taxonomy, guidelines and instructions agree about which product
// types and which stop codes belong to which scenario.
func TestScenariosAgreeWithTaxonomy(t *testing.T) {
	x := registry[taxonomy](t, "taxonomy")
	of := func(list []record, scenario string) (codes []string) {
		for _, r := range list {
			// The code of the contract before 3.0.0 is kept to read old records.
			if slices.Contains(r.Scenarios, scenario) && r.Code != "STOP_ELIGIBILITY_NOT_CONFIRMED" {
				codes = append(codes, r.Code)
			}
		}
		return codes
	}
	type scenario struct {
		ProductTypes []string `json:"product_types"`
		StopFilters  []struct {
			StopCode string `json:"stop_code"`
		} `json:"stop_filters"`
	}
	for _, e := range currents(t, content.Scenarios) {
		s := decode[scenario](t, e)
		sameSet(t, e.Name+": product types", s.ProductTypes, of(x.ProductTypes, e.Name))
		var filters []string
		for _, f := range s.StopFilters {
			filters = append(filters, f.StopCode)
		}
		sameSet(t, e.Name+": stop codes", filters, of(x.StopCodes, e.Name))
	}
	stops := by(x.StopCodes, func(r record) string { return r.Code })
	products := by(x.ProductTypes, func(r record) string { return r.Code })
	for _, e := range currents(t, content.Guidelines) {
		g := decode[guideline](t, e)
		known(t, e.Name, g.Applicability.ProductTypes, products)
		for _, r := range g.Rules {
			if r.StopCode != "" && !slices.Contains(stops[r.StopCode].Scenarios, g.Scenario) {
				t.Errorf("%s: %s is not a stop code of the scenario %s", e.Name, r.StopCode, g.Scenario)
			}
		}
	}
	for _, e := range currents(t, content.Instructions) {
		for _, p := range passages(t, e) {
			if p.field() == "stop_code" {
				known(t, e.Name, []string{p.text}, stops)
			}
		}
	}
}
