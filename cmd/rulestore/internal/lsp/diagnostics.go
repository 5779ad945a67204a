package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"rulestore/content"
)

// source is the origin of findings shown in editors.
const source = "rulestore"

// severities maps the severities of findings to those of the protocol.
var severities = map[content.Severity]protocol.DiagnosticSeverity{
	content.Error:   protocol.DiagnosticSeverityError,
	content.Warning: protocol.DiagnosticSeverityWarning,
	content.Note:    protocol.DiagnosticSeverityInformation,
}

// diagnose sends the findings in a document to the client.
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

func (f *folder) diagnostic(t *text, o *outline, x content.Finding, tongue localizer) protocol.Diagnostic {
	message, hint := tongue.finding(x)
	if hint != "" {
		message += "\n" + hint
	}
	return protocol.Diagnostic{
		Range: f.units.rangeOf(t, o.around(t, x)), Severity: severities[x.Severity],
		Code: protocol.String(x.Rule), Source: protocol.NewOptional(source), Message: protocol.String(message),
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
		s.async("lenses", func(ctx context.Context) { _ = s.client.CodeLensRefresh(ctx) })
	}
}
