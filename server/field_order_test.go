package server_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/server/site"
)

// The order of fields, as the design, section 7, and the tables of the
// specification have it. An item's own are those between its status and its
// dates; what ends in "?" may be missing.
var fields = map[string]string{
	"manifest": "service title description audience service_version schema_version canonical_base_url default_language " +
		"checksum_algorithm mcp_transport disclaimer read_only demo supported_formats scenarios content_updated_at " +
		"endpoints product_releases",
	"changelog": "total limit offset fetched_at entries",
	"search":    "query total limit offset fetched_at results",

	"guideline":                      "schema_version scenario title summary owner applicability signals? states? routes? resources? required_inputs rules guardrails sources valid_from valid_to? recheck_after? search_terms?",
	"scenario":                       "schema_version title description product_types? stop_filters?",
	"policy":                         "schema_version title summary general_rules? cache_limits? situations valid_from recheck_after? search_terms?",
	"profile":                        "schema_version title summary permitted_attribution prohibited_attribution prohibited_wordings? obligations? valid_from recheck_after? search_terms?",
	"schema":                         "format_version title description applicable_instruction_id? output_produced_by output_stored_by resource_receives_output sections search_terms?",
	"parameter":                      "schema_version title description value_type value? unit? inclusive? conditions? start_event? count_from? non_working_holidays? roll_if_non_working? periods? series? sources verified_at certainty valid_from valid_to? recheck_after? search_terms?",
	"calendar":                       "schema_version title description? country year approval decree transfers? non_working_weekdays working_weekend_days shortened_days? working_days certainty sources? valid_from recheck_after? search_terms?",
	"registries/taxonomy":            "schema_version title description scenarios product_types signal_categories? stop_codes? compound_results? severities? urgencies? synonyms? valid_from? valid_to? recheck_after? search_terms?",
	"registries/glossary":            "schema_version title description total terms valid_from? valid_to? recheck_after? search_terms?",
	"registries/fraud-signals":       "schema_version title description total signals valid_from? valid_to? recheck_after? search_terms?",
	"registries/fraud-states":        "schema_version title description total states valid_from? valid_to? recheck_after? search_terms?",
	"registries/fraud-scenarios":     "schema_version title description total scenarios valid_from? valid_to? recheck_after? search_terms?",
	"registries/fraud-routes":        "schema_version title description total routes valid_from? valid_to? recheck_after? search_terms?",
	"registries/authority-resources": "schema_version title description total resources valid_from? valid_to? recheck_after? search_terms?",
	"registries/currencies":          "schema_version title description total records",
	"instructions/assistant": "schema_version title summary? resource_priority scenarios scenario_instructions? workflow guardrail_priority required_trace_fields " +
		"prohibited_claims integrity_policy dynamic_data_policy global_response_policy? demo_disclosure_required " +
		"valid_from recheck_after? search_terms?",
	"instructions/fraud-response": "schema_version language title summary applicability step_model steps routing_rules compound_rules prohibited_ai_actions sources valid_from recheck_after search_terms?",

	"guideline summary":   "scenario title summary",
	"instruction summary": "title summary? scenarios?",
	"schema summary":      "title description applicable_instruction_id?",
	"registry summary":    "title description",
	"parameter summary":   "title description value_type value? unit? inclusive? conditions? start_event? sources verified_at certainty valid_from valid_to? recheck_after? search_terms?",
	"calendar summary":    "title country year approval working_days certainty",
	"scenario summary":    "title description product_types?",
}

// derived are the fields at the end of an item.
const derived = "published_at updated_at change_note canonical_url output_schema_url? discovery_urls? " +
	"checksum_algorithm content_checksum fetched_at"

// inOrder says whether an object has these fields alone, in this order.
func inOrder(o content.Object, want string) bool {
	var names []string
	for name := range strings.FieldsSeq(want) {
		name, optional := strings.CutSuffix(name, "?")
		if !optional || o.Get(name) != nil {
			names = append(names, name)
		}
	}
	return slices.Equal(fieldsOf(o), names)
}

func TestFieldOrder(t *testing.T) {
	for name, s := range map[string]*site.Site{"starter": starterSite(), "kinds": kindsSite()} {
		t.Run(name, func(t *testing.T) { checkFieldOrder(t, s) })
	}
}

func checkFieldOrder(t *testing.T, s *site.Site) {
	c := ask(t, s)
	check := func(path string, got content.Object, want string) {
		t.Helper()
		if !inOrder(got, want) {
			t.Errorf("%s: the fields are\n%q, want\n%s", path, fieldsOf(got), want)
		}
	}
	elements := func(path string, list json.RawMessage, want string) {
		t.Helper()
		for _, o := range decode[[]content.Object](t, list) {
			check(path, o, want)
		}
	}
	object := func(path string) content.Object { return decode[content.Object](t, c.get(path).body) }
	for _, name := range []string{"", "changelog", "search?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4"} {
		path := "/api/v1/" + name
		if name == "" {
			path, name = "/", "manifest"
		}
		name, _, _ = strings.Cut(name, "?")
		check(path, object(path), fields[name])
	}
	for path, array := range listPaths {
		list := object(path)
		check(path, list, "total fetched_at "+array)
		for _, o := range decode[[]content.Object](t, list.Get(array)) {
			kind, _ := strings.CutSuffix(o[0].Name, "_id")
			check(path, o, kind+"_id "+kind+"_version status "+fields[kind+" summary"]+
				" canonical_url content_checksum fetched_at")
		}
	}
	for _, item := range s.Snapshot.Items {
		path, kind := pathOf(item.Kind, item.Name), strings.ToLower(strings.TrimPrefix(headerNames[item.Kind], "X-"))
		versions := object(path + "/versions")
		check(path, versions, kind+"_id total fetched_at versions")
		elements(
			path, versions.Get("versions"),
			kind+"_version status status_reason? published_at change_note? content_checksum log_index? canonical_url",
		)
		for _, e := range item.Entries {
			own, ok := fields[item.ID()]
			if !ok {
				own, ok = fields[kind]
			}
			if !ok { // a format that only describes what its schema says: as the author wrote it
				own = strings.Join(fieldsOf(e.Body())[1:], " ")
			}
			if e.Status != content.Redacted {
				check(e.Path(), object(path+"/versions/"+e.Version.String()),
					kind+"_id "+kind+"_version status "+own+" "+derived)
			}
		}
	}
}

// The specification's required fields of a guideline are there, with values of
// their type.
func TestGuidelineTypes(t *testing.T) {
	c := ask(t, starterSite())
	for _, item := range starterSite().Snapshot.Items {
		if item.Kind != content.Guidelines {
			continue
		}
		var g struct {
			ID        string           `json:"guideline_id"`
			Version   string           `json:"guideline_version"`
			Status    string           `json:"status"`
			Scenario  string           `json:"scenario"`
			Title     string           `json:"title"`
			Summary   string           `json:"summary"`
			Algorithm string           `json:"checksum_algorithm"`
			Checksum  string           `json:"content_checksum"`
			URL       string           `json:"canonical_url"`
			Applies   map[string]any   `json:"applicability"`
			Inputs    []map[string]any `json:"required_inputs"`
			Rules     []map[string]any `json:"rules"`
			Guards    []map[string]any `json:"guardrails"`
			Sources   []map[string]any `json:"sources"`
			Published time.Time        `json:"published_at"`
			Updated   time.Time        `json:"updated_at"`
		}
		body := c.get("/api/v1/guidelines/" + item.Name).body
		if err := json.Unmarshal(body, &g); err != nil {
			t.Errorf("%s: %v", item.Name, err)
		}
		if g.ID != item.Name || g.Version == "" || g.Status != "current" || g.Title == "" || g.Summary == "" ||
			g.Scenario == "" ||
			g.Algorithm != "sha256" || !content.ValidChecksum(g.Checksum) || g.Applies == nil || len(g.Rules) == 0 ||
			g.Published.IsZero() || g.Updated.IsZero() || g.URL != baseURL+item.Current.Path() {
			t.Errorf("%s is incomplete: %+v", item.Name, g)
		}
	}
}
