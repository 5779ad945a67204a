package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"rulestore/content"
	"rulestore/content/check"
)

// spoken is what a server answers to bytes, message by message, and how it ends.
func spoken(t *testing.T, in string) (answers []string, err error) {
	t.Helper()
	return spokenBy(t, config(io.Discard), in)
}

func spokenBy(t *testing.T, c Config, in string) (answers []string, err error) {
	t.Helper()
	out, w := io.Pipe()
	over := make(chan error, 1)
	go func() {
		over <- Serve(t.Context(), c, strings.NewReader(in), w)
		w.Close()
	}()
	r := bufio.NewReader(out)
	for {
		var length int
		if _, err := fmt.Fscanf(r, "Content-Length: %d\r\n\r\n", &length); err != nil {
			return answers, <-over
		}
		raw := make([]byte, length)
		if _, err := io.ReadFull(r, raw); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, string(raw))
	}
}

func message(s string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(s), s) }

const (
	hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"processId":null,` +
		`"rootUri":null,"capabilities":{}}}`
	shutdown = `{"jsonrpc":"2.0","id":"bye","method":"shutdown"}`
	exit     = `{"jsonrpc":"2.0","method":"exit"}`
)

// Whatever a client says, the session goes on: what is no message is answered as the
// protocol wants, and what comes after it is answered too.
func TestMessages(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"no JSON", message("nonsense"), `"code":-32700`},
		{"half of it", message(`{"jsonrpc":"2.0","id":1,`), `"code":-32700`},
		{"no message", message(`{"jsonrpc":"2.0"}`), `"code":-32600`},
		{"another protocol", message(`{"jsonrpc":"1.0","id":1,"method":"shutdown"}`), `"code":-32600`},
		{"a list", message(`[{"jsonrpc":"2.0","id":1,"method":"textDocument/hover"}]`), `"code":-32600`},
		{"an empty message", message(""), `"code":-32700`},
		{"deep JSON", message(strings.Repeat("[", 100000)), `"code":-326`},
		{"not UTF-8", message("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}"), `"id":1,"error"`},
		{"an unknown method", message(`{"jsonrpc":"2.0","id":1,"method":"textDocument/nonsense","params":{}}`),
			`"id":1,"error":{"code":-32601`},
		{"a method that is not offered",
			message(`{"jsonrpc":"2.0","id":1,"method":"textDocument/formatting",` +
				`"params":{"textDocument":{"uri":"file:///a"},"options":{"tabSize":1,"insertSpaces":true}}}`),
			`"id":1,"error":{"code":-32601`},
		{"an unknown notification", message(`{"jsonrpc":"2.0","method":"$/nonsense","params":{}}`), ""},
		{"params that are none", message(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":[1]}`),
			`"id":1,"error":{"code":-32602`},
		{"params of another kind", message(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover",` +
			`"params":{"textDocument":1,"position":{"line":-1,"character":1e99}}}`), `"id":1,"error":{"code":-32602`},
		{"a notification with wrong params", message(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":7}`),
			""},
		{"a cancellation of nothing", message(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}`), ""},
		{"a wrong cancellation", message(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}`), ""},
		{"an answer that nobody asked for", message(`{"jsonrpc":"2.0","id":77,"result":null}`), ""},
		{"a second beginning", message(strings.Replace(hello, `"hello"`, "1", 1)), `"id":1,"error":{"code":-32600`},
		{"a document that is no file",
			message(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover",` +
				`"params":{"textDocument":{"uri":"untitled:Untitled-1"},"position":{"line":0,"character":0}}}`),
			`"id":1,"result":null`},
		{"an odd address", message(`{"jsonrpc":"2.0","id":1,"method":"textDocument/completion",` +
			`"params":{"textDocument":{"uri":"%%%"},"position":{"line":0,"character":0}}}`), `"id":1,`},
		{"a change of what is not open",
			message(`{"jsonrpc":"2.0","method":"textDocument/didChange",` +
				`"params":{"textDocument":{"uri":"file:///a.yaml","version":2},"contentChanges":[{"text":"a"}]}}`), ""},
		{"another header", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + message("nonsense"),
			`"code":-32700`},
		{"a message that is too long", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", maxMessage+1,
			strings.Repeat(" ", maxMessage+1)), `"code":-32600`},
	} {
		t.Run(c.name, func(t *testing.T) {
			answers, err := spoken(t, message(hello)+c.in+message(shutdown)+message(exit))
			if err != nil {
				t.Errorf("it ends with %v", err)
			}
			all := strings.Join(answers, "\n")
			for _, want := range []string{`"id":"hello","result":{"capabilities"`, `"id":"bye","result":null`, c.want} {
				if !strings.Contains(all, want) {
					t.Errorf("it does not answer %s but\n%s", want, all)
				}
			}
			if expected := map[bool]int{true: 2, false: 3}[c.want == ""]; len(answers) != expected {
				t.Errorf("%d answers:\n%s", len(answers), all)
			}
		})
	}
}

// How a session ends decides the exit code; calls are answered before it does, even if the
// client has said all that it has to say.
func TestEndings(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     error
		answers  int
	}{
		{"shutdown and exit", message(hello) + message(shutdown) + message(exit), nil, 2},
		{"shutdown and silence", message(hello) + message(shutdown), nil, 2},
		{"exit alone", message(hello) + message(exit), ErrLeft, 1},
		{"exit before anything", message(exit), ErrLeft, 0},
		{"silence", "", ErrLeft, 0},
		{"silence after a request", message(hello) +
			message(`{"jsonrpc":"2.0","id":1,"method":"workspace/executeCommand","params":{"command":"x"}}`), ErrLeft,
			2},
		{"a request before the beginning",
			message(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}`) + message(exit), ErrLeft, 1},
		{"a request after the end", message(hello) + message(shutdown) +
			message(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}`) + message(exit), nil, 3},
		{"half a message", message(hello) + "Content-Length: 10\r\n\r\n{", io.ErrUnexpectedEOF, 1},
		{"half a header", message(hello) + "Content-Le", io.ErrUnexpectedEOF, 1},
		{"no length", message(hello) + "Content-Type: x\r\n\r\n", errAny, 1},
		{"a negative length", message(hello) + "Content-Length: -1\r\n\r\n", errAny, 1},
		{"a length that is none", message(hello) + "Content-Length: 1x\r\n\r\n", errAny, 1},
		{"an endless header", message(hello) + strings.Repeat("x", 1<<20), errAny, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			answers, err := spoken(t, c.in)
			if !errors.Is(err, c.want) && (c.want != errAny || err == nil) {
				t.Errorf("it ends with %v, expected %v", err, c.want)
			}
			if len(answers) != c.answers {
				t.Errorf("%d answers: %q", len(answers), answers)
			}
		})
	}
}

var errAny = errors.New("any error")

// The session ends with the context.
func TestEndOfContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	in, w := io.Pipe()
	defer w.Close()
	over := make(chan error, 1)
	go func() { over <- Serve(ctx, config(io.Discard), in, io.Discard) }()
	why := errors.New("told to end")
	cancel(why)
	if err := <-over; !errors.Is(err, why) {
		t.Errorf("it ends with %v", err)
	}
}

// A crash is the error of one request.
func TestCrash(t *testing.T) {
	log := new(lockedBuffer)
	s := &server{log: config(log).Log, phase: serving}
	handler := s.guarded(func(context.Context, *jsonrpc2.Request) (any, error) { panic("boom") })
	a, b := io.Pipe()
	c, d := io.Pipe()
	client, serving := jsonrpc2.NewConn(jsonrpc2.NewStream(pipe{a, d})),
		jsonrpc2.NewConn(jsonrpc2.NewStream(pipe{c, b}))
	serving.Go(t.Context(), handler)
	client.Go(t.Context(), jsonrpc2.MethodNotFoundHandler)
	defer client.Close()
	for range 2 { // the second shows that the session goes on
		if err := client.Notify(t.Context(), "x", nil); err != nil {
			t.Fatal(err)
		}
		var wire *jsonrpc2.Error
		if _, err := client.Call(t.Context(), "y", nil, nil); !errors.As(err, &wire) ||
			wire.Code != jsonrpc2.InternalError || !strings.Contains(wire.Message, "boom") {
			t.Errorf("%v", err)
		}
	}
	if !strings.Contains(log.String(), "protocol_test.go") {
		t.Errorf("the log has no stack:\n%s", log)
	}
}

// crashing are schemas that nobody can read.
type crashing struct{ content.Schemas }

func (crashing) Schema(string, string) content.Schema { panic("boom") }

// If the review of a folder crashes, requests are answered all the same.
func TestCrashOfReview(t *testing.T) {
	dir := t.TempDir()
	save(t, dir, "rulestore.yaml", settingsFile)
	c := config(io.Discard)
	c.Schemas = crashing{c.Schemas}
	hover := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover",`+
		`"params":{"textDocument":{"uri":%q},"position":{"line":0,"character":1}}}`,
		uri.File(filepath.Join(dir, "rulestore.yaml")))
	begin := strings.Replace(hello, `"rootUri":null`, fmt.Sprintf(`"rootUri":%q`, uri.File(dir)), 1)
	answers, err := spokenBy(t, c, message(begin)+message(hover)+message(shutdown)+message(exit))
	if all := strings.Join(answers, "\n"); err != nil || !strings.Contains(all, `"id":1,`) {
		t.Errorf("%v\n%s", err, all)
	}
}

// What is said of a client's abilities is what it is offered.
func TestCapabilities(t *testing.T) {
	answers, err := spoken(t, message(hello)+message(shutdown)+message(exit))
	if err != nil || len(answers) != 2 {
		t.Fatal(answers, err)
	}
	var answer struct{ Result protocol.InitializeResult }
	if err := json.Unmarshal([]byte(answers[0]), &struct{ Result *json.RawMessage }{}); err != nil {
		t.Fatal(err)
	}
	raw := strings.TrimSuffix(strings.SplitN(answers[0], `"result":`, 2)[1], "}")
	if err := protocol.Unmarshal([]byte(raw), &answer.Result); err != nil {
		t.Fatal(err)
	}
	c := answer.Result.Capabilities
	if c.PositionEncoding != "utf-16" || c.CompletionProvider == nil || c.HoverProvider == nil ||
		c.DefinitionProvider == nil || c.ReferencesProvider == nil ||
		c.CodeLensProvider == nil ||
		c.TextDocumentSync == nil || answer.Result.ServerInfo.Name != "rulestore" {
		t.Errorf("%s", raw)
	}
}

// Edits are taken as the protocol means them: one after the other, by the units of the
// client, beyond the end and backwards too.
func TestEdits(t *testing.T) {
	part := func(text string, at ...uint32) protocol.TextDocumentContentChangeEvent {
		return &protocol.TextDocumentContentChangePartial{Text: text, Range: protocol.Range{
			Start: protocol.Position{Line: at[0], Character: at[1]},
			End:   protocol.Position{Line: at[2], Character: at[3]},
		}}
	}
	for _, c := range []struct {
		name, text string
		units      encoding
		changes    []protocol.TextDocumentContentChangeEvent
		want       string
	}{
		{"an insertion", "ab\ncd\n", inUTF16, []protocol.TextDocumentContentChangeEvent{part("X", 1, 1, 1, 1)},
			"ab\ncXd\n"},
		{"two, the second after the first", "ab\n", inUTF16,
			[]protocol.TextDocumentContentChangeEvent{part("X", 0, 0, 0, 0), part("Y", 0, 1, 0, 2)}, "XYb\n"},
		{"over lines", "ab\ncd\nef\n", inUTF16, []protocol.TextDocumentContentChangeEvent{part("X", 0, 1, 2, 1)},
			"aXf\n"},
		{"all", "ab\n", inUTF16,
			[]protocol.TextDocumentContentChangeEvent{&protocol.TextDocumentContentChangeWholeDocument{Text: "x"},
				part("y", 0, 1, 0, 1)}, "xy"},
		{"Cyrillic in UTF-16", "ёж\n", inUTF16, []protocol.TextDocumentContentChangeEvent{part("X", 0, 1, 0, 1)},
			"ёXж\n"},
		{"Cyrillic in UTF-8", "ёж\n", inUTF8, []protocol.TextDocumentContentChangeEvent{part("X", 0, 2, 0, 2)},
			"ёXж\n"},
		{"astral in UTF-16", "𝔸b\n", inUTF16, []protocol.TextDocumentContentChangeEvent{part("X", 0, 2, 0, 3)}, "𝔸X\n"},
		{"astral in UTF-8", "𝔸b\n", inUTF8, []protocol.TextDocumentContentChangeEvent{part("X", 0, 4, 0, 5)}, "𝔸X\n"},
		{"inside of a character", "𝔸b\n", inUTF16, []protocol.TextDocumentContentChangeEvent{part("X", 0, 1, 0, 1)},
			"X𝔸b\n"},
		{"beyond the line", "ab\ncd\n", inUTF16, []protocol.TextDocumentContentChangeEvent{part("X", 0, 99, 0, 99)},
			"abX\ncd\n"},
		{"beyond the end", "ab\n", inUTF16, []protocol.TextDocumentContentChangeEvent{part("X", 99, 0, 99, 9)},
			"ab\nX"},
		{"backwards", "abcd\n", inUTF16, []protocol.TextDocumentContentChangeEvent{part("X", 0, 3, 0, 1)}, "aXd\n"},
		{"all kinds of lines", "a\rb\r\nc\nd", inUTF16, []protocol.TextDocumentContentChangeEvent{part("X", 3, 0, 3, 1),
			part("Y", 2, 0, 2, 1), part("Z", 1, 0, 1, 1)}, "a\rZ\r\nY\nX"},
		{"nothing", "", inUTF16, []protocol.TextDocumentContentChangeEvent{part("X", 0, 0, 0, 0)}, "X"},
		{"the largest numbers", "ab", inUTF16, []protocol.TextDocumentContentChangeEvent{part("X", 0, 0,
			1<<32-1, 1<<32-1)}, "X"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.units.edited(newText([]byte(c.text)), c.changes); string(got.raw) != c.want {
				t.Errorf("%q, expected %q", got.raw, c.want)
			}
		})
	}
}

// Folders without git, without content, empty or gone: there is an answer, and a file in
// them is checked.
func TestFolders(t *testing.T) {
	one := strings.ReplaceAll(scenarioFile, "NAME", "one") + "typo: 1\n"
	for _, c := range []struct {
		name string
		make func(t *testing.T, dir string)
		lens string
	}{
		{"an empty folder", func(*testing.T, string) {}, "what is published cannot be seen"},
		{"a folder without git", func(t *testing.T, dir string) {
			save(t, dir, "rulestore.yaml", settingsFile)
		}, "what is published cannot be seen"},
		{"an empty repository", func(t *testing.T, dir string) { git(t, dir, "init", "-q") },
			"a draft that cannot be published: 1 error"},
		{"a repository with nothing published", func(t *testing.T, dir string) {
			git(t, dir, "init", "-q", "-b", "main")
			save(t, dir, "rulestore.yaml", settingsFile)
			git(t, dir, "add", ".")
			git(t, dir, "commit", "-q", "-m", "Begin")
		}, "a draft that cannot be published: 1 error"},
		{"content in a folder of a repository", func(t *testing.T, dir string) {
			git(t, filepath.Dir(dir), "init", "-q")
			save(t, dir, "rulestore.yaml", settingsFile)
		}, "a draft that cannot be published: 1 error"},
		{"a folder that is gone", func(t *testing.T, dir string) {
			if err := os.Remove(dir); err != nil {
				t.Fatal(err)
			}
		}, "what is published cannot be seen"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "folder")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			c.make(t, dir)
			e := start(t, dir)
			e.open("scenarios/one.yaml", one)
			e.findings("scenarios/one.yaml", "5:1-5:5 error unknown-field")
			if got := titles(e.lenses("scenarios/one.yaml")); got[0] != c.lens {
				t.Errorf("it says %q\n%s", got, e.log)
			}
		})
	}
}

func save(t *testing.T, dir, path, text string) {
	t.Helper()
	(&editor{TB: t, heard: &heard{dir: dir}}).write(path, text)
}

// Files outside of the folder are left alone, also those that links lead to.
func TestOutside(t *testing.T) {
	e := small(t)
	outside := uri.File(filepath.Join(filepath.Dir(e.dir), "scenarios/one.yaml"))
	e.must(e.DidOpen(t.Context(),
		&protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{URI: outside, Text: "a: ["}}))
	h, err := e.Hover(t.Context(), &protocol.HoverParams{
		TextDocumentPositionParams: protocol.TextDocumentPositionParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: outside},
		},
	})
	if h != nil || err != nil {
		t.Errorf("%v, %v", h, err)
	}
	e.open("scenarios/one.yaml", "a: [")
	e.findings("scenarios/one.yaml", "1:1-1:2 error syntax")
	e.mu.Lock()
	defer e.mu.Unlock()
	if p, told := e.told[outside]; told {
		t.Errorf("it says %v", p)
	}
}

// A link to the folder is the folder.
func TestLinkToFolder(t *testing.T) {
	real := small(t)
	link := filepath.Join(t.TempDir(), "link")
	real.must(os.Symlink(real.dir, link))
	e := start(t, link)
	e.open("scenarios/one.yaml", "typo: [")
	e.await("it is checked", func() bool { return len(e.told[e.uri("scenarios/one.yaml")].Diagnostics) > 0 })
}

// A document that is far too large is told so, can be made smaller, and asks for no work.
func TestHugeDocument(t *testing.T) {
	e := small(t)
	const path = "scenarios/one.yaml"
	one := strings.ReplaceAll(scenarioFile, "NAME", "one")
	e.open(path, one+strings.Repeat("# Слова и слова\n", 1<<17))
	e.findings(path, "1:1-1:1 error size")
	if got := labels(e.offeredAt(path, 5, 0)); len(got) > 0 {
		t.Errorf("it offers %q", got)
	}
	e.change(path, one+strings.Repeat("#", check.MaxSize-len(one)-1)+"\n")
	e.findings(path)
}

func (e *editor) offeredAt(path string, line, character uint32) []protocol.CompletionItem {
	e.Helper()
	got, err := e.Completion(e.Context(),
		&protocol.CompletionParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(path)},
			Position:     protocol.Position{Line: line, Character: character},
		}})
	e.must(err)
	list, _ := got.(*protocol.CompletionList)
	if list == nil {
		return nil
	}
	return list.Items
}

// A client without a folder is helped with the repository of the file that it opens.
func TestFileAlone(t *testing.T) {
	made := small(t)
	e := start(t, made.dir, func(p *protocol.InitializeParams) {
		*p = protocol.InitializeParams{Capabilities: p.Capabilities}
	})
	e.open("scenarios/one.yaml", strings.ReplaceAll(scenarioFile, "NAME", "one")+"product_types: [deposti]\n")
	e.findings("scenarios/one.yaml", "5:17-5:24 error unknown-code")
}

// Folders come and go.
func TestWorkspaceFolders(t *testing.T) {
	made, other := small(t), t.TempDir()
	e := start(t, other)
	folder := protocol.WorkspaceFolder{URI: uri.File(made.dir), Name: "rules"}
	change := func(event protocol.WorkspaceFoldersChangeEvent) {
		e.must(e.DidChangeWorkspaceFolders(t.Context(), &protocol.DidChangeWorkspaceFoldersParams{Event: event}))
	}
	folders, none := []protocol.WorkspaceFolder{folder}, []protocol.WorkspaceFolder{}
	change(protocol.WorkspaceFoldersChangeEvent{Added: folders, Removed: none})
	e.dir = made.dir
	e.open("scenarios/one.yaml", "typo: [")
	e.await("it is checked", func() bool { return len(e.told[e.uri("scenarios/one.yaml")].Diagnostics) > 0 })
	change(protocol.WorkspaceFoldersChangeEvent{Removed: folders, Added: none})
	if got := e.lenses("scenarios/one.yaml"); len(got) > 0 {
		t.Errorf("it says %q", titles(got))
	}
}

// What is saved beside the editor counts, whether or not the client tells of it.
func TestSavedElsewhere(t *testing.T) {
	e := small(t)
	const path = "scenarios/one.yaml"
	e.open(path, strings.ReplaceAll(scenarioFile, "NAME", "one")+"product_types: [card]\n")
	e.findings(path, "5:17-5:21 error unknown-code")
	e.write("registries/taxonomy.yaml", taxonomyFile+"  - {code: card, title: Карта}\n")
	e.findings(path)
	e.write("registries/taxonomy.yaml", taxonomyFile)
	e.must(e.DidChangeWatchedFiles(t.Context(), &protocol.DidChangeWatchedFilesParams{Changes: []protocol.FileEvent{}}))
	e.findings(path, "5:17-5:21 error unknown-code")
}

// A request that the client takes back is over at once, even if what it waits for never
// comes.
func TestCancel(t *testing.T) {
	s := &server{Config: config(io.Discard), log: config(io.Discard).Log, phase: serving, ctx: t.Context()}
	f := &folder{server: s, root: "/none"}
	for i := range f.known {
		f.known[i] = make(chan struct{})
	}
	s.folders = []*folder{f}
	a, b := io.Pipe()
	c, d := io.Pipe()
	client, served := jsonrpc2.NewConn(jsonrpc2.NewStream(pipe{a, d}), jsonrpc2.WithCodec(codec{})),
		jsonrpc2.NewConn(jsonrpc2.NewStream(pipe{c, b}), jsonrpc2.WithCodec(codec{}))
	served.Go(t.Context(), s.guarded(s.cancellable(protocol.ServerHandler(s, nil))))
	client.Go(t.Context(), jsonrpc2.MethodNotFoundHandler)
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := protocol.ServerDispatcher(client).Hover(ctx, &protocol.HoverParams{
		TextDocumentPositionParams: protocol.TextDocumentPositionParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: "file:///none/a.yaml"},
		},
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if err := protocol.ServerDispatcher(client).Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := served.Close(); err != nil { // it waits for the request
		t.Error(err)
	}
}
