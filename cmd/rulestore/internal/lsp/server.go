package lsp

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
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
	protocol.UnimplementedServer
	Config
	schemas content.Schemas
	now     func() time.Time
	log     *slog.Logger
	ctx     context.Context // ends with the session
	client  protocol.Client
	stream  *stream
	work    sync.WaitGroup
	cancels sync.Map // context.CancelFunc of running requests, by id

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
		stream: newStream(in, out), units: inUTF16, tongue: tongueFor(c.Language),
	}
	defer s.stream.out.finish()
	defer s.work.Wait()
	defer cancel()
	conn := jsonrpc2.NewConn(s.stream, jsonrpc2.WithCodec(codec{}))
	s.client = protocol.ClientDispatcher(conn)
	conn.Go(ctx, s.guarded(s.cancellable(protocol.ServerHandler(s, nil))))
	select {
	case <-conn.Done():
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := conn.Err(); err != nil {
		return i18n.Errorf("talk to the editor: %w", err)
	}
	if s.at() != ending {
		return ErrLeft
	}
	return nil
}

// crashed logs a recovered panic.
func (s *server) crashed(err error) { crash.Tell(s.log, err) }

// guard runs a function that belongs to no request, and recovers panics.
func (s *server) guard(what string, do func()) {
	crash.Tell(s.log, crash.Do(do), "at", what)
}

// async runs a function that may wait for the client, while messages continue to be read.
func (s *server) async(what string, do func(ctx context.Context)) {
	s.work.Go(func() {
		ctx, cancel := context.WithTimeout(s.ctx, time.Minute)
		defer cancel()
		s.guard(what, func() { do(ctx) })
	})
}

func (s *server) at() phase {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.phase
}

// inPhase returns an error if a message is not allowed in the current phase.
func (s *server) inPhase(method string) error {
	switch at := s.at(); {
	case method == protocol.MethodExit:
	case at == opening && method != protocol.MethodInitialize:
		return jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the session is not initialized yet")
	case at == serving && method == protocol.MethodInitialize:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the session is initialized already")
	case at == ending:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the session is shut down")
	}
	return nil
}

// Shutdown implements protocol.Server.
func (s *server) Shutdown(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase = ending
	return nil
}

// Exit implements protocol.Server.
func (s *server) Exit(context.Context) error {
	s.stream.stopped.Store(true)
	return nil
}

// folderOf finds the folder of a document and its path in it; nil if there is none.
func (s *server) folderOf(u uri.URI) (*folder, string) {
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
func filePath(u uri.URI) (string, bool) {
	if u.Scheme() != "file" {
		return "", false
	}
	file := filepath.FromSlash(u.FsPath())
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
