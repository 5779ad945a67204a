package main

import (
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// colours are what a terminal is told. Without a terminal they are empty.
type colours struct{ red, yellow, green, blue, bold, dim, off string }

// colours returns those for stdout: none if it is no terminal, if the terminal
// has none, or if NO_COLOR is set (no-color.org).
func (e *env) colours() colours {
	if e.getenv("NO_COLOR") != "" || e.getenv("TERM") == "dumb" || !isTerminal(e.stdout) {
		return colours{}
	}
	return colours{"\x1b[31m", "\x1b[33m", "\x1b[32m", "\x1b[34m", "\x1b[1m", "\x1b[2m", "\x1b[0m"}
}

// isTerminal says whether a person is at the other end of a stream.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// printable takes out of a text what could command a terminal: content is
// written by others.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) && c != '\n' || c == '\u2028' || c == '\u2029' || c >= '\u202A' && c <= '\u202E' || c >= '\u2066' && c <= '\u2069' {
			return '\uFFFD'
		}
		return c
	}, s)
}
