package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"rulestore/server/api"
)

// tools lists what a client gets.
func tools(t *testing.T, c *mcp.ClientSession) []*mcp.Tool {
	t.Helper()
	res, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return res.Tools
}

func compile(t *testing.T, name string, schema any) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	doc := must(jsonschema.UnmarshalJSON(bytes.NewReader(must(json.Marshal(schema)))))
	if err := compiler.AddResource(name, doc); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	compiled, err := compiler.Compile(name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return compiled
}

func isRussian(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) })
}

// What is promised of every tool.
func TestInvariants(t *testing.T) {
	r := start(t)
	c, _ := r.client("2026-07-28", all)
	name := regexp.MustCompile(`^[a-z][a-z0-9_]{2,63}$`)
	listed := tools(t, c)
	if len(listed) < 80 {
		t.Errorf("%d tools", len(listed))
	}
	for _, tool := range listed {
		if !name.MatchString(tool.Name) {
			t.Errorf("%s is no name", tool.Name)
		}
		if !isRussian(tool.Title) || utf8.RuneCountInString(tool.Title) > 80 {
			t.Errorf("%s: the title is %q", tool.Name, tool.Title)
		}
		if !isRussian(tool.Description) || !strings.HasSuffix(tool.Description, ".") &&
			!strings.HasSuffix(tool.Description, "…") {
			t.Errorf("%s: the description is %q", tool.Name, tool.Description)
		}
		a := tool.Annotations
		if a == nil || !a.ReadOnlyHint || !a.IdempotentHint || a.DestructiveHint == nil || *a.DestructiveHint ||
			a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s: the hints are %+v", tool.Name, a)
		}
		compile(t, tool.Name+"/input", tool.InputSchema)
		compile(t, tool.Name+"/output", tool.OutputSchema)
		for _, schema := range []any{tool.InputSchema, tool.OutputSchema} {
			if m, ok := schema.(map[string]any); !ok || m["type"] != "object" {
				t.Errorf("%s: a schema that is no object: %v", tool.Name, schema)
			}
		}
		properties, _ := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		for name, p := range properties {
			if p.(map[string]any)["description"] == nil {
				t.Errorf("%s: %s is not described", tool.Name, name)
			}
			checkPlain(t, tool.Name+"/"+name, p.(map[string]any))
		}
	}
}

// What the tests read and calculate is valid by the schemas: the arguments by the
// one, the results by the other.
func TestSchemasHold(t *testing.T) {
	r := start(t)
	c, _ := r.client("2026-07-28", all)
	input, output := map[string]*jsonschema.Schema{}, map[string]*jsonschema.Schema{}
	untried := map[string]bool{}
	for _, tool := range tools(t, c) {
		input[tool.Name], output[tool.Name] = compile(t, tool.Name+"/input", tool.InputSchema),
			compile(t, tool.Name+"/output", tool.OutputSchema)
		untried[tool.Name] = true
	}
	try := func(name, args string) {
		t.Helper()
		delete(untried, name)
		given := asAsked(input[name], must(jsonschema.UnmarshalJSON(strings.NewReader(args))))
		if err := input[name].Validate(given); err != nil {
			t.Errorf("%s: %v: %v", name, args, err)
		}
		structured, _ := call(t, c, name, json.RawMessage(args))
		answered := must(jsonschema.UnmarshalJSON(bytes.NewReader(structured)))
		if err := output[name].Validate(answered); err != nil {
			t.Errorf("%s: %v: %v", name, args, err)
		}
	}
	for _, one := range calls().Same {
		if untried[one[0]] {
			try(one[0], one[1])
		}
	}
	examples := map[string]string{}
	for tool := range kinds().Math.Tools() {
		examples[tool.ID] = tool.Examples[0].Request
		for _, e := range tool.Examples {
			try(tool.ID, e.Request)
		}
	}
	loan := examples["loan_payment"]
	try("calculate_loan", loan)
	try("calculate", `{"tool_id":"loan_payment",`+strings.TrimPrefix(strings.TrimSpace(loan), "{"))
	try("find_calculation", `{"q":"досрочное погашение ипотеки"}`)
	try("get_proof", `{"tag":"guidelines/fraud.code.001/v1.0.0"}`)
	try("check_citations", `{"citations":[{"id":"x","version":"1.0.0","content_checksum":"sha256:`+
		strings.Repeat("0", 64)+`"}]}`)
	for _, name := range []string{"list_glossary_terms", "list_checksums", "list_upcoming", "get_health"} {
		try(name, `{}`)
	}
	for name := range untried {
		t.Errorf("%s was never called", name)
	}
}

// asAsked writes values as JSON in text where the schema of the arguments asks for text, as models do.
func asAsked(schema *jsonschema.Schema, given any) any {
	arguments, _ := given.(map[string]any)
	for name, value := range arguments {
		if p := schema.Properties[name]; p != nil && p.Types.ToStrings()[0] == "string" {
			if _, ok := value.(map[string]any); ok {
				arguments[name] = string(must(json.Marshal(value)))
			}
		}
	}
	return given
}

// Tokens are what clients pay with.
func TestSize(t *testing.T) {
	r := start(t)
	for query, limit := range map[string]int{"": 20_000, "?toolsets=rules": 9_000, "?toolsets=rules,fraud,math": 15_000,
		"?toolsets=calculations": 90_000, all: 120_000} {
		t.Run(query, func(t *testing.T) {
			_, body := r.messageTo("/mcp"+query, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil)
			if n := utf8.RuneCountInString(body); n > limit {
				t.Errorf("tools/list%s has %d characters, more than %d", query, n, limit)
			}
		})
	}
}

// checkPlain holds that a schema has nothing that some provider of models refuses.
func checkPlain(t *testing.T, at string, schema map[string]any) {
	t.Helper()
	for _, key := range []string{"allOf", "anyOf", "oneOf", "not", "$ref", "additionalProperties"} {
		if schema[key] != nil {
			t.Errorf("%s has %s", at, key)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	if kind, ok := schema["type"].(string); !ok || kind == "object" && len(properties) == 0 {
		t.Errorf("%s has the type %v with %d properties", at, schema["type"], len(properties))
	}
	for name, p := range properties {
		checkPlain(t, at+"/"+name, p.(map[string]any))
	}
	if items, ok := schema["items"].(map[string]any); ok {
		checkPlain(t, at+"/items", items)
	}
}

// JSON in the text of a string is taken for what it spells, where no text is asked for.
func TestJSONInText(t *testing.T) {
	c, _ := start(t).client("2026-07-28", all)
	for _, one := range calls().Spelled {
		tool, args, spelled := one[0], one[1], one[2]
		t.Run(tool, func(t *testing.T) {
			plain, _ := call(t, c, tool, json.RawMessage(args))
			text, _ := call(t, c, tool, json.RawMessage(spelled))
			if undated(plain) != undated(text) {
				t.Errorf("answered\n%s\ninstead of\n%s", text, plain)
			}
		})
	}
}

// A client gets the toolsets it chooses, by the address or by a header, and no
// tool of another one.
func TestToolsets(t *testing.T) {
	r := start(t)
	names := func(query string) (all []string) {
		c, _ := r.client("2026-07-28", query)
		for _, tool := range tools(t, c) {
			all = append(all, tool.Name)
		}
		return all
	}
	byDefault := names("")
	if !slices.Contains(byDefault, "get_guideline") || !slices.Contains(byDefault, "calculate") ||
		slices.Contains(byDefault, "mortgage_schedule") {
		t.Errorf("by default: %q", byDefault)
	}
	if got := names("?toolsets=default"); !slices.Equal(got, byDefault) {
		t.Errorf("default: %q", got)
	}
	if got := names("?toolsets=math"); !slices.Equal(got, []string{"find_calculation", "calculate"}) {
		t.Errorf("math: %q", got)
	}
	if got := names("?toolsets=calculations"); len(got) != 53 || slices.Contains(got, "calculate") {
		t.Errorf("calculations: %d tools, %q", len(got), got)
	}
	for _, set := range api.Toolsets {
		if len(names("?toolsets="+set.Name)) == 0 || !isRussian(set.About) {
			t.Errorf("%s: no tools, or no words", set.Name)
		}
	}
	if got := names("?toolsets=fraud,%20service"); !slices.Contains(got, "get_manifest") ||
		!slices.Contains(got, "list_fraud_signals") || slices.Contains(got, "search") {
		t.Errorf("fraud, service: %q", got)
	}
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	if _, body := r.message(list, map[string]string{"X-MCP-Toolsets": "service"}); strings.Contains(body,
		"get_guideline") || !strings.Contains(body, "get_manifest") {
		t.Errorf("by header: %.300s", body)
	}
	if status, body := r.messageTo("/mcp?toolsets=rules,nonsense", list, nil); status != 400 ||
		!strings.Contains(body, "nonsense") || !strings.Contains(body, "rules,fraud") {
		t.Errorf("an unknown toolset: %d %s", status, body)
	}
	if _, body := r.message(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mortgage_schedule",`+
		`"arguments":{}}}`, nil); !strings.Contains(body, "-32602") || !strings.Contains(body, "toolset calculations") {
		t.Errorf("a tool that was not chosen: %s", body)
	}
}

// The words that a model may use find the calculation meant.
func TestFindCalculation(t *testing.T) {
	r := start(t)
	c, _ := r.client("2026-07-28", "")
	for words, want := range map[string]string{
		"платёж по ипотеке":           "mortgage_annuity_payment",
		"досрочное погашение ипотеки": "mortgage_early_repayment",
		"срок ответа":                 "consumer_rights_deadline_date",
		"посчитай, пожалуйста, ежемесячный платёж по кредиту": "loan_payment",
		"loan_payment": "loan_payment",
		"грейс":        "card_grace_period_end",
		"лавина":       "pfm_debt_payoff_plan",
		"каско тотал":  "kasko_total_loss_payout",
		"какой кредит выгоднее":      "compare_loan_variants",
		"НДФЛ вклад":                 "deposit_interest_tax",
		"когда банк должен ответить": "consumer_rights_deadline_date",
	} {
		t.Run(words, func(t *testing.T) {
			_, text := call(t, c, "find_calculation", map[string]any{"q": words})
			if !strings.Contains(text, `"tool_id":"`+want+`"`) || !strings.Contains(text, `"example":`) {
				t.Errorf("%s: %.500s", words, text)
			}
		})
	}
	_, text := call(t, c, "find_calculation", map[string]any{"q": "платёж по ипотеке", "limit": 5})
	var found struct {
		Calculations []struct {
			ID              string `json:"tool_id"`
			Inputs, Example json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(text), &found); err != nil || len(found.Calculations) != 5 {
		t.Fatalf("%v: %s", err, text)
	}
	for i, calculation := range found.Calculations { // of the others it is told in answer to their ids
		if full := calculation.Inputs != nil && calculation.Example != nil; full != (i == 0) {
			t.Errorf("%d: %+v", i, calculation)
		}
		if _, text := call(t, c, "find_calculation",
			map[string]any{"q": calculation.ID}); !strings.HasPrefix(text[strings.Index(text, `"tool_id"`):],
			`"tool_id":"`+calculation.ID+`"`) || !strings.Contains(text, `"inputs":`) {
			t.Errorf("%s does not find itself: %.300s", calculation.ID, text)
		}
	}
	_, text = call(t, c, "find_calculation", map[string]any{"q": "выращивание огурцов"})
	if !strings.HasPrefix(text, `{"total":0,`) {
		t.Errorf("nothing to calculate, but found %s", text)
	}
}

// Who begins is told where, of the toolsets chosen, in as many characters as clients leave, and first what may
// not be sent.
func TestInstructions(t *testing.T) {
	r := start(t)
	for query, test := range map[string]struct{ says, not []string }{
		"": {[]string{"get_instruction name=assistant", "fraud_brief", "rules", "math", "contract_values",
			"X-MCP-Toolsets"}, nil},
		all: {[]string{"get_instruction name=assistant", "contract_values"}, nil},
		"?toolsets=fraud": {[]string{"rulestore://instructions/assistant.md"},
			[]string{"get_instruction", "contract_values"}},
		"?toolsets=connector": {[]string{"search", "fetch"}, []string{"get_instruction"}},
	} {
		for _, era := range eras {
			c, _ := r.client(era.version, query)
			got := c.InitializeResult().Instructions
			if n := len([]rune(got)); n == 0 || n >= 1800 || !strings.HasPrefix(got, "Личные данные") {
				t.Errorf("%s %s: %d characters: %s", era.name, query, n, got)
			}
			for _, want := range test.says {
				if !strings.Contains(got, want) {
					t.Errorf("%s %s: %s is not in\n%s", era.name, query, want, got)
				}
			}
			for _, not := range test.not {
				if strings.Contains(got, not) {
					t.Errorf("%s %s: %s is in\n%s", era.name, query, not, got)
				}
			}
		}
	}
}

// What a model is told of an argument is its type, and the words that it may be.
func TestArguments(t *testing.T) {
	r := start(t)
	c, _ := r.client("2026-07-28", all)
	inputs := map[string]string{}
	for _, tool := range tools(t, c) {
		inputs[tool.Name] = string(must(json.Marshal(tool.InputSchema)))
	}
	for name, want := range map[string]string{
		"deposit_interest_tax":          `"up_to":{"description":"Верхняя граница базы; у последней её нет, ₽","type":"string"}`,
		"list_fraud_states":             `"enum":["preventive",`,
		"list_fraud_routes":             `"enum":["user_self",`,
		"consumer_rights_deadline_date": `"unit":{"description":"Единица срока","enum":["business_day","calendar_day","month","year"],"type":"string"}`,
		"loan_payment_to_income":        `сравнивается с неокруглённым значением`,
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(inputs[name], want) {
				t.Errorf("%s lacks %s:\n%s", name, want, inputs[name])
			}
		})
	}
}

// Who names an item is asked of no version and no day.
func TestReferencedBy(t *testing.T) {
	c, _ := start(t).client("2026-07-28", all)
	for _, more := range []string{`"version":"1.0.0"`, `"as_of":"2026-06-01"`, `"section":["value"]`} {
		res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_parameter",
			Arguments: json.RawMessage(`{"parameter_id":"bank.limit","view":"referenced_by",` + more + `}`)})
		if err != nil || !res.IsError {
			t.Errorf("%s: %v %v", more, res, err)
		}
	}
}
