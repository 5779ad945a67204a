//go:build slow

package lsp

import (
	"strings"
	"testing"
)

// What is typed and not saved counts for other files too: a record that somebody adds,
// and one that somebody takes away.
func TestFindingsAcrossBuffers(t *testing.T) {
	e := starterSession(t)
	const taxonomy = "registries/taxonomy.yaml"
	e.open(common, e.with(common, "    - kasko\n", "    - pawn_ticket\n"))
	e.findings(common, "21:7-21:18 error unknown-code")
	e.open(taxonomy, e.with(taxonomy, "product_types:\n",
		"product_types:\n  - {code: pawn_ticket, title: Залоговый билет}\n"))
	e.findings(common)
	e.change(taxonomy, e.read(taxonomy))
	e.findings(common, "21:7-21:18 error unknown-code")
}

// The files of the root are checked too, with what is sealed in view.
func TestFindingsOfRoot(t *testing.T) {
	e := starterSession(t)
	const sums = "sealed/guidelines/product.common.001.sum"
	settings, lifecycle, seals := e.read("rulestore.yaml"), e.read("lifecycle.yaml"), e.read(sums)
	for _, c := range []struct{ path, text, want string }{
		{"rulestore.yaml", strings.Replace(settings, "demo:", "dema:", 1), "unknown-field"},
		{"rulestore.yaml", "a: [", "syntax"},
		{"lifecycle.yaml", strings.Replace(lifecycle, "marks:\n",
			"marks:\n  - {item: guidelines/product.comon.001, status: archived, reason: Проверка, since: 2026-01-01}\n",
			1), "mark"},
		{"lifecycle.yaml", "marks: 1\n", "missing-field"},
		{sums, seals + "nonsense\n", "seal"},
		{sums, strings.Replace(seals, "sha256:", "sha256:0", 1), "seal"},
	} {
		t.Run(c.path+" "+c.want, func(t *testing.T) {
			e := e.in(t)
			e.open(c.path, c.text)
			e.await(c.want, func() bool {
				for _, d := range e.told[e.uri(c.path)].Diagnostics {
					if d.Code == c.want {
						return true
					}
				}
				return false
			})
			e.close(c.path)
			e.findings(c.path)
		})
	}
}
