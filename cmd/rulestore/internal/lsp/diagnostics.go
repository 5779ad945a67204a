package lsp

import "rulestore/content"

// severities maps the severities of findings to those of the protocol.
var severities = map[content.Severity]int{content.Error: 1, content.Warning: 2, content.Note: 3}

type diagnostic struct {
	Range    textRange `json:"range"`
	Severity int       `json:"severity"`
	Code     string    `json:"code"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
}

type diagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     int32        `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

// diagnose sends the findings in the open documents, and none for those that were closed since the state before.
func (f *folder) diagnose(before, now *state) {
	all := map[string]*diagnosticsParams{}
	if before != nil {
		for path, d := range before.open {
			all[path] = &diagnosticsParams{URI: d.uri, Diagnostics: []diagnostic{}}
		}
	}
	for path, d := range now.open {
		all[path] = &diagnosticsParams{URI: d.uri, Version: d.version, Diagnostics: []diagnostic{}}
	}
	for _, x := range now.tree.Findings {
		if d := now.open[x.Path]; d != nil {
			all[x.Path].Diagnostics = append(all[x.Path].Diagnostics, f.diagnostic(d.text, x))
		}
	}
	for _, p := range all {
		if err := f.client.Notify(f.ctx, "textDocument/publishDiagnostics", p); err != nil && f.ctx.Err() == nil {
			f.Log.Warn("tell the editor", "error", err)
		}
	}
}

func (f *folder) diagnostic(t text, x content.Finding) diagnostic {
	message, hint := f.tongue.finding(x)
	if hint != "" {
		message += "\n" + hint
	}
	return diagnostic{
		Range: t.at(x.Line, x.Column).rangeIn(t), Severity: severities[x.Severity],
		Code: x.Rule, Source: "rulestore", Message: message,
	}
}
