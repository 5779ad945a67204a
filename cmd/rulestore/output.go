package main

import (
	"bytes"
	"io"
	"os"
	"sync"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/i18n"
)

// output is the writer that a command prints to. It escapes what would control a
// terminal or a workflow, in a way that keeps the meaning of JSON. Names are escaped by
// [content.Printable] before; this also covers the output of other programs, and calls
// that omit it.
//
// Workflows of GitHub obey lines that begin with ::, after spaces if any, and ##[
// anywhere (actions/runner, ActionCommand.cs); those of Gitea and Forgejo read alike.
type output struct {
	to       io.Writer
	coloured bool   // a terminal that is shown colours
	prefix   []byte // of paths, which is left out: see [env.prefix]

	mu      sync.Mutex
	pending []byte // the beginning of a character or of a colour
	start   int    // where in a line the next character comes: one of the following
	hash    int    // number of consecutive # before
}

const (
	atStart    = iota // after spaces at most
	afterColon        // after spaces and a colon
	inside
)

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.start == inside {
		o.start = atStart // another writer may have ended the line meanwhile
	}
	text := p
	if len(o.prefix) > 0 && bytes.Contains(p, o.prefix) {
		text = bytes.ReplaceAll(p, o.prefix, nil)
	}
	rest := append(o.pending, text...)
	out := make([]byte, 0, len(rest))
	for len(rest) > 0 {
		n := o.next(rest)
		if n == 0 {
			break
		}
		out = o.append(out, string(rest[:n]))
		rest = rest[n:]
	}
	o.pending = bytes.Clone(rest)
	if err := o.send(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// send writes the buffered output.
func (o *output) send(ready []byte) error {
	if len(ready) == 0 {
		return nil
	}
	_, err := o.to.Write(ready)
	return err
}

// Close writes what can be no beginning of anything any more. It does not close what
// is written to.
func (o *output) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	var out []byte
	for i := range o.pending {
		out = content.AppendPrintable(out, string(o.pending[i:i+1]))
	}
	o.pending = nil
	return o.send(out)
}

// next returns the length of the first character or colour in bytes, 0 if that depends on the
// following bytes.
func (o *output) next(text []byte) int {
	if text[0] == '\x1b' && o.coloured {
		for _, c := range palette.all() {
			if bytes.HasPrefix(text, []byte(c)) {
				return len(c)
			}
			if bytes.HasPrefix([]byte(c), text) {
				return 0
			}
		}
	}
	if !utf8.FullRune(text) {
		return 0
	}
	_, n := utf8.DecodeRune(text)
	return n
}

// append appends a character as it is to come out.
func (o *output) append(out []byte, char string) []byte {
	switch {
	case char == "\n":
		o.start, o.hash = atStart, 0
		return append(out, char...)
	case char == "\t" || len(char) > 1 && char[0] == '\x1b': // layout and colours are our own
		return append(out, char...)
	case char == ":" && o.start == afterColon, char == "[" && o.hash >= 2:
		o.start, o.hash = inside, 0
		return content.AppendEscape(out, rune(char[0]))
	}
	o.track(char)
	return content.AppendPrintable(out, char)
}

// track notes which character came.
func (o *output) track(char string) {
	r, _ := utf8.DecodeRuneInString(char)
	switch {
	case o.start == atStart && r == ':':
		o.start = afterColon
	case o.start != atStart || !unicode.IsSpace(r):
		o.start = inside
	}
	if o.hash++; r != '#' {
		o.hash = 0
	}
}

// underlying returns the underlying writer of an output, for what is not text by others: progress bars,
// and workflow commands that were escaped in their own way.
func underlying(w io.Writer) io.Writer {
	if o, ok := w.(*output); ok {
		return o.to
	}
	return w
}

// colours are the escape sequences of a terminal, empty without one.
type colours struct{ red, yellow, green, blue, bold, dim, off string }

// palette are the escape sequences of a terminal.
var palette = colours{"\x1b[31m", "\x1b[33m", "\x1b[32m", "\x1b[34m", "\x1b[1m", "\x1b[2m", "\x1b[0m"}

func (c colours) all() []string {
	return []string{c.red, c.yellow, c.green, c.blue, c.bold, c.dim, c.off}
}

// colours returns those for stdout: none if it is no terminal, if the terminal
// has none, or if NO_COLOR is set (no-color.org).
func (e *env) colours() colours {
	if o, ok := e.stdout.(*output); ok && o.coloured {
		return palette
	}
	return colours{}
}

// newOutput returns the output of a command for a stream.
func newOutput(to io.Writer, getenv func(string) string) *output {
	return &output{to: to, coloured: getenv("NO_COLOR") == "" && getenv("TERM") != "dumb" && isTerminal(to)}
}

// isTerminal reports whether a stream is a terminal: a character device, but not the null device.
func isTerminal(stream any) bool {
	if o, ok := stream.(*output); ok {
		stream = o.to
	}
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	null, _ := os.Stat(os.DevNull)
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && !os.SameFile(info, null)
}

// localized is a text in the language of the user, as it may be printed.
func (e *env) localized(t i18n.Localizable) string { return content.Printable(e.printer.Sprint(t)) }
