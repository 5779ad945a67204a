package server_test

import (
	"strings"
)

// plain is a text without escapes, and with a space between any two words.
func plain(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, `\`, "")), " ")
}
