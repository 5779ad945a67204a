package mcpserver_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A journey is what a model reads on a prescribed way: the calls, and how many characters
// it may have to read in all. Each has in its answers what it is taken for.
type journey struct {
	name  string
	most  int
	calls []step
}

// maxCalls is how many calls a model has time for in an emergency.
const maxCalls = 3

type step struct {
	tool string
	args map[string]any
	says []string
}

var (
	argsOf = func(pairs ...any) map[string]any {
		args := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			args[pairs[i].(string)] = pairs[i+1]
		}
		return args
	}
	sections = func(all ...string) []string { return all }
)

// journeys are the ways that the instructions prescribe.
var journeys = []journey{
	{"emergency-intercom", 10_000, []step{
		{"search", argsOf("q", "просят код от домофона", "limit", 5), sections("PRETEXT_INTERCOM_KEY")},
		{"fraud_brief", argsOf("signal", sections("PRETEXT_INTERCOM_KEY", "SMS_CODE_REQUESTED")), sections(`"stop":true`, "Положить трубку", "gosuslugi.ru")},
		{"get_guideline", argsOf("guideline_id", "fraud.intercom-code-government-portal.001", "view", "brief", "format", "markdown"), sections("С чего начать")},
	}},
	{"emergency-safe-account", 10_000, []step{
		{"search", argsOf("q", "звонит безопасный счёт", "limit", 5), sections("SAFE_ACCOUNT_TRANSFER_REQUESTED")},
		{"fraud_brief", argsOf("signal", sections("SAFE_ACCOUNT_TRANSFER_REQUESTED", "BANK_EMPLOYEE_IMPERSONATION")), sections(`"stop":true`, "bank-urgent-response.001", `"phone":"102"`)},
	}},
	{"fraud-money-lost", 20_000, []step{
		{"get_instruction", argsOf("name", "fraud-response", "view", "brief", "format", "markdown"), sections("STOP_ON_CRITICAL")},
		{"search", argsOf("q", "перевёл деньги мошенникам на безопасный счёт", "limit", 5), sections("SAFE_ACCOUNT_TRANSFER_REQUESTED")},
		{"fraud_brief", argsOf("signal", sections("SAFE_ACCOUNT_TRANSFER_REQUESTED", "MONEY_TRANSFER_REQUESTED")), sections("MONEY_TRANSFERRED_BY_USER", "bank-urgent-response.001")},
		{"get_guideline", argsOf("guideline_id", "fraud.money-sent.001", "view", "brief", "format", "markdown"), sections("С чего начать")},
		{"get_record", argsOf("registry", "fraud-routes", "code", "bank-urgent-response.001", "format", "markdown"), sections("номеру с карты")},
		{"get_record", argsOf("registry", "fraud-routes", "code", "police-statement.001", "format", "markdown"), sections("102")},
		{"get_instruction", argsOf("name", "fraud-response", "section", sections("routing_rules/money_theft", "steps/APPLY_GUARDRAILS", "steps/COMPOSE_RESPONSE", "prohibited_ai_actions"), "format", "markdown"), sections("полицию")},
		{"get_schema", argsOf("name", "fraud-response-output", "view", "brief", "format", "markdown"), sections("Разделы")},
	}},
	{"dispute-to-claim", 35_000, []step{
		{"get_instruction", argsOf("name", "assistant", "view", "brief", "format", "markdown"), sections("workflow")},
		{"get_instruction", argsOf("name", "consumer-rights-response", "view", "brief", "format", "markdown"), sections("primary_contact")},
		{"get_instruction", argsOf("name", "consumer-rights-response", "section", sections("dialogue", "classification", "routing_rules"), "format", "markdown"), sections("what_happened")},
		{"get_instruction", argsOf("name", "consumer-rights-response", "section", sections("violation_assessment", "goal_routing", "primary_contact", "registration_proof"), "format", "markdown"), sections("Перечень приложений")},
		{"get_guideline", argsOf("guideline_id", "consumer-rights.primary-contact.001", "section", sections("rules/contact_not_confirmed", "rules/resolve_legal_name", "rules/minimum_content", "rules/no_legal_burden", "rules/choose_traceable_channel", "rules/choose_claim_regime", "rules/keep_for_next_steps", "guardrails"), "format", "markdown"), sections("rules/minimum_content")},
		{"get_instruction", argsOf("name", "consumer-rights-response", "section", sections("evidence", "document_package", "readiness_check", "response_deadline"), "format", "markdown"), sections("Доказательства")},
		{"get_parameter", argsOf("parameter_id", "consumer-rights.fo-response-standard-working-days", "view", "brief", "format", "markdown"), sections("15")},
		{"calculate", map[string]any{"tool_id": "consumer_rights_deadline_date"}, nil},
	}},
	{"mortgage-offer", 25_000, []step{
		{"get_instruction", argsOf("name", "product-document-analysis", "view", "brief", "format", "markdown"), sections("steps")},
		{"get_instruction", argsOf("name", "product-document-analysis", "section", sections("steps"), "format", "markdown"), sections("CHECK_SAFETY", "get_guideline guideline_id=product.mortgage.analysis.001 section=[required_inputs")},
		{"get_guideline", argsOf("guideline_id", "product.mortgage.analysis.001", "view", "brief", "format", "markdown"), sections("Разделы")},
		{"get_guideline", argsOf("guideline_id", "product.mortgage.analysis.001", "section", sections("required_inputs", "guardrails"), "format", "markdown"), sections("Ограничения")},
		{"get_guideline", argsOf("guideline_id", "product.mortgage.analysis.001", "section", sections("rules/contract_comparison", "rules/rate_conditions", "rules/payment_phases", "rules/insurance_split", "rules/insurance_renewal", "rules/total_outflow", "rules/affordability_stress"), "format", "markdown"), sections("rules/payment_phases")},
		{"find_calculation", argsOf("q", "платёж по ипотеке", "limit", 1), sections("mortgage_annuity_payment")},
		{"calculate", map[string]any{"tool_id": "mortgage_annuity_payment"}, nil},
	}},
}

// TestPrescribedWays goes each way and counts the characters that a model reads.
func TestPrescribedWays(t *testing.T) {
	c, _ := start(t, starterSite()).client("2026-07-28", all)
	for _, j := range journeys {
		t.Run(j.name, func(t *testing.T) {
			read := j.walk(t, c)
			if read > j.most || strings.HasPrefix(j.name, "emergency") && len(j.calls) > maxCalls {
				t.Errorf("%d characters in %d calls", read, len(j.calls))
			}
		})
	}
}

// BenchmarkPrescribedWays says how many characters a model reads on each way.
func BenchmarkPrescribedWays(b *testing.B) {
	c, _ := start(b, starterSite()).client("2026-07-28", all)
	for _, j := range journeys {
		b.Run(j.name, func(b *testing.B) {
			read := 0
			for b.Loop() {
				read = j.walk(b, c)
			}
			b.ReportMetric(0, "ns/op") // it takes a model far longer
			b.ReportMetric(float64(read), "characters/op")
			b.ReportMetric(float64(len(j.calls)), "calls/op")
		})
	}
}

// walk goes the way and returns how many characters a model reads: what the server says of
// itself at first, and all of each answer.
func (j journey) walk(t testing.TB, c *mcp.ClientSession) (read int) {
	t.Helper()
	read = utf8.RuneCountInString(c.InitializeResult().Instructions)
	for _, s := range j.calls {
		text, n := s.ask(t, c)
		read += n
		for _, want := range s.says {
			if !strings.Contains(text, want) {
				t.Errorf("%s %v does not say %s:\n%.1500s", s.tool, s.args, want, text)
			}
		}
	}
	return read
}

// ask calls the tool of a step, and returns the text of the answer and how many characters
// it has with everything else in the answer. A client that shows its model both the text
// and what is structured shows the same twice where they are the same; here it counts once.
// A calculation is asked by its own example.
func (s step) ask(t testing.TB, c *mcp.ClientSession) (text string, read int) {
	t.Helper()
	args := map[string]any{}
	if s.tool == "calculate" {
		tool, _ := starterSite().Math().Tool(s.args["tool_id"].(string))
		if err := json.Unmarshal([]byte(tool.Examples[0].Request), &args); err != nil {
			t.Fatal(err)
		}
	}
	maps.Copy(args, s.args)
	res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: s.tool, Arguments: args})
	if err != nil || res.IsError || len(res.Content) != 1 {
		t.Fatalf("%s %v: %v %+v", s.tool, args, err, res)
	}
	text = res.Content[0].(*mcp.TextContent).Text
	read = utf8.RuneCountInString(text)
	if structured := must(json.Marshal(res.StructuredContent)); !sameJSON(structured, []byte(text)) {
		read += utf8.RuneCount(structured)
	}
	return text, read
}
