package lsp

import (
	"fmt"
	"strings"
	"testing"

	"rulestore/content"
)

// Whatever the content says, what is shown of it has no character that nobody sees, and
// means nothing to Markdown; what is inserted is what the content says.
func TestHostileTexts(t *testing.T) {
	const hostile = `x\u202e\e[31m\u200b\x07 [a](command:b) <img src=x> **b** ` + "`c`" + ` &lt; ~~d~~`
	const code = `c\u202ex`
	e := small(t)
	e.open("registries/taxonomy.yaml", taxonomyFile+`  - {code: "`+code+`", title: "`+hostile+`", description: "`+
		hostile+`\n\n# a\n- b"}`+"\n")
	file := strings.ReplaceAll(scenarioFile, "NAME", "one") + `product_types: ["` + "c\u202ex" + `¦", nothing]` + "\n"
	at := e.at("scenarios/one.yaml", file)
	e.await("something is found", func() bool { return len(e.told[e.uri("scenarios/one.yaml")].Diagnostics) > 0 })
	shown := map[string]string{}
	var h hover
	e.ask("textDocument/hover", at, &h)
	shown["hover"] = h.Contents.Value
	for i, o := range e.offered("scenarios/one.yaml", strings.Replace(file, "c\u202ex", "", 1)) {
		if !strings.HasPrefix(o.Label, "c") {
			continue
		}
		shown[fmt.Sprintf("offer %d", i)] = o.Label + o.Detail + o.FilterText + o.LabelDetails.Description
		shown[fmt.Sprintf("about offer %d", i)] = o.Documentation.Value
		if edit := o.TextEdit; edit.NewText != "c\u202ex" {
			t.Errorf("it inserts %q", edit.NewText)
		}
	}
	e.mu.Lock()
	found := e.told[e.uri("scenarios/one.yaml")].Diagnostics
	e.mu.Unlock()
	for i, d := range found {
		shown[fmt.Sprintf("finding %d", i)] = d.Message
	}
	if len(shown) < 4 {
		t.Errorf("only %q", shown)
	}
	for what, text := range shown {
		t.Run(what, func(t *testing.T) {
			if i := strings.IndexFunc(text, func(c rune) bool { return c != '\n' && content.Hidden(c) }); i >= 0 {
				t.Errorf("a hidden character at %d of %q", i, text)
			}
			bare := strings.NewReplacer(`\[`, "", `\]`, "", `\<`, "", `\&`, "").Replace(text)
			if what == "hover" && (strings.ContainsAny(bare, "[]<&") || strings.Contains(text, "\n# ")) {
				t.Errorf("it means something to Markdown: %s", text)
			}
		})
	}
}
