package page

import (
	"fmt"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
)

// Connect has what the instructions for using the service are about: its template has the instructions.
type Connect struct {
	Head
	Base, Name              string // the absolute address of the service, and its name
	MCP, HasLog             bool
	Item, Version, Checksum string // an item to read: its address, that of its version, and its checksum
	Search                  string // a query that finds it
	Request                 string // to calculate
	Toolsets                []api.Toolset
	Feeds                   []Link
}

func (Connect) name() string { return "connect" }

// Snippet is something to copy, with what it is for.
type Snippet struct{ ID, Title, Language, Code string }

// snippet makes a snippet; format has a verb for each of the words.
func snippet(id, title, language, format string, words ...any) Snippet {
	return Snippet{id, title, language, fmt.Sprintf(format, words...)}
}

// quoted quotes a text as one word of a POSIX shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// CheckCommand is the command that computes the checksum of an item (design, section 5).
func CheckCommand(url string) string {
	return fmt.Sprintf(
		"curl -fsS %s |\n  jq -jcS 'del(.%s)' |\n  sha256sum", quoted(url), strings.Join(content.Derived, ",."),
	)
}
