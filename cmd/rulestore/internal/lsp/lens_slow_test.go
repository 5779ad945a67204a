//go:build slow

package lsp

import (
	"strings"
	"testing"
)

func TestLensesInRussian(t *testing.T) {
	e := starterSession(t, func(p *initializeParams) { p.Locale = "ru" })
	e.open(common, e.with(common, "title: ", "title: Новые "))
	got := titles(e.lenses(common))
	if !strings.HasSuffix(got[0], ": формулировка") {
		t.Errorf("%q", got)
	}
}
