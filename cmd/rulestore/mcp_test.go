package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// follower is a client that follows a rule.
type follower struct {
	*mcp.ClientSession
	told chan string
}

func subscribed(t *testing.T, transport mcp.Transport, uri string) follower {
	t.Helper()
	f := follower{told: make(chan string, 100)}
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context,
			n *mcp.ResourceUpdatedNotificationRequest) {
			f.told <- n.Params.URI
		},
	})
	var err error
	if f.ClientSession, err = c.Connect(t.Context(), transport,
		&mcp.ClientSessionOptions{ProtocolVersion: "2026-07-28"}); err != nil {
		t.Fatal(err)
	}
	if err := f.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	return f
}

// await waits to be told of what was published, and reads it.
func (f follower) await(t *testing.T, uri, want string) {
	t.Helper()
	select {
	case got := <-f.told:
		if got != uri {
			t.Errorf("told of %s", got)
		}
	case <-time.After(stuck):
		t.Fatalf("not told of what was pushed within %v", stuck)
	}
	if text := f.text(t, uri); !strings.Contains(text, want) {
		t.Errorf("%s reads %.300s", uri, text)
	}
}

// text reads a resource.
func (f follower) text(t *testing.T, uri string) string {
	t.Helper()
	res, err := f.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		t.Fatal(err)
	}
	return res.Contents[0].Text
}

// An assistant that follows a rule is told when it is pushed, and reads the new version: over HTTP, and
// over stdin and stdout.
func TestPushReachesAssistants(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	uri := "rulestore://guidelines/" + common
	s := start(t, "--repo", bare)
	all := []follower{
		subscribed(t, &mcp.StreamableClientTransport{Endpoint: s.url + "/mcp"}, uri),
		subscribed(t, command(t, "--repo", bare), uri),
	}
	a.publish("1.2.0", "Для ассистентов")
	for _, f := range all {
		f.await(t, uri, "Для ассистентов")
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A stream that is open does not keep the server from stopping.
func TestStopWithOpenStreams(t *testing.T) {
	s := start(t, "--repo", young(t))
	f := subscribed(t, &mcp.StreamableClientTransport{Endpoint: s.url + "/mcp", MaxRetries: -1},
		"rulestore://guidelines/"+common)
	t.Cleanup(func() { _ = f.Close() })
	if err := s.stop(); err != nil { // it names requests that it had to cut off
		t.Error(err)
	}
}

// command starts `rulestore mcp`, and returns its streams.
func command(t *testing.T, args ...string) mcp.Transport {
	t.Helper()
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	log := &lockedBuffer{}
	done := make(chan error, 1)
	go func() {
		done <- run(t.Context(), append([]string{"mcp"}, args...), func(string) string { return "" }, in, out, log)
		out.Close()
	}()
	t.Cleanup(func() {
		requests.Close()
		if err := <-done; err != nil && !errors.Is(err, io.ErrClosedPipe) { // it was about to say something
			t.Errorf("%s: %v\n%s", filepath.Base(args[1]), err, log)
		}
	})
	return &mcp.IOTransport{Reader: answers, Writer: requests}
}

// Whatever is asked, once stdin has ended and what can be answered is answered, the command ends too.
func TestMCPEndsWithStdin(t *testing.T) {
	t.Parallel()
	const (
		opening = `{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-03-26",` +
			`"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
		ping = `"method":"ping"}`
	)
	for asked, want := range map[string][]string{ // each once; what is refused is of server/mcpserver
		``:                                nil,
		`{"jsonrpc":"2.0","ID":7,` + ping: nil, // a notification
		`{"jsonrpc":"2.0","id":7,` + ping + "\n" + `{"jsonrpc":"2.0","id":7,` + ping: nil,
		"\n": nil,
		`[{"jsonrpc":"2.0","id":1,` + ping + `,{"jsonrpc":"2.0","id":2,` + ping + `]`: {`"id":1,"result":`, `"id":2,"result":`},
		`{"jsonrpc":"2.0","id":"listen","method":"subscriptions/listen","params":{"notifications":{` +
			`"resourcesListChanged":true}}}`: nil,
	} {
		t.Run(asked, func(t *testing.T) {
			t.Parallel()
			in := strings.NewReader(opening + `{"jsonrpc":"2.0","id":"first",` + ping + "\n" + asked)
			var out, log lockedBuffer
			if err := run(
				t.Context(), []string{"mcp", "--repo", young(t)}, func(string) string { return "" }, in, &out, &log,
			); err != nil {
				t.Errorf("%v\n%s", err, &log)
			}
			for _, answer := range append(want, `"id":"open","result":`, `"id":"first","result":`) {
				if strings.Count(out.String(), answer) != 1 {
					t.Errorf("it is not answered with one %s:\n%s", answer, &out)
				}
			}
		})
	}
}
