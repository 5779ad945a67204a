package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// runCalc runs the command and returns what it prints and its exit code.
func runCalc(t *testing.T, stdin *os.File, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, err bytes.Buffer
	failed := run(t.Context(), append([]string{"calc"}, args...), func(string) string { return "" }, stdin, &out, &err)
	return out.String(), err.String(), exitCode(failed)
}

// A person at a terminal who gives no request is told how; nothing waits. The
// device that is always empty stands for the terminal.
func TestCalcAtATerminal(t *testing.T) {
	device, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	stdout, stderr, code := runCalc(t, device, "loan_payment")
	if stdout != "" || code != 2 || !strings.Contains(stderr, "there is no request: give a file with --input, or pipe one in") {
		t.Errorf("%d\n%s\n%s", code, stdout, stderr)
	}
}

func TestCalcExitCodes(t *testing.T) {
	for want, args := range map[int][]string{
		0: {"kasko_premium", "--example"},
		1: {"kasko_premium", "--input", os.DevNull}, // no JSON
		2: {"kasko_premum"},
	} {
		if _, stderr, code := runCalc(t, nil, args...); code != want {
			t.Errorf("%q: exit code %d, want %d\n%s", args, code, want, stderr)
		}
	}
}
