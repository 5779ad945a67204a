// Command rulestore serves a git repository of financial rules over HTTP.
//
// Each command has a file of its own, with its flags, its wiring and what it
// prints; everything else is in the packages it wires together. Results go to
// stdout, everything else to stderr. The exit code is 0 when the work is done, 1
// for findings and failures, 2 for a wrong command line.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	err := run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(exitCode(err))
}
