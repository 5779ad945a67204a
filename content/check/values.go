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

// valueType describes the values of a value_type of parameters.
type valueType struct {
	list  bool     // a list of texts, not a number
	whole bool     // the number has no decimals
	units []string // the allowed ones; empty if values have no unit

	smaller content.RuleText // the hint for a fraction of a whole unit
}

// valueTypes are the value types of the formats. Values are not negative: sums, terms, rates
// and counts set by law are zero or more.
var valueTypes = map[string]valueType{
	"money": {units: []string{"RUB"}},
	"count": {whole: true, smaller: say("value", "count", nil)},
	"period": {
		whole: true, units: []string{"business_day", "calendar_day", "month", "year"},
		smaller: say("value", "smaller", nil),
	},
	"percentage": {units: []string{"percent"}},
	"list":       {list: true},
}

// minorUnits is the number of decimals of a currency (ISO 4217).
var minorUnits = map[string]int{"RUB": 2}

// values checks the value of a parameter and those of its periods against the type and the
// unit.
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

// eachHasUnit reports whether all values of a parameter are in periods with their own units.
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

// unit finds a missing unit, or one that the type of values does not have. Unknown units are
// found by the schema.
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
		return []content.Finding{d.finding(
			below(at, "unit"), say("value", "surplus", args{"type": name, "unit": unit}),
		)}
	}
	return []content.Finding{d.finding(
		below(at, "unit"), say("value", "unit", args{"type": name, "unit": unit, "units": t.units}),
	)}
}

// isUnit reports whether any type has the unit.
func isUnit(unit string) bool {
	for _, t := range valueTypes {
		if slices.Contains(t.units, unit) {
			return true
		}
	}
	return false
}

// checkValue checks one value; nil if it is valid.
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

// day matches the form of a date.
var day = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// days finds the elements of a list that are dates in form but do not exist.
func (d *Document) days(at []string, name string, list []any) (found []content.Finding) {
	for i, e := range list {
		text, _ := e.(string)
		if _, err := time.Parse(content.Date, text); err != nil && day.MatchString(text) {
			found = append(
				found, d.finding(below(at, strconv.Itoa(i)), say("value", "date", args{"type": name, "date": text})),
			)
		}
	}
	return found
}

// amount checks a number. A text is accepted if the number has more digits than programs
// agree on.
func amount(value any, name string, t valueType, decimals int) (s content.RuleText, wrong bool) {
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

// fraction counts the decimals of a number without trailing zeros.
func fraction(number string) int {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	_, decimals, _ := strings.Cut(mantissa, ".")
	shift, _ := strconv.Atoi(exponent)
	return max(0, len(strings.TrimRight(decimals, "0"))-shift)
}

// spaced matches a number as people write it: groups of three digits, a comma before the
// decimals, a unit.
var spaced = regexp.MustCompile(
	`^[+]?(-?[0-9]{1,3}(?:[\x{00A0}\x{202F}\x{2009} _'][0-9]{3})+|-?[0-9]+)(?:[.,]([0-9]+))?[\x{00A0}\x{202F} ` +
		`]*(%|₽|[\p{L}.]*)$`,
)

// thousands matches a number whose comma can separate thousands or decimals.
var thousands = regexp.MustCompile(`^-?[1-9][0-9]{0,2},[0-9]{3}$`)

// rewritten suggests the form of a text that was meant as a number.
func rewritten(text string) content.RuleText {
	text = strings.Replace(strings.TrimSpace(text), "\u2212", "-", 1) // the typographic minus sign
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
