//go:build slow

package lsp

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// A client that knows no versions of documents gets plain edits.
func TestRenamePlainly(t *testing.T) {
	e := starterSession(t, func(p *protocol.InitializeParams) { p.Capabilities = protocol.ClientCapabilities{} })
	got, edit, err := e.rename(common, e.with(common, "- kasko", "- kas¦ko"), "hull")
	e.must(err)
	if len(edit.DocumentChanges) > 0 || len(edit.Changes) != len(got) || len(got) < 2 ||
		!strings.Contains(got["registries/taxonomy.yaml"], "code: hull\n") {
		t.Errorf("%d files: %v", len(got), slices.Sorted(maps.Keys(got)))
	}
}
