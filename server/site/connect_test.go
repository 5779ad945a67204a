package site

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/api"
)

// Whatever an address or a body says, it stays one word of a command, and one text of a
// program.
func TestSnippetsQuote(t *testing.T) {
	const hostile = "https://x/'; echo caught; $(echo caught) `echo caught` \"\\ \u2028"
	c := call{method: "POST", url: hostile, body: "{\"a\": \"it's `caught` '''\"}", json: true}
	var read string
	if err := json.Unmarshal([]byte(literal(hostile)), &read); err != nil || read != hostile {
		t.Errorf("%v: %s", err, literal(hostile))
	}
	if strings.Contains(c.python(), "data='''") || strings.Contains(c.golang(), "NewReader(`") {
		t.Errorf("a body ends its own quotation:\n%s\n%s", c.python(), c.golang())
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("sh is not installed: commands are not read")
	}
	out, err := exec.CommandContext(t.Context(), sh, "-c", "printf %s "+shellQuoted(hostile)).Output()
	if err != nil || string(out) != hostile {
		t.Errorf("%v: %q", err, out)
	}
}

// A service without content says how to connect, and of each operation that there is nothing
// to be asked; a name that is no word is not put into commands.
func TestConnectOfAnEmptyService(t *testing.T) {
	in := input()
	in.Settings.Service = "x'; rm -rf / #"
	with := config
	with.Assistants = &Assistants{}
	s := Build(nil, content.NewSnapshot(in), with)
	for _, path := range s.Paths() {
		if strings.HasPrefix(path, api.ConnectPath) {
			body := html(t, s.resources[path])
			if len(body) > 100<<10 || path == api.ConnectPath && strings.Contains(body, "rm -rf") {
				t.Errorf("%s: %d bytes, or a name that is a command", path, len(body))
			}
		}
	}
	if body := html(t, s.resources[api.OperationsPath+"/getGuideline"]); !strings.Contains(body,
		"нет того, о чём можно спросить") {
		t.Errorf("nothing says that there is nothing:\n%s", body)
	}
	plain := Build(nil, content.NewSnapshot(input()), config)
	if body := html(t, plain.resources[api.ConnectPath]); strings.Contains(body, "mcpServers") {
		t.Error("a service without assistants is connected to them")
	}
}

// The page of each operation says each of its parameters, and of what it asks nothing is left
// open.
func TestOperationsSayTheirParameters(t *testing.T) {
	s := Build(nil, lastKinds(), config)
	for _, g := range api.Groups() {
		for _, o := range g.Operations {
			if made := s.sampleOf(o); made != nil && strings.Contains(made.path, "{") {
				t.Errorf("%s: %s", o.ID, made.path)
			}
			body := html(t, s.resources[api.OperationsPath+"/"+o.ID])
			for _, p := range o.Params {
				if !p.Page && !strings.Contains(body, "<code>"+p.Name+"</code>") {
					t.Errorf("%s says nothing of %s", o.ID, p.Name)
				}
			}
		}
	}
}

// The reference says types in Russian, and what the parts of a calculation are.
func TestTypesInWords(t *testing.T) {
	for types, want := range map[string]string{"array, string": "список: текст", "boolean": "да или нет",
		"": "", "null": "null"} {
		t.Run(types, func(t *testing.T) {
			if got := typesInWords(types); got != want {
				t.Errorf("%q: %q, want %q", types, got, want)
			}
		})
	}
	all := argumentsOf([]byte(`{"type":"object","properties":{"inputs":{"type":"object",`+
		`"properties":{"principal":{"type":"string","description":"Сумма, ₽"}},"required":["principal"]}},`+
		`"required":["inputs"]}`), "")
	if len(all) != 2 || all[0].About != "Исходные данные." || all[1].Name != "inputs.principal" || !all[1].Required ||
		all[1].Type != "текст" {
		t.Errorf("%+v", all)
	}
}
