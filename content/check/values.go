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

	smaller content.Said // what to do with a fraction of what is whole
}

// valueTypes are the types that formats know. No law sets anything below zero: a sum,
// a term, a rate and a number of things are zero or more.
var valueTypes = map[string]valueType{
	"money":      {units: []string{"RUB"}},
	"count":      {whole: true, smaller: say("value", "count", nil)},
	"period":     {whole: true, units: []string{"business_day", "calendar_day", "month", "year"}, smaller: say("value", "smaller", nil)},
	"percentage": {units: []string{"percent"}},
	"list":       {list: true},
}

// minorUnits are the decimals that a sum in a currency can have (ISO 4217).
var minorUnits = map[string]int{"RUB": 2}

// values checks the value of a parameter, and those of its periods, against its type
// and its unit, or that of the period.
func (d *Document) values() (found []content.Finding) {
	name, unit := d.Body.Text("value_type"), d.Body.Text("unit")
	t, ok := valueTypes[name]
	if !ok {
		return nil // the schema's finding
	}
	top, _ := d.value.(map[string]any)
	periods, _ := top["periods"].([]any)
	if !eachHasUnit(top, periods) {
		found = d.unit(nil, name, t, top)
	}
	found = append(found, d.checkValue([]string{"value"}, name, t, unit, top["value"])...)
	for i, p := range periods {
		period, _ := p.(map[string]any)
		at, own := []string{"periods", strconv.Itoa(i)}, unit
		if stated, isThere := period["unit"].(string); isThere {
			own = stated
			found = append(found, d.unit(at, name, t, period)...)
		}
		found = append(found, d.checkValue(below(at, "value"), name, t, own, period["value"])...)
	}
	return found
}

// eachHasUnit says whether all values of a parameter are in periods with units of their
// own, so that it needs none for all of them.
func eachHasUnit(top map[string]any, periods []any) bool {
	if top["value"] != nil || top["unit"] != nil {
		return false
	}
	for _, p := range periods {
		if period, _ := p.(map[string]any); period["unit"] == nil {
			return false
		}
	}
	return len(periods) > 0
}

// unit finds a unit of a value, or of all, that values of the type do not have, or one
// that is missing. What is no unit of any type is the schema's finding.
func (d *Document) unit(at []string, name string, t valueType, of map[string]any) []content.Finding {
	_, isThere := of["unit"]
	unit, _ := of["unit"].(string)
	switch {
	case isThere && !isUnit(unit):
		return nil
	case slices.Contains(t.units, unit) || len(t.units) == 0 && !isThere:
		return nil
	case !isThere:
		return []content.Finding{d.finding(
			[]string{"value_type"}, say("value", "missing", args{"type": name, "units": t.units}),
		)}
	case len(t.units) == 0:
		return []content.Finding{d.finding(below(at, "unit"), say("value", "surplus", args{"type": name, "unit": unit}))}
	}
	return []content.Finding{d.finding(
		below(at, "unit"), say("value", "unit", args{"type": name, "unit": unit, "units": t.units}),
	)}
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
func (d *Document) checkValue(at []string, name string, t valueType, unit string, value any) []content.Finding {
	switch v := value.(type) {
	case []any:
		if t.list {
			return d.days(at, name, v)
		}
		return []content.Finding{d.finding(at, say("value", "one", args{"type": name}))}
	case json.Number, string:
		if t.list {
			return []content.Finding{d.finding(at, say("value", "list", args{"type": name}))}
		}
		if s, wrong := amount(v, name, t, minorUnits[unit]); wrong {
			return []content.Finding{d.finding(at, s)}
		}
	}
	return nil
}

// day has the shape of a date, as formats write them.
var day = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// days finds the entries of a list that are dates of no day.
func (d *Document) days(at []string, name string, list []any) (found []content.Finding) {
	for i, e := range list {
		text, _ := e.(string)
		if _, err := time.Parse(content.Date, text); err != nil && day.MatchString(text) {
			found = append(found, d.finding(below(at, strconv.Itoa(i)), say("value", "date", args{"type": name, "date": text})))
		}
	}
	return found
}

// amount says what is wrong with a number, if anything is. A text is one only where the
// number is too long for programs to agree on it.
func amount(value any, name string, t valueType, decimals int) (s content.Said, wrong bool) {
	number := fmt.Sprint(value)
	_, isText := value.(string)
	switch {
	case isText && !jsonNumber.MatchString(number):
		return say("value", "number", args{"type": name, "value": number}).Advise(rewritten(number)), true
	case isText && strings.ContainsAny(number, "eE"):
		return say("value", "text", args{"type": name, "value": number}).Advise(say("value", "digits", nil)), true
	case strings.HasPrefix(number, "-") && digits(number) > 0:
		return say("value", "negative", args{"type": name, "value": number}), true
	}
	switch n := fraction(number); {
	case t.whole && n > 0:
		return say("value", "whole", args{"type": name, "value": number}).Advise(t.smaller), true
	case decimals > 0 && n > decimals:
		return say("value", "decimals", args{"type": name, "most": decimals, "value": number, "decimals": n}), true
	}
	if _, tooLong := canonicalNumber(number); isText && tooLong == nil {
		return say(
			"value", "text", args{"type": name, "value": number},
		).Advise(say("value", "unquoted", args{"number": number})), true
	}
	return s, false
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
func rewritten(text string) content.Said {
	text = strings.Replace(strings.TrimSpace(text), "\u2212", "-", 1) // the sign of typesetters
	if whole, decimals, _ := strings.Cut(text, ","); thousands.MatchString(text) {
		return say("value", "comma", args{"whole": whole + decimals, "decimal": whole + "." + decimals})
	}
	m := spaced.FindStringSubmatch(text)
	if m == nil {
		return say("value", "json", nil)
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
		return say("value", "json", nil)
	}
	return say("value", "point", args{"number": number})
}
