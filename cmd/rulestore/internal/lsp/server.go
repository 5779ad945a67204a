// Package lsp is a language server (Language Server Protocol 3.17) for what no JSON Schema can say about
// content: it shows the findings of validate while the author types, completes and explains codes and ids,
// goes from them to their definitions and their uses, and shows the next version above an item. Names,
// titles and values of fields are left to the YAML language server, to which init gives the schemas.
//
// # Sources of results
//
// All results come from other packages. The folder is read by loader.TreeReader, with unsaved text in place
// of saved files, and reviewed as validate reviews it; names and their uses come from check.File; the next
// version comes from change.Publish. The outcome is a [state], which does not change.
//
// # The position of the cursor
//
// While somebody types, a file hardly ever parses. So what is at the cursor is found without a parser:
// the indentation of the lines above says which value it is ([cursor]), and the schema what that refers to.
//
// The server speaks over one connection, counts characters in UTF-16, takes whole texts, and changes no files.
package lsp

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"golang.org/x/text/language"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/i18n"
)

// Config is the configuration of the language server.
type Config struct {
	Environ  []string     // of the git that reads the folder
	Language language.Tag // for a client that does not name one
	Version  string       // of this program
	Schemas  content.Schemas
	Now      func() time.Time
	Quiet    time.Duration // without changes, before what was typed is reviewed; 0 is what suits people
	Log      *slog.Logger
}

// server serves one client. Messages are taken one after the other; questions are answered beside what follows.
type server struct {
	Config
	ctx    context.Context // ends with the session
	client jsonrpc2.Conn
	left   chan struct{}  // closed when the client says exit
	work   sync.WaitGroup // of folders

	phase     phase
	refreshes bool                 // the client can be asked to ask for lenses again
	printer   *i18n.Printer        // of the client's language
	folders   map[string]*folder   // by their roots
	documents map[string]*document // what is open, by address
}

// phase is the state of a session.
type phase int

const (
	opening phase = iota // not initialized yet
	serving
	ending // shut down
)

// ErrLeft is the error of [Serve] if the client disconnected without shutdown.
var ErrLeft = i18n.Errorf("the editor went away without shutting the session down")

// Serve serves the client that writes to in and reads from out, until it sends exit or
// disconnects, or the context ends. Without the shutdown request that the protocol requires
// before that, the error is [ErrLeft].
func Serve(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	s := &server{
		Config: c, ctx: ctx, left: make(chan struct{}), printer: printerOf(c.Language),
		client:  jsonrpc2.NewConn(jsonrpc2.NewStream(stdio{in, out})),
		folders: map[string]*folder{}, documents: map[string]*document{},
	}
	defer s.work.Wait()
	defer cancel()
	s.client.Go(ctx, s.handle)
	select {
	case <-s.left:
	case <-s.client.Done():
		if err := s.client.Err(); err != nil {
			return i18n.Errorf("talk to the editor: %w", err)
		}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if s.phase != ending {
		return ErrLeft
	}
	return nil
}

// stdio is a connection that stays open: its ends belong to the caller.
type stdio struct {
	io.Reader
	io.Writer
}

// Close implements io.Closer.
func (stdio) Close() error { return nil }

// params are the parameters of all messages of the protocol that the server takes, those of its fields that it reads.
type params struct {
	Locale       string
	Capabilities struct {
		Workspace struct{ CodeLens struct{ RefreshSupport bool } }
	}
	TextDocument struct {
		URI     string
		Version int32
		Text    string
	}
	ContentChanges []struct{ Text string }
	Position       position
	Context        struct{ IncludeDeclaration bool }
}

// questions are the requests about an open document.
var questions = map[string]func(*server, *document, params) any{
	"textDocument/completion": (*server).completion,
	"textDocument/hover":      (*server).hover,
	"textDocument/definition": (*server).definition,
	"textDocument/references": (*server).references,
	"textDocument/codeLens":   (*server).lenses,
}

// handle acts on a message. A panic is the error of that message alone.
func (s *server) handle(ctx context.Context, r *jsonrpc2.Request) (result any, err error) {
	method := strings.Clone(r.Method())
	crashed := crash.Do(func() { result, err = s.take(ctx, method, r) })
	if crashed != nil {
		crash.Tell(s.Log, crashed, "method", method)
		err = jsonrpc2.Errorf(jsonrpc2.InternalError, "%s: %v", method, crashed)
	}
	if err != nil && !r.IsCall() {
		s.Log.Warn("notification", "method", method, "error", err)
		err = nil // which would end the connection
	}
	return result, err
}

func (s *server) take(ctx context.Context, method string, r *jsonrpc2.Request) (any, error) {
	var p params
	if err := json.Unmarshal(r.Params(), &p); err != nil && len(r.Params()) > 0 {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %v", method, err)
	}
	question := questions[method]
	switch {
	case method == "exit":
		close(s.left)
		return nil, nil
	case s.phase == opening && method != "initialize":
		return nil, jsonrpc2.Errorf(jsonrpc2.ServerNotInitialized, "the session is not initialized yet")
	case s.phase == ending, s.phase == serving && method == "initialize":
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%s comes at the wrong time", method)
	case question == nil:
		return s.act(method, r.IsCall(), p)
	}
	d := s.documents[p.TextDocument.URI]
	if d == nil {
		return nil, nil
	}
	jsonrpc2.Async(ctx)
	return question(s, d, p), nil
}

// act does what a message asks that is no question about a document.
func (s *server) act(method string, isCall bool, p params) (any, error) {
	switch method {
	case "initialize":
		s.phase, s.refreshes = serving, p.Capabilities.Workspace.CodeLens.RefreshSupport
		if tag, ok := languageOf(p.Locale); ok {
			s.printer = printerOf(tag)
		}
		return s.capabilities(), nil
	case "shutdown":
		s.phase = ending
	case "textDocument/didOpen":
		s.opened(p)
	case "textDocument/didChange":
		s.edited(p)
	case "textDocument/didClose":
		s.closed(p)
	case "textDocument/didSave":
		if d := s.documents[p.TextDocument.URI]; d != nil {
			d.folder.touch(func() { d.folder.moved = true })
		}
	default:
		if isCall {
			return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "%s is not offered", method)
		}
	}
	return nil, nil
}

// capabilities is the answer to initialize.
func (s *server) capabilities() any {
	return map[string]any{
		"serverInfo": map[string]any{"name": "rulestore", "version": s.Version},
		"capabilities": map[string]any{
			"positionEncoding":   "utf-16",
			"textDocumentSync":   map[string]any{"openClose": true, "change": 1, "save": true},
			"completionProvider": map[string]any{"triggerCharacters": strings.Split(triggers, "")},
			"hoverProvider":      true, "definitionProvider": true, "referencesProvider": true,
			"codeLensProvider": map[string]any{},
		},
	}
}

// triggers are the characters that start completion.
const triggers = " -\"'[,"
