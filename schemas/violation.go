package schemas

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"rulestore/content"
)

// Validate returns every violation, in the order of the schema: the compiled
// schema goes through a value's fields in a different order each time.
func (s *schema) Validate(value any) []content.Violation {
	verr, ok := errors.AsType[*jsonschema.ValidationError](must(s.compiled()).Validate(value))
	if !ok {
		return nil
	}
	found := s.collect(nil, verr)
	slices.SortStableFunc(found, func(a, b content.Violation) int { return s.inOrder(a.Pointer, b.Pointer) })
	return found
}

// inOrder compares two pointers; a value is before its parts.
func (s *schema) inOrder(a, b []string) int {
	f := s.Root()
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return cmp.Or(cmp.Compare(positionOf(f, a[i]), positionOf(f, b[i])), cmp.Compare(a[i], b[i]))
		}
		f = step(f, a[i])
	}
	return cmp.Compare(len(a), len(b))
}

// positionOf returns the position of a step of a pointer among the fields or elements of a value.
func positionOf(f *content.Field, to string) int {
	if i, err := strconv.Atoi(to); err == nil {
		return i
	}
	if f == nil {
		return -1
	}
	return slices.IndexFunc(f.Fields, func(g *content.Field) bool { return g.Name == to })
}

// collect converts the leaves of the tree of errors to violations.
func (s *schema) collect(found []content.Violation, e *jsonschema.ValidationError) []content.Violation {
	if fields := anyOfFields(e); fields != nil {
		says := content.Say("missing-field", "any", content.Args{"fields": fields})
		return append(found, content.Violation{Pointer: slices.Clone(e.InstanceLocation), Key: fields[0], Text: says})
	}
	if len(e.Causes) > 0 {
		for _, c := range likely(e) {
			found = s.collect(found, c)
		}
		return found
	}
	at := content.Violation{Pointer: slices.Clone(e.InstanceLocation)}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			v := at
			v.Key, v.Text = name, content.Say("missing-field", "field", content.Args{"field": name})
			found = append(found, v)
		}
	case *kind.AdditionalProperties:
		allowed := names(s.fieldAt(at.Pointer))
		for _, name := range slices.Sorted(slices.Values(k.Properties)) {
			v := at
			v.Key, v.Text = name, content.Say("unknown-field", "field", content.Args{"field": name, "fields": allowed})
			found = append(found, v)
		}
	default:
		at.Text = explain(e.ErrorKind)
		found = append(found, at)
	}
	return found
}

// anyOfFields lists the fields of which an object must have one.
func anyOfFields(e *jsonschema.ValidationError) (fields []string) {
	if _, ok := e.ErrorKind.(*kind.AnyOf); !ok {
		return nil
	}
	for _, c := range e.Causes {
		if k, ok := c.ErrorKind.(*kind.Required); ok && len(k.Missing) == 1 {
			fields = append(fields, k.Missing[0])
		}
	}
	return fields
}

// likely returns the relevant causes of an error. Alternatives for other types than that of the
// value are left out, unless all are: these are one error.
func likely(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch e.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
	default:
		return e.Causes
	}
	var fitting []*jsonschema.ValidationError
	var other kind.Type
	for _, c := range e.Causes {
		t, ok := mistyped(c, len(e.InstanceLocation))
		if !ok {
			fitting = append(fitting, c)
			continue
		}
		other.Got, other.Want = t.Got, append(other.Want, t.Want...)
	}
	if len(fitting) > 0 {
		return fitting
	}
	return []*jsonschema.ValidationError{{InstanceLocation: e.InstanceLocation, ErrorKind: &other}}
}

// mistyped returns the error about the type of the value at a depth if there is no other.
func mistyped(e *jsonschema.ValidationError, depth int) (*kind.Type, bool) {
	for len(e.Causes) == 1 {
		e = e.Causes[0]
	}
	t, ok := e.ErrorKind.(*kind.Type)
	return t, ok && len(e.Causes) == 0 && len(e.InstanceLocation) == depth
}

// explain describes a violation.
func explain(k jsonschema.ErrorKind) content.RuleText {
	switch k := k.(type) {
	case *kind.Type:
		return content.Say(
			"wrong-type", "type", content.Args{"expected": words(k.Want), "found": content.Word(k.Got)},
		).Advise(typeHint(k)...)
	case *kind.Enum:
		return content.Say("unknown-value", "enum", content.Args{"value": spell(k.Got), "values": spellAll(k.Want)})
	case *kind.Const:
		return content.Say("unknown-value", "const", content.Args{"value": spell(k.Got), "allowed": spell(k.Want)})
	case *kind.Pattern:
		return content.Say("wrong-form", "pattern", content.Args{"value": k.Got, "pattern": k.Want})
	case *kind.Format:
		return misformed(spell(k.Got), k.Want)
	case *kind.MinLength:
		return content.Say("length", "short", content.Args{"got": k.Got, "want": k.Want})
	case *kind.MaxLength:
		return content.Say("length", "long", content.Args{"got": k.Got, "want": k.Want})
	case *kind.MinItems:
		return content.Say("length", "few", content.Args{"got": k.Got, "want": k.Want})
	case *kind.MaxItems:
		return content.Say("length", "many", content.Args{"got": k.Got, "want": k.Want})
	case *kind.MinProperties:
		return content.Say("schema", "fields-few", content.Args{"got": k.Got, "want": k.Want})
	case *kind.MaxProperties:
		return content.Say("schema", "fields-many", content.Args{"got": k.Got, "want": k.Want})
	case *kind.UniqueItems:
		return content.Say(
			"duplicate", "equal", content.Args{"first": k.Duplicates[0] + 1, "second": k.Duplicates[1] + 1},
		)
	case *kind.Minimum:
		return content.Say("schema", "minimum", content.Args{"got": decimal(k.Got), "want": decimal(k.Want)})
	case *kind.Maximum:
		return content.Say("schema", "maximum", content.Args{"got": decimal(k.Got), "want": decimal(k.Want)})
	}
	return content.Say(
		"schema", "other", content.Args{"problem": k.LocalizedString(message.NewPrinter(language.English))},
	)
}

// words are the names of the JSON Schema types of a value.
func words(types []string) (all content.OneOf) {
	for _, t := range types {
		all = append(all, content.Word(t))
	}
	return all
}

// typeHint suggests how to write the value that was probably meant.
func typeHint(k *kind.Type) []content.RuleText {
	isNumber := slices.Contains(k.Want, "number") || slices.Contains(k.Want, "integer")
	switch {
	case k.Got == "null":
		return []content.RuleText{content.Say("wrong-type", "value", nil)}
	case isNumber && k.Got == "string":
		return []content.RuleText{content.Say("wrong-type", "number", nil)}
	case !isNumber && slices.Contains(k.Want, "string") && k.Got != "object" && k.Got != "array":
		return []content.RuleText{content.Say("wrong-type", "quotes", nil)}
	}
	return nil
}

// misformed is the message about a value that has not a format such as date.
func misformed(value, format string) content.RuleText {
	switch format {
	case "date":
		return content.Say("wrong-form", "date", content.Args{"value": value})
	case "uri":
		return content.Say("wrong-form", "address", content.Args{"value": value})
	}
	return content.Say("wrong-form", "other", content.Args{"value": value, "form": format})
}

// decimal formats a number like the library.
func decimal(r *big.Rat) string {
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func spell(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

func spellAll(values []any) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = spell(v)
	}
	return all
}

// fieldAt returns the description of the field at a pointer.
func (s *schema) fieldAt(pointer []string) *content.Field {
	f := s.Root()
	for _, to := range pointer {
		f = step(f, to)
	}
	return f
}

func step(f *content.Field, to string) *content.Field {
	if f != nil && f.Items != nil {
		return f.Items
	}
	return f.Field(to)
}

func names(f *content.Field) []string {
	if f == nil {
		return nil
	}
	var all []string
	for _, g := range f.Fields {
		all = append(all, g.Name)
	}
	return all
}
