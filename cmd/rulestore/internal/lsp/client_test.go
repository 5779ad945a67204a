package lsp

import (
	"bytes"
	"context"
	"encoding/json"
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

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
)

// sixRepository is that of six items, published, in a work tree that no test writes to.
var sixRepository = sync.OnceValues(func() (string, error) {
	script, err := gittest.ParseTxtar(sixItems())
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "lsp")
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "правила и пробел")
	return dir, git.Create(dir, script)
})

// sixItems are the files of the six items and their history.
func sixItems() *txtar.Archive {
	archive, err := txtar.ParseFile(filepath.Join("..", "..", "..", "..", "loader", "author", "testdata", "six.txtar"))
	if err != nil {
		panic(err)
	}
	return archive
}

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := sixRepository(); err == nil {
		_ = os.RemoveAll(filepath.Dir(dir))
	}
	os.Exit(code)
}

// editor is a client with a session.
type editor struct {
	testing.TB
	*heard
}

// in is the editor for a part of a test.
func (e *editor) in(t testing.TB) *editor { return &editor{t, e.heard} }

// heard is what the server said.
type heard struct {
	wire *wire
	dir  string
	log  *lockedBuffer
	over chan error

	mu      sync.Mutex
	asked   map[string]chan *message // by id
	told    map[documentURI]diagnosticsParams
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
func able() (c clientCapabilities) {
	c.General.PositionEncodings = []encoding{inUTF16}
	c.Workspace.CodeLens.RefreshSupport = true
	c.TextDocument.Hover.ContentFormat = []string{markdownKind}
	return c
}

// start begins a session in a folder.
func start(t testing.TB, dir string, change ...func(*initializeParams)) *editor {
	t.Helper()
	return connect(t, dir).begin(change...)
}

// begin says hello.
func (e *editor) begin(change ...func(*initializeParams)) *editor {
	e.Helper()
	p := &initializeParams{RootURI: fileURI(e.dir), Capabilities: able()}
	for _, c := range change {
		c(p)
	}
	e.ask("initialize", p, new(initializeResult))
	e.tell("initialized", struct{}{})
	return e
}

// connect starts a server for a client that has said nothing yet.
func connect(t testing.TB, dir string, change ...func(*Config)) *editor {
	t.Helper()
	e := &editor{TB: t, heard: &heard{dir: dir, log: new(lockedBuffer), over: make(chan error, 1),
		asked: map[string]chan *message{}, told: map[documentURI]diagnosticsParams{}, news: make(chan struct{}),
		texts: map[string]string{}}}
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
	e.wire = newWire(toClient, fromClient)
	go e.listen()
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

// ask sends a request and reads its result.
func (e *editor) ask(method string, params, result any) {
	e.Helper()
	e.mu.Lock()
	id := fmt.Sprint(len(e.asked) + 1)
	answer := make(chan *message, 1)
	e.asked[id] = answer
	e.mu.Unlock()
	raw, err := json.Marshal(params)
	e.must(err)
	e.must(e.wire.write(message{JSONRPC: "2.0", ID: json.RawMessage(id), Method: method, Params: raw}))
	m := <-answer
	if m.Error != nil {
		e.Fatalf("%s: %s", method, m.Error)
	}
	e.must(json.Unmarshal(m.Result, result))
}

// tell sends a notification.
func (e *editor) tell(method string, params any) {
	e.Helper()
	e.must(e.wire.notify(method, params))
}

// end waits for the server to end.
func (e *editor) end() error {
	err := <-e.over
	e.over <- err
	return err
}

// listen takes what the server says.
func (e *heard) listen() {
	for {
		m, err := e.wire.read()
		if err != nil {
			return
		}
		e.mu.Lock()
		switch {
		case m.Method == "":
			e.asked[string(m.ID)] <- m
		case m.Method == "textDocument/publishDiagnostics":
			var p diagnosticsParams
			if err := m.decode(&p); err != nil {
				panic(err)
			}
			e.told[p.URI] = p
		case m.Method == "workspace/codeLens/refresh" && m.ID != nil:
			e.refresh++
			_ = e.wire.answer(m.ID, nil, nil)
		default:
			panic("the server says " + m.Method)
		}
		close(e.news)
		e.news = make(chan struct{})
		e.mu.Unlock()
	}
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
					e.Logf("%s %s %s", filepath.Base(string(u)), describeDiagnostic(d), d.Message)
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

func (e *editor) uri(path string) documentURI { return fileURI(filepath.Join(e.dir, path)) }

// document is the parameters of a request about a file as a whole.
func (e *editor) document(path string) documentParams {
	return documentParams{TextDocument: textDocument{URI: e.uri(path)}}
}

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
	e.tell("textDocument/didOpen", documentParams{TextDocument: textDocument{e.uri(path), e.version, text}})
}

// change gives a file that is open another text, and returns its version.
func (e *editor) change(path, text string) int32 {
	e.Helper()
	e.version++
	e.texts[path] = text
	e.tell("textDocument/didChange", documentParams{
		TextDocument: textDocument{URI: e.uri(path), Version: e.version}, ContentChanges: []contentChange{{nil, text}},
	})
	return e.version
}

func (e *editor) close(path string) {
	e.Helper()
	delete(e.texts, path)
	e.tell("textDocument/didClose", e.document(path))
}

// findings waits until the findings of a file are these: "3:5-3:9 error unknown-code",
// lines and characters counted from 1.
func (e *editor) findings(path string, want ...string) []diagnostic {
	e.Helper()
	var last diagnosticsParams
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

func describeDiagnostic(d diagnostic) string {
	return fmt.Sprintf("%s %s %v", describeRange(d.Range), [...]string{"", "error", "warning", "note"}[d.Severity],
		d.Code)
}

func describeRange(r textRange) string {
	return fmt.Sprintf("%d:%d-%d:%d", r.Start.Line+1, r.Start.Character+1, r.End.Line+1, r.End.Character+1)
}

// at opens or changes a file to a text with the cursor in it, and returns where that is.
func (e *editor) at(path, textWithCursor string) documentParams {
	e.Helper()
	text, at := marked(e, textWithCursor)
	if _, opened := e.texts[path]; opened {
		e.change(path, string(text.raw))
	} else {
		e.open(path, string(text.raw))
	}
	p := e.document(path)
	p.Position = inUTF16.position(text, at)
	return p
}

// six is a session in the repository of six items.
func six(t testing.TB, change ...func(*initializeParams)) *editor {
	t.Helper()
	dir, err := sixRepository()
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
