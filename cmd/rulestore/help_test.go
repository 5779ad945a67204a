package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/pflag"
)

// Each command of authors has help in both languages, with the same flags and examples; the others have it in English.
func TestHelp(t *testing.T) {
	for _, c := range append(newRoot(&env{}).Commands(), newRoot(&env{}), newHelp()) {
		t.Run(c.Name(), func(t *testing.T) {
			args := []string{c.Name(), "--help"}
			if !c.HasParent() && c.Name() != "help" {
				args = args[1:]
			}
			english, _, err1 := ran(t, nil, args...)
			russian, _, err2 := ran(t, map[string]string{"LANG": "ru_RU.UTF-8"}, args...)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			c.Flags().VisitAll(func(f *pflag.Flag) {
				if !f.Hidden && !strings.Contains(english, "--"+f.Name+" ") {
					t.Errorf("the help does not list --%s:\n%s", f.Name, english)
				}
			})
			usage, flags := "Использование:", "Флаги:"
			if isEnglish(c) {
				usage, flags = "Usage:", "Flags:"
			}
			if !strings.Contains(russian, usage) || !strings.Contains(russian, flags) {
				t.Errorf("the help is\n%s", russian)
			}
			if c.Name() == "rulestore" { // says in English what the commands of operators do
				russian, _, _ = strings.Cut(russian, "Отдавать")
				english, _, _ = strings.Cut(english, "Serve:")
			}
			if words := latin(russian); len(words) > 0 && !isEnglish(c) {
				t.Errorf("the Russian help has the words %q", words)
			}
			if a, b := codeOf(english), codeOf(russian); !slices.Equal(a, b) {
				t.Errorf("the English help has the flags %s, the Russian %s", a, b)
			}
			if c.HasExample() && (!strings.Contains(english, c.Example) || !strings.Contains(russian, c.Example)) {
				t.Error("an example is missing")
			}
			help := helps[c.Name()]
			for _, text := range slices.Concat(help.Use, help.Short, help.Long) {
				for line := range strings.SplitSeq(text, "\n") {
					if n := len([]rune(line)); n > 96 {
						t.Errorf("%q has %d characters", line, n)
					}
				}
			}
		})
	}
}

// The first words of a flag's usage in backquotes are the name of its value: a command is not.
func TestHelpNamesValues(t *testing.T) {
	for _, f := range flagsOf(newRoot(&env{}), true) {
		if name, _ := pflag.UnquoteUsage(f); strings.Contains(name, " ") {
			t.Errorf("the help says that --%s takes a %q", f.Name, name)
		}
	}
}

// Every command and each of its flags has help in its languages, and no help is of anything else.
func TestHelpIsWhole(t *testing.T) {
	unused := map[string]bool{"rulestore --help": true}
	for name, help := range helps {
		unused[name] = true
		for flag := range help.Flags {
			unused[name+" --"+flag] = true
		}
	}
	for _, c := range append(newRoot(&env{}).Commands(), newRoot(&env{}), newHelp()) {
		help, languages := helps[c.Name()], 2
		if isEnglish(c) {
			languages = 1
		}
		if len(help.Use) != languages || len(help.Short) != languages ||
			len(help.Long) != languages && help.Long != nil {
			t.Errorf("%s has help in %d, %d and %d languages", c.Name(), len(help.Use), len(help.Short), len(help.Long))
		}
		delete(unused, c.Name())
		c.Flags().VisitAll(func(f *pflag.Flag) {
			for _, of := range []string{c.Name(), "rulestore", "serve"} {
				if text := helps[of].Flags[f.Name]; text != nil {
					delete(unused, of+" --"+f.Name)
					if of != "serve" && len(text) < languages || f.Usage == "" {
						t.Errorf("--%s of %s has help in %d languages", f.Name, c.Name(), len(text))
					}
					return
				}
			}
			t.Errorf("--%s of %s has no help", f.Name, c.Name())
		})
	}
	delete(unused, "rulestore --help")
	for of := range unused {
		t.Errorf("there is help for %s, which there is not", of)
	}
}

var (
	flagNames = regexp.MustCompile(`--[a-z][a-z-]*`)
	// asCode is what stands in a text and belongs to no language: what is in quotes of
	// code, flags, variables and abbreviations, files, addresses, codes and versions.
	asCode = regexp.MustCompile("`[^`]*`" +
		`|(?m:^ +\{.*\}$|^  (rulestore|git) .*$|rulestore .*$|^  [a-z]+ |(git|%s|%\[[0-9]\]s) (add|commit) .*$)|` +
		verb.String() + `|--[a-z-]+|-h\b|\b[A-Z][A-Z_0-9]+\b|[\w%]*[/_.@=<>0-9:&$-]+[\w/_.@=<>:&$-]*`)
	word = regexp.MustCompile(`[A-Za-z]+`)
)

// codeOf lists the flags that a text names.
func codeOf(text string) []string {
	all := flagNames.FindAllString(text, -1)
	slices.Sort(all)
	return slices.Compact(all)
}

// namesInRussian are what is called the same in Russian.
var namesInRussian = strings.Fields(`
	Go rulestore git validate publish status serve main json text sarif github debug info warn error all off draft true false
	curl systemd Markdown Code Zed Helix Neovim GitHub GitLab Language Server Protocol HTTP IPv ssh https http rebase
	nginx Caddy bundle archived redacted patch minor major rules guideline guidelines file stash void detached OpenPGP EdDSA namespaces v calc tests
`)

// latin lists the English words of a Russian text.
func latin(text string) (all []string) {
	for _, w := range word.FindAllString(asCode.ReplaceAllString(text, " "), -1) {
		if !slices.Contains(namesInRussian, w) {
			all = append(all, w)
		}
	}
	return all
}

// russianTexts are all texts of the program in Russian, by what they are of.
func russianTexts(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, c := range catalogues() {
		for _, text := range c.Texts {
			all[text[0]] = text[1]
		}
		for _, noun := range c.Counts {
			all[noun[0]] = strings.Join(noun[1:], " ")
		}
	}
	for name, help := range helps {
		for i, text := range append([]said{help.Short, help.Long}, slices.Collect(maps.Values(help.Flags))...) {
			if len(text) > 1 {
				all[fmt.Sprintf("help/%s %d", name, i)] = text[1]
			}
		}
	}
	return all
}

// What is Russian is Russian.
func TestRussianHasNoEnglish(t *testing.T) {
	for of, text := range russianTexts(t) {
		if words := latin(text); len(words) > 0 && !strings.HasPrefix(of, "help/") {
			t.Errorf("%q has %q in Russian", of, words)
		}
		if len(text) > 3 && isWords(text) &&
			!strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) && text != of {
			t.Errorf("%q is %q in Russian", of, text)
		}
	}
}
