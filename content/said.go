package content

import (
	"encoding/json"
	"maps"
	"slices"
)

// Said is what a finding says before it is put into words: which message of which rule,
// and what it names. The words, in every language, are in the file of the rule.
type Said struct {
	Rule  string `json:"rule,omitempty"` // "": what all rules share
	Key   string `json:"key"`
	Args  Args   `json:"args,omitempty"`
	Hints []Said `json:"hints,omitempty"` // what to do; none: the hint of the same key, if there is one
}

// Args are what a sentence names: texts, numbers, lists of texts, [Word] and [OneOf],
// errors, and other sentences ([Said], [AllOf]). "guess" is what was probably meant; it needs no place in
// the sentence.
type Args map[string]any

// Word is the key of a word that languages have their own for, such as a weekday.
type Word string

// OneOf lists words of which any will do.
type OneOf []Word

// AllOf lists sentences of which all are meant.
type AllOf []Said

// Say returns a sentence.
func Say(rule, key string, args Args) Said { return Said{Rule: rule, Key: key, Args: args} }

// Guess returns the sentence with what was probably meant; "" is nothing.
func (s Said) Guess(meant string) Said {
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

// Advise returns the sentence with other hints than its own.
func (s Said) Advise(hints ...Said) Said {
	s.Hints = slices.Clone(hints)
	return s
}

// Encode returns the sentence as a text, which findings can be compared by.
func (s Said) Encode() string {
	raw, err := json.Marshal(s)
	if err != nil {
		return "" // an argument that is no value: the finding is in English only
	}
	return string(raw)
}

// DecodeSaid reads what [Said.Encode] returns. Of the arguments, numbers are float64,
// texts string.
func DecodeSaid(text string) (s Said, ok bool) {
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
	return json.Marshal(map[string][]Said{"allOf": a})
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

// decodeArg reads one argument: a value, or an object that says of which type it is.
func decodeArg(raw json.RawMessage) (any, error) {
	if raw[0] != '{' {
		var v any
		err := json.Unmarshal(raw, &v)
		return v, err
	}
	var typed struct {
		Word  *Word    `json:"word"`
		OneOf []string `json:"oneOf"`
		AllOf []Said   `json:"allOf"`
		Said
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
	return typed.Said, err
}
