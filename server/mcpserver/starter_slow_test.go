//go:build slow

package mcpserver_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/loader/git"
	"rulestore/server/mcpserver"
	"rulestore/server/site"
)

// starterSite is the starter content, of which these tests ask what a model reads of it.
var starterSite = sync.OnceValue(func() *site.Site {
	return mcpserver.Build(nil, mcpserver.Load(must(git.ReadReleases(starter.Files))))
})

// A way is a prescribed one: the calls, each with what it has to say, and how many characters a model may read
// in all, with what the server says of itself at first.
type way struct {
	most  int
	calls [][3]string
}

var ways = map[string]way{
	"emergency, the intercom": {10_000, [][3]string{
		{"search", `{"q":"просят код от домофона"}`, "PRETEXT_INTERCOM_KEY"},
		{"fraud_brief", `{"signal":["PRETEXT_INTERCOM_KEY","SMS_CODE_REQUESTED"]}`, "Положить трубку"},
		{"get_guideline", `{"guideline_id":"fraud.intercom-code-government-portal.001","view":"brief","format":"markdown"}`,
			"С чего начать"},
	}},
	"emergency, the safe account": {10_000, [][3]string{
		{"search", `{"q":"звонит безопасный счёт","kind":"signal"}`, "SAFE_ACCOUNT_TRANSFER_REQUESTED"},
		{"fraud_brief", `{"signal":["SAFE_ACCOUNT_TRANSFER_REQUESTED","BANK_EMPLOYEE_IMPERSONATION"]}`, `"stop":true`},
	}},
	"money lost": {14_000, [][3]string{
		{"search", `{"q":"перевёл деньги мошенникам на безопасный счёт","kind":"signal"}`, "SAFE_ACCOUNT_TRANSFER_REQUESTED"},
		{"fraud_brief", `{"signal":["SAFE_ACCOUNT_TRANSFER_REQUESTED"],"state":["MONEY_TRANSFERRED_BY_USER"]}`,
			`"phone":"102"`},
		{"get_instruction", `{"name":"fraud-response","section":["steps"],"format":"markdown"}`, "RECORD_PROVENANCE"},
	}},
	"a refund of insurance": {25_000, [][3]string{
		{"get_instruction", `{"name":"assistant","view":"brief","format":"markdown"}`, "workflow"},
		{"search", `{"q":"вернуть деньги за страховку по кредиту"}`, "consumer-rights.imposed-services.001"},
		{"get_guideline", `{"guideline_id":"consumer-rights.imposed-services.001","section":["rules","guardrails"],` +
			`"format":"markdown"}`, "insurance.credit-linked-refusal-days"},
		{"get_parameter", `{"parameter_id":"insurance.credit-linked-refusal-days","view":"brief","format":"markdown"}`,
			"sha256:"},
		{"consumer_rights_deadline_date", `{"inputs":{"start_event":{"code":"contract_signed","date":"2026-11-20",` +
			`"confirmed":true},"term":{"parameter_id":"insurance.credit-linked-refusal-days"},` +
			`"applicability_confirmed":true}}`, `"2026-12-21"`},
		{"get_parameter", `{"parameter_id":"insurance.credit-linked-refund","view":"brief","format":"markdown"}`, "sha256:"},
	}},
	"a death with loans": {25_000, [][3]string{
		{"get_instruction", `{"name":"assistant","view":"brief","format":"markdown"}`, "workflow"},
		{"search", `{"q":"умер муж, остались кредиты, платить ли мне"}`, "consumer-rights.inherited-debt.001"},
		{"get_guideline", `{"guideline_id":"consumer-rights.inherited-debt.001","section":["rules","guardrails"],` +
			`"format":"markdown"}`, "inheritance.acceptance-term"},
		{"get_parameter", `{"parameter_id":"inheritance.debt-limit","view":"brief","format":"markdown"}`, "sha256:"},
		{"consumer_rights_deadline_date", `{"inputs":{"start_event":{"code":"death","date":"2026-09-10","confirmed":true},` +
			`"term":{"parameter_id":"inheritance.acceptance-term"},"applicability_confirmed":true}}`, `"2027-03-10"`},
	}},
	"a lost job and a mortgage": {25_000, [][3]string{
		{"get_instruction", `{"name":"assistant","view":"brief","format":"markdown"}`, "workflow"},
		{"search", `{"q":"потеряла работу, нечем платить ипотеку"}`, "consumer-rights.hardship.001"},
		{"get_guideline", `{"guideline_id":"consumer-rights.hardship.001","section":["rules","guardrails"],` +
			`"format":"markdown"}`, "credit.mortgage-holidays-limit"},
		{"get_parameter", `{"parameter_id":"credit.mortgage-holidays-limit","view":"brief","format":"markdown"}`, "sha256:"},
		{"get_parameter", `{"parameter_id":"credit.mortgage-holidays-months","view":"brief","format":"markdown"}`, "sha256:"},
		{"get_parameter", `{"parameter_id":"credit.mortgage-holidays-backdate","view":"brief","format":"markdown"}`, "sha256:"},
	}},
	"a mortgage offer": {12_500, [][3]string{
		{"get_instruction", `{"name":"assistant","view":"brief","format":"markdown"}`, "workflow"},
		{"get_instruction", `{"name":"product-document-analysis","section":["steps"],"format":"markdown"}`, "COMPOSE_RESULT"},
		{"find_calculation", `{"q":"платёж по ипотеке"}`, "mortgage_annuity_payment"},
	}},
}

// What a model reads on prescribed ways is short. Where text and structured content are the same, it reads
// them once.
func TestPrescribedWays(t *testing.T) {
	c, _ := startWith(t, starterSite(), mcpserver.Config{}).client("2026-07-28", "")
	for name, way := range ways {
		read := utf8.RuneCountInString(c.InitializeResult().Instructions)
		for _, one := range way.calls {
			structured, text := call(t, c, one[0], json.RawMessage(one[1]))
			read += utf8.RuneCountInString(text)
			if !sameJSON(structured, []byte(text)) {
				read += utf8.RuneCount(structured)
			}
			if !strings.Contains(text, one[2]) {
				t.Errorf("%s: %s does not say %s:\n%.1500s", name, one[0], one[2], text)
			}
		}
		if t.Logf("%s: %d characters", name, read); read > way.most {
			t.Errorf("%s: %d characters, more than %d", name, read, way.most)
		}
	}
}

// A list is read in parts that a model can take, and whole by the offsets that they name.
func TestListsFit(t *testing.T) {
	c, _ := startWith(t, starterSite(), mcpserver.Config{}).client("2026-07-28", all)
	tried := 0
	for _, tool := range tools(t, c) {
		properties, _ := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		if properties["offset"] == nil || properties["limit"] == nil || tool.Name == "list_versions" {
			continue
		}
		args := map[string]any{"limit": 50}
		if tool.Name == "search" {
			args["q"] = "срок"
		}
		read := func() (total, returned int) { return wholeList(t, c, tool.Name, args) }
		total, returned := read()
		if tried++; total != returned {
			t.Errorf("%s: %d elements in all, %d were returned", tool.Name, total, returned)
		}
		if properties["in_force"] == nil || tool.Name == "search" {
			continue
		}
		args["in_force"] = "0001-01-01" // before everything: what was not in force is listed too
		if counted, returned := read(); counted != 0 || returned != total {
			t.Errorf("%s: %d of %d elements were returned of a day without any", tool.Name, returned, total)
		}
	}
	if tried < 15 {
		t.Errorf("only %d lists were read", tried)
	}
}

// wholeList reads a list by its offsets, and returns the total that it states and how many elements were returned.
func wholeList(t *testing.T, c *mcp.ClientSession, tool string, args map[string]any) (total, returned int) {
	for next := 0; ; {
		args["offset"] = next
		structured, text := call(t, c, tool, args)
		if n := max(utf8.RuneCountInString(text), utf8.RuneCount(structured)); n > 12_000 {
			t.Errorf("%s %v: %d characters", tool, args, n)
		}
		var page map[string]json.RawMessage
		if err := json.Unmarshal(structured, &page); err != nil {
			t.Fatal(err)
		}
		for _, array := range page {
			var elements []json.RawMessage
			if json.Unmarshal(array, &elements) == nil {
				returned += len(elements)
			}
		}
		total, next = number(page["total"]), number(page["next_offset"])
		if next == 0 {
			return total, returned
		}
	}
}

func number(raw json.RawMessage) (n int) {
	_ = json.Unmarshal(raw, &n) // 0 if there is none
	return n
}

// Whatever an instruction has a model read by MCP, in brief and as a whole, a client that chose no toolsets
// can call as it is said there.
func TestWhatIsSaidCanBeCalled(t *testing.T) {
	c, _ := startWith(t, starterSite(), mcpserver.Config{}).client("2025-06-18", "")
	var known []string
	for _, tool := range tools(t, c) {
		known = append(known, tool.Name)
	}
	calls := map[string]bool{}
	for _, it := range starterSite().Snapshot.Items {
		if it.Kind != content.Instructions {
			continue
		}
		text := read(t, c, "skill://"+it.Name+"/SKILL.md") + read(t, c, "skill://"+it.Name+"/references/full.md")
		if i := strings.Index(text, "/api/v1/"); i >= 0 && !strings.HasSuffix(text[:i], "read_url url=") {
			t.Errorf("%s names an address: %.100s", it.Name, text[max(0, i-60):])
		}
		for _, said := range regexp.MustCompile("`([a-z]+_[a-z_]+ [a-z_]+=[^`]+)`").FindAllStringSubmatch(text, -1) {
			calls[said[1]] = true
		}
		for _, said := range regexp.MustCompile(`(?:^|[^/a-z_])((?:get|list|read|find|check)_[a-z_]+)`).FindAllStringSubmatch(text, -1) {
			if !slices.Contains(known, said[1]) {
				t.Errorf("%s names %s, which is not there by default", it.Name, said[1])
			}
		}
	}
	if len(calls) < 40 {
		t.Errorf("only %d calls are said", len(calls))
	}
	for said := range calls { // tool a=b section=[c, d]
		tool, rest, _ := strings.Cut(said, " ")
		args := map[string]any{}
		for _, m := range regexp.MustCompile(`([a-z_]+)=(?:\[([^\]]*)\]|(\S+))`).FindAllStringSubmatch(rest, -1) {
			if args[m[1]] = m[3]; m[3] == "" {
				args[m[1]] = strings.Split(m[2], ", ")
			}
		}
		call(t, c, tool, args)
	}
}
