//go:build slow

package mcpserver_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// hostileStrings are strings of JSON, with their quotes, as somebody may write them.
var hostileStrings = func() map[string]string {
	all := map[string]string{
		"empty": `""`, "a quote": `"\""`, "a backslash": `"\\"`, "a verb": `"%s%q%!d(MISSING)"`,
		"HTML": `"<script>&"`, "NUL": `"\u0000"`,
		"U+2028": "\"\u2028\u2029\"", "U+2028, escaped": `"\u2028"`, "U+E0001": "\"\U000e0001\"",
		"U+E0001, escaped": `"\udb40\udc01"`,
		"U+FEFF":           "\"\ufeff\"", "U+202E": "\"\u202e\"", "U+FFFD": "\"\ufffd\"", "U+10FFFF": "\"\U0010ffff\"",
		"a noncharacter":   "\"\uffff\"",
		"a high surrogate": `"\ud800"`, "a low surrogate": `"\udfff"`,
		"surrogates the wrong way round": `"\udc00\ud800"`, "half a pair": `"\ud83d\u0041"`,
		"no UTF-8": "\"\xff\xfe\"", "a surrogate in UTF-8": "\"\xed\xa0\x80\"", "half a character": "\"\xd0\"",
		"overlong": "\"\xc0\xaf\"",
		"long":     `"` + strings.Repeat("x", 3000) + `"`, "very long": `"` + strings.Repeat("x", 200<<10) + `"`,
		"long, escaped":       `"` + strings.Repeat(`\u0001`, 3000) + `"`,
		"long, and not ASCII": `"` + strings.Repeat("ж", 3000) + `"`,
	}
	for c := rune(1); c < 0xa0; c++ {
		switch {
		case c < 0x20:
			all[fmt.Sprintf("U+%04X, escaped", c)] = fmt.Sprintf(`"x\u%04x"`, c)
		case c >= 0x7f:
			all[fmt.Sprintf("U+%04X", c)] = `"x` + string(c) + `"`
		}
	}
	return all
}()

// askers are the ways to ask: both eras, and no session, over HTTP and stdio.
func askers(t *testing.T, r *running) map[string]asker {
	return map[string]asker{
		"2025-11-25 over HTTP": r.asker("2025-11-25",
			map[string]string{"Mcp-Session-Id": r.open(), "Mcp-Protocol-Version": "2025-11-25"}),
		"2026-07-28 over HTTP":         r.asker("2026-07-28", map[string]string{"Mcp-Protocol-Version": "2026-07-28"}),
		"2025-11-25 without a session": r.asker("2025-11-25", nil),
		"2025-11-25 over stdio":        r.piped(t, "2025-11-25"),
		"2026-07-28 over stdio":        r.piped(t, "2026-07-28"),
	}
}

// Whatever a string holds, wherever it stands, each request gets one answer that is
// well-formed, and what is asked next is answered as ever.
func TestEveryStringIsAnswered(t *testing.T) {
	manyValues(t)
	r := start(t, starterSite())
	for name, ask := range askers(t, r) {
		version, _, _ := strings.Cut(name, " ")
		ping := request("the id", `"ping"`, version)
		if version >= "2026-07-28" {
			ping = request("a cursor", `""`, version)
		}
		for _, position := range slices.Sorted(maps.Keys(positions)) {
			t.Run(name+"/"+position, func(t *testing.T) {
				for _, value := range slices.Sorted(maps.Keys(hostileStrings)) {
					sent := request(position, hostileStrings[value], version)
					if answer, err := ask(sent); err != nil {
						t.Fatalf("%s: %v", value, err)
					} else if err := answered(sent, answer); err != nil {
						t.Errorf("%s: %v", value, err)
					}
				}
				if answer, err := ask(ping); err != nil || !bytes.Contains(answer, []byte(`"result":`)) {
					t.Errorf("what is asked next gets %s, %v", answer, err)
				}
			})
		}
	}
}

// What was asked with long strings is not kept.
func TestNothingIsKept(t *testing.T) {
	manyValues(t)
	r := start(t, starterSite())
	const long, times = 200 << 10, 20
	kept := []string{"the id", "a resource", "what is followed", "a progress token", "a client",
		"a string for what is completed"}
	for name, ask := range askers(t, r) {
		version, _, _ := strings.Cut(name, " ")
		t.Run(name, func(t *testing.T) {
			before, sent := heap(), 0
			for i := range times {
				value := fmt.Sprintf(`"%d%s\u0001"`, i, strings.Repeat("x", long))
				for _, position := range kept {
					if _, err := ask(request(position, value, version)); err != nil {
						t.Fatal(err)
					}
					sent += len(value)
				}
			}
			http.DefaultClient.CloseIdleConnections()
			if grown := int64(heap()) - int64(before); grown > int64(sent)/3 {
				t.Errorf("%d KB are kept of %d", grown>>10, sent>>10)
			}
		})
	}
}
