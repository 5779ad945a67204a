package mcpserver_test

import (
	"io"
	"log/slog"
	"strings"
	"testing"

	"rulestore/server/mcpserver"
	"rulestore/server/site"
)

// ending is a text, and tells when its end was read.
type ending struct {
	io.Reader
	read chan struct{}
}

func (e ending) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err == io.EOF {
		close(e.read)
	}
	return n, err
}

// refusals tells when the first error is written.
type refusals struct {
	strings.Builder
	first chan struct{}
}

func (r *refusals) Write(p []byte) (int, error) {
	if n := strings.Count(r.String(), `"error":`); n == 0 && strings.Contains(string(p), `"error":`) {
		close(r.first)
	}
	return r.Builder.Write(p)
}

// An answer that takes long is waited for after the client has said all, and its id
// is not to be used meanwhile.
func TestSlowAnswerAfterTheEnd(t *testing.T) {
	in := ending{strings.NewReader(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_health","arguments":{}}}
{"jsonrpc":"2.0","id":1,"method":"ping"}
`), make(chan struct{})}
	out := refusals{first: make(chan struct{})}
	r := start(t, starterSite())
	s := must(mcpserver.New(mcpserver.Config{Sites: r, Toolsets: "service", Log: slog.New(slog.DiscardHandler),
		Health: func(s *site.Site) []byte {
			<-in.read
			<-out.first
			return r.health(s)
		}}, r.Current().Math()))
	if err := s.Run(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"id":1,"result":{"_meta":{`, `"id":1,"error":{"code":-32600`} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("not answered with one %s:\n%s", want, &out)
		}
	}
}

// A batch with a notification, of which the SDK would answer nothing, ends nothing: it is
// refused, and what comes next is answered.
func TestBatchWithNotification(t *testing.T) {
	for name, line := range map[string]string{
		"alone":          `[{"jsonrpc":"2.0","method":"notifications/initialized"}]`,
		"two":            `[{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","method":"notifications/initialized"}]`,
		"beside a call":  `[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","method":"notifications/cancelled"}]`,
		"before a call":  `[{"jsonrpc":"2.0","method":"ping"},{"jsonrpc":"2.0","id":"a","method":"ping"}]`,
		"space about it": ` [ {"jsonrpc":"2.0","method":"ping"} ] `,
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, starterSite())
			s := must(mcpserver.New(mcpserver.Config{Sites: r, Toolsets: "service", Log: slog.New(slog.DiscardHandler)},
				r.Current().Math()))
			in := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
` + line + "\n" + line + `
{"jsonrpc":"2.0","id":"P","method":"ping"}
`
			var out strings.Builder
			if err := s.Run(t.Context(), strings.NewReader(in), &out); err != nil {
				t.Fatal(err)
			}
			if strings.Count(out.String(), `"code":-32600`) != 2 ||
				!strings.Contains(out.String(), `"id":"P","result":{}`) {
				t.Errorf("%s", out.String())
			}
		})
	}
}
