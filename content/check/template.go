package check

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"rulestore/content"
)

// template is a sentence with places for arguments:
//
//	{field}                      its value; between quotes with what is in it escaped
//	{days|day|days}              the word that goes with a number, here 1 and others
//	{days|день|дня|дней}         the same in Russian: 1, 2 and 5 days
type template []piece

// piece is a text, or the place of an argument.
type piece struct {
	text   string
	name   string
	forms  []string // by number, as [plural.Form] orders them for the language
	quoted bool     // the place is between quotes
}

var placeholder = regexp.MustCompile(`\{([a-z]+)((?:\|[^{}|]+)*)\}`)

// parseTemplate parses a sentence.
func parseTemplate(text string) (t template) {
	at := 0
	for _, m := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		before, after := text[:m[0]], text[m[1]:]
		p := piece{name: text[m[2]:m[3]], quoted: isQuoted(before, after)}
		if forms := text[m[4]:m[5]]; forms != "" {
			p.forms = strings.Split(forms[1:], "|")
		}
		t = append(t, piece{text: text[at:m[0]]}, p)
		at = m[1]
	}
	return append(t, piece{text: text[at:]})
}

// isQuoted reports whether a place is between quotes.
func isQuoted(before, after string) bool {
	return strings.HasSuffix(before, `"`) && strings.HasPrefix(after, `"`) ||
		strings.HasSuffix(before, "«") && strings.HasPrefix(after, "»")
}

// fill replaces the places by arguments. A place without an argument is left as it is.
func (t template) fill(args content.Args, in language.Tag) string {
	var b strings.Builder
	for _, p := range t {
		value, ok := args[p.name]
		switch {
		case p.name == "":
			b.WriteString(p.text)
		case !ok:
			b.WriteString("{" + p.name + "}")
		case p.forms != nil:
			b.WriteString(formFor(value, p.forms, in))
		case p.quoted:
			b.WriteString(escaped(spelled(value, in)))
		default:
			b.WriteString(spelled(value, in))
		}
	}
	return b.String()
}

// escaped escapes quotes and characters that are not displayed as they are.
func escaped(text string) string {
	text = strconv.Quote(text)
	return text[1 : len(text)-1]
}

// formFor returns the form of a word for a number, by the plural rules of Unicode CLDR.
func formFor(value any, forms []string, in language.Tag) string {
	n, err := strconv.Atoi(spelled(value, in))
	if err != nil {
		return forms[len(forms)-1]
	}
	n %= 1000000 // plural forms depend on the last digits only
	order := []plural.Form{plural.One, plural.Few, plural.Many}
	i := slices.Index(order, plural.Cardinal.MatchPlural(in, max(n, -n), 0, 0, 0, 0))
	if i < 0 {
		i = len(forms) - 1
	}
	return forms[min(i, len(forms)-1)]
}

// spelled formats an argument in a language.
func spelled(value any, in language.Tag) string {
	switch v := value.(type) {
	case string:
		return v
	case content.Word:
		return inWords(v, in)
	case content.OneOf:
		return listed(v, "or", in, inWords)
	case content.AllOf:
		return listed(v, "and", in, messageOf)
	case content.RuleText:
		return messageOf(v, in)
	case float64: // the type of numbers parsed from JSON
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

// listed joins the elements of a list with the word for "or" or "and".
func listed[T any](list []T, by content.Word, in language.Tag, spell func(T, language.Tag) string) string {
	all := make([]string, len(list))
	for i, v := range list {
		all[i] = spell(v, in)
	}
	return strings.Join(all, " "+inWords(by, in)+" ")
}

// inWords returns a word in a language, or its key if the catalogue does not have it.
func inWords(w content.Word, in language.Tag) string {
	if p, ok := shared().words[w]; ok {
		return p.in(in).fill(nil, in)
	}
	return string(w)
}
