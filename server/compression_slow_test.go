//go:build slow

package server_test

import (
	"bytes"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/server"
	"rulestore/server/site"
)

// Without an encoder, or before it got there, what is asked for is compressed at once.
func TestNotReadyIsCompressedQuickly(t *testing.T) {
	fresh := build(nil, load(readScript("testdata/kinds.txtar")).Snapshot)
	idle := site.NewEncoder() // that nobody runs
	for name, c := range map[string]client{
		"no encoder": ask(t, fresh), "not yet": start(t, server.Config{Sites: serving(fresh), Encoder: idle}),
	} {
		plain := c.get("/api/v1/instructions/assistant")
		for range 400 { // more than can wait
			r := c.get("/api/v1/instructions/assistant", "Accept-Encoding", "gzip")
			body, err := unpack("gzip", r.body)
			if r.status != http.StatusOK || err != nil || !bytes.Equal((response{body: body}).blanked(),
				plain.blanked()) {
				t.Fatalf("%s: %d %v %v", name, r.status, r.header, err)
			}
		}
	}
}

// The time in a coded body is that of the answer, in every one of them, wherever
// it stands.
func TestCodedTime(t *testing.T) {
	c := warmed(t, kindsSite())
	places := map[string]int{
		"/api/v1/instructions/fraud-response": 1,
		"/api/v1/external-parameters":         1 + currentItems(kindsSite(), content.Parameters),
	}
	for range 2 {
		for path, times := range places {
			for _, coding := range site.Encodings {
				before := time.Now().Truncate(time.Second)
				r := c.coded(path, coding)
				all := fetchedAt.FindAll(must(unpack(r.header.Get("Content-Encoding"), r.body)), -1)
				if len(all) != times {
					t.Errorf("%s in %s: %d times", path, coding, len(all))
				}
				for _, field := range all {
					_, text, _ := strings.Cut(string(field), ":")
					at, err := time.Parse(`"`+site.TimeFormat+`"`, text)
					if err != nil || at.Before(before) || at.After(time.Now()) || !bytes.Equal(field, all[0]) {
						t.Errorf("%s in %s: %s, the first is %s", path, coding, field, all[0])
					}
				}
			}
		}
		time.Sleep(time.Second)
	}
}

// A program that others wrote decodes what is sent.
func TestCompressionWithCurl(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("curl is not installed: what it makes of the codings is not tried here")
	}
	version := string(must(exec.CommandContext(t.Context(), curl, "--version").Output()))
	c := warmed(t, kindsSite())
	for _, test := range compressed {
		plain := c.get(test.path, "Accept", test.accept)
		for _, coding := range site.Encodings {
			if feature := map[string]string{"br": "brotli", "gzip": "libz"}[coding]; !strings.Contains(version, feature) {
				t.Logf("this curl does not know %s", coding)
				continue
			}
			c.coded(test.path, coding, "Accept", test.accept)
			cmd := exec.CommandContext(t.Context(), curl, "-fsS", "--compressed", "-H", "Accept-Encoding: "+coding,
				"-H", "Accept: "+test.accept, "-w", `%{stderr}%{header_json}`, c.url+test.path)
			var headers strings.Builder
			cmd.Stderr = &headers
			out, err := cmd.Output()
			if err != nil || !bytes.Equal((response{body: out}).blanked(), plain.blanked()) ||
				!strings.Contains(headers.String(), `["`+coding+`"]`) {
				t.Errorf("%s in %s: %d bytes of %d, %v\n%s", test.path, coding, len(out),
					len(plain.body), err, headers.String())
			}
		}
	}
}
