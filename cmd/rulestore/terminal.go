package main

import (
	"os"

	"golang.org/x/term"
)

// isTerminal says whether a person is at the other end.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
