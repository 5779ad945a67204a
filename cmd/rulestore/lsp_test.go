package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/language"
)

// speak runs the language server as an editor would, in a folder, with messages.
func speak(t *testing.T, env map[string]string, args []string, messages ...string) (answers string, code int) {
	t.Helper()
	var in strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	var out, log bytes.Buffer
	err := run(t.Context(), append([]string{"lsp"}, args...), func(name string) string { return env[name] },
		strings.NewReader(in.String()), &out, &log)
	return out.String(), exitCode(err)
}

const (
	lspHello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,` +
		`"rootUri":null,"capabilities":{}}}`
	lspShutdown = `{"jsonrpc":"2.0","id":3,"method":"shutdown"}`
	lspExit     = `{"jsonrpc":"2.0","method":"exit"}`
)

// The command ends as the protocol wants, and takes what editors add to its arguments.
func TestLanguageServerEnds(t *testing.T) {
	for _, c := range []struct {
		name     string
		args     []string
		messages []string
		code     int
	}{
		{"with a goodbye", nil, []string{lspHello, lspShutdown, lspExit}, 0},
		{"as some editors call it", []string{"--stdio"}, []string{lspHello, lspShutdown, lspExit}, 0},
		{"without one", nil, []string{lspHello, lspExit}, 1},
		{"at once", nil, nil, 1},
		{"with an unknown flag", []string{"--tcp"}, nil, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			if answers, code := speak(t, nil, c.args, c.messages...); code != c.code {
				t.Errorf("it ends with %d, expected %d\n%s", code, c.code, answers)
			}
		})
	}
}

func TestEditorLocale(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		want bool
	}{
		{"none", nil, true},
		{"that of no language", map[string]string{"LANG": "C.UTF-8"}, true},
		{"LC_ALL before LANG", map[string]string{"LC_ALL": "en_US.UTF-8", "LANG": "ru_RU.UTF-8"}, false},
		{"LANGUAGE without a locale", map[string]string{"LANGUAGE": "en", "LC_ALL": "C"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := editorLocale(func(name string) string { return c.env[name] })
			if (got == language.Russian) != c.want {
				t.Errorf("%v", got)
			}
		})
	}
}
