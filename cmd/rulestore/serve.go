package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/loader/watch"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/mcpserver"
	"rulestore/server/site"
)

type serveFlags struct {
	repo, ref, addr, baseURL string
	toolsets                 string
	drafts                   bool
	poll, staleAfter         time.Duration
	remote                   remoteFlags
	signers                  string
}

func newServe(e *env) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve a repository over HTTP",
		Long: `Serve what the tags of a git repository publish, and follow the repository as it
changes. Without --repo the embedded starter content is served.

The repository may be bare, a clone, a linked work tree, or any folder inside
one. Only the object database is read, so a dirty checkout changes nothing;
with --drafts what no tag has published yet is served too, as typed.

It may also be elsewhere, at an address such as https://example.org/rules.git or
git@example.org:rules.git. A copy of it is kept in --cache-dir, brought up to
date every --poll, and served from the start while the remote is away.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return serve(c.Context(), e, f) },
	}
	flags := c.Flags()
	f.source(flags)
	flags.StringVar(&f.addr, "addr", "127.0.0.1:8080", "the address to listen on")
	flags.DurationVar(&f.staleAfter, "stale-after", 0, "report unhealthy when the repository could not be read for this long; 0 is never")
	return c
}

// source adds the flags that say what is served, and under which name.
func (f *serveFlags) source(flags *pflag.FlagSet) {
	flags.StringVar(&f.repo, "repo", "", "the repository to serve, a path or an address; without it, the starter content")
	flags.StringVar(&f.ref, "ref", "", "the branch to serve; without it, the one that HEAD names")
	flags.StringVar(&f.baseURL, "base-url", "", "the address that the service is known by; without it canonical_base_url of rulestore.yaml, or the listening address")
	flags.BoolVar(&f.drafts, "drafts", false, "serve drafts, uncommitted files included, as current versions")
	flags.DurationVar(&f.poll, "poll", 30*time.Second, "how often to look for changes that no event announced")
	f.remote.register(flags)
	flags.StringVar(&f.signers, "trusted-signers", "", "serve only publications that somebody signed whom this file lists: SSH keys as in git's allowed_signers, OpenPGP keys armored")
	flags.StringVar(&f.toolsets, "toolsets", "", "the toolsets of an MCP client that chooses none: names separated by commas, or all")
}

func (f serveFlags) check() error {
	if f.poll < time.Second {
		return usageError{fmt.Errorf("--poll %s is too short: at least 1s", f.poll)}
	}
	if f.staleAfter != 0 && f.staleAfter < 2*f.poll {
		return usageError{fmt.Errorf("--stale-after %s is too short: at least twice --poll, %s", f.staleAfter, 2*f.poll)}
	}
	if err := errors.Join(f.remote.check(f.repo), f.checkSigners()); err != nil {
		return err
	}
	if f.baseURL == "" {
		return nil
	}
	u, err := url.Parse(f.baseURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return usageError{fmt.Errorf("--base-url %q is no address: expected for example https://rules.example.org", f.baseURL)}
	}
	return nil
}

// serve loads, listens and follows the repository until the context ends.
func serve(ctx context.Context, e *env, f serveFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(e.stderr, nil))
	p, first, err := f.begin(ctx, e, log)
	if err != nil {
		return err
	}
	defer p.close()
	listener, err := net.Listen("tcp", f.addr)
	if err != nil {
		return fmt.Errorf("listen: %w (choose another address with --addr)", err)
	}
	p.config = site.Config{BaseURL: f.base(first.Snapshot.Settings, "http://"+listener.Addr().String()), Version: build(), Schemas: schemas.Embedded()}
	p.staleAfter = f.staleAfter
	p.publish(first, time.Now())
	assistants, err := newMCP(p, f.toolsets, log)
	if err != nil {
		return err
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.run(ctx)
	fmt.Fprintf(e.stdout, "serving %s at %s/ (listening on %s)\n", f.name(), p.config.BaseURL, listener.Addr())
	return listen(ctx, listener, p, assistants, log)
}

// begin opens what is to be served and loads it for the first time. The caller
// closes the publisher.
func (f serveFlags) begin(ctx context.Context, e *env, log *slog.Logger) (*publisher, loader.Result, error) {
	trusted, err := readSigners(f)
	if err != nil {
		return nil, loader.Result{}, err
	}
	source, watcher, err := open(ctx, e, f, log)
	if err != nil {
		return nil, loader.Result{}, err
	}
	p := newPublisher(loader.New(loader.Config{
		Source: source, Branch: f.ref, Drafts: f.drafts,
		Schemas: schemas.Embedded(), Signers: trusted, Now: time.Now,
	}), log)
	p.watcher = watcher
	p.remote, _ = watcher.(*remote)
	first, err := p.load(ctx)
	if err != nil {
		p.close()
		return nil, loader.Result{}, fmt.Errorf("load %s: %w", f.name(), err)
	}
	return p, first, nil
}

// name says what is served.
func (f serveFlags) name() string {
	if f.repo == "" {
		return "the starter content"
	}
	return f.repo
}

// watcher notices that the repository may have changed.
type watcher interface {
	Run(context.Context)
	Looks() <-chan struct{}
	Mode() string
}

// open returns where to read, and what notices changes there; the starter
// content never changes.
func open(ctx context.Context, e *env, f serveFlags, log *slog.Logger) (gitrepo.Source, watcher, error) {
	if gitrepo.IsAddress(f.repo) {
		r, err := openRemote(ctx, e, f, log)
		return r, r, err
	}
	if f.repo == "" {
		script, err := gitrepo.ReadReleases(starter.Files)
		if err != nil {
			return nil, nil, fmt.Errorf("read the starter content: %w", err)
		}
		source, err := gitrepo.InMemory(script)
		return source, nil, err
	}
	path, err := filepath.Abs(f.repo)
	if err != nil {
		return nil, nil, err
	}
	at, err := gitrepo.Locate(path)
	if err != nil {
		return nil, nil, err
	}
	w := watch.Config{Path: path, GitDir: at.GitDir, Common: at.CommonDir, Poll: f.poll, Log: log}
	if f.drafts && at.WorkTree != "" {
		w.Work = at.WorkTree
		for _, k := range content.Kinds {
			w.Folders = append(w.Folders, k.Folder)
		}
	}
	return gitrepo.OnDisk(path), watch.New(w), nil
}

// base returns the base URL, without a slash at its end; otherwise is what it is
// if nobody says.
func (f serveFlags) base(s content.Settings, otherwise string) string {
	switch {
	case f.baseURL != "":
		return strings.TrimRight(f.baseURL, "/")
	case s.CanonicalBaseURL != "":
		return s.CanonicalBaseURL
	}
	return otherwise
}

const (
	// grace is how long requests under way may take when the process ends.
	grace = 10 * time.Second
	// maxHeaders is how many bytes of headers a request may have.
	maxHeaders = 32 << 10
)

// listen answers requests until the context ends, then lets those under way
// finish.
func listen(ctx context.Context, l net.Listener, p *publisher, assistants *mcpserver.Server, log *slog.Logger) error {
	srv := &http.Server{
		Handler:           server.New(server.Config{Sites: p, Status: p.status, Encoder: p.encoder, MCP: assistants, Log: log}),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    maxHeaders,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	srv.RegisterOnShutdown(assistants.Close) // its streams would stay open
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	select {
	case err := <-done:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	p.draining.Store(true)
	log.Info("stopping", "grace", grace)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := srv.Shutdown(last); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("stop: %w", err)
	}
	return nil
}
