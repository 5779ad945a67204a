package check

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"rulestore/content"
)

// phrase is a sentence or a word in both languages.
type phrase struct{ english, russian template }

func (p phrase) in(in language.Tag) template {
	if in == language.Russian {
		return p.russian
	}
	return p.english
}

// phrases are the sentences of a rule, by key.
type phrases map[string]phrase

// parsePhrases parses a section of a rule's file: for each sentence a line with its key, one
// in English and one in Russian, both indented.
func parsePhrases(section string) phrases {
	all, key, english := phrases{}, "", ""
	for line := range strings.Lines(section) {
		text := strings.TrimSpace(line)
		switch indented := strings.TrimLeft(line, " \t") != line; {
		case text == "":
		case !indented:
			key, english = text, ""
		case english == "":
			english = text
		default:
			all[key] = phrase{parseTemplate(english), parseTemplate(text)}
		}
	}
	return all
}

// parseWords parses a list of words: on each line a key, English and Russian.
func parseWords(section string) map[content.Word]phrase {
	all := map[content.Word]phrase{}
	for line := range strings.Lines(section) {
		if f := strings.Split(strings.TrimSpace(line), " | "); len(f) == 3 {
			all[content.Word(f[0])] = phrase{parseTemplate(f[1]), parseTemplate(f[2])}
		}
	}
	return all
}

// sharedFile has the hints of more than one rule, as the file of a rule has its own, and
// the words that arguments can be.
//
//go:embed shared.txt
var sharedFile string

// catalogue has the texts that all rules share.
type catalogue struct {
	hints phrases
	words map[content.Word]phrase
}

var shared = sync.OnceValue(func() catalogue {
	hints, words, _ := strings.Cut(sharedFile, "\n-- words --\n")
	_, hints, _ = strings.Cut(hints, "-- hints --\n")
	return catalogue{parsePhrases(hints), parseWords(words)}
})

// messageOf formats a message. If there is no text for it, it has the key and the arguments.
func messageOf(s content.RuleText, in language.Tag) string {
	rule, _ := RuleOf(s.Rule)
	if p, ok := rule.messages[s.Key]; ok {
		return p.in(in).fill(s.Args, in)
	}
	return missingText(s, in)
}

// hintOf formats the hints of a message.
func hintOf(s content.RuleText, in language.Tag) (text string) {
	if _, ok := s.Args["guess"]; ok {
		text = adviceOf(content.RuleText{Key: "guess", Args: s.Args}, in)
	}
	for _, h := range hintsOf(s) {
		text = joined(text, adviceOf(h, in))
	}
	return text
}

// hintsOf lists the hints of a message, by default the one with the same key.
func hintsOf(s content.RuleText) []content.RuleText {
	rule, _ := RuleOf(s.Rule)
	if _, own := rule.hints[s.Key]; len(s.Hints) > 0 || !own {
		return s.Hints
	}
	return []content.RuleText{{Rule: s.Rule, Key: s.Key, Args: s.Args}}
}

// adviceOf formats a hint.
func adviceOf(s content.RuleText, in language.Tag) string {
	hints := shared().hints
	if s.Rule != "" {
		rule, _ := RuleOf(s.Rule)
		hints = rule.hints
	}
	if p, ok := hints[s.Key]; ok {
		return p.in(in).fill(s.Args, in)
	}
	return missingText(s, in)
}

// missingText replaces a sentence that no file has. Tests check that there are none.
func missingText(s content.RuleText, in language.Tag) string {
	text := s.Key
	for _, name := range slices.Sorted(maps.Keys(s.Args)) {
		text += fmt.Sprintf(" %s=%q", name, spelled(s.Args[name], in))
	}
	return text
}

// joined appends one hint to another.
func joined(a, b string) string {
	switch {
	case a == "":
		return b
	case strings.HasSuffix(a, ".") || strings.HasSuffix(a, "?"):
		return a + " " + b
	}
	return a + "; " + b
}

// Limits on quoted arguments, in characters, since their content is untrusted. Lists are those
// of a format, and are quoted in full.
const (
	maxText = 400
	maxList = 2000
)

// bounded limits the arguments of a sentence to values that can be kept: short texts, numbers
// and words. isLong reports whether some texts were cut.
func bounded(s content.RuleText) (kept content.RuleText, isLong bool) {
	named := make(args, len(s.Args))
	for name, value := range s.Args {
		long := false
		named[name], long = boundedArg(value)
		isLong = isLong || long
	}
	if s.Args = named; len(named) == 0 {
		s.Args = nil
	}
	hints := s.Hints
	s.Hints = nil
	for _, h := range hints {
		h, _ = bounded(h)
		s.Hints = append(s.Hints, h)
	}
	return s, isLong
}

func boundedArg(value any) (kept any, isLong bool) {
	switch v := value.(type) {
	case int, float64, content.OneOf:
		return v, false
	case content.Word:
		short, isLong := cut(string(v), maxText)
		return content.Word(short), isLong
	case content.RuleText:
		return bounded(v)
	case content.AllOf:
		all := make(content.AllOf, len(v))
		for i, s := range v {
			all[i], isLong = bounded(s)
		}
		return all, isLong
	case []string:
		return cut(strings.Join(v, ", "), maxList)
	case string:
		return cut(v, maxText)
	}
	return cut(fmt.Sprint(value), maxText)
}

// cut shortens a text to at most a number of characters. isLong reports whether it did.
func cut(text string, most int) (short string, isLong bool) {
	if r := []rune(text); len(r) > most {
		return string(r[:most/2]) + " … " + string(r[len(r)-most/2:]), true
	} else if len(r) > maxText {
		return text, true
	}
	return text, false
}
