package api

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/schemas"
	"rulestore/server/calc"
)

//go:embed params.yaml
var paramsYAML []byte

var shared = sync.OnceValue(func() map[string]*Param {
	all := map[string]*Param{}
	ReadYAML("params.yaml", paramsYAML, &all)
	for key, p := range all {
		if !p.Inline {
			p.Key = key
		}
	}
	all["CalculationRelease"].Spelt = Release
	return all
})

// Names of parameters that much of the program knows.
const (
	AsOf    = "as_of"
	InForce = "in_force"
	Section = "section"
	View    = "view"
)

// Shared is a parameter of params.yaml. That there is one of the name is tried by tests.
func Shared(name string) *Param { return shared()[name] }

// lists are values of parameters that follow from what there is.
var lists = map[string]func() []string{
	"calculations": func() (all []string) {
		for t := range calc.New().Tools() {
			all = append(all, t.ID)
		}
		return all
	},
	"families": func() (all []string) {
		for _, f := range calc.Families {
			all = append(all, f.ID)
		}
		return all
	},
	"releases": func() []string { return calc.New().Releases() },
	"kinds":    Folders,
	"formats": func() []string { // of kinds, then what else a repository has
		all := Folders()
		for _, name := range schemas.Embedded().Folders() {
			if folder, _, _ := strings.Cut(name, "/"); !slices.Contains(all, folder) {
				all = append(all, folder)
			}
		}
		return all
	},
	"found": FoundKinds,
}

// Folders lists the folders of the kinds.
func Folders() (all []string) {
	for _, k := range content.Kinds {
		all = append(all, k.Folder)
	}
	return all
}

// Release returns the release without a trailing zero part: 1.5 for 1.5.0.
func Release(given string) string {
	if strings.Count(given, ".") == 2 {
		return strings.TrimSuffix(given, ".0")
	}
	return given
}

// Limits of what is asked for; the parameters have them, too.
const (
	DefaultLimit = 50            // default number of entries of a page
	SearchLimit  = 20            // default number of results of a search
	MaxLimit     = 500           // maximum number
	MaxQuestion  = 2000          // maximum length of the text of a search, in characters
	MaxOffset    = 1_000_000_000 // maximum offset: more than any repository has
)
