package output

import (
	"bytes"
	"encoding/json"

	"rulestore/content"
)

const dialect = "https://json-schema.org/draft/2020-12/schema"

// schema holds the words of JSON Schema that we use, in the order in which
// people read them.
type schema struct {
	Dialect     string `json:"$schema,omitempty"`
	ID          string `json:"$id,omitempty"`
	Comment     string `json:"$comment,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`

	Ref   string    `json:"$ref,omitempty"`
	AnyOf []*schema `json:"anyOf,omitempty"`

	Type      types  `json:"type,omitempty"`
	Format    string `json:"format,omitempty"`
	Pattern   string `json:"pattern,omitempty"`
	MinLength int    `json:"minLength,omitempty"`
	Enum      []any  `json:"enum,omitempty"`

	Items       *schema `json:"items,omitempty"`
	MinItems    int     `json:"minItems,omitempty"`
	MaxItems    int     `json:"maxItems,omitempty"`
	UniqueItems bool    `json:"uniqueItems,omitempty"`

	Required   []string       `json:"required,omitempty"`
	Additional *bool          `json:"additionalProperties,omitempty"`
	Properties content.Object `json:"properties,omitempty"`
	Examples   []any          `json:"examples,omitempty"`
	Defs       content.Object `json:"$defs,omitempty"`
}

// types is the word type: one name, or a list of them.
type types []string

func (t types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// orNull allows null besides.
func (s *schema) orNull() {
	switch {
	case s.Ref != "":
		s.Ref, s.AnyOf = "", []*schema{{Ref: s.Ref}, {Type: types{"null"}}}
	case s.Type != nil:
		s.Type = append(s.Type, "null")
	}
	if s.Enum != nil {
		s.Enum = append(s.Enum, nil)
	}
}

func (s *schema) indented() []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil {
		panic(err) // texts, numbers and lists of them can always be encoded
	}
	return out.Bytes()
}
