package check

import (
	"cmp"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"

	"rulestore/content"
)

// args are the arguments of a message.
type args = content.Args

// say makes a message of a rule, see [content.Say].
func say(rule, key string, named args) content.RuleText { return content.Say(rule, key, named) }

// Find returns the finding for a message, with the highest severity of its rule.
func Find(s content.RuleText) content.Finding {
	rule, known := RuleOf(s.Rule)
	if !known {
		rule.Severity = content.Error
	}
	s, isLong := bounded(s)
	f := content.Finding{
		Rule: s.Rule, Severity: rule.Severity, Encoded: s.Encode(),
		Message: messageOf(s, language.English), Hint: hintOf(s, language.English),
	}
	if isLong {
		f.Message = clipped(f.Message)
	}
	return f
}

// Advise returns a finding with an additional hint at the end.
func Advise(f content.Finding, hint content.RuleText) content.Finding {
	s, ok := content.DecodeRuleText(f.Encoded)
	if !ok { // a finding without structured messages
		f.Hint = joined(f.Hint, adviceOf(hint, language.English))
		return f
	}
	s.Hints = append(hintsOf(s), hint)
	return reworded(f, s)
}

// Instead returns a finding whose hints and suggestion are replaced.
func Instead(f content.Finding, hints ...content.RuleText) content.Finding {
	s, _ := content.DecodeRuleText(f.Encoded)
	delete(s.Args, "guess")
	return reworded(f, s.Advise(hints...))
}

// reworded returns a finding with another message of the same rule.
func reworded(f content.Finding, s content.RuleText) content.Finding {
	g := Find(s)
	f.Message, f.Hint, f.Encoded = g.Message, g.Hint, g.Encoded
	return f
}

// Text returns the message and the hints of a finding in a language. For a finding without
// structured messages the text in other languages than English is the title of its rule.
func Text(f content.Finding, in language.Tag) (message, hint string) {
	if in != language.Russian {
		return f.Message, f.Hint
	}
	rule, known := RuleOf(f.Rule)
	s, ok := content.DecodeRuleText(f.Encoded)
	switch {
	case ok:
		return messageOf(s, in), cmp.Or(hintOf(s, in), rule.russian.advice)
	case !known:
		return f.Message, f.Hint
	}
	return rule.russian.title + ": " + f.Message, rule.russian.advice
}

// Told returns a finding in the language of a person, with its severity. Programs get English.
func Told(f content.Finding, in language.Tag) content.Finding {
	f.Message, f.Hint = Text(f, in)
	f.Severity = content.Severity(Word(content.Word(f.Severity), in))
	return f
}

// Word returns a word used by findings, such as a severity, in a language.
func Word(w content.Word, in language.Tag) string { return inWords(w, in) }

// Russian is [Text] in Russian at the beginning of a sentence: capitalized, unless it begins
// with a name.
func Russian(f content.Finding) (message, hint string) {
	message, hint = Text(f, language.Russian)
	if message == f.Message {
		return message, hint // a finding without structured messages
	}
	first, n := utf8.DecodeRuneInString(message)
	if unicode.Is(unicode.Cyrillic, first) {
		message = string(unicode.ToUpper(first)) + message[n:]
	}
	return message, hint
}
