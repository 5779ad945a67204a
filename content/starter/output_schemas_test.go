package starter_test

import (
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

type (
	outputSchema struct {
		SchemaID    string `json:"schema_id"`
		Title       string
		Description string
		Instruction string `json:"applicable_instruction_id"`
		ProducedBy  string `json:"output_produced_by"`
		StoredBy    string `json:"output_stored_by"`
		Receives    *bool  `json:"resource_receives_output"`
		Sections    []section
	}
	section struct {
		SectionID   string `json:"section_id"`
		Title       string
		Description string
		Required    *bool
		Repeated    bool
		Fixed       []string `json:"fixed_values"`
		Fields      []field
	}
	field struct {
		Name, Type, Title, Description string
		Required                       *bool
		Nullable                       bool
		CodesFrom                      string `json:"codes_from"`
		Values                         []string
		Fields                         []field
	}
)

// String writes a field as the tables below do.
func (f field) String() string {
	s := f.Name + " " + f.Type
	if len(f.Values) > 0 {
		s += " (" + strings.Join(f.Values, ", ") + ")"
	}
	if f.CodesFrom != "" {
		s += " of " + f.CodesFrom
	}
	if len(f.Fields) > 0 {
		s += " {" + strings.Join(lines(f.Fields), "; ") + "}"
	}
	return s
}

func lines(fields []field) []string {
	return codes(fields, field.String)
}

func TestOutputSchemas(t *testing.T) {
	for name, instruction := range map[string]string{
		"fraud-response-output":          "fraud-response",
		"product-analysis-output":        "product-document-analysis",
		"credit-history-analysis-output": "credit-history-analysis",
		"math/loan-calculation":          "math-module",
	} {
		t.Run(name, func(t *testing.T) {
			for _, e := range item(t, content.OutputSchemas, name).Entries {
				s := decode[outputSchema](t, e)
				equal(t, e.Tag(), s.SchemaID, "service."+strings.ReplaceAll(name, "/", ".")+".001")
				equal(t, e.Tag(), s.Instruction, current(t, content.Instructions, instruction).ID())
				equal(t, e.Tag(), s.ProducedBy+" "+s.StoredBy, "calling_ai_assistant calling_ai_assistant")
				refused(t, e.Tag(), s.Receives)
				substantial(t, e.Tag(), s.Description, 60)
				for _, x := range s.Sections {
					substantial(t, e.Tag(), x.Title, 4)
					if x.Required == nil || (len(x.Fixed) == 0) == (len(x.Fields) == 0) {
						t.Errorf("%s: the section %s has either fields or fixed values, "+
							"and says whether it is required", e.Tag(), x.SectionID)
					}
					checkFields(t, e.Tag()+" "+x.SectionID, x.Fields)
				}
			}
			for _, x := range latest[outputSchema](t, content.OutputSchemas, name).Sections {
				substantial(t, name+" "+x.SectionID, x.Description, 20)
				describedFields(t, name+" "+x.SectionID, x.Fields)
			}
		})
	}
}

// describedFields says that the current version tells what goes into each field.
func describedFields(t *testing.T, at string, fields []field) {
	t.Helper()
	for _, f := range fields {
		substantial(t, at+"."+f.Name, f.Description, 15)
		describedFields(t, at+"."+f.Name, f.Fields)
	}
}

func checkFields(t *testing.T, at string, fields []field) {
	t.Helper()
	for _, f := range fields {
		substantial(t, at+"."+f.Name, f.Title, 3)
		if f.Required == nil {
			t.Errorf("%s.%s does not say whether it is required", at, f.Name)
		}
		if object := f.Type == "object" || f.Type == "array_of_object"; object != (len(f.Fields) > 0) {
			t.Errorf("%s.%s is of the type %s and has %d fields", at, f.Name, f.Type, len(f.Fields))
		}
		checkFields(t, at+"."+f.Name, f.Fields)
	}
}

// The ten sections of the specification, with every enumeration, required flag
// and fixed value.
func TestFraudResponseOutput(t *testing.T) {
	sections := latest[outputSchema](t, content.OutputSchemas, "fraud-response-output").Sections
	used := "guideline_id string; guideline_version string; content_checksum string; status string (current, " +
		"superseded, archived, review_required); fetched_at date_time"
	want := []struct {
		id       string
		required bool
		fields   []string
		fixed    []string
	}{
		{"risk_assessment", true, []string{
			"level string (unknown, warning, high, critical)", "matched_signals array_of_string of fraud-signals",
			"incident_states array_of_string of fraud-states", "active_threat boolean",
		}, nil},
		{"immediate_stop_actions", true, []string{"actions array_of_string"}, nil},
		{"primary_route", true, []string{
			"route_id string of fraud-routes", "urgency string (preventive, prompt, urgent, immediate)",
			"target_type string",
			"resource_ids array_of_string of authority-resources", "actions array_of_string",
		}, nil},
		{"parallel_routes", false, []string{
			"route_id string of fraud-routes", "required boolean", "target_type string",
			"resource_ids array_of_string of authority-resources", "actions array_of_string",
		}, nil},
		{"evidence_to_preserve", false, []string{"evidence_items array_of_string"}, nil},
		{"prohibited_actions", false, []string{"items array_of_string"}, nil},
		{"prevention_actions", false, []string{"items array_of_string"}, nil},
		{"user_explanation", true, []string{"text string"}, nil},
		{"provenance", true, []string{
			"instruction_used object {instruction_id string; instruction_version string; content_checksum string}",
			"guidelines_used array_of_object {" + used + "}",
			"authority_resources_used array_of_object {resource_id string of authority-resources; verified_at date; " +
				"status string (verified, recheck_required)}",
		}, nil},
		{"limitations", true, []string{}, words("NO_GUARANTEE_OF_RECOVERY NO_FINAL_CRIMINAL_QUALIFICATION")},
	}
	equal(t, "number of sections", len(sections), len(want))
	for i, w := range want[:min(len(want), len(sections))] {
		s := sections[i]
		equal(t, "section", s.SectionID, w.id)
		equal(t, w.id+": required", s.Required != nil && *s.Required, w.required)
		equal(t, w.id+": fields", lines(s.Fields), w.fields)
		equal(t, w.id+": fixed values", s.Fixed, w.fixed)
		for _, f := range s.Fields {
			equal(t, w.id+"."+f.Name+": required", f.Required != nil && *f.Required, true)
		}
	}
	equal(t, "parallel routes are a list", sections[3].Repeated, true)
	says(t, "immediate actions", sections[1].Description, "раньше любых уточняющих вопросов")
	says(t, "text", sections[7].Fields[0].Description,
		"что сделать сейчас; куда обратиться; что сохранить; чего не делать; почему сработала остановка")
}

// What every result of the other scenarios says about itself.
func TestOutputSchemasNameTheirLimits(t *testing.T) {
	fixed := map[string]string{
		"product-analysis-output":        "PSK_NOT_CALCULATED",
		"credit-history-analysis-output": "TRUE_RECORDS_ARE_NOT_REMOVED",
		"math/loan-calculation":          "PSK_NOT_CALCULATED",
	}
	for name, limit := range fixed {
		t.Run(name, func(t *testing.T) {
			sections := by(latest[outputSchema](t, content.OutputSchemas, name).Sections,
				func(s section) string { return s.SectionID })
			for _, id := range words("provenance limitations user_explanation") {
				if s := sections[id]; s.Required == nil || !*s.Required {
					t.Errorf("%s: the section %s is not required", name, id)
				}
			}
			if !slices.Contains(sections["limitations"].Fixed, limit) {
				t.Errorf("%s: the limitations lack %s", name, limit)
			}
		})
	}
	loan := by(latest[outputSchema](t, content.OutputSchemas, "math/loan-calculation").Sections,
		func(s section) string { return s.SectionID })
	equal(t, "psk.status", loan["psk"].Fields[0].String(), "status string (not_calculated)")
	comparison := by(loan["comparison"].Fields[0].Fields, func(f field) string { return f.Name })
	equal(t, "comparison", comparison["status"].Values,
		words("within_tolerance deviation_detected contract_value_only calculation_not_available"))
}

// The product types of the schema are those of the scenario, and the kinds of
// documents are those of the instruction.
func TestProductAnalysisOutputAgrees(t *testing.T) {
	sections := by(latest[outputSchema](t, content.OutputSchemas, "product-analysis-output").Sections,
		func(s section) string { return s.SectionID })
	type scenario struct {
		ProductTypes []string `json:"product_types"`
	}
	sameSet(t, "product types", sections["product"].Fields[0].Values,
		latest[scenario](t, content.Scenarios, "product_analysis").ProductTypes)
	findings := by(sections["findings"].Fields[0].Fields, func(f field) string { return f.Name })
	equal(t, "severity", findings["severity"].Values, words("info warning high critical"))
}
