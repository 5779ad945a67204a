package content

import (
	"encoding/json"
	"maps"
	"slices"
)

// RuleText is the content of a finding as data: the rule, the key of the message, and the
// arguments. The texts, in every language, are in the file of the rule.
type RuleText struct {
	Rule  string     `json:"rule,omitempty"` // "": texts shared by all rules
	Key   string     `json:"key"`
	Args  Args       `json:"args,omitempty"`
	Hints []RuleText `json:"hints,omitempty"` // remedies; none: the hint with the same key, if there is one
}

// Args are the arguments of a message: texts, numbers, lists of texts, [Word] and [OneOf],
// errors, and other messages ([RuleText], [AllOf]). "guess" is a suggested correction, which the
// message need not contain.
type Args map[string]any

// Word is the key of a word that is translated, such as a weekday.
type Word string

// OneOf lists alternatives.
type OneOf []Word

// AllOf lists messages that all apply.
type AllOf []RuleText

// Say returns a message.
func Say(rule, key string, args Args) RuleText { return RuleText{Rule: rule, Key: key, Args: args} }

// Guess returns the message with a suggested correction; "" is none.
func (s RuleText) Guess(meant string) RuleText {
	if meant == "" {
		return s
	}
	s.Args = maps.Clone(s.Args)
	if s.Args == nil {
		s.Args = Args{}
	}
	s.Args["guess"] = meant
	return s
}

// Advise returns the message with other hints.
func (s RuleText) Advise(hints ...RuleText) RuleText {
	s.Hints = slices.Clone(hints)
	return s
}

// Encode returns the message as a text by which findings can be compared.
func (s RuleText) Encode() string {
	raw, err := json.Marshal(s)
	if err != nil {
		return "" // an argument that is no value: the finding is in English only
	}
	return string(raw)
}

// DecodeRuleText parses the result of [RuleText.Encode]. Arguments are float64 for numbers, string
// for texts.
func DecodeRuleText(text string) (s RuleText, ok bool) {
	err := json.Unmarshal([]byte(text), &s)
	return s, err == nil
}

// MarshalJSON implements json.Marshaler.
func (w Word) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"word": string(w)})
}

// MarshalJSON implements json.Marshaler.
func (o OneOf) MarshalJSON() ([]byte, error) {
	words := make([]string, len(o))
	for i, w := range o {
		words[i] = string(w)
	}
	return json.Marshal(map[string][]string{"oneOf": words})
}

// MarshalJSON implements json.Marshaler.
func (a AllOf) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string][]RuleText{"allOf": a})
}

// UnmarshalJSON implements json.Unmarshaler.
func (a *Args) UnmarshalJSON(raw []byte) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(raw, &values); err != nil {
		return err
	}
	*a = make(Args, len(values))
	for name, value := range values {
		var err error
		if (*a)[name], err = decodeArg(value); err != nil {
			return err
		}
	}
	return nil
}

// decodeArg decodes an argument: a value, or an object that states its type.
func decodeArg(raw json.RawMessage) (any, error) {
	if raw[0] != '{' {
		var v any
		err := json.Unmarshal(raw, &v)
		return v, err
	}
	var typed struct {
		Word  *Word      `json:"word"`
		OneOf []string   `json:"oneOf"`
		AllOf []RuleText `json:"allOf"`
		RuleText
	}
	err := json.Unmarshal(raw, &typed)
	switch {
	case typed.Word != nil:
		return *typed.Word, err
	case typed.OneOf != nil:
		all := make(OneOf, len(typed.OneOf))
		for i, w := range typed.OneOf {
			all[i] = Word(w)
		}
		return all, err
	case typed.AllOf != nil:
		return AllOf(typed.AllOf), err
	}
	return typed.RuleText, err
}
