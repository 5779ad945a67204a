package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"rulestore/content/starter"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

// starterRepository is the starter content, published, in a work tree that no test
// writes to.
var starterRepository = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "lsp")
	if err != nil {
		return "", err
	}
	script, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "правила и пробел")
	return dir, gitrepo.Create(dir, script)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := starterRepository(); err == nil {
		_ = os.RemoveAll(filepath.Dir(dir))
	}
	os.Exit(code)
}

// editor is a client with a session.
type editor struct {
	testing.TB
	protocol.Server
	*heard
}

// in is the editor for a part of a test.
func (e *editor) in(t testing.TB) *editor { return &editor{t, e.Server, e.heard} }

// heard is what the server said.
type heard struct {
	conn jsonrpc2.Conn
	dir  string
	log  *lockedBuffer
	over chan error

	mu      sync.Mutex
	told    map[uri.URI]protocol.PublishDiagnosticsParams
	refresh int
	news    chan struct{} // closed when any of these changes
	version int32
	texts   map[string]string // what is open
}

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

// able is a client that can do what editors can.
func able() protocol.ClientCapabilities {
	yes := new(true)
	return protocol.ClientCapabilities{
		General: &protocol.GeneralClientCapabilities{
			PositionEncodings: []protocol.PositionEncodingKind{protocol.PositionEncodingKindUTF16},
		},
		Workspace: &protocol.WorkspaceClientCapabilities{
			CodeLens: &protocol.CodeLensWorkspaceClientCapabilities{RefreshSupport: yes},
		},
		TextDocument: &protocol.TextDocumentClientCapabilities{Hover: &protocol.HoverClientCapabilities{
			ContentFormat: []protocol.MarkupKind{protocol.MarkupKindMarkdown},
		}},
	}
}

// start begins a session in a folder.
func start(t testing.TB, dir string, change ...func(*protocol.InitializeParams)) *editor {
	t.Helper()
	return connect(t, dir).begin(change...)
}

// begin says hello.
func (e *editor) begin(change ...func(*protocol.InitializeParams)) *editor {
	e.Helper()
	root := uri.File(e.dir)
	//lint:ignore SA1019 simple clients send it
	p := &protocol.InitializeParams{RootURI: &root, Capabilities: able()}
	for _, c := range change {
		c(p)
	}
	if _, err := e.Initialize(e.Context(), p); err != nil {
		e.Fatal(err)
	}
	e.must(e.Initialized(e.Context(), &protocol.InitializedParams{}))
	return e
}

// connect starts a server for a client that has said nothing yet.
func connect(t testing.TB, dir string, change ...func(*Config)) *editor {
	t.Helper()
	e := &editor{TB: t, heard: &heard{dir: dir, log: new(lockedBuffer), over: make(chan error, 1),
		told: map[uri.URI]protocol.PublishDiagnosticsParams{}, news: make(chan struct{}), texts: map[string]string{}}}
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	go func() {
		c := config(e.log)
		for _, change := range change {
			change(&c)
		}
		err := Serve(context.Background(), c, toServer, fromServer)
		fromServer.Close()
		toServer.Close()
		e.over <- err
	}()
	e.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(pipe{toClient, fromClient}), jsonrpc2.WithCodec(codec{}))
	e.Server = protocol.ServerDispatcher(e.conn)
	e.conn.Go(context.Background(), e.take)
	t.Cleanup(func() {
		fromClient.Close()
		if err := e.end(); err != nil && !errors.Is(err, ErrLeft) {
			t.Errorf("the server ends with %v", err)
		}
		if log := e.log.String(); strings.Contains(log, "crashed") {
			t.Errorf("the log says\n%s", log)
		}
	})
	return e
}

func config(log io.Writer) Config {
	return Config{
		Version: "test", Schemas: schemas.Embedded(), Log: slog.New(slog.NewTextHandler(log, nil)),
		Now: func() time.Time { return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) },
	}
}

type pipe struct {
	*io.PipeReader
	w *io.PipeWriter
}

func (p pipe) Write(b []byte) (int, error) { return p.w.Write(b) }
func (p pipe) Close() error                { return errors.Join(p.PipeReader.Close(), p.w.Close()) }

// end waits for the server to end.
func (e *editor) end() error {
	err := <-e.over
	e.over <- err
	return err
}

// take takes what the server says.
func (e *heard) take(_ context.Context, req *jsonrpc2.Request) (any, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	defer func() { close(e.news); e.news = make(chan struct{}) }()
	switch req.Method() {
	case protocol.MethodTextDocumentPublishDiagnostics:
		var p protocol.PublishDiagnosticsParams
		err := protocol.Unmarshal(req.Params(), &p)
		e.told[p.URI] = p
		return nil, err
	case protocol.MethodWorkspaceCodeLensRefresh:
		e.refresh++
		return nil, nil
	}
	return nil, fmt.Errorf("the server asks %s", req.Method())
}

// await waits until something holds of what the server said.
func (e *editor) await(what string, holds func() bool) {
	e.Helper()
	deadline := time.After(time.Minute)
	for {
		e.mu.Lock()
		ok, news := holds(), e.news
		e.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-news:
		case <-deadline:
			e.mu.Lock()
			defer e.mu.Unlock()
			for u, p := range e.told {
				for _, d := range p.Diagnostics {
					e.Logf("%s %s %s", filepath.Base(u.FsPath()), describeDiagnostic(d), d.Message)
				}
			}
			e.Fatalf("%s: not within a minute\n%s", what, e.log)
		}
	}
}

func (e *editor) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

func (e *editor) uri(path string) uri.URI { return uri.File(filepath.Join(e.dir, path)) }

func (e *editor) read(path string) string {
	e.Helper()
	raw, err := os.ReadFile(filepath.Join(e.dir, path))
	e.must(err)
	return string(raw)
}

// open opens a file with a text.
func (e *editor) open(path, text string) {
	e.Helper()
	e.version++
	e.texts[path] = text
	e.must(e.DidOpen(e.Context(),
		&protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{URI: e.uri(path),
			LanguageID: "yaml", Version: e.version, Text: text}}))
}

// change gives a file that is open another text, and returns its version.
func (e *editor) change(path, text string) int32 {
	e.Helper()
	e.version++
	e.texts[path] = text
	p := &protocol.DidChangeTextDocumentParams{ContentChanges: []protocol.TextDocumentContentChangeEvent{
		&protocol.TextDocumentContentChangeWholeDocument{Text: text},
	}}
	p.TextDocument.URI, p.TextDocument.Version = e.uri(path), e.version
	e.must(e.DidChange(e.Context(), p))
	return e.version
}

func (e *editor) close(path string) {
	e.Helper()
	delete(e.texts, path)
	e.must(e.DidClose(e.Context(),
		&protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(path)}}))
}

// findings waits until the findings of a file are these: "3:5-3:9 error unknown-code",
// lines and characters counted from 1.
func (e *editor) findings(path string, want ...string) []protocol.Diagnostic {
	e.Helper()
	var last protocol.PublishDiagnosticsParams
	e.await(fmt.Sprintf("%s has the findings %q", path, want), func() bool {
		last = e.told[e.uri(path)]
		var got []string
		for _, d := range last.Diagnostics {
			got = append(got, describeDiagnostic(d))
		}
		return last.URI != "" && slices.Equal(got, want)
	})
	return last.Diagnostics
}

func describeDiagnostic(d protocol.Diagnostic) string {
	return fmt.Sprintf("%s %s %v", describeRange(d.Range), [...]string{"", "error", "warning", "note"}[d.Severity],
		d.Code)
}

func describeRange(r protocol.Range) string {
	return fmt.Sprintf("%d:%d-%d:%d", r.Start.Line+1, r.Start.Character+1, r.End.Line+1, r.End.Character+1)
}

// at opens or changes a file to a text with the cursor in it, and returns where that is.
func (e *editor) at(path, textWithCursor string) protocol.TextDocumentPositionParams {
	e.Helper()
	text, at := marked(e, textWithCursor)
	if _, opened := e.texts[path]; opened {
		e.change(path, string(text.raw))
	} else {
		e.open(path, string(text.raw))
	}
	return protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(path)}, Position: inUTF16.position(text, at),
	}
}

// starterSession is a session in the starter repository.
func starterSession(t testing.TB, change ...func(*protocol.InitializeParams)) *editor {
	t.Helper()
	dir, err := starterRepository()
	if err != nil {
		t.Fatal(err)
	}
	return start(t, dir, change...)
}

// with returns a file of the folder with something in place of something else.
func (e *editor) with(path, old, new string) string {
	e.Helper()
	text := e.read(path)
	if strings.Count(text, old) < 1 {
		e.Fatalf("%s has no %q", path, old)
	}
	return strings.Replace(text, old, new, 1)
}
