package main

import (
	"embed"

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

//go:embed texts
var texts embed.FS

// catalogues are the Russian of all packages whose texts people read. Help has longer texts in the folder help.
func catalogues() []i18n.Catalogue {
	all := []i18n.Catalogue{
		change.Russian(), loader.Russian(), author.Russian(), git.Russian(), signers.Russian(), worktree.Russian(),
		lsp.Russian(),
	}
	for _, name := range []string{"all", "authors", "help"} {
		file, err := texts.ReadFile("texts/" + name + ".yaml")
		if err != nil {
			panic(err) // they are embedded
		}
		all = append(all, i18n.Read(file))
	}
	return all
}

// newPrinter answers in the language of the locale.
func newPrinter(getenv func(string) string) *i18n.Printer {
	if locale(getenv) != language.Russian {
		return nil
	}
	p := i18n.Russian(catalogues()...)
	p.Foreign = translateError
	return p
}
