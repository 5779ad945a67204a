package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"rulestore/content"
)

// source is what an editor calls the origin of findings.
const source = "rulestore"

// severities are how bad findings are in an editor.
var severities = map[content.Severity]protocol.DiagnosticSeverity{
	content.Error:   protocol.DiagnosticSeverityError,
	content.Warning: protocol.DiagnosticSeverityWarning,
	content.Note:    protocol.DiagnosticSeverityInformation,
}

// diagnose tells the client what is found in a document.
func (f *folder) diagnose(d *document, found []content.Finding) {
	p := &protocol.PublishDiagnosticsParams{URI: d.uri, Version: protocol.NewOptional(d.version)}
	p.Diagnostics = []protocol.Diagnostic{}
	tongue := f.language()
	o := d.outline()
	for _, x := range found {
		p.Diagnostics = append(p.Diagnostics, f.diagnostic(d.text, o, x, tongue))
	}
	if err := f.client.PublishDiagnostics(f.ctx, p); err != nil && f.ctx.Err() == nil {
		f.log.Warn("tell the editor", "error", err)
	}
}

func (f *folder) diagnostic(t *text, o *outline, x content.Finding, tongue tongue) protocol.Diagnostic {
	message, hint := tongue.finding(x)
	if hint != "" {
		message += "\n" + hint
	}
	return protocol.Diagnostic{
		Range: f.units.rangeOf(t, o.around(t, x)), Severity: severities[x.Severity],
		Code: protocol.String(x.Rule), Source: protocol.NewOptional(source), Message: protocol.String(message),
	}
}

// around returns what a finding is about: the name or the value that begins at its
// place, else the rest of the line. What is about the file as a whole is at its
// beginning.
func (o *outline) around(t *text, x content.Finding) span {
	at := t.found(x.Line, x.Column)
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

// refresh asks the client for new lenses, if it can be asked.
func (s *server) refresh() {
	if s.can.refresh {
		s.aside("lenses", func(ctx context.Context) { _ = s.client.CodeLensRefresh(ctx) })
	}
}
