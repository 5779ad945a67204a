package lsp

import (
	"rulestore/content"
)

// source is the origin of findings shown in editors.
const source = "rulestore"

// severities maps the severities of findings to those of the protocol.
var severities = map[content.Severity]int{content.Error: 1, content.Warning: 2, content.Note: 3}

// diagnose sends the findings in a document to the client.
func (f *folder) diagnose(d *document, found []content.Finding) {
	p := diagnosticsParams{URI: d.uri, Version: d.version, Diagnostics: []diagnostic{}}
	tongue := f.language()
	o := d.outline()
	for _, x := range found {
		p.Diagnostics = append(p.Diagnostics, f.diagnostic(d.text, o, x, tongue))
	}
	if err := f.wire.notify("textDocument/publishDiagnostics", p); err != nil && f.ctx.Err() == nil {
		f.log.Warn("tell the editor", "error", err)
	}
}

func (f *folder) diagnostic(t *text, o *outline, x content.Finding, tongue localizer) diagnostic {
	message, hint := tongue.finding(x)
	if hint != "" {
		message += "\n" + hint
	}
	return diagnostic{
		Range: f.units.rangeOf(t, o.around(t, x)), Severity: severities[x.Severity],
		Code: x.Rule, Source: source, Message: message,
	}
}

// around returns the span of a finding: the name or value that begins at its position, else
// the rest of the line. Findings about the whole file are at its beginning.
func (o *outline) around(t *text, x content.Finding) span {
	at := t.spotOf(x.Line, x.Column)
	line := t.line(at.line)
	if x.Line == 0 || at.column >= len(line) {
		return span{at, at}
	}
	end := plainEnd(line, at.column)
	if q := line[at.column]; q == '"' || q == '\'' {
		end = min(closing(line, at.column+1, q)+1, len(line))
	} else if o.before(at).brackets(at) != nil {
		end = wordEnd(line, at.column)
	} else if _, name, _, ok := nameAt(line, at.column); ok {
		end = name
	}
	if end <= at.column {
		end = len(line)
	}
	return span{at, spot{at.line, end}}
}

// refresh asks the client for new lenses, if the client supports it.
func (s *server) refresh() {
	if s.can.refresh {
		_ = s.wire.request("lenses", "workspace/codeLens/refresh") // whoever writes next hears of the error
	}
}
