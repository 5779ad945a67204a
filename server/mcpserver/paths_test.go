package mcpserver_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
)

// A journey is what a model reads on a prescribed way: what the server says of itself at
// first, the calls before it opens an instruction, the steps of that, what these steps have
// it read, and the calls after; and how many characters these may have in all. Each has in
// its answers what it is taken for.
type journey struct {
	name   string
	most   int
	before []step
	follow *following
	after  []step
}

// A following is a way through the steps of an instruction: to which step, and which of the
// conditions hold under which something is to be read.
type following struct {
	instruction, to string
	when            []string
	says            []string // what is read somewhere
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
	first    = step{"get_instruction", argsOf("name", "assistant", "view", "brief", "format", "markdown"),
		sections("workflow")}
)

// journeys are the ways that the instructions prescribe.
var journeys = []journey{
	{name: "emergency-intercom", most: 10_000, before: []step{
		{"search", argsOf("q", "просят код от домофона"), sections("PRETEXT_INTERCOM_KEY")},
		{"fraud_brief", argsOf("signal", sections("PRETEXT_INTERCOM_KEY", "SMS_CODE_REQUESTED")),
			sections(`"stop":true`, "Положить трубку")},
		{"get_guideline", argsOf("guideline_id", "fraud.intercom-code-government-portal.001", "view", "brief", "format",
			"markdown"), sections("С чего начать")},
	}},
	{name: "emergency-safe-account", most: 10_000, before: []step{
		{"search", argsOf("q", "звонит безопасный счёт", "kind", "signal"),
			sections("SAFE_ACCOUNT_TRANSFER_REQUESTED")},
		{"fraud_brief", argsOf("signal", sections("SAFE_ACCOUNT_TRANSFER_REQUESTED", "BANK_EMPLOYEE_IMPERSONATION")),
			sections(`"stop":true`, "Положить трубку")},
	}},
	{
		name: "fraud-money-lost", most: 20_000,
		before: []step{
			{"search", argsOf("q", "перевёл деньги мошенникам на безопасный счёт", "kind", "signal"),
				sections("SAFE_ACCOUNT_TRANSFER_REQUESTED")},
			{"fraud_brief", argsOf("signal", sections("SAFE_ACCOUNT_TRANSFER_REQUESTED"), "state",
				sections("MONEY_TRANSFERRED_BY_USER")), sections("bank-urgent-response.001", `"phone":"102"`)},
		},
		follow: &following{"fraud-response", "RECORD_PROVENANCE", sections("деньги переведены или списаны"),
			sections("rules/stop_and_call", "обязательны оба маршрута")},
	},
	{
		name: "dispute-to-claim", most: 35_000, before: []step{first},
		follow: &following{
			"consumer-rights-response", "PRIMARY_CONTACT", sections("навязали услугу или страховку"),
			sections("what_happened", "rules/minimum_content", "rules/choose_claim_regime"),
		},
		after: []step{
			{"get_instruction", argsOf("name", "consumer-rights-response", "section",
				sections("readiness_check", "prohibited_actions", "document_package"), "format", "markdown"),
				sections("readiness_check")},
		},
	},
	{
		name: "mortgage-offer", most: 25_000, before: []step{first},
		follow: &following{
			"product-document-analysis", "COMPOSE_RESULT", sections("ипотека"),
			sections("rules/payment_phases", "no_psk_calculation", "mortgage_documents"),
		},
		after: []step{
			{"find_calculation", argsOf("q", "платёж по ипотеке"), sections("mortgage_annuity_payment")},
			{"calculate", map[string]any{"tool_id": "mortgage_annuity_payment"}, nil},
		},
	},
}

// TestPrescribedWays goes each way and counts the characters that a model reads.
func TestPrescribedWays(t *testing.T) {
	c, _ := start(t, starterSite()).client("2026-07-28", "")
	for _, j := range journeys {
		t.Run(j.name, func(t *testing.T) {
			read, calls := j.walk(t, c)
			if read > j.most || strings.HasPrefix(j.name, "emergency") && calls > maxCalls {
				t.Errorf("%d characters in %d calls", read, calls)
			}
		})
	}
}

// BenchmarkPrescribedWays says how many characters a model reads on each way.
func BenchmarkPrescribedWays(b *testing.B) {
	c, _ := start(b, starterSite()).client("2026-07-28", "")
	for _, j := range journeys {
		b.Run(j.name, func(b *testing.B) {
			read, calls := 0, 0
			for b.Loop() {
				read, calls = j.walk(b, c)
			}
			b.ReportMetric(0, "ns/op") // it takes a model far longer
			b.ReportMetric(float64(read), "characters/op")
			b.ReportMetric(float64(calls), "calls/op")
		})
	}
}

// walk goes the way and returns how many characters a model reads: what the server says of
// itself at first, and all of each answer.
func (j journey) walk(t testing.TB, c *mcp.ClientSession) (read, calls int) {
	t.Helper()
	read = utf8.RuneCountInString(c.InitializeResult().Instructions)
	all := slices.Clone(j.before)
	if j.follow != nil {
		all = append(all, j.follow.steps(t, c)...)
	}
	all = append(all, j.after...)
	var texts strings.Builder
	for _, s := range all {
		text, n := s.ask(t, c)
		read += n
		texts.WriteString(text)
		for _, want := range s.says {
			if !strings.Contains(text, want) {
				t.Errorf("%s %v does not say %s:\n%.1500s", s.tool, s.args, want, text)
			}
		}
	}
	if j.follow != nil {
		for _, want := range j.follow.says {
			if !strings.Contains(texts.String(), want) {
				t.Errorf("nothing that is read says %s", want)
			}
		}
	}
	return read, len(all)
}

// steps are the calls that read the steps, and whatever these name that is to be read
// always or under one of the conditions, each section once.
func (f *following) steps(t testing.TB, c *mcp.ClientSession) (all []step) {
	t.Helper()
	all = append(all, step{"get_instruction", argsOf("name", f.instruction, "section", sections("steps"), "format",
		"markdown"), sections(f.to)})
	e := starterSite().Snapshot.Item(content.Instructions, f.instruction).Current
	var body struct {
		Steps []struct {
			Code string
			Read []struct {
				When, Item string
				Sections   []string
			}
		}
	}
	if err := json.Unmarshal(e.Body().AppendJSON(nil), &body); err != nil {
		t.Fatal(err)
	}
	unmet, known := slices.Clone(f.when), map[string]bool{}
	for _, s := range body.Steps {
		for _, p := range s.Read {
			unmet = slices.DeleteFunc(unmet, func(when string) bool { return when == p.When })
			item := cmp.Or(p.Item, e.Item())
			unread := slices.DeleteFunc(slices.Clone(p.Sections), func(s string) bool { return known[item+"#"+s] })
			if len(unread) == 0 || p.When != "" && !slices.Contains(f.when, p.When) {
				continue
			}
			for _, s := range unread {
				known[item+"#"+s] = true
			}
			all = append(all, reads(t, item, unread))
		}
		if s.Code == f.to {
			break
		}
	}
	if len(unmet) > 0 {
		t.Errorf("%s: no step asks whether %q", f.instruction, unmet)
	}
	return all
}

// reads is the call that reads sections of an item.
func reads(t testing.TB, item string, addresses []string) step {
	t.Helper()
	folder, name, _ := strings.Cut(item, "/")
	tool := map[string][2]string{
		"instructions": {"get_instruction", "name"}, "guidelines": {"get_guideline", "guideline_id"},
		"parameters": {"get_parameter", "parameter_id"},
	}[folder]
	if tool[0] == "" {
		t.Fatalf("no tool of the default toolsets reads %s", item)
	}
	return step{tool[0], argsOf(tool[1], name, "section", addresses, "format", "markdown"), nil}
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
