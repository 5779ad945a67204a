//go:build slow

package server_test

import (
	"bytes"
	"fmt"
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
	t.Parallel()
	c := warmed(t, starterSite())
	places := map[string]int{
		benchmarked: 1, "/api/v1/guidelines": 1 + currentItems(starterSite(), content.Guidelines),
	}
	for path := range places {
		for _, coding := range site.Encodings {
			c.coded(path, coding)
		}
	}
	for range 3 {
		for path, times := range places {
			for _, coding := range site.Encodings {
				checkCodedTime(t, c, path, coding, times)
			}
		}
		time.Sleep(400 * time.Millisecond)
	}
}

func checkCodedTime(t *testing.T, c client, path, coding string, times int) {
	before := time.Now().Truncate(time.Second)
	r := c.get(path, "Accept-Encoding", coding)
	body, err := unpack(r.header.Get("Content-Encoding"), r.body)
	if err != nil {
		t.Fatal(err)
	}
	all := fetchedAt.FindAll(body, -1)
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

// Programs that others wrote decode what is sent.
func TestCompressionWithCurl(t *testing.T) {
	t.Parallel()
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("curl is not installed: what it makes of the codings is not tried here")
	}
	version := string(must(exec.CommandContext(t.Context(), curl, "--version").Output()))
	c := warmed(t, starterSite())
	for _, test := range compressed {
		plain := c.get(test.path, "Accept", test.accept)
		for _, coding := range site.Encodings {
			if feature := map[string]string{"br": "brotli", "zstd": "zstd",
				"gzip": "libz"}[coding]; !strings.Contains(version, feature) {
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

func TestCompressionWithNode(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: what its zlib makes of the codings is not tried here")
	}
	const script = `
		const zlib = require('zlib'), [coding] = process.argv.slice(1), chunks = []
		const f = {gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync, zstd: zlib.zstdDecompressSync}[coding]
		process.stdin.on('data', c => chunks.push(c)).on('end', () => {
			if (!f) { console.error('not supported'); process.exit(3) }
			process.stdout.write(f(Buffer.concat(chunks)))
		})`
	c := warmed(t, starterSite())
	for i, test := range []struct{ path, accept string }{{benchmarked, jsonType}, {benchmarked, markdownType},
		{"/api/v1/guidelines", ""}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			plain := c.get(test.path, "Accept", test.accept)
			for _, coding := range site.Encodings {
				cmd := exec.CommandContext(t.Context(), node, "-e", script, coding)
				cmd.Stdin = bytes.NewReader(c.coded(test.path, coding, "Accept", test.accept).body)
				out, err := cmd.Output()
				if cmd.ProcessState.ExitCode() == 3 {
					t.Logf("this node does not know %s", coding)
					continue
				}
				if err != nil || !bytes.Equal((response{body: out}).blanked(), plain.blanked()) {
					t.Errorf("%s in %s: %d bytes of %d, %v", test.path, coding, len(out), len(plain.body), err)
				}
			}
		})
	}
}
