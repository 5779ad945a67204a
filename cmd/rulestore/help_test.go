package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
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
			for _, language := range languagesOf(c) {
				text, err := helpTexts.ReadFile("help/" + language + "/" + c.Name() + ".txt")
				if err != nil {
					t.Fatal(err)
				}
				for line := range strings.SplitSeq(string(text), "\n") {
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

// languagesOf are those in which a command speaks.
func languagesOf(c *cobra.Command) []string {
	if isEnglish(c) {
		return []string{"en"}
	}
	return []string{"en", "ru"}
}

// Every command has a file of help in each of its languages, and every file is that of a command.
func TestHelpOfNoCommand(t *testing.T) {
	for _, language := range []string{"en", "ru"} {
		names := []string{"rulestore.txt", "help.txt"}
		for _, c := range newRoot(&env{}).Commands() {
			if slices.Contains(languagesOf(c), language) {
				names = append(names, c.Name()+".txt")
			}
		}
		slices.Sort(names)
		files, err := fs.Glob(helpTexts, "help/"+language+"/*")
		if err != nil {
			t.Fatal(err)
		}
		for i := range files {
			files[i] = path.Base(files[i])
		}
		if !slices.Equal(files, names) {
			t.Errorf("there is help in %s in %q, and the commands have %q", language, files, names)
		}
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
	files, err := helpTexts.ReadDir("help/ru")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		raw, err := helpTexts.ReadFile("help/ru/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		all["help/ru/"+f.Name()] = string(raw)
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

// technical are words that the dictionary does not know.
// They are stems.
var technical = strings.Fields(`
	балансировщик ии кеш клон коммит миб несохранённ перенаправлени подмодул репозитори сокет токен хеш хост
`)

func TestSpellingOfRussian(t *testing.T) {
	if _, err := exec.LookPath("hunspell"); err != nil {
		t.Skip("hunspell is not installed: on Debian, apt-get install hunspell hunspell-ru")
	}
	places, in := map[string]string{}, new(bytes.Buffer)
	for of, text := range russianTexts(t) {
		for _, w := range strings.FieldsFunc(text, func(c rune) bool { return !unicode.Is(unicode.Cyrillic, c) }) {
			places[w] = of
			fmt.Fprintln(in, w)
		}
	}
	c := exec.CommandContext(t.Context(), "hunspell", "-d", "ru_RU", "-i", "UTF-8", "-l")
	c.Stdin = io.Reader(in)
	out, err := c.Output()
	if err != nil {
		t.Skipf("hunspell has no Russian dictionary: on Debian, apt-get install hunspell-ru (%v)", err)
	}
	for _, w := range slices.Compact(slices.Sorted(slices.Values(strings.Fields(string(out))))) {
		if !slices.ContainsFunc(technical, func(stem string) bool {
			return strings.HasPrefix(strings.ToLower(w), stem)
		}) {
			t.Errorf("%s: %.60s", w, places[w])
		}
	}
}
