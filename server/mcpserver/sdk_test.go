package mcpserver_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// quoted are characters that Go's %q writes as JSON has no escape for.
var quoted = map[string]string{"U+0001": "x:\u0001", "U+007F": "x:\u007f", "U+E0001": "x:\U000e0001"}

const mended = "the SDK has mended this: notFound can be mcp.ResourceNotFoundError again, and this test can go"

// The SDK alone, without anything of ours: its error of a URI at which nothing is puts
// the URI into JSON as Go quotes it (mcp/resource.go, v1.8.0), which is no JSON for some
// characters. This fails when that has been mended.
func TestSDKQuotesAsGoDoes(t *testing.T) {
	for name, uri := range quoted {
		t.Run(name, func(t *testing.T) {
			e, ok := errors.AsType[*jsonrpc.Error](mcp.ResourceNotFoundError(uri))
			if !ok || json.Valid(e.Data) {
				t.Error(mended)
			}
		})
	}
}

// What follows from it, with the SDK alone and over each of its transports: the error
// cannot be written, and the session answers nothing any more. This fails when that
// has been mended.
func TestSDKSessionEndsWithTheError(t *testing.T) {
	connect := map[string]func(*testing.T, *mcp.Server) mcp.Transport{
		"stdio": func(t *testing.T, s *mcp.Server) mcp.Transport {
			theirs, ours := mcp.NewInMemoryTransports()
			must(s.Connect(t.Context(), theirs, nil))
			return ours
		},
		"HTTP": func(t *testing.T, s *mcp.Server) mcp.Transport {
			h := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
			t.Cleanup(h.Close)
			return &mcp.StreamableClientTransport{Endpoint: h.URL, MaxRetries: -1}
		},
	}
	for transport, open := range connect {
		for name, uri := range quoted {
			t.Run(transport+"/"+name, func(t *testing.T) {
				s := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
				s.AddResource(&mcp.Resource{Name: "one", URI: "x:one"}, nil)
				c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
				session, err := c.Connect(t.Context(), open(t, s),
					&mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = session.Close() })
				if err := session.Ping(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
				_, read := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
				if _, answered := errors.AsType[*jsonrpc.Error](read); answered &&
					session.Ping(t.Context(), nil) == nil {
					t.Error(mended)
				}
			})
		}
	}
}
