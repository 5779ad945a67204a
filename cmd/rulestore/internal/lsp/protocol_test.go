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

func framed(s string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(s), s) }

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
		{"no JSON", framed("nonsense"), `"code":-32700`},
		{"another protocol", framed(`{"jsonrpc":"1.0","id":1,"method":"shutdown"}`), `"code":-32600`},
		{"a list", framed(`[{"jsonrpc":"2.0","id":1,"method":"textDocument/hover"}]`), `"code":-32600`},
		{"deep JSON", framed(strings.Repeat("[", 100000)), `"code":-326`},
		{"not UTF-8", framed("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}"), `"id":1,"error"`},
		{"an unknown method", framed(`{"jsonrpc":"2.0","id":1,"method":"textDocument/nonsense","params":{}}`),
			`"id":1,"error":{"code":-32601`},
		{"a method that is not offered",
			framed(`{"jsonrpc":"2.0","id":1,"method":"textDocument/formatting",` +
				`"params":{"textDocument":{"uri":"file:///a"},"options":{"tabSize":1,"insertSpaces":true}}}`),
			`"id":1,"error":{"code":-32601`},
		{"an unknown notification", framed(`{"jsonrpc":"2.0","method":"$/nonsense","params":{}}`), ""},
		{"params that are none", framed(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":[1]}`),
			`"id":1,"error":{"code":-32602`},
		{"params of another kind", framed(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover",` +
			`"params":{"textDocument":1,"position":{"line":-1,"character":1e99}}}`), `"id":1,"error":{"code":-32602`},
		{"a notification with wrong params", framed(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":7}`),
			""},
		{"a cancellation of nothing", framed(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}`), ""},
		{"a wrong cancellation", framed(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}`), ""},
		{"an answer that nobody asked for", framed(`{"jsonrpc":"2.0","id":77,"result":null}`), ""},
		{"a second beginning", framed(strings.Replace(hello, `"hello"`, "1", 1)), `"id":1,"error":{"code":-32600`},
		{"a document that is no file",
			framed(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover",` +
				`"params":{"textDocument":{"uri":"untitled:Untitled-1"},"position":{"line":0,"character":0}}}`),
			`"id":1,"result":null`},
		{"an odd address", framed(`{"jsonrpc":"2.0","id":1,"method":"textDocument/completion",` +
			`"params":{"textDocument":{"uri":"%%%"},"position":{"line":0,"character":0}}}`), `"id":1,`},
		{"a change of what is not open",
			framed(`{"jsonrpc":"2.0","method":"textDocument/didChange",` +
				`"params":{"textDocument":{"uri":"file:///a.yaml","version":2},"contentChanges":[{"text":"a"}]}}`), ""},
		{"another header", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + framed("nonsense"),
			`"code":-32700`},
		{"a message that is too long", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", maxMessage+1,
			strings.Repeat(" ", maxMessage+1)), `"code":-32600`},
	} {
		t.Run(c.name, func(t *testing.T) {
			answers, err := spoken(t, framed(hello)+c.in+framed(shutdown)+framed(exit))
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
		{"shutdown and exit", framed(hello) + framed(shutdown) + framed(exit), nil, 2},
		{"shutdown and silence", framed(hello) + framed(shutdown), nil, 2},
		{"exit alone", framed(hello) + framed(exit), ErrLeft, 1},
		{"silence", "", ErrLeft, 0},
		{"silence after a request", framed(hello) +
			framed(`{"jsonrpc":"2.0","id":1,"method":"workspace/executeCommand","params":{"command":"x"}}`), ErrLeft,
			2},
		{"a request before the beginning",
			framed(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}`) + framed(exit), ErrLeft, 1},
		{"a request after the end", framed(hello) + framed(shutdown) +
			framed(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}`) + framed(exit), nil, 3},
		{"half a message", framed(hello) + "Content-Length: 10\r\n\r\n{", io.ErrUnexpectedEOF, 1},
		{"half a header", framed(hello) + "Content-Le", io.ErrUnexpectedEOF, 1},
		{"no length", framed(hello) + "Content-Type: x\r\n\r\n", errAny, 1},
		{"a negative length", framed(hello) + "Content-Length: -1\r\n\r\n", errAny, 1},
		{"a length that is none", framed(hello) + "Content-Length: 1x\r\n\r\n", errAny, 1},
		{"an endless header", framed(hello) + strings.Repeat("x", 1<<20), errAny, 1},
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

// crashing are schemas that nobody can read.
type crashing struct{ content.Schemas }

func (crashing) Schema(string, string) content.Schema { panic("boom") }

// A crash is the error of one request, and if the review of a folder crashes, requests are answered all
// the same.
func TestCrash(t *testing.T) {
	dir, log := t.TempDir(), new(lockedBuffer)
	save(t, dir, "rulestore.yaml", settingsFile)
	c := config(log)
	c.Schemas = crashing{c.Schemas}
	begin := framed(strings.Replace(hello, `"rootUri":null`, fmt.Sprintf(`"rootUri":%q`, fileURI(dir)), 1))
	begin += framed(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":`+
		`{"uri":%q,"languageId":"yaml","version":1,"text":"title: a"}}}`, fileURI(filepath.Join(dir, "rulestore.yaml"))))
	for id := range 2 { // the second shows that the session goes on
		begin += framed(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/hover",`+
			`"params":{"textDocument":{"uri":%q},"position":{"line":0,"character":1}}}`,
			id, fileURI(filepath.Join(dir, "rulestore.yaml"))))
	}
	answers, err := spokenBy(t, c, begin+framed(shutdown)+framed(exit))
	all := strings.Join(answers, "\n")
	for id := range 2 {
		want := fmt.Sprintf(`"id":%d,"error":{"code":-32603,"message":"textDocument/hover: crashed: boom"}`, id)
		if err != nil || !strings.Contains(all, want) {
			t.Errorf("%v, and not %s\n%s", err, want, all)
		}
	}
	if !strings.Contains(log.String(), "protocol_test.go") {
		t.Errorf("the log has no stack:\n%s", log)
	}
}

// What is said of a client's abilities is what it is offered.
func TestCapabilities(t *testing.T) {
	answers, err := spoken(t, framed(hello)+framed(shutdown)+framed(exit))
	if err != nil || len(answers) != 2 {
		t.Fatal(answers, err)
	}
	const want = `{"jsonrpc":"2.0","id":"hello","result":{"capabilities":{"positionEncoding":"utf-16",` +
		`"textDocumentSync":{"openClose":true,"change":2,"save":true},` +
		`"completionProvider":{"triggerCharacters":[":"," ","-","\"","'","[","{",","]},"hoverProvider":true,` +
		`"definitionProvider":true,"referencesProvider":true,"codeLensProvider":{},` +
		`"workspace":{"workspaceFolders":{"supported":true,"changeNotifications":true}}},` +
		`"serverInfo":{"name":"rulestore","version":"test"}}}`
	if answers[0] != want {
		t.Errorf("%s\nexpected\n%s", answers[0], want)
	}
}

// Edits are taken as the protocol means them: one after the other, by the units of the
// client, beyond the end and backwards too.
func TestEdits(t *testing.T) {
	part := func(text string, at ...uint32) contentChange {
		return contentChange{&textRange{position{at[0], at[1]}, position{at[2], at[3]}}, text}
	}
	for _, c := range []struct {
		name, text string
		units      encoding
		changes    []contentChange
		want       string
	}{
		{"an insertion", "ab\ncd\n", inUTF16, []contentChange{part("X", 1, 1, 1, 1)},
			"ab\ncXd\n"},
		{"two, the second after the first", "ab\n", inUTF16,
			[]contentChange{part("X", 0, 0, 0, 0), part("Y", 0, 1, 0, 2)}, "XYb\n"},
		{"over lines", "ab\ncd\nef\n", inUTF16, []contentChange{part("X", 0, 1, 2, 1)},
			"aXf\n"},
		{"all", "ab\n", inUTF16,
			[]contentChange{{nil, "x"},
				part("y", 0, 1, 0, 1)}, "xy"},
		{"Cyrillic in UTF-16", "ёж\n", inUTF16, []contentChange{part("X", 0, 1, 0, 1)},
			"ёXж\n"},
		{"Cyrillic in UTF-8", "ёж\n", inUTF8, []contentChange{part("X", 0, 2, 0, 2)},
			"ёXж\n"},
		{"astral in UTF-16", "𝔸b\n", inUTF16, []contentChange{part("X", 0, 2, 0, 3)}, "𝔸X\n"},
		{"astral in UTF-8", "𝔸b\n", inUTF8, []contentChange{part("X", 0, 4, 0, 5)}, "𝔸X\n"},
		{"inside of a character", "𝔸b\n", inUTF16, []contentChange{part("X", 0, 1, 0, 1)},
			"X𝔸b\n"},
		{"beyond the line", "ab\ncd\n", inUTF16, []contentChange{part("X", 0, 99, 0, 99)},
			"abX\ncd\n"},
		{"beyond the end", "ab\n", inUTF16, []contentChange{part("X", 99, 0, 99, 9)},
			"ab\nX"},
		{"backwards", "abcd\n", inUTF16, []contentChange{part("X", 0, 3, 0, 1)}, "aXd\n"},
		{"all kinds of lines", "a\rb\r\nc\nd", inUTF16, []contentChange{part("X", 3, 0, 3, 1),
			part("Y", 2, 0, 2, 1), part("Z", 1, 0, 1, 1)}, "a\rZ\r\nY\nX"},
		{"nothing", "", inUTF16, []contentChange{part("X", 0, 0, 0, 0)}, "X"},
		{"the largest numbers", "ab", inUTF16, []contentChange{part("X", 0, 0,
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
		{"an empty repository", func(t *testing.T, dir string) { runGit(t, dir, "init", "-q") },
			"a draft that cannot be published: 1 error"},
		{"a repository with nothing published", func(t *testing.T, dir string) {
			runGit(t, dir, "init", "-q", "-b", "main")
			save(t, dir, "rulestore.yaml", settingsFile)
			runGit(t, dir, "add", ".")
			runGit(t, dir, "commit", "-q", "-m", "Begin")
		}, "a draft that cannot be published: 1 error"},
		{"content in a folder of a repository", func(t *testing.T, dir string) {
			runGit(t, filepath.Dir(dir), "init", "-q")
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
	outside := fileURI(filepath.Join(filepath.Dir(e.dir), "scenarios/one.yaml"))
	e.tell("textDocument/didOpen", documentParams{TextDocument: textDocument{URI: outside, Text: "a: ["}})
	var h *hover
	e.ask("textDocument/hover", documentParams{TextDocument: textDocument{URI: outside}}, &h)
	if h != nil {
		t.Errorf("%v", h)
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

func (e *editor) offeredAt(path string, line, character uint32) []completionItem {
	e.Helper()
	var list completionList
	at := e.document(path)
	at.Position = position{line, character}
	e.ask("textDocument/completion", at, &list)
	return list.Items
}

// A client without a folder is helped with the repository of the file that it opens.
func TestFileAlone(t *testing.T) {
	made := small(t)
	e := start(t, made.dir, func(p *initializeParams) {
		*p = initializeParams{Capabilities: p.Capabilities}
	})
	e.open("scenarios/one.yaml", strings.ReplaceAll(scenarioFile, "NAME", "one")+"product_types: [deposti]\n")
	e.findings("scenarios/one.yaml", "5:17-5:24 error unknown-code")
}

// Folders come and go.
func TestWorkspaceFolders(t *testing.T) {
	made, other := small(t), t.TempDir()
	e := start(t, other)
	var come, left foldersParams
	come.Event.Added = []workspaceFolder{{fileURI(made.dir), "rules"}}
	left.Event.Removed = come.Event.Added
	e.tell("workspace/didChangeWorkspaceFolders", come)
	e.dir = made.dir
	e.open("scenarios/one.yaml", "typo: [")
	e.await("it is checked", func() bool { return len(e.told[e.uri("scenarios/one.yaml")].Diagnostics) > 0 })
	e.tell("workspace/didChangeWorkspaceFolders", left)
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
	e.tell("workspace/didChangeWatchedFiles", struct{}{})
	e.findings(path, "5:17-5:21 error unknown-code")
}

// A request that the client takes back is over at once, even if what it waits for never
// comes.
func TestCancel(t *testing.T) {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	client := newWire(toClient, fromClient)
	s := &server{
		Config: config(io.Discard), log: config(io.Discard).Log, phase: serving, ctx: t.Context(),
		wire: newWire(toServer, fromServer),
	}
	f := &folder{server: s, root: "/none"}
	for i := range f.known {
		f.known[i] = make(chan struct{})
	}
	s.folders = []*folder{f}
	over := make(chan error, 1)
	go func() { over <- s.listen() }()
	for _, m := range []string{
		`{"jsonrpc":"2.0","id":"a","method":"textDocument/hover","params":{"textDocument":{"uri":"file:///none/a"}}}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"a"}}`, shutdown,
	} {
		if err := client.write(json.RawMessage(m)); err != nil {
			t.Fatal(err)
		}
	}
	codes := map[string]string{}
	for range 2 {
		m, err := client.read()
		if err != nil {
			t.Fatal(err)
		}
		codes[string(m.ID)] = string(m.Error)
	}
	if len(codes) != 2 || !strings.Contains(codes[`"a"`], "-32800") || codes[`"bye"`] != "" {
		t.Errorf("%q", codes)
	}
	fromClient.Close()
	if err := <-over; err != nil {
		t.Error(err)
	}
}
