package verify

import (
	"cmp"

	"rulestore/content"
	"rulestore/content/i18n"
)

// Texts shared by many differences.
var (
	theStatus   = i18n.New("status")
	theBody     = i18n.New("the body")
	aJSONObject = i18n.New("a JSON object")
	recomputed  = i18n.New("recomputed checksum")
	notFetched  = i18n.New("cannot be fetched")
)

// textOf is the text of a message, an error or a string. Texts of the server are made safe
// for terminals.
func textOf(v any) i18n.Text {
	switch v := v.(type) {
	case i18n.Text:
		args := make([]any, len(v.Args))
		for i, a := range v.Args {
			args[i] = printable(a)
		}
		return i18n.Text{Format: v.Format, Args: args}
	case string:
		if v == "" {
			return i18n.Text{}
		}
	}
	return i18n.New("%s", printable(v))
}

func printable(v any) any {
	switch v := v.(type) {
	case i18n.Text:
		return textOf(v)
	case string:
		return content.Printable(v)
	}
	return v
}

func byText(a, b i18n.Text) int { return cmp.Compare(a.String(), b.String()) }
