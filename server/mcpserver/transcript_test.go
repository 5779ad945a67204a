package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the transcripts anew")

// Conversations as they are on the wire, of a small repository in which every kind
// occurs. A file of a transcript is a request, named by the revision that it
// speaks, and then the answer.
func TestTranscripts(t *testing.T) {
	files := must(filepath.Glob("testdata/transcripts/*.txtar"))
	if len(files) == 0 {
		t.Fatal("there are none")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a := must(txtar.ParseFile(file))
			before := txtar.Format(a)
			spoken := speak(t, start(t), a)
			after := txtar.Format(spoken)
			switch {
			case bytes.Equal(before, after):
			case *update:
				if err := os.WriteFile(file, after, 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("the conversation differs (go test -update writes it anew); it is\n%s", after)
			}
		})
	}
}

// speak sends the requests of a transcript, and returns it with the answers.
func speak(t *testing.T, r *running, a *txtar.Archive) *txtar.Archive {
	t.Helper()
	spoken := &txtar.Archive{Comment: a.Comment}
	for _, f := range a.Files {
		if f.Name == "answer" {
			continue
		}
		method, version, _ := strings.Cut(f.Name, " ")
		headers := map[string]string{"Mcp-Protocol-Version": version}
		if version >= "2026-07-28" {
			mirror(headers, method, f.Data)
		}
		res, body := r.ask(http.MethodPost, "/mcp", string(f.Data), headers)
		spoken.Files = append(spoken.Files, f, txtar.File{Name: "answer", Data: readable(t, res, []byte(body))})
	}
	return spoken
}

// mirror sets the headers that say what the body does, as 2026-07-28 wants it.
func mirror(headers map[string]string, method string, body []byte) {
	var m struct{ Params struct{ Name, URI string } }
	_ = json.Unmarshal(body, &m) // what is no JSON mirrors nothing
	headers["Mcp-Method"] = method
	if name := m.Params.Name + m.Params.URI; name != "" && strings.ContainsAny(method, "cg") &&
		!strings.HasPrefix(method, "skills/") {
		headers["Mcp-Name"] = name
	}
}

// readable writes an answer for people, but for the time it was given.
func readable(t *testing.T, res *http.Response, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d %s\n", res.StatusCode, res.Header.Get("Content-Type"))
	if _, data, ok := bytes.Cut(body, []byte("data: ")); ok {
		body = data
	}
	if len(bytes.TrimSpace(body)) > 0 {
		body = regexp.MustCompile(`(\\?"fetched_at\\?":\s*\\?")[^"\\]*`).ReplaceAll(body, []byte("${1}…"))
		if err := json.Indent(&b, bytes.TrimSpace(body), "", "  "); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}
