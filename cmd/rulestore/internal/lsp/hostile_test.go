package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"rulestore/content"
)

func framed(s string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(s), s) }

var (
	hello    = framed(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"capabilities":{}}}`)
	shutdown = framed(`{"jsonrpc":"2.0","id":"bye","method":"shutdown"}`)
	exit     = framed(`{"jsonrpc":"2.0","method":"exit"}`)
)

// asked is a request about a file with parameters.
func asked(method, params string) string {
	return framed(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"textDocument/%s","params":%s}`, method, params))
}

// told is a notification.
func told(method, params string) string {
	return framed(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/%s","params":%s}`, method, params))
}

// lockedBuffer is what several write to.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.String()
}

// Whatever a client says, it is answered as the protocol wants, and so is what comes after it; what is no message ends
// the session with an error.
func TestHostileClient(t *testing.T) {
	const none = `{"textDocument":{"uri":"file:///none/a.yaml"},"position":{"line":0,"character":0}}`
	for _, c := range []struct{ name, in, answer, err string }{
		{"an unknown method", asked("nonsense", "{}"), `"id":1,"error":{"code":-32601`, ""},
		{"a method that is not offered", asked("rename", none), `"id":1,"error":{"code":-32601`, ""},
		{"an unknown notification", framed(`{"jsonrpc":"2.0","method":"$/nonsense","params":{}}`), "", ""},
		{"a cancellation", framed(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}`), "", ""},
		{"a second beginning", strings.Replace(hello, `"hello"`, `1      `, 1), `"id":1,"error":{"code":-32600`, ""},
		{"a request after the end", shutdown + asked("hover", none), `"id":1,"error":{"code":-32600`, ""},
		{"params of another kind", asked("hover", `{"position":{"line":-1}}`), `"id":1,"error":{"code":-32602`, ""},
		{"a notification with wrong params", framed(`{"jsonrpc":"2.0","method":"x","params":7}`), "", ""},
		{"deep JSON", asked("hover", strings.Repeat("[", 100000)+strings.Repeat("]", 100000)),
			`"id":1,"error":{"code":-32602`, ""},
		{"a document that is not open", asked("hover", none), `"id":1,"result":null`, ""},
		{"a document that is no file", told("didOpen", `{"textDocument":{"uri":"untitled:1","text":"a"}}`) +
			asked("hover", `{"textDocument":{"uri":"untitled:1"}}`), `"id":1,"result":null`, ""},
		{"an odd address", told("didOpen", `{"textDocument":{"uri":"%%%","text":"a"}}`), "", ""},
		{"an answer that nobody asked for", framed(`{"jsonrpc":"2.0","id":77,"result":null}`), "", ""},
		{"another header", "Content-Type: x\r\n" + asked("nonsense", "{}"), `"id":1,"error":{"code":-32601`, ""},
		{"no JSON", framed("nonsense"), "", "talk to the editor"},
		{"half a message", "Content-Length: 9999\r\n\r\n{", "", "talk to the editor"},
		{"half a header", "Content-Le", "", "talk to the editor"},
		{"no length", "Content-Type: x\r\n\r\n", "", "talk to the editor"},
		{"a negative length", "Content-Length: -1\r\n\r\n", "", "talk to the editor"},
		{"a message that is far too long", "Content-Length: 9999999999\r\n\r\n", "", "talk to the editor"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, out := hello+c.in, new(lockedBuffer)
			if c.err == "" {
				in += shutdown + exit
			}
			err := Serve(t.Context(), config(t.Output()), strings.NewReader(in), out)
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("it ends with %v, expected %q", err, c.err)
			}
			for _, want := range []string{`"id":"hello","result":{`, c.answer} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("it does not answer %s but\n%s", want, out)
				}
			}
			if c.err == "" && !strings.Contains(out.String(), `"id":"bye"`) {
				t.Errorf("it does not go on:\n%s", out)
			}
		})
	}
}

// How a session ends decides the exit code; it ends too if the client reads no more.
func TestEndings(t *testing.T) {
	for _, c := range []struct {
		name, in string
		out      io.Writer
		want     error
	}{
		{"shutdown and exit", hello + shutdown + exit, io.Discard, nil},
		{"shutdown and silence", hello + shutdown, io.Discard, nil},
		{"exit alone", hello + exit, io.Discard, ErrLeft},
		{"silence", "", io.Discard, ErrLeft},
		{"a request before the beginning", asked("hover", "{}") + exit, io.Discard, ErrLeft},
		{"a client that reads nothing", hello + asked("hover", "{}"), closedWriter{}, ErrLeft},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := Serve(t.Context(), config(io.Discard), strings.NewReader(c.in), c.out); !errors.Is(err, c.want) {
				t.Errorf("it ends with %v, expected %v", err, c.want)
			}
		})
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("told to end")
	cancel(why)
	in, w := io.Pipe()
	defer w.Close()
	if err := Serve(ctx, config(io.Discard), in, io.Discard); !errors.Is(err, why) {
		t.Errorf("with the context it ends with %v", err)
	}
}

type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// crashing are schemas that nobody can read.
type crashing struct{ content.Schemas }

func (crashing) Formats(string) []string { panic("boom") }

// A crash is the error of one request; the session goes on.
func TestCrash(t *testing.T) {
	dir, log, out := t.TempDir(), new(lockedBuffer), new(lockedBuffer)
	save(t, dir, "rulestore.yaml", settingsFile)
	c := config(log)
	c.Schemas = crashing{c.Schemas}
	document := fmt.Sprintf(`{"textDocument":{"uri":%q,"text":"title: a"}}`, fileURI(dir+"/rulestore.yaml"))
	in, w := io.Pipe()
	go func() {
		_, _ = io.WriteString(w, hello+told("didOpen", document)+asked("hover", document))
		for !strings.Contains(out.String(), `"id":1`) && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
		_, _ = io.WriteString(w, shutdown+exit)
	}()
	err := Serve(t.Context(), c, in, out)
	const crashed = `"id":1,"error":{"code":-32603,"message":"textDocument/hover: crashed`
	said, logged := strings.Contains(out.String(), crashed), strings.Contains(log.String(), "hostile_test.go")
	if err != nil || !said || !logged || !strings.Contains(out.String(), `"id":"bye"`) {
		t.Errorf("%v\n%s\n%s", err, out, log)
	}
}

// A text of many megabytes is taken, told to be too large, and asks for little work.
func TestHugeText(t *testing.T) {
	e := small(t, "")
	begun := time.Now()
	e.open(two, scenario("two", "loan")+strings.Repeat("# Слова и слова\n", 1<<18))
	e.findings(two, "1:1-1:1 size")
	if got := e.offered(two, "product_types: [¦]\n"+strings.Repeat("#", 1<<22)); len(got) != 2 {
		t.Errorf("it offers %q", got)
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("that took %v", took)
	}
}
