package main

import (
	"golang.org/x/text/language"

	"rulestore/cmd/rulestore/internal/lsp"
	"rulestore/content/change"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/author"
	"rulestore/loader/git"
	"rulestore/loader/signers"
	"rulestore/loader/worktree"
)

// catalogues are the Russian of all packages whose texts people read.
var catalogues = []i18n.Catalogue{
	russian, russianHelp, change.Russian, loader.Russian, author.Russian, git.Russian, signers.Russian,
	worktree.Russian,
	lsp.Russian,
}

// newPrinter answers in the language of the locale.
func newPrinter(getenv func(string) string) *i18n.Printer {
	if locale(getenv) != language.Russian {
		return nil
	}
	p := i18n.Russian(catalogues...)
	p.Foreign = translateError
	return p
}
