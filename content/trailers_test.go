package content_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
)

var update = flag.Bool("update", false, "write the expectations anew")

// Each file of testdata/messages holds a message and how it is taken apart.
func TestParseMessage(t *testing.T) {
	files, err := filepath.Glob("testdata/messages/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil || len(a.Files) != 2 {
				t.Fatalf("expected a message and its parts: %v", err)
			}
			message, want := string(a.Files[0].Data), a.Files[1].Data
			got := parts(content.ParseMessage(message))
			crlf := parts(content.ParseMessage(strings.ReplaceAll(message, "\n", "\r\n")))
			if got != crlf {
				t.Errorf("with CRLF line ends it reads:\n%s", crlf)
			}
			if *update {
				a.Files[1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// parts writes down everything that a message was taken apart into.
func parts(m content.Message) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "subject %q\n", m.Subject)
	for paragraph := range strings.SplitSeq(m.Body, "\n\n") {
		if paragraph != "" {
			fmt.Fprintf(&b, "body %q\n", paragraph)
		}
	}
	for _, bullet := range m.Bullets() {
		fmt.Fprintf(&b, "bullet %q\n", bullet)
	}
	for _, t := range m.Trailers {
		fmt.Fprintf(&b, "trailer %s=%q\n", t.Key, t.Value)
	}
	return b.String()
}

func TestTextIsTheMessageWithoutTrailers(t *testing.T) {
	for message, want := range map[string]string{
		"":                                     "",
		"Subject\n":                            "Subject",
		"Subject\n\nBody\n\nMore\n":            "Subject\n\nBody\n\nMore",
		"Subject\n\nType: fix\n":               "Subject",
		"Subject\n\nBody\n\nType: fix\n":       "Subject\n\nBody",
		"Two\nlines\n\n\n\n- a\n\nType: fix\n": "Two lines\n\n- a",
	} {
		t.Run(message, func(t *testing.T) {
			if got := content.ParseMessage(message).Text(); got != want {
				t.Errorf("%q: got %q, expected %q", message, got, want)
			}
		})
	}
}

func TestTrailersAreFoundInAnyCase(t *testing.T) {
	trailers := content.Trailers{{Key: "type", Value: "fix"}, {Key: "Type", Value: "feature"}}
	for key, want := range map[string]string{"Type": "fix", "TYPE": "fix", "Typ": "", "Type:": ""} {
		t.Run(key, func(t *testing.T) {
			if got := trailers.Get(key); got != want {
				t.Errorf("Get(%q) = %q, expected %q", key, got, want)
			}
		})
	}
}

func FuzzParseMessage(f *testing.F) {
	f.Add("Subject\n\n- a\n  b\n\nType: fix\n more\n")
	f.Add("Type: fix\r\n\r\n-----BEGIN SSH SIGNATURE-----\r\n")
	f.Add("\n\n \n- \n\n: \nA: b\n")
	f.Fuzz(func(t *testing.T, s string) {
		m := content.ParseMessage(s)
		oneLine(t, "subject", m.Subject)
		for _, b := range m.Bullets() {
			oneLine(t, "bullet", b)
		}
		for _, tr := range m.Trailers {
			oneLine(t, "trailer", tr.Key)
			oneLine(t, "trailer", tr.Value)
			if m.Trailers.Get(tr.Key) == "" && tr.Value != "" {
				t.Errorf("the trailer %q is not found", tr.Key)
			}
		}
		if strings.TrimSpace(m.Text()) != m.Text() {
			t.Errorf("the text begins or ends in space: %q", m.Text())
		}
	})
}

func oneLine(t *testing.T, what, s string) {
	t.Helper()
	if strings.Contains(s, "\n") || strings.TrimSpace(s) != s {
		t.Errorf("%s is not one trimmed line: %q", what, s)
	}
}
