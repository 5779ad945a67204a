package calc

import (
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed words.yaml
var wordsYAML []byte

// A vocabulary has the words for people, see words.yaml.
type vocabulary struct {
	Assumptions, Warnings, States, Choices, Phrases, Evidence, Steps, Names, Symbols map[string]string

	Reasons map[Reason]string
	Units   map[string]unitWords
	Asked   map[string][]string // by tool id
}

// unitWords are the abbreviation of a unit, and a part of the word by which a title names the unit already.
type unitWords struct{ Short, Word string }

// words is the vocabulary of words.yaml.
var words = sync.OnceValue(func() (v vocabulary) {
	if err := yaml.Unmarshal(wordsYAML, &v); err != nil {
		panic("embedded words.yaml: " + err.Error()) // tests read it
	}
	return v
})

// Asked returns the search terms of the tool besides its title: words and whole questions.
func (t *Tool) Asked() []string { return words().Asked[t.ID] }

// Worded returns the label of a value of a choice, or the value itself if it has none.
func Worded(value string) string { return cmp.Or(words().Choices[value], value) }

// assumption is the Russian text of an assumption, "" if there is none for the code.
func assumption(code string) string {
	name, value, stated := strings.Cut(code, "=")
	said := words().Assumptions[name]
	if said != "" && stated {
		return said + " — " + strings.Replace(value, ".", ",", 1)
	}
	return said
}

// stepTitle is the title of a step: that of the field with its name, or with the longest
// part of its name that ends before an underscore. The rest of the name follows: it is a number, a day,
// or what the caller calls a variant.
func (t *Tool) stepTitle(name string) string {
	for end := len(name); end > 0; end = strings.LastIndexByte(name[:end], '_') {
		if title := t.titleOfStep(name[:end]); title != "" {
			of := strings.TrimPrefix(name[end:], "_")
			if day, ok := ParseDate(of); ok {
				of = day.shown()
			}
			return strings.TrimSuffix(title+", "+of, ", ")
		}
	}
	return ""
}

// titleOfStep is the title of the field or the step with that very name, without its explanation.
func (t *Tool) titleOfStep(name string) string {
	if limit, ok := strings.CutPrefix(name, thresholdStep); ok && thresholdTitles[limit] != "" {
		return "Порог: " + thresholdTitles[limit]
	}
	for _, fields := range [][]Field{t.Outputs, t.Schedule, t.Members, t.Inputs} {
		if i := indexOf(fields, name); i >= 0 {
			title, _, _ := strings.Cut(fields[i].Title, ";")
			title, _, _ = strings.Cut(title, ": ")
			return title
		}
	}
	return t.own(words().Steps, name)
}

// own is the word for a name that the tool has, or its family, or all tools; "" if there is none.
func (t *Tool) own(words map[string]string, name string) string {
	return cmp.Or(words[name+" "+t.ID], words[name+" "+t.Family], words[name])
}

var formulaName = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_]*|π`)

// inWords is a formula with words in place of names.
func inWords(formula string) string {
	return formulaName.ReplaceAllStringFunc(formula, func(name string) string {
		return cmp.Or(words().Names[name], name)
	})
}

// legend explains the symbols of formulas, in the order of their first use.
func (t *Tool) legend(formulas []string) (all []Point) {
	for _, formula := range formulas {
		for _, symbol := range formulaName.FindAllString(formula, -1) {
			meaning := t.own(words().Symbols, symbol)
			if meaning != "" && !slices.ContainsFunc(all, func(p Point) bool { return p.Code == symbol }) {
				all = append(all, Point{Code: symbol, Text: meaning})
			}
		}
	}
	return all
}
