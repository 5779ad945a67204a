package main

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/cmd/rulestore/internal/process"
	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/watch"
	"rulestore/loader/worktree"
	"rulestore/schemas"
	"rulestore/server/calc"
	"rulestore/server/mcpserver"
	"rulestore/server/observe"
	"rulestore/server/site"
)

func newServe(e *env) *cobra.Command {
	var f config
	c := newCommand("serve", 0, 0, func(ctx context.Context, _ []string) error {
		return serve(ctx, e, f)
	})
	for _, under := range []struct {
		heading string
		flags   []string
	}{
		{aboutFirstDay, []string{"repo", "addr", "base-url", "cache-dir", "git-password-file", "admin-addr"}},
		{aboutContent, []string{"ref", "drafts", "poll", "stale-after", "trusted-signers"}},
		{aboutRemote, []string{"ssh-key", "known-hosts", "max-loss", "webhook-addr", "webhook-secret-file"}},
		{aboutListening, []string{"tls-cert", "tls-key", "rate", "trusted-proxies", "mcp-origins", "drain-delay"}},
		{aboutOperating, append(logFlags, "access-log")},
	} {
		f.flags(c.Flags(), under.flags...)
		for _, name := range under.flags {
			_ = c.Flags().SetAnnotation(name, headingOf, []string{under.heading}) // it is there
		}
	}
	return c
}

// serve loads, listens and follows the repository until the context ends.
func serve(ctx context.Context, e *env, c config) error {
	if err := c.check(e); err != nil {
		return err
	}
	secret, err := c.webhookSecret(e)
	if err != nil {
		return err
	}
	log := c.logger(e.stderr)
	p, err := c.follower(ctx, e, log)
	if err != nil {
		return unlessEnded(ctx, err)
	}
	defer p.Close()
	p.Site = siteConfig()
	p.Site.Requests = observe.NewRequests()
	running, err := process.Begin(c.process(e, log, secret), p)
	if err != nil {
		return err
	}
	defer running.Close()
	if err := running.Listen(); err != nil {
		return err
	}
	return c.serve(ctx, e, running, p, log)
}

// siteConfig is how this program makes a site.
func siteConfig() site.Config {
	return site.Config{Version: build(), Schemas: schemas.Embedded(), Math: calc.New(), MCP: true}
}

// serve loads the first snapshot, serves it and follows the repository until the context ends.
func (c *config) serve(
	ctx context.Context, e *env, running *process.Process, p *follow.Follower, log *slog.Logger,
) error {
	p.Base = func(s content.Settings) string { return c.publicURL(s, running.URL()) }
	start := time.Now()
	first, err := p.Begin(ctx, true) // however long that takes
	if err != nil {
		return unlessEnded(ctx, err)
	}
	if err := p.Serve(first, start); err != nil {
		return err
	}
	running.WarnOfGuess()
	assistants, err := newMCP(p, mcpserver.Config{BaseURL: c.baseURL, Origins: c.origins, Log: log})
	if err != nil {
		return err
	}
	running.Ready(assistants)
	if e.served != nil {
		e.served()
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.Run(ctx)
	c.announce(e.stdout, p.Current().URL("")+"/", running.Addr().String())
	return running.Run(ctx)
}

// announce prints that the service is ready, with its address: the first line on stdout.
func (c *config) announce(stdout io.Writer, url, at string) {
	says := i18n.New("serving %s at %s (listening on %s)", c.contentName(), url, at).String()
	if c.logFormat == jsonFormat {
		jsonLogger(stdout, slog.LevelInfo).Info(says, "content", c.contentName(), "url", url, "addr", at)
		return
	}
	_, _ = io.WriteString(stdout, says+"\n")
}

// unlessEnded returns the error of a process that ended before it served: none if it was told to end.
func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// loadSnapshot loads the snapshot that would be served.
func (c *config) loadSnapshot(ctx context.Context, e *env) (*content.Snapshot, error) {
	p, err := c.follower(ctx, e, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer p.Close()
	loaded, err := p.Load(ctx)
	return loaded.Snapshot, err
}

// follower opens the repository to serve. The caller closes it.
func (c *config) follower(ctx context.Context, e *env, log *slog.Logger) (*follow.Follower, error) {
	trusted, err := readSigners(c.signers, c.repo)
	if err != nil {
		return nil, err
	}
	f := follow.Config{
		Name: c.contentName(), Starter: c.repo == "", StaleAfter: c.staleAfter, Log: log,
	}
	if e.loaded != nil {
		f.Settled = sync.OnceFunc(e.loaded)
	}
	source, err := c.open(ctx, e, &f)
	if err != nil {
		return nil, err
	}
	f.Loader = loader.New(loader.Config{
		Source: source, Branch: c.ref, Drafts: c.drafts,
		Schemas: schemas.Embedded(), Proven: c.repo == "", Signers: trusted, Now: time.Now, Environ: e.environ,
		Crashed: func(err error) { crash.Tell(log, err, "doing", "loading the repository") },
	})
	return follow.New(f), nil
}

// open returns where to read, and has a follower notice changes there; the starter content
// never changes.
func (c *config) open(ctx context.Context, e *env, f *follow.Config) (source git.Opener, err error) {
	if git.IsAddress(c.repo) {
		source, f.Remote, err = c.openRemote(ctx, e, f.Log)
		return source, err
	}
	if c.repo == "" {
		f.Log.Warn("no repository is given: this is the starter content, for trying out; name yours with --repo or " +
			variable("repo"))
		return git.Releases(starter.Files), nil
	}
	at, err := git.Locate(c.repo)
	if err != nil {
		return nil, err
	}
	path, err := filepath.Abs(c.repo)
	if err != nil {
		return nil, err
	}
	w := watch.Config{Path: path, GitDir: at.GitDir, Common: at.CommonDir, Poll: c.poll, Log: f.Log}
	if c.drafts && at.WorkTree != "" {
		w.Work, w.Tops = at.WorkTree, worktree.Tops()
	}
	f.Watcher = watch.New(w)
	return git.OnDisk(path), nil
}
