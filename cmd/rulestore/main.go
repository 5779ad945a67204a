// Command rulestore serves a git repository of financial rules over HTTP.
//
// Each command has a file of its own, with its flags, its wiring and its
// output; everything else is in the packages it wires together. Results go to
// stdout, everything else to stderr. The exit code is 0 for success, 1
// if something was found that has to be fixed, 2 for a wrong command line, 3 if the
// work could not be done, 143 if the process got a second signal to terminate.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	_ "time/tzdata" // in whose zones days begin, on machines that have none

	"rulestore/content/i18n"
)

func main() {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel(errTerminated)
		<-signals // the second signal ends the process at once
		os.Exit(exitSecondSignal)
	}()
	tuneMemory()
	dir, _ := os.Getwd() // without it relative paths are left to the system
	err := runIn(ctx, os.Args[1:], env{
		dir: dir, getenv: os.Getenv, environ: os.Environ(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		served: easeMemory, loaded: settleMemory,
	})
	os.Exit(exitCode(err))
}

// errTerminated is the reason why the context of a process ends.
var errTerminated = i18n.Errorf("told to end by a signal")

// exitSecondSignal is the exit code after a second signal: that of a shell for SIGTERM.
const exitSecondSignal = 128 + int(syscall.SIGTERM)

// tuneMemory sets GOGC, unless the environment does: a load makes much garbage in a short time, and no other command
// takes long.
func tuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
}

// easeMemory has memory be collected more often: what is prepared after the first answer stays for long, and would lie
// scattered among the garbage of making it.
func easeMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
}

// settleMemory returns memory to the system: a first load, and compressing its result, take several times as much as
// stays in use, and a service makes hardly any garbage from then on.
func settleMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(100)
	}
	for range 2 { // pools are empty after the second collection
		debug.FreeOSMemory()
	}
}
