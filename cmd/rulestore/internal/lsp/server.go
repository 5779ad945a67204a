package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/language"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/i18n"
)

// Config is the configuration of the language server.
type Config struct {
	Environ  []string     // of the git that reads the folder
	Repo     string       // the folder with the content; "" for the workspace folders of the client
	Language language.Tag // for a client that does not name one
	Version  string       // of this program
	Schemas  content.Schemas
	Now      func() time.Time
	Log      *slog.Logger
}

// server serves one client.
type server struct {
	Config
	schemas content.Schemas
	now     func() time.Time
	log     *slog.Logger
	ctx     context.Context // ends with the session
	wire    *wire
	calls   sync.WaitGroup // requests without an answer
	work    sync.WaitGroup // folders
	cancels sync.Map       // context.CancelFunc of requests, by id

	mu          sync.Mutex
	phase       phase
	can         abilities
	units       encoding
	tongue      localizer
	folderPaths []string // of the client's workspace
	folders     []*folder
}

// phase is the state of a session.
type phase int

const (
	opening phase = iota // not initialized yet
	serving
	ending // shut down
)

// abilities are the optional features of the client.
type abilities struct {
	hover, completion markup
	refresh           bool // ask for lenses again
}

// ErrLeft is the error of [Serve] if the client disconnected without shutdown.
var ErrLeft = i18n.Errorf("the editor went away without shutting the session down")

// Serve serves the client that writes to in and reads from out, until it sends exit or
// disconnects, or the context ends. Without the shutdown request that the protocol requires
// before that, the error is [ErrLeft].
func Serve(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	s := &server{
		Config: c, schemas: c.Schemas, now: c.Now, log: c.Log, ctx: ctx,
		wire: newWire(in, out), units: inUTF16, tongue: tongueFor(c.Language),
	}
	defer s.wire.out.finish()
	defer s.work.Wait()
	defer cancel()
	over := make(chan error, 1)
	go func() {
		err := s.listen()
		s.calls.Wait() // what was asked is answered
		over <- err
	}()
	select {
	case err := <-over:
		if err != nil {
			return i18n.Errorf("talk to the editor: %w", err)
		}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if s.at() != ending {
		return ErrLeft
	}
	return nil
}

// listen takes messages until the client sends exit or disconnects.
func (s *server) listen() error {
	for {
		m, err := s.wire.read()
		var invalid *rpcError
		switch {
		case errors.As(err, &invalid):
			err = s.wire.answer(nil, nil, invalid)
		case err == io.EOF || err == nil && m.Method == "exit":
			return nil
		case err == nil && m.Method != "":
			err = s.take(m)
		}
		if err != nil {
			return err
		}
	}
}

// take acts on a request or a notification. Requests about a document are answered beside what follows.
func (s *server) take(m *message) error {
	if err := s.inPhase(m.Method); err != nil {
		return s.finish(m, nil, err)
	}
	question := questions[m.Method]
	if question == nil {
		result, err := s.rescued(m, func() (any, error) { return s.act(m) })
		return s.finish(m, result, err)
	}
	var p documentParams
	if err := m.decode(&p); err != nil {
		return s.finish(m, nil, err)
	}
	f, path := s.folderOf(p.TextDocument.URI)
	if f == nil {
		return s.finish(m, nil, nil)
	}
	open := f.buffer(path)
	ctx, cancel := context.WithCancel(s.ctx)
	s.cancels.Store(string(m.ID), cancel)
	s.calls.Go(func() {
		defer cancel()
		defer s.cancels.Delete(string(m.ID))
		result, err := s.rescued(m, func() (any, error) {
			q, err := f.ask(ctx, path, open)
			if q == nil || err != nil {
				return nil, err
			}
			return question(q, ctx, p)
		})
		_ = s.finish(m, result, err) // whoever writes next hears of the error
	})
	return nil
}

// act does what a message asks that is no question about a document.
func (s *server) act(m *message) (result any, err error) {
	var p documentParams
	switch m.Method {
	case "initialize":
		var p initializeParams
		if err = m.decode(&p); err == nil {
			result = s.initialize(p)
		}
	case "workspace/didChangeWorkspaceFolders":
		var p foldersParams
		if err = m.decode(&p); err == nil {
			s.changeFolders(p)
		}
	case "textDocument/didOpen":
		if err = m.decode(&p); err == nil {
			s.opened(p.TextDocument)
		}
	case "textDocument/didChange":
		if err = m.decode(&p); err == nil {
			s.edited(p)
		}
	case "textDocument/didClose":
		if err = m.decode(&p); err == nil {
			s.closed(p.TextDocument)
		}
	case "textDocument/didSave", "workspace/didChangeWatchedFiles":
		s.saved()
	case "$/cancelRequest":
		var p struct{ ID json.RawMessage }
		err = m.decode(&p)
		if cancel, ok := s.cancels.Load(string(p.ID)); ok {
			cancel.(context.CancelFunc)()
		}
	case "shutdown":
		s.mu.Lock()
		s.phase = ending
		s.mu.Unlock()
	case "initialized":
	default:
		if !strings.HasPrefix(m.Method, "$/") || m.ID != nil { // what begins so may be ignored
			err = &rpcError{methodNotFound, m.Method + " is not offered"}
		}
	}
	return result, err
}

// finish answers a request; the error of a notification becomes an entry in the log.
func (s *server) finish(m *message, result any, err error) error {
	if m.ID != nil {
		return s.wire.answer(m.ID, result, err)
	}
	if err != nil {
		s.log.Warn("notification", "method", m.Method, "error", err)
	}
	return nil
}

// rescued recovers panics: they become the error of one message.
func (s *server) rescued(m *message, do func() (any, error)) (result any, err error) {
	crashed := crash.Do(func() { result, err = do() })
	if crashed != nil {
		crash.Tell(s.log, crashed, "method", m.Method)
		return nil, fmt.Errorf("%s: %w", m.Method, crashed)
	}
	return result, err
}

// crashed logs a recovered panic.
func (s *server) crashed(err error) { crash.Tell(s.log, err) }

// guard runs a function that belongs to no request, and recovers panics.
func (s *server) guard(what string, do func()) {
	crash.Tell(s.log, crash.Do(do), "at", what)
}

func (s *server) at() phase {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.phase
}

// inPhase returns an error if a message is not allowed in the current phase.
func (s *server) inPhase(method string) error {
	switch at := s.at(); {
	case at == opening && method != "initialize":
		return &rpcError{notInitialized, "the session is not initialized yet"}
	case at == serving && method == "initialize":
		return &rpcError{invalidRequest, "the session is initialized already"}
	case at == ending:
		return &rpcError{invalidRequest, "the session is shut down"}
	}
	return nil
}

// folderOf finds the folder of a document and its path in it; nil if there is none.
func (s *server) folderOf(u documentURI) (*folder, string) {
	file, ok := filePath(u)
	if !ok {
		return nil, ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var best *folder
	path := ""
	for _, f := range s.folders {
		rel, err := filepath.Rel(f.root, file)
		if err == nil && filepath.IsLocal(rel) && (best == nil || len(f.root) > len(best.root)) {
			best, path = f, filepath.ToSlash(rel)
		}
	}
	return best, path
}

// filePath returns the path of a document on this machine, with the links to its folder
// resolved.
func filePath(u documentURI) (string, bool) {
	file, ok := u.path()
	if !ok {
		return "", false
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		file = filepath.Join(real, filepath.Base(file))
	}
	return file, filepath.IsAbs(file)
}

// follow starts and stops folders, so that they are those of the client's workspace.
func (s *server) follow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var wanted []*folder
	for _, dir := range s.folderPaths {
		f := newFolder(s, dir)
		same := func(g *folder) bool { return g.root == f.root }
		switch i := slices.IndexFunc(s.folders, same); {
		case slices.ContainsFunc(wanted, same):
		case i >= 0:
			wanted = append(wanted, s.folders[i])
		default:
			wanted = append(wanted, f)
			f.start()
		}
	}
	for _, f := range s.folders {
		if !slices.Contains(wanted, f) {
			f.stop()
		}
	}
	s.folders = wanted
}
