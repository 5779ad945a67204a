package check

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// scalar reads one value. Plain scalars are resolved by YAML 1.2's core schema with JSON's
// numbers; those that YAML 1.1 or another program would interpret differently are findings,
// so that a file is unambiguous.
func (r *reader) scalar(n *yaml.Node) any {
	r.plain(n)
	s := n.Value
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		r.characters(n)
		return s
	}
	switch s {
	case "", "~", "null", "Null", "NULL":
		return nil
	case "true", "True", "TRUE":
		return true
	case "false", "False", "FALSE":
		return false
	}
	numeric := strings.IndexByte("+-.0123456789", s[0]) >= 0 // a quick filter before the regular expressions
	switch {
	case numeric && jsonNumber.MatchString(s):
		return r.number(n)
	case len(s) <= len("off") && ambiguousWord.MatchString(s):
		r.add(n, say("scalar", "truth", args{"value": s}))
	case numeric && ambiguousNumber.MatchString(s):
		r.add(n, say("scalar", "number", args{"value": s}))
	}
	r.characters(n)
	return s
}

var (
	jsonNumber    = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)
	ambiguousWord = regexp.MustCompile(`^(?i:yes|no|on|off|y|n)$`)

	// Octal, hexadecimal, binary and sexagesimal numbers, underscores, a leading
	// plus or zero, a missing digit beside the point, infinity and not-a-number.
	ambiguousNumber = regexp.MustCompile(
		`^(?i:[-+]?(0[0-9_]+|0o[0-7_]+|0x[0-9a-f_]+|0b[01_]+|[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?|[0-9][0-9_]*(\.[0-9_]*)?(e[-+]?[0-9_]+)?|\.[0-9][0-9_]*(e[-+]?[0-9_]+)?|\.inf)|\.nan)$`,
	)
)

// characters finds escapes for characters that no file may have. Of these, jq and RFC 8785
// write U+007F differently.
func (r *reader) characters(n *yaml.Node) {
	if i := strings.IndexFunc(n.Value, unreadable); i >= 0 {
		c, _ := utf8.DecodeRuneInString(n.Value[i:])
		r.add(n, say("character", "text", args{"code": codePoint(c), "name": charName(c)}))
	}
}

const (
	maxInteger = 1 << 53
	minDecimal = 1e-4
	maxDecimal = 1e15
	maxDigits  = 15
)

// number returns the canonical form of a number, which is the same in jq and RFC 8785.
func (r *reader) number(n *yaml.Node) json.Number {
	spelled, problem := canonicalNumber(n.Value)
	if problem != nil {
		r.add(n, *problem)
	}
	return json.Number(spelled)
}

// canonicalNumber formats a number. The problem is set if programs format it differently, or
// parse it to different numbers.
func canonicalNumber(s string) (spelled string, problem *content.RuleText) {
	wrong := func(s content.RuleText) (string, *content.RuleText) { return "0", &s }
	round := say("number", "round", nil)
	if !strings.ContainsAny(s, ".eE") {
		i, err := strconv.ParseInt(s, 10, 64)
		switch {
		case err != nil || i > maxInteger || i < -maxInteger:
			return wrong(say("number", "integer", args{"number": s}).Advise(round))
		case s == "-0":
			return wrong(say("number", "zero", args{"number": s}))
		}
		return s, nil
	}
	f, err := strconv.ParseFloat(s, 64)
	switch size := math.Abs(f); {
	case err != nil || size >= maxDecimal:
		return wrong(say("number", "large", args{"number": s}).Advise(round))
	case digits(s) > 0 && size < minDecimal:
		return wrong(say("number", "small", args{"number": s}).Advise(round))
	case f == 0 && strings.HasPrefix(s, "-"):
		return wrong(say("number", "zero", args{"number": s}))
	case digits(s) > maxDigits:
		return wrong(say("number", "digits", args{"number": s, "most": maxDigits}).Advise(round))
	}
	return strconv.FormatFloat(f, 'f', -1, 64), nil
}

// digits counts the significant digits of a number.
func digits(s string) int {
	s, _, _ = strings.Cut(strings.ToLower(s), "e")
	s = strings.TrimLeft(strings.Replace(strings.TrimPrefix(s, "-"), ".", "", 1), "0")
	return len(strings.TrimRight(s, "0"))
}
