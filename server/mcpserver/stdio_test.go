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

// An answer that takes long is waited for after the client has said all, and a stream is not.
func TestSlowAnswerAfterTheEnd(t *testing.T) {
	in := ending{strings.NewReader(initialize + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"resourcesListChanged":true}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_health","arguments":{}}}
`), make(chan struct{})}
	var out strings.Builder
	r := start(t)
	s := must(mcpserver.New(mcpserver.Config{Sites: r, Toolsets: "service", Log: slog.New(slog.DiscardHandler),
		Health: func(s *site.Site) []byte {
			<-in.read
			return r.health(s)
		}}, r.Current().Math))
	if err := s.Run(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	if strings.Count(out.String(), `"id":3,"result":{"_meta":{`) != 1 {
		t.Errorf("%s", &out)
	}
}

// What is no message ends the conversation with an error, after what was asked before is answered.
func TestNoMessageOverStdio(t *testing.T) {
	for name, line := range map[string]string{
		"no JSON": `{"jsonrpc":`, "no message": `{}`, "too long": `"` + strings.Repeat("x", 300<<10) + `"`,
		"deep": strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t)
			var out strings.Builder
			in := strings.NewReader(initialize + "\n" + line + "\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n")
			if err := r.mcp.Run(t.Context(), in, &out); err == nil ||
				!strings.Contains(out.String(), `"id":1,"result"`) || strings.Contains(out.String(), `"id":2`) {
				t.Errorf("%v %s", err, &out)
			}
		})
	}
}

// What is refused is told with a code, and the conversation goes on.
func TestRefusedOverStdio(t *testing.T) {
	for first, errors := range map[string]int{
		initialize + "\n" + `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`: 1, // it would get another id
		strings.Replace(initialize, `"2025-11-25"`, "5", 1):                           2, // nothing is begun
	} {
		var out strings.Builder
		in := strings.NewReader(first + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n")
		err := start(t).mcp.Run(t.Context(), in, &out)
		said := out.String()
		if err != nil || strings.Count(said, `"error":{"code":-32`) != errors || !strings.Contains(said, `"id":2,`) ||
			strings.Contains(said, `"code":0`) || strings.Contains(said, "900719925474099") {
			t.Errorf("%v %s", err, said)
		}
	}
}

// deaf is a client that is gone after its first answer, and does not say so.
type deaf struct{ answers int }

func (d *deaf) Write(p []byte) (int, error) {
	if d.answers++; d.answers > 1 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

// A write that fails is the end, though the client goes on to speak.
func TestWriteThatFailsOverStdio(t *testing.T) {
	in, requests := io.Pipe()
	defer requests.Close()
	go func() {
		_, _ = io.WriteString(requests, initialize+"\n"+`{"jsonrpc":"2.0","id":2,"method":"ping"}`+"\n")
	}()
	if err := start(t).mcp.Run(t.Context(), in, &deaf{}); err == nil {
		t.Error("it ends as if nothing had happened")
	}
}
