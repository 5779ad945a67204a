package starter_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/schemas"
)

func isRussian(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.Is(unicode.Cyrillic, c) })
}

// inWordsOfPeople says whether a text is how people ask, in words of their own.
func (p passage) inWordsOfPeople() bool {
	return slices.Contains(p.at, "search_terms") || slices.Contains(p.at, "synonyms") && slices.Contains(p.at, "words")
}

// sentences returns everything that people read of the current content: where
// it stands and what it says.
func sentences(t *testing.T) []passage {
	t.Helper()
	s := snapshot(t)
	var all []passage
	add := func(text string, at ...string) { all = append(all, passage{at, text}) }
	for _, e := range currents(t) {
		for _, p := range passages(t, e) {
			if !p.inWordsOfPeople() {
				add(p.text, append([]string{e.Tag()}, p.at...)...)
			}
		}
	}
	for _, c := range s.Changes {
		for _, text := range append([]string{c.Title, c.Summary}, c.Changes...) {
			add(text, c.Tag)
		}
	}
	for _, text := range []string{s.Settings.Title, s.Settings.Description, s.Settings.Audience,
		s.Settings.Disclaimer} {
		add(text, content.SettingsFile)
	}
	for _, e := range currents(t) {
		folder := content.FormatsOf(schemas.Embedded(), e.Kind, e.Name)
		headings(schemas.Embedded().Schema(folder, e.Body().Text(e.Kind.Format)).Root(),
			func(text string) { add(text, "schemas/"+folder) })
	}
	return all
}

// valueOfProgram is a value of a field as a program writes it.
var valueOfProgram = regexp.MustCompile(`\b(true|false|null|passed|failed|unverified|unknown)(\s|[.,;:)]|$)`)

// What a field has to say is said in words; the value itself stands in parentheses, or before its
// meaning in a list of values. What was said of a publication stays as it is.
func TestValuesAreSaidInWords(t *testing.T) {
	for _, p := range sentences(t) {
		if !isRussian(p.text) || len(p.at) == 1 {
			continue
		}
		for _, at := range valueOfProgram.FindAllStringSubmatchIndex(p.text, -1) {
			before, after := p.text[:at[2]], p.text[at[3]:]
			if !strings.HasSuffix(before, "(") && !strings.HasPrefix(after, " — ") {
				t.Errorf("%s: %q says %q", p.at, p.text, p.text[at[2]:at[3]])
			}
		}
	}
}

// manual returns what the formats say of their fields to authors.
func manual(t *testing.T) (all []passage) {
	t.Helper()
	for name, written := range schemas.Embedded().Documents() {
		var document any
		if err := json.Unmarshal(written(), &document); err != nil {
			t.Fatal(err)
		}
		descriptions(document, func(text string) { all = append(all, passage{[]string{"schemas/" + name}, text}) })
	}
	return all
}

// descriptions visits what a schema says of its fields.
func descriptions(v any, visit func(string)) {
	switch v := v.(type) {
	case map[string]any:
		if text, ok := v["description"].(string); ok {
			visit(text)
		}
		for _, w := range v {
			descriptions(w, visit)
		}
	case []any:
		for _, w := range v {
			descriptions(w, visit)
		}
	}
}

// headings visits what a schema calls its fields and their values.
func headings(f *content.Field, visit func(string)) {
	if f == nil {
		return
	}
	visit(f.Title)
	for _, label := range f.Labels {
		visit(label)
	}
	for _, g := range f.Fields {
		headings(g, visit)
	}
	headings(f.Items, visit)
}

// russianWords takes a text apart; what a hyphen joins are two words.
func russianWords(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return !unicode.Is(unicode.Cyrillic, c) })
}

// The words of the content, each with the first place where it stands. What is
// not in the dictionary is in words.txt: names, abbreviations, colloquial
// synonyms of the glossary, new words.
func TestSpelling(t *testing.T) {
	if _, err := exec.LookPath("hunspell"); err != nil {
		t.Skip("hunspell is not installed: on Debian, apt-get install hunspell hunspell-ru")
	}
	places := map[string]string{}
	for _, p := range append(sentences(t), manual(t)...) {
		for _, w := range russianWords(p.text) {
			if places[w] == "" {
				places[w] = p.where()
			}
		}
	}
	own := wordList(t)
	used := map[string]bool{}
	for _, w := range misspelled(t, places) {
		if low := strings.ToLower(w); slices.Contains(own, low) {
			used[low] = true
			continue
		}
		t.Errorf("%s: %s", w, places[w])
	}
	for w := range places {
		used[strings.ToLower(w)] = true
	}
	for _, w := range own {
		if !used[w] {
			t.Errorf("words.txt has %s, which nothing says any more", w)
		}
	}
}

// wordList reads the project's own words: one in a line, in order, in lower case.
func wordList(t *testing.T) []string {
	t.Helper()
	name := filepath.Join("testdata", "words.txt")
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	own := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
	if !slices.IsSorted(own) || len(slices.Compact(slices.Clone(own))) != len(own) {
		t.Errorf("%s is not sorted, or has a word twice", name)
	}
	return own
}

// misspelled returns the words that the dictionary does not know.
func misspelled(t *testing.T, places map[string]string) []string {
	t.Helper()
	var in, out, complaint bytes.Buffer
	for w := range places {
		fmt.Fprintln(&in, w)
	}
	c := exec.CommandContext(t.Context(), "hunspell", "-d", "ru_RU", "-i", "UTF-8", "-l")
	c.Stdin, c.Stdout, c.Stderr = &in, &out, &complaint
	if err := c.Run(); err != nil || complaint.Len() > 0 {
		t.Skipf("hunspell has no Russian dictionary: on Debian, apt-get install hunspell-ru (%v %s)",
			err, complaint.String())
	}
	return words(out.String())
}

// faults are slips that no dictionary sees, told by two characters in a row.
var faults = []struct {
	name string
	told func(a, b rune) bool
}{
	{"two spaces", func(a, b rune) bool { return a == ' ' && b == ' ' }},
	{"a space before a mark", func(a, b rune) bool { return a == ' ' && strings.ContainsRune(",;:!?.)»", b) }},
	{"a space after an opening mark", func(a, b rune) bool { return strings.ContainsRune("(«", a) && b == ' ' }},
	{"no space after a mark", func(a, b rune) bool {
		return strings.ContainsRune(",;:!?", a) && unicode.Is(unicode.Cyrillic, b)
	}},
	{"a mark twice", func(a, b rune) bool { return a == b && strings.ContainsRune(".,;:", a) }},
	{"a straight quotation mark", func(a, b rune) bool { return b == '"' }},
	{"a hyphen for a dash", func(a, b rune) bool { return a == ' ' && b == '-' }},
	{"Latin and Cyrillic letters in one word", func(a, b rune) bool {
		return unicode.Is(unicode.Cyrillic, a) && unicode.Is(unicode.Latin, b) || unicode.Is(unicode.Latin, a) &&
			unicode.Is(unicode.Cyrillic, b)
	}},
}

func TestTypography(t *testing.T) {
	for _, p := range sentences(t) {
		if !isRussian(p.text) || p.field() == "command" {
			continue
		}
		previous, open := '\n', 0
		for _, c := range p.text {
			for _, f := range faults {
				if f.told(previous, c) {
					t.Errorf("%s: %s in %q", p.where(), f.name, p.text)
				}
			}
			switch previous = c; c {
			case '«':
				open++
			case '»':
				open--
			}
			if open < 0 || open > 2 {
				t.Errorf("%s: quotation marks do not match in %q", p.where(), p.text)
				break
			}
		}
		if open != 0 || strings.TrimSpace(p.text) != p.text {
			t.Errorf("%s: quotation marks or spaces at the ends of %q", p.where(), p.text)
		}
		checkTwice(t, p)
	}
}

// checkTwice finds a word that is written twice.
func checkTwice(t *testing.T, p passage) {
	t.Helper()
	previous := ""
	for w := range strings.FieldsSeq(p.text) {
		if utf8.RuneCountInString(w) > 2 && isRussian(w) && strings.EqualFold(w, previous) {
			t.Errorf("%s: %q twice in %q", p.where(), w, p.text)
		}
		previous = w
	}
}

// A word is spelled with ё everywhere or nowhere, but for pairs of different
// words and for what people type into a search.
func TestYo(t *testing.T) {
	different := words("все счета чем нем осел")
	forms := map[string]string{}
	all := sentences(t)
	for _, p := range all {
		for _, w := range russianWords(strings.ToLower(p.text)) {
			if strings.Contains(w, "ё") {
				forms[strings.ReplaceAll(w, "ё", "е")] = w
			}
		}
	}
	for _, p := range all {
		if p.in("synonyms") {
			continue
		}
		for _, w := range russianWords(strings.ToLower(p.text)) {
			if other := forms[w]; other != "" && !slices.Contains(different, w) {
				t.Errorf("%s: %s, elsewhere %s", p.where(), w, other)
			}
		}
	}
}

// foreign are the words in Latin letters that no field of the content has:
// names of things that are called so in Russian too, of formats, headers and
// values, and the tenth chapter of a law.
var foreign = words(`
	G QR SIM eSIM P2P VPN HTTP HTTPS URL JSON Markdown MCP ISO RFC SHA-256 GET
	Retry-After X-Content-Checksum X-Snapshot X demo true false reasons x xx`)

// No English is left over but codes.
func TestOnlyCodesAreInEnglish(t *testing.T) {
	latin := regexp.MustCompile(`[A-Za-z][A-Za-z0-9_-]*(?:[./][A-Za-z0-9{}_-]+)*`)
	known := knownCodes(t)
	for _, p := range sentences(t) {
		if !isProse(p.text) || p.field() == "command" {
			continue
		}
		for _, w := range latin.FindAllString(p.text, -1) {
			w = strings.TrimSuffix(w, "-")
			_, code := known[w]
			if !code && !slices.Contains(foreign, w) && !strings.HasPrefix(w, "api/v1/") &&
				!strings.ContainsAny(w, "_") && !strings.Contains(w, ".") {
				t.Errorf("%s: %q in %q", p.where(), w, p.text)
			}
		}
	}
}
