package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"go.lsp.dev/jsonrpc2"

	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
)

const (
	scenarioFile = "scenario_id: NAME\nschema_version: \"1.0\"\ntitle: Сценарий\ndescription: Описание сценария.\n"
	taxonomyFile = "registry_id: service.taxonomy.001\nschema_version: \"1.0\"\ntitle: Таксономия\n" +
		"description: Коды видов продуктов.\nscenarios: [{code: one, title: Один}]\n" +
		"product_types:\n  - {code: deposit, title: Вклад}\n  - {code: loan, title: Заём}\n"
	settingsFile = "schema_version: \"1.0\"\nservice: test\ntitle: Проверка\ndescription: Репозиторий для проверки.\n" +
		"audience: ИИ-ассистенты\ndefault_language: ru\ndisclaimer: Это проверка.\ndemo: true\nscenarios: [one]\n"
	workFile = "instruction_id: service.work.001\nschema_version: \"1.0\"\ntitle: Работа\n" +
		"summary: Описание работы.\nscenarios: [one]\nsteps: [{step: 1, code: CHECK, title: Проверить, instructions: " +
		"[Сравнить условия.]}]\nvalid_from: 2026-01-01\n"
	marksFile = "schema_version: \"1.0\"\nmarks:\n" +
		"  - {item: scenarios/one, version: 0.9.0, status: archived, reason: Проверка, since: 2026-01-01}\n"

	one, two, three, four = "scenarios/one.yaml", "scenarios/two.yaml", "scenarios/three.yaml", "scenarios/four.yaml"
	taxonomy              = "registries/taxonomy.yaml"
)

// scenario is the file of a scenario.
func scenario(name, types string) string {
	return strings.ReplaceAll(scenarioFile, "NAME", name) + "product_types: [" + types + "]\n"
}

// editor is a client with a session in a folder.
type editor struct {
	testing.TB
	*heard
}

// in is the editor for a part of a test.
func (e *editor) in(t testing.TB) *editor { return &editor{t, e.heard} }

// heard is what the server said.
type heard struct {
	conn jsonrpc2.Conn
	dir  string

	mu      sync.Mutex
	told    map[string]diagnosticsParams
	refresh int
	news    chan struct{} // closed when any of these changes
	version int32
	texts   map[string]string // what is open
}

// start begins a session in a folder.
func start(t testing.TB, dir, locale string) *editor {
	t.Helper()
	e := &editor{t, &heard{
		dir: dir, told: map[string]diagnosticsParams{}, news: make(chan struct{}), texts: map[string]string{},
	}}
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	over := make(chan error, 1)
	go func() {
		over <- Serve(context.Background(), config(t.Output()), toServer, fromServer)
		fromServer.Close()
	}()
	e.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(stdio{toClient, fromClient}))
	e.conn.Go(t.Context(), e.hear)
	e.ask("initialize", map[string]any{
		"locale": locale, "capabilities": map[string]any{"workspace": map[string]any{"codeLens": map[string]any{
			"refreshSupport": true,
		}}},
	}, nil)
	t.Cleanup(func() {
		fromClient.Close()
		if err := <-over; !errors.Is(err, ErrLeft) {
			t.Errorf("the server ends with %v", err)
		}
	})
	return e
}

func config(log io.Writer) Config {
	return Config{
		Version: "test", Schemas: schemas.Embedded(), Log: slog.New(slog.NewTextHandler(log, nil)),
		Quiet: time.Millisecond,
		Now:   func() time.Time { return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) },
	}
}

// hear takes what the server says.
func (e *editor) hear(_ context.Context, r *jsonrpc2.Request) (any, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch r.Method() {
	case "textDocument/publishDiagnostics":
		var p diagnosticsParams
		if err := jsonrpc2.DefaultCodec.Unmarshal(r.Params(), &p); err != nil {
			return nil, err
		}
		e.told[p.URI] = p
	case "workspace/codeLens/refresh":
		e.refresh++
	default:
		panic("the server says " + r.Method())
	}
	close(e.news)
	e.news = make(chan struct{})
	return nil, nil
}

// ask sends a request and reads its result.
func (e *editor) ask(method string, params, result any) {
	e.Helper()
	_, err := e.conn.Call(context.Background(), method, params, result)
	e.must(err)
}

// tell sends a notification.
func (e *editor) tell(method string, params any) {
	e.Helper()
	e.must(e.conn.Notify(context.Background(), method, params))
}

func (e *editor) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
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
			e.Fatalf("%s: not within a minute, but %v", what, e.told)
		}
	}
}

func (e *editor) uri(path string) string { return fileURI(filepath.Join(e.dir, path)) }

// document is the parameters of a request about a file.
func (e *editor) document(path string, more map[string]any) map[string]any {
	p := map[string]any{"textDocument": map[string]any{"uri": e.uri(path), "version": e.version, "text": e.texts[path]}}
	for name, value := range more {
		p[name] = value
	}
	return p
}

// open opens a file with a text, or changes one that is open.
func (e *editor) open(path, text string) {
	e.Helper()
	e.version++
	_, opened := e.texts[path]
	e.texts[path] = text
	if opened {
		e.tell("textDocument/didChange", e.document(path, map[string]any{"contentChanges": []any{
			map[string]any{"text": text},
		}}))
		return
	}
	e.tell("textDocument/didOpen", e.document(path, nil))
}

func (e *editor) close(path string) {
	e.Helper()
	e.tell("textDocument/didClose", e.document(path, nil))
	delete(e.texts, path)
}

// cursor marks the position in a text of a test.
const cursorMark = "¦"

// at opens or changes a file to a text with the cursor in it, and returns the parameters of a question there.
func (e *editor) at(path, textWithCursor string) map[string]any {
	e.Helper()
	before, after, found := strings.Cut(textWithCursor, cursorMark)
	if !found {
		e.Fatalf("no cursor in %q", textWithCursor)
	}
	e.open(path, before+after)
	t := newText([]byte(before))
	return e.document(path, map[string]any{"position": t.position(len(t)-1, len(t[len(t)-1]))})
}

// findings waits until the findings of a file are these: "3:5-3:9 unknown-code", lines and characters
// counted from 1.
func (e *editor) findings(path string, want ...string) []diagnostic {
	e.Helper()
	var last diagnosticsParams
	e.await(fmt.Sprintf("%s has the findings %q", path, want), func() bool {
		last = e.told[e.uri(path)]
		var got []string
		for _, d := range last.Diagnostics {
			r := d.Range
			got = append(got, fmt.Sprintf("%d:%d-%d:%d %s", r.Start.Line+1, r.Start.Character+1, r.End.Line+1,
				r.End.Character+1, d.Code))
		}
		return last.URI != "" && slices.Equal(got, want)
	})
	return last.Diagnostics
}

// small is a session in a small repository that the test may write to: two scenarios,
// the codes that they use, and an instruction, published at different times.
func small(t testing.TB, locale string) *editor {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "правила и пробел")
	script, err := gittest.ParseTxtar(txtar.Parse([]byte("-- commit 2026-02-02T10:00:00+03:00 --\nBegin\n" +
		"-- rulestore.yaml --\n" + settingsFile + "-- registries/taxonomy.yaml --\n" + taxonomyFile +
		"-- scenarios/one.yaml --\n" + scenario("one", "deposit, loan") +
		"-- scenarios/two.yaml --\n" + scenario("two", "loan") +
		"-- instructions/work.yaml --\n" + workFile + "-- lifecycle.yaml --\n" + marksFile +
		"-- tag registries/taxonomy/v1.2.0 --\nTaxonomy\n-- tag scenarios/one/v1.0.0 --\nOne\n" +
		"-- tag instructions/work/v1.2.1 --\nWork\n")))
	if err == nil {
		err = git.Create(dir, script)
	}
	if err != nil {
		t.Fatal(err)
	}
	return start(t, dir, locale)
}

// save writes a file.
func save(t testing.TB, dir, path, text string) {
	t.Helper()
	file := filepath.Join(dir, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func runGit(t testing.TB, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "maintenance.auto=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=a",
		"GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// read returns a file as it is saved.
func (e *editor) read(path string) string {
	e.Helper()
	raw, err := os.ReadFile(filepath.Join(e.dir, path))
	e.must(err)
	return string(raw)
}
