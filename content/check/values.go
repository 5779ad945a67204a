package check

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
)

// valueType says what the value of a parameter of some value_type is made of.
type valueType struct {
	list  bool     // several texts in place of one number
	whole bool     // the number has no decimals
	units []string // those that there are for it; empty: it has none

	smaller string // what to do with a fraction of what is whole
}

// valueTypes are the types that formats know. No law sets anything below zero: a sum,
// a term, a rate and a number of things are zero or more.
var valueTypes = map[string]valueType{
	"money":      {units: []string{"RUB"}},
	"count":      {whole: true, smaller: "write a whole number"},
	"period":     {whole: true, units: []string{"business_day", "calendar_day", "month", "year"}, smaller: "write it in a smaller unit"},
	"percentage": {units: []string{"percent"}},
	"list":       {list: true},
}

// minorUnits are the decimals that a sum in a currency can have (ISO 4217).
var minorUnits = map[string]int{"RUB": 2}

// values holds the value of a parameter, and those of its periods, against its type
// and its unit.
func (d *Document) values() (found []content.Finding) {
	name, unit := d.Body.Text("value_type"), d.Body.Text("unit")
	t, ok := valueTypes[name]
	if !ok {
		return nil // the schema's finding
	}
	top, _ := d.value.(map[string]any)
	found = d.unit(name, t, unit, top)
	found = append(found, d.judged([]string{"value"}, name, t, unit, top["value"])...)
	periods, _ := top["periods"].([]any)
	for i, p := range periods {
		period, _ := p.(map[string]any)
		found = append(found, d.judged([]string{"periods", strconv.Itoa(i), "value"}, name, t, unit, period["value"])...)
	}
	return found
}

// unit finds a unit that values of the type do not have, or one that is missing. What
// is no unit of any type is the schema's finding.
func (d *Document) unit(name string, t valueType, unit string, top map[string]any) []content.Finding {
	_, isThere := top["unit"]
	allowed := strings.Join(t.units, ", ")
	switch {
	case isThere && !isUnit(unit):
		return nil
	case slices.Contains(t.units, unit) || len(t.units) == 0 && !isThere:
		return nil
	case !isThere:
		return []content.Finding{d.finding([]string{"value_type"}, "value", fmt.Sprintf("a value of the type %s needs a unit", name), "add the field unit: "+allowed)}
	case len(t.units) == 0:
		return []content.Finding{d.finding([]string{"unit"}, "value", fmt.Sprintf("a value of the type %s has no unit, %s is given", name, unit), "remove the field unit, or correct value_type")}
	}
	return []content.Finding{d.finding([]string{"unit"}, "value", fmt.Sprintf("%s is no unit of the type %s", unit, name), "write "+allowed+", or correct value_type")}
}

// isUnit reports whether values of some type have the unit.
func isUnit(unit string) bool {
	for _, t := range valueTypes {
		if slices.Contains(t.units, unit) {
			return true
		}
	}
	return false
}

// judged finds what is wrong with one value; nil is none.
func (d *Document) judged(at []string, name string, t valueType, unit string, value any) []content.Finding {
	problem, hint := "", ""
	switch v := value.(type) {
	case []any:
		if t.list {
			return d.days(at, name, v)
		}
		problem, hint = "is one number, a list is given", "write one number, or value_type: list"
	case json.Number, string:
		if t.list {
			problem, hint = "is a list, one value is given", "write each entry on a line of its own that begins with a hyphen"
		} else {
			problem, hint = amount(v, t, minorUnits[unit])
		}
	}
	if problem == "" {
		return nil
	}
	return []content.Finding{d.finding(at, "value", fmt.Sprintf("a value of the type %s %s", name, problem), hint)}
}

// day has the shape of a date, as formats write them.
var day = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// days finds the entries of a list that are dates of no day.
func (d *Document) days(at []string, name string, list []any) (found []content.Finding) {
	for i, e := range list {
		text, _ := e.(string)
		if _, err := time.Parse(content.Date, text); err != nil && day.MatchString(text) {
			found = append(found, d.finding(below(at, strconv.Itoa(i)), "value", fmt.Sprintf("a value of the type %s has the date %s, and there is no such day", name, text), "write a day that exists"))
		}
	}
	return found
}

// amount says what is wrong with a number. A text is one only where the number is too
// long for programs to agree on it.
func amount(value any, t valueType, decimals int) (problem, hint string) {
	number, isText := fmt.Sprint(value), false
	if text, ok := value.(string); ok {
		number, isText = text, true
		if !jsonNumber.MatchString(text) {
			return fmt.Sprintf("is a number, %q is none", text), rewritten(text)
		}
		if strings.ContainsAny(text, "eE") {
			return fmt.Sprintf("is a number, the text %q is given", text), "write all of its digits, without quotes"
		}
	}
	if strings.HasPrefix(number, "-") && digits(number) > 0 {
		return fmt.Sprintf("is not negative, %s is", number), "write what is allowed or due as a number of zero or more, and the direction in words"
	}
	switch n := fraction(number); {
	case t.whole && n > 0:
		return fmt.Sprintf("is a whole number, %s is none", number), t.smaller
	case decimals > 0 && n > decimals:
		return fmt.Sprintf("has at most %d decimals in its currency, %s has %d", decimals, number, n), "round it as its source does"
	}
	if _, tooLong, _ := canonicalNumber(number); isText && tooLong == "" {
		return fmt.Sprintf("is a number, the text %q is given", number), "write it without quotes: " + number
	}
	return "", ""
}

// fraction counts the decimals of a number, zeros at its end left out.
func fraction(number string) int {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	_, decimals, _ := strings.Cut(mantissa, ".")
	shift, _ := strconv.Atoi(exponent)
	return max(0, len(strings.TrimRight(decimals, "0"))-shift)
}

// spaced is a number as people write it: groups of three digits, a comma before the
// decimals, the unit after it.
var spaced = regexp.MustCompile(`^[+]?(-?[0-9]{1,3}(?:[\x{00A0}\x{202F}\x{2009} _'][0-9]{3})+|-?[0-9]+)(?:[.,]([0-9]+))?[\x{00A0}\x{202F} ]*(%|₽|[\p{L}.]*)$`)

// thousands is a number whose comma may part thousands or decimals.
var thousands = regexp.MustCompile(`^-?[1-9][0-9]{0,2},[0-9]{3}$`)

// rewritten says how to write what was meant to be a number.
func rewritten(text string) string {
	text = strings.Replace(strings.TrimSpace(text), "\u2212", "-", 1) // the sign of typesetters
	if whole, decimals, _ := strings.Cut(text, ","); thousands.MatchString(text) {
		return fmt.Sprintf("write it without quotes and comma: %s%s, or %s.%s if the comma stands before decimals", whole, decimals, whole, decimals)
	}
	m := spaced.FindStringSubmatch(text)
	if m == nil {
		return "write a number as JSON has it, without quotes: 500000, 10.5"
	}
	number := strings.Map(func(c rune) rune {
		if c == '-' || c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, m[1])
	if m[2] != "" {
		number += "." + m[2]
	}
	if !jsonNumber.MatchString(number) {
		return "write a number as JSON has it, without quotes: 500000, 10.5"
	}
	return "write it without quotes, spaces and unit, with a point before the decimals: " + number
}
