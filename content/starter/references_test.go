package starter_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

// Every reference that a schema knows of leads to an item that is current.
func TestReferencesResolve(t *testing.T) {
	found := 0
	for _, e := range currents(t) {
		for _, r := range e.References() {
			found++
			folder, name, _ := strings.Cut(r.Item, "/")
			if i := snapshot(t).Item(content.KindOf(folder), name); i == nil || i.Current == nil ||
				// what is to be checked again is used with that said
				i.Current.Status != content.Current && i.Kind != content.Parameters {
				t.Errorf("%s refers to %s, which is not current", e.Tag(), r.Item)
			}
		}
	}
	atLeast(t, "references", found, 200)
}

// What no schema checks: fields that name a calculation, a record of a registry
// or an address of the service.
func TestFieldsThatNameOthers(t *testing.T) {
	routes, states, resources, signals := allRoutes(t), allStates(t), allResources(t), allSignals(t)
	tools := by(allTools, func(s string) string { return s })
	for _, e := range currents(t, content.Guidelines, content.Instructions, content.Policies,
		content.Profiles, content.Registries) {
		for _, p := range passages(t, e) {
			at := e.Name + " " + p.where()
			switch p.field() {
			case "tool", "tool_id", "tool_ids", "confirming_tool":
				known(t, at, []string{p.text}, tools)
			case "resource_id", "resource_ids":
				known(t, at, []string{p.text}, resources)
			case "required_parallel_routes":
				known(t, at, []string{p.text}, routes)
			case "route_id":
				known(t, at, []string{p.text}, routes)
			case "signals":
				if p.at[0] != "signals" {
					known(t, at, []string{p.text}, signals)
				}
			case "states":
				if e.Name == "fraud-scenarios" {
					known(t, at, []string{p.text}, states)
				}
			case "read_from", "registry", "dispatcher", "loan_calculate", "loan_compare":
				checkAddress(t, at, p.text)
			}
		}
	}
}

// The addresses that texts may name: those of the specification and the design.
var addresses = words(`
	/api/v1/guidelines /api/v1/search /api/v1/taxonomy /api/v1/external-parameters /api/v1/glossary /api/v1/changelog
	/api/v1/health /api/v1/instructions /api/v1/math /api/v1/math/tools/{toolId} /api/v1/math/loan/calculate
	/api/v1/math/loan/compare /api/v1/fraud/brief /api/v1/fraud/signals /api/v1/fraud/states /api/v1/fraud/scenarios /api/v1/fraud/routes
	/api/v1/authority-resources /api/v1/checksums /api/v1/calendars`)

func checkAddress(t *testing.T, at, address string) {
	t.Helper()
	address = strings.TrimPrefix(strings.TrimPrefix(address, "GET "), "POST ")
	served := slices.ContainsFunc(currents(t), func(e *content.Entry) bool {
		return e.Kind.ItemPath(e.Name) == address
	})
	if !served && !slices.Contains(addresses, address) {
		t.Errorf("%s: nothing is served at %s", at, address)
	}
}

var (
	addressInText   = regexp.MustCompile(`/api/v1/[a-z0-9/_-]*[a-z0-9]`)
	dottedInText    = regexp.MustCompile(`\b[a-z][a-z-]*(?:\.[a-z0-9-]+)*\.[0-9]{3}\b`)
	parameterInText = regexp.MustCompile(`\bconsumer-rights\.(?:fo|ombudsman)-[a-z-]*[a-z]\b(?:\.[0-9]{3})?`)
	upperInText     = regexp.MustCompile(`\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b`)
	lowerInText     = regexp.MustCompile(`\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b`)
)

// Codes and identifiers in the middle of a sentence resolve like those in
// fields of their own: a misspelled one would send an assistant nowhere.
func TestCodesInTextsResolve(t *testing.T) {
	k := knownCodes(t)
	for _, e := range currents(t) {
		for _, p := range passages(t, e) {
			if !isProse(p.text) || p.field() == "command" || !strings.ContainsAny(p.text, "_/.") {
				continue
			}
			at := e.Tag() + " " + p.where()
			for _, address := range addressInText.FindAllString(p.text, -1) {
				checkAddress(t, at, address)
			}
			for _, id := range dottedInText.FindAllString(p.text, -1) {
				known(t, at, []string{id}, k)
			}
			for _, id := range parameterInText.FindAllString(p.text, -1) {
				known(t, at, []string{id}, k)
			}
			for _, code := range append(upperInText.FindAllString(p.text, -1),
				lowerInText.FindAllString(p.text, -1)...) {
				known(t, at, []string{code}, k)
			}
		}
	}
}

// isProse says whether a text is written for people, not a code.
func isProse(s string) bool { return strings.Contains(s, " ") && isRussian(s) }

// answerCodes are what calculations answer, what requests carry and which tools there are:
// their contract, not the content's.
var answerCodes = words(`
	contract_values tolerance absolute relative evidence_from filters_not_evaluated filter_not_evaluated inputs_hash not_calculated not_computed
	purchase_on_statement_day assumes_repayment_on_due_date payment_does_not_amortize no_solution
	cash_flow_deficit horizon_mismatch liquidity_shortfall risk_exceeds_capacity double_counting
	monthly_1_12 act_365 act_act 30e_360 e_360
	content_checksum source_checksum schema_version format_version discovery_urls output_schema_url product_releases
	review_required product_type advertised_rate early_termination list_versions signal`)

// knownCodes collects every code that stands in a field of its own, and the
// names of the fields.
func knownCodes(t *testing.T) map[string]string {
	t.Helper()
	k := by(slices.Concat(allTools, answerCodes), func(s string) string { return s })
	for _, e := range currents(t) {
		k[e.ID()], k[e.Name] = "", ""
		for _, p := range passages(t, e) {
			if !isProse(p.text) {
				k[p.text] = ""
			}
		}
		for _, name := range fieldName.FindAllSubmatch(e.Body().AppendJSON(nil), -1) {
			k[string(name[1])] = ""
		}
	}
	for _, name := range fraudDiscovery() {
		k[name] = ""
	}
	return k
}

var fieldName = regexp.MustCompile(`"([a-z0-9_]+)":`)

// What leads to a guideline is named by it: who comes from a signal, a state or a route finds the
// others that the guideline goes with.
func TestReferencesGoBothWays(t *testing.T) {
	type named struct{ Signals, States, Routes []string }
	leads := map[string]*named{}
	to := func(guidelines []string, list func(*named) *[]string, code string) {
		for _, g := range guidelines {
			if leads[g] == nil {
				leads[g] = &named{}
			}
			l := list(leads[g])
			*l = append(*l, code)
		}
	}
	type record struct {
		Code       string
		RouteID    string `json:"route_id"`
		Guidelines []string
	}
	found := 0
	for _, r := range latest[struct{ Signals []record }](t, content.Registries, "fraud-signals").Signals {
		to(r.Guidelines, func(n *named) *[]string { return &n.Signals }, r.Code)
	}
	for _, r := range latest[struct{ States []record }](t, content.Registries, "fraud-states").States {
		to(r.Guidelines, func(n *named) *[]string { return &n.States }, r.Code)
	}
	for _, r := range latest[struct{ Routes []record }](t, content.Registries, "fraud-routes").Routes {
		to(r.Guidelines, func(n *named) *[]string { return &n.Routes }, r.RouteID)
	}
	for _, e := range currents(t, content.Guidelines) {
		got, want := decode[named](t, e), leads[e.Name]
		if want == nil {
			want = &named{}
		}
		sameSet(t, e.Name+": signals", got.Signals, want.Signals)
		sameSet(t, e.Name+": states", got.States, want.States)
		sameSet(t, e.Name+": routes", got.Routes, want.Routes)
		found += len(got.Signals) + len(got.States) + len(got.Routes)
	}
	atLeast(t, "references back", found, 150)
}
