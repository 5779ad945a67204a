package api

import (
	"encoding/json"
	"regexp"
	"strings"

	"rulestore/content"
)

// simple is a text that YAML reads as it is: no number, no truth, no date.
var simple = regexp.MustCompile(`^[A-Za-z/$_][A-Za-z0-9/$_{}.-]*$`)

// words that YAML, or one of its older versions, takes for something else than a text.
var taken = regexp.MustCompile(`^(?i:true|false|null|yes|no|on|off|y|n)$`)

// appendYAML writes JSON as YAML for people: in blocks, quotes only where they are needed.
func appendYAML(dst []byte, raw json.RawMessage, indent string) []byte {
	switch raw[0] {
	case '{':
		return appendMapping(dst, raw, indent)
	case '[':
		return appendSequence(dst, raw, indent)
	case '"':
		var text string
		_ = json.Unmarshal(raw, &text) // it is one
		return append(appendText(append(dst, ' '), text, raw, indent), '\n')
	}
	return append(append(append(dst, ' '), raw...), '\n')
}

func appendMapping(dst []byte, raw json.RawMessage, indent string) []byte {
	var o content.Object
	_ = json.Unmarshal(raw, &o) // it is one
	if len(o) == 0 {
		return append(dst, " {}\n"...)
	}
	if indent != "" {
		dst = append(dst, '\n')
	}
	for _, m := range o {
		dst = append(appendText(append(dst, indent...), m.Name, content.String(m.Name), ""), ':')
		dst = appendYAML(dst, m.Value, indent+"  ")
	}
	return dst
}

func appendSequence(dst []byte, raw json.RawMessage, indent string) []byte {
	var all []json.RawMessage
	_ = json.Unmarshal(raw, &all) // it is one
	if len(all) == 0 {
		return append(dst, " []\n"...)
	}
	dst = append(dst, '\n')
	for _, e := range all {
		dst = append(append(dst, indent...), '-')
		dst = appendYAML(dst, e, indent+"  ")
	}
	return dst
}

// appendText writes a text as it is if nothing else can be read from it, in lines if it has
// several, or else as JSON does, which YAML reads too.
func appendText(dst []byte, text string, quoted []byte, indent string) []byte {
	switch {
	case simple.MatchString(text) && !taken.MatchString(text):
		return append(dst, text...)
	case indent != "" && isBlock(text):
		mark := "|-"
		if strings.HasSuffix(text, "\n") {
			mark = "|"
		}
		dst = append(dst, mark...)
		for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
			dst = append(dst, '\n')
			if line != "" {
				dst = append(append(dst, indent...), line...)
			}
		}
		return dst
	}
	return append(dst, quoted...)
}

// isBlock reports whether a text can stand in lines of its own.
func isBlock(text string) bool {
	return strings.Contains(text, "\n") && strings.TrimSpace(text) == strings.TrimSuffix(text, "\n") &&
		!strings.ContainsAny(text, "\t\r")
}
