//go:build slow

package main

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Whatever is asked, once stdin has ended and what can be answered is answered, the
// command ends too.
func TestMCPEndsWithStdin(t *testing.T) {
	t.Parallel()
	const (
		opening = `{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-03-26",` +
			`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
		loan = `"method":"tools/call","params":{"name":"calculate_loan",` +
			`"arguments":{"inputs":{"principal":"5000000.00","annual_rate_pct":"18.5","term_months":360}}}}`
	)
	bare := young(t)
	const refused = `"id":null,"error":{"code":-32600`
	for name, test := range map[string]struct {
		asked string
		want  []string // each once
	}{
		"nothing":           {"", nil},
		"null for an id":    {`{"jsonrpc":"2.0","id":null,` + loan, []string{refused}},
		"a fraction":        {`{"jsonrpc":"2.0","id":1.5,` + loan, []string{refused}},
		"an object":         {`{"jsonrpc":"2.0","id":{},` + loan, []string{refused}},
		"an id in capitals": {`{"jsonrpc":"2.0","ID":7,` + loan, nil}, // a notification
		"one id twice":      {`{"jsonrpc":"2.0","id":7,` + loan + "\n" + `{"jsonrpc":"2.0","id":7,` + loan, nil},
		"no JSON":           {"nonsense", []string{`"id":null,"error":{"code":-32700`}},
		"an empty line":     {"\n", nil},
		"a batch": {`[{"jsonrpc":"2.0","id":1,` + loan + `,{"jsonrpc":"2.0","id":2,"method":"ping"}]`,
			[]string{`"id":1,"result":`, `"id":2,"result":`}},
		"a listener": {`{"jsonrpc":"2.0","id":"listen","method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true}}}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("rulestore", "mcp", "--repo", bare)
			cmd.Stdin = strings.NewReader(opening + `{"jsonrpc":"2.0","id":"first",` + loan + "\n" + test.asked)
			var out, log strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &log
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			hung := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
			err := cmd.Wait()
			if !hung.Stop() {
				t.Fatalf("it hangs after\n%s\n%s", &out, &log)
			}
			if err != nil {
				t.Errorf("%v\n%s", err, &log)
			}
			for _, answer := range append(test.want, `"id":"open","result":`, `"id":"first","result":`) {
				if strings.Count(out.String(), answer) != 1 {
					t.Errorf("it is not answered with one %s:\n%s", answer, &out)
				}
			}
		})
	}
}
