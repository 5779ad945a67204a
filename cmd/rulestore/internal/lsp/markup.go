package lsp

import (
	"regexp"
	"slices"
	"strings"

	"rulestore/content"
)

// markup formats texts for the client: as Markdown, or as plain text.
type markup struct{ markdown bool }

func markupOf(formats []string) markup {
	return markup{slices.Contains(formats, markdownKind)}
}

// content is a text for the client.
func (m markup) content(text string) *markupContent {
	if m.markdown {
		return &markupContent{Kind: markdownKind, Value: text}
	}
	return &markupContent{Kind: plainTextKind, Value: text}
}

// bold formats a name or a title.
func (m markup) bold(text string) string {
	text = m.plain(oneLine(text))
	if m.markdown && text != "" {
		return "**" + text + "**"
	}
	return text
}

// signs matches the characters with a meaning in Markdown.
var signs = regexp.MustCompile("[\\\\`*_\\[\\]<>#|&~]")

// plain escapes a text for Markdown.
func (m markup) plain(text string) string {
	text = content.PrintableLines(text)
	if m.markdown {
		return signs.ReplaceAllString(text, `\$0`)
	}
	return text
}

// oneLine is a text on one line.
func oneLine(text string) string { return content.Printable(strings.Join(strings.Fields(text), " ")) }
