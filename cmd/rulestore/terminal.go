package main

import (
	"io"
	"os"
)

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
