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
	if before != nil {
		for path, d := range before.open {
			if now.open[path] == nil {
				f.send(diagnosticsParams{URI: d.uri, Diagnostics: []diagnostic{}})
			}
		}
	}
	for path, d := range now.open {
		p := diagnosticsParams{URI: d.uri, Version: d.version, Diagnostics: []diagnostic{}}
		for _, x := range now.tree.Findings {
			if x.Path == path {
				p.Diagnostics = append(p.Diagnostics, diagnostic{
					Range: d.at(x.Line, x.Column).rangeIn(d.text), Severity: severities[x.Severity],
					Code: x.Rule, Source: "rulestore", Message: f.told(x),
				})
			}
		}
		f.send(p)
	}
}

func (f *folder) send(p diagnosticsParams) {
	if err := f.client.Notify(f.ctx, "textDocument/publishDiagnostics", p); err != nil && f.ctx.Err() == nil {
		f.Log.Warn("tell the editor", "error", err)
	}
}
