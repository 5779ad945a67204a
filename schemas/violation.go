package schemas

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"rulestore/content"
)

// Validate returns every violation, in the order of the schema: the compiled
// schema goes through a value's fields in a different order each time.
func (s *schema) Validate(value any) []content.Violation {
	verr, ok := errors.AsType[*jsonschema.ValidationError](s.compiled.Validate(value))
	if !ok {
		return nil
	}
	found := s.collect(nil, verr)
	slices.SortStableFunc(found, func(a, b content.Violation) int { return s.inOrder(a.Pointer, b.Pointer) })
	return found
}

// inOrder compares two places; a value comes before what is in it.
func (s *schema) inOrder(a, b []string) int {
	f := s.root
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return cmp.Or(cmp.Compare(place(f, a[i]), place(f, b[i])), cmp.Compare(a[i], b[i]))
		}
		f = step(f, a[i])
	}
	return cmp.Compare(len(a), len(b))
}

// place says where a step stands among the fields or elements of a value.
func place(f *content.Field, to string) int {
	if i, err := strconv.Atoi(to); err == nil {
		return i
	}
	if f == nil {
		return -1
	}
	return slices.IndexFunc(f.Fields, func(g *content.Field) bool { return g.Name == to })
}

// collect turns the leaves of the tree of errors into violations.
func (s *schema) collect(found []content.Violation, e *jsonschema.ValidationError) []content.Violation {
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
			v.Key, v.Rule, v.Message = name, "missing-field", fmt.Sprintf("the field %q is missing", name)
			found = append(found, v)
		}
	case *kind.AdditionalProperties:
		at.Rule, at.Hint = "unknown-field", "allowed here: "+strings.Join(names(s.fieldAt(at.Pointer)), ", ")
		for _, name := range slices.Sorted(slices.Values(k.Properties)) {
			v := at
			v.Key, v.Message = name, fmt.Sprintf("unknown field %q", name)
			found = append(found, v)
		}
	default:
		at.Rule, at.Message, at.Hint = explain(e.ErrorKind)
		found = append(found, at)
	}
	return found
}

// likely returns the causes of an error that say something. Of alternatives, those of
// other types than the value's do not, unless all are: then they are one error.
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

// mistyped returns the error about the type of the value at that depth, if it is all
// that is wrong.
func mistyped(e *jsonschema.ValidationError, depth int) (*kind.Type, bool) {
	for len(e.Causes) == 1 {
		e = e.Causes[0]
	}
	t, ok := e.ErrorKind.(*kind.Type)
	return t, ok && len(e.Causes) == 0 && len(e.InstanceLocation) == depth
}

// explain says what is wrong with a value.
func explain(k jsonschema.ErrorKind) (rule, msg, hint string) {
	switch k := k.(type) {
	case *kind.Type:
		return "wrong-type", fmt.Sprintf("expected %s, found %s", strings.Join(k.Want, " or "), k.Got), typeHint(k)
	case *kind.Enum:
		return "unknown-value", fmt.Sprintf("%s is not one of the allowed values", spell(k.Got)), "allowed: " + spellAll(k.Want)
	case *kind.Const:
		return "unknown-value", fmt.Sprintf("%s is not allowed here", spell(k.Got)), "write " + spell(k.Want)
	case *kind.Pattern:
		return "wrong-form", fmt.Sprintf("%q does not have the expected form", k.Got), "the pattern is " + k.Want
	case *kind.Format:
		return "wrong-form", fmt.Sprintf("%s is no valid %s", spell(k.Got), k.Want), formatHint(k.Want)
	case *kind.MinLength:
		return "length", fmt.Sprintf("%d characters are too few, at least %d are needed", k.Got, k.Want), ""
	case *kind.MaxLength:
		return "length", fmt.Sprintf("%d characters are too many, at most %d are allowed", k.Got, k.Want), ""
	case *kind.MinItems:
		return "length", fmt.Sprintf("%d elements are too few, at least %d are needed", k.Got, k.Want), ""
	case *kind.MaxItems:
		return "length", fmt.Sprintf("%d elements are too many, at most %d are allowed", k.Got, k.Want), ""
	case *kind.UniqueItems:
		return "duplicate", fmt.Sprintf("elements %d and %d are equal", k.Duplicates[0]+1, k.Duplicates[1]+1), "remove one of them"
	}
	return "schema", k.LocalizedString(message.NewPrinter(language.English)), ""
}

func typeHint(k *kind.Type) string {
	switch {
	case k.Got == "null":
		return "write a value, or remove the field"
	case slices.Contains(k.Want, "number") || slices.Contains(k.Want, "integer"):
		if k.Got == "string" {
			return "write a number, without quotes"
		}
		return ""
	case slices.Contains(k.Want, "string") && k.Got != "object" && k.Got != "array":
		return "put the value in quotes"
	}
	return ""
}

func formatHint(format string) string {
	switch format {
	case "date":
		return "write a day that exists as year-month-day, for example 2026-05-01"
	case "uri":
		return "write a full address, for example https://www.cbr.ru/"
	}
	return ""
}

func spell(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

func spellAll(values []any) string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = spell(v)
	}
	return strings.Join(all, ", ")
}

// fieldAt follows a pointer into the description.
func (s *schema) fieldAt(pointer []string) *content.Field {
	f := s.root
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
