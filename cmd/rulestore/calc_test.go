package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
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

func TestCalcExitCodes(t *testing.T) {
	for want, args := range map[int][]string{
		0: {"kasko_premium", "--example"},
		1: {"kasko_premium", "--input", os.DevNull}, // no JSON
		2: {"kasko_premum"},
	} {
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			if _, stderr, code := runCalc(t, nil, args...); code != want {
				t.Errorf("%q: exit code %d, want %d\n%s", args, code, want, stderr)
			}
		})
	}
}

// post sends a calculation and returns what it answers.
func (s *running) post(path, body string) string {
	s.Helper()
	res, err := client.Post(s.url+path, "application/json", strings.NewReader(body))
	if err != nil {
		s.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		s.Fatalf("POST %s: %d %v\n%s", path, res.StatusCode, err, text)
	}
	return string(text)
}
