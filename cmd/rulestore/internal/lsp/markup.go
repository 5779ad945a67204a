package lsp

import (
	"regexp"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"rulestore/content"
)

// markup is how a client shows a text: as Markdown, or as it is.
type markup struct{ markdown bool }

func markupOf(formats []protocol.MarkupKind) markup {
	return markup{slices.Contains(formats, protocol.MarkupKindMarkdown)}
}

// content is a text for the client.
func (m markup) content(text string) *protocol.MarkupContent {
	if m.markdown {
		return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}
	}
	return &protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: text}
}

// bold stresses a name or a title.
func (m markup) bold(text string) string {
	text = m.plain(oneLine(text))
	if m.markdown && text != "" {
		return "**" + text + "**"
	}
	return text
}

// signs are what means something to Markdown.
var signs = regexp.MustCompile("[\\\\`*_\\[\\]<>#|&~]")

// plain is a text that means to Markdown, and to whatever shows it, what it says.
func (m markup) plain(text string) string {
	text = printable(text)
	if m.markdown {
		return signs.ReplaceAllString(text, `\$0`)
	}
	return text
}

// printable is [content.Printable] for a text of several lines.
func printable(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = content.Printable(line)
	}
	return strings.Join(lines, "\n")
}

// oneLine is a text without its layout.
func oneLine(text string) string { return content.Printable(strings.Join(strings.Fields(text), " ")) }
