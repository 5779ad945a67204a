package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/cmd/rulestore/internal/process"
	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/watch"
	"rulestore/schemas"
	"rulestore/server/calc"
	"rulestore/server/mcpserver"
	"rulestore/server/observe"
	"rulestore/server/site"
)

// defaultAddr is the default listen address.
const defaultAddr = "127.0.0.1:8080"

type serveFlags struct {
	repo, ref, signers string
	shown              string // repo as it was given
	addr, baseURL      string
	drafts             bool
	poll, staleAfter   time.Duration
	remote             remoteFlags
	operate            operateFlags
	checkOnly          bool // nothing is fetched or served
}

func newServe(e *env) *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:  "serve",
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error { return serve(c.Context(), e, f) },
	}
	flags := c.Flags()
	f.source(flags)
	f.remote.registerWebhooks(flags)
	flags.StringVar(&f.addr, "addr", defaultAddr, "the address to listen on")
	flags.DurationVar(
		&f.staleAfter, "stale-after", 0,
		"report unhealthy when the repository could not be read for this long; 0 is never",
	)
	f.operate.register(flags)
	under(aboutFirstDay, flags, "repo", "addr", "base-url", "cache-dir", "git-password-file", "admin-addr")
	under(aboutContent, flags, "ref", "drafts", "poll", "stale-after", "trusted-signers")
	under(aboutRemote, flags, "ssh-key", "known-hosts", "max-loss", "webhook-addr", "webhook-secret-file")
	under(aboutListening, flags, "tls-cert", "tls-key", "rate", "trusted-proxies", "mcp-origins", "drain-delay")
	under(aboutOperating, flags, "log-format", "log-level", "access-log")
	return c
}

// source adds the flags of the served repository and its name.
func (f *serveFlags) source(flags *pflag.FlagSet) {
	flags.StringVar(
		&f.repo, "repo", "",
		"the repository to serve: a path or an address; without it, the starter content",
	)
	flags.StringVar(
		&f.ref, "ref", "",
		"the branch to serve, or a tag or commit, whatever is pushed; without it, the branch that HEAD names",
	)
	flags.StringVar(
		&f.baseURL, "base-url", "",
		"the address that the service is known by; without it canonical_base_url of rulestore.yaml, or the listening "+
			"address",
	)
	flags.BoolVar(&f.drafts, "drafts", false, "serve drafts, uncommitted files included, as current versions")
	flags.DurationVar(&f.poll, "poll", 30*time.Second, "how often to look for changes that no event announced")
	f.remote.register(flags)
	pathVar(flags, &f.signers, "trusted-signers", "", signersUsage)
}

func (f serveFlags) check() error {
	if f.poll < time.Second {
		return usageErrorf("--poll %s is too short: at least 1s", f.poll)
	}
	if f.staleAfter != 0 && f.staleAfter < 2*f.poll {
		return usageErrorf("--stale-after %s is too short: at least twice --poll, %s", f.staleAfter, 2*f.poll)
	}
	if err := errors.Join(checkListening("addr", f.addr), f.remote.check(f.repo), f.checkSigners()); err != nil {
		return err
	}
	if f.baseURL == "" {
		return nil
	}
	u, err := url.Parse(f.baseURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" ||
		u.Fragment != "" || u.User != nil {
		return usageErrorf("--base-url %q is no address: expected for example https://rules.example.org", f.baseURL)
	}
	return nil
}

// serve loads, listens and follows the repository until the context ends.
func serve(ctx context.Context, e *env, f serveFlags) error {
	if f.remote.webhookAddr == "" && e.getenv(webhookSecret) != "" {
		return secretWithoutAddr(webhookSecret)
	}
	f = f.at(e)
	if err := errors.Join(f.check(), f.operate.check()); err != nil {
		return err
	}
	secret, err := f.remote.webhookSecret(e)
	if err != nil {
		return err
	}
	log := f.operate.log.logger(e.stderr)
	p, err := f.publisher(ctx, e, log)
	if err != nil {
		return f.errorBeforeServing(ctx, err)
	}
	defer p.Close()
	p.Site = site.Config{
		Version: build(), Schemas: schemas.Embedded(), Requests: observe.NewRequests(), Math: calc.New(),
		MCP: true,
	}
	config := f.operate.config(e, log)
	config.Addr, config.Webhooks = f.addr, process.Webhooks{Addr: f.remote.webhookAddr, Secret: secret}
	running, err := process.Begin(config, p)
	if err != nil {
		return err
	}
	defer running.Close()
	if err := running.Listen(); err != nil {
		return err
	}
	return f.serve(ctx, e.stdout, running, p, log)
}

// serve loads the first snapshot, serves it and follows the repository until the context ends.
func (f serveFlags) serve(
	ctx context.Context, stdout io.Writer, running *process.Process, p *follow.Follower, log *slog.Logger,
) error {
	p.Base = func(s content.Settings) string { return f.publicURL(s, running.URL()) }
	start := time.Now()
	first, err := p.Begin(ctx, true) // however long that takes
	if err != nil {
		return f.errorBeforeServing(ctx, err)
	}
	if err := p.Serve(first, start); err != nil {
		return err
	}
	running.WarnOfGuess()
	if f.repo == "" {
		log.Warn(
			"no repository is given: what is served is the starter content, for trying out; name yours with --repo or " + variable("repo"),
		)
	}
	assistants, err := newMCP(p, mcpserver.Config{
		BaseURL: f.baseURL, Origins: f.operate.origins, Log: log,
	})
	if err != nil {
		return err
	}
	running.Ready(assistants)

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.Run(ctx)
	f.announce(stdout, p.Current().URL("")+"/", running.Addr().String())
	return running.Run(ctx)
}

// announce prints that the service is ready, with its address: the first line on stdout.
func (f serveFlags) announce(stdout io.Writer, url, at string) {
	says := fmt.Sprintf("serving %s at %s (listening on %s)", f.contentName(), url, at)
	if f.operate.log.format == jsonFormat {
		logFlags{format: jsonFormat}.logger(stdout).Info(says, "content", f.contentName(), "url", url, "addr", at)
		return
	}
	fmt.Fprintln(stdout, says)
}

// errorBeforeServing returns the error of a process that ended before it served: none if it was told to end.
func (f serveFlags) errorBeforeServing(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (f serveFlags) publisherConfig(ctx context.Context, e *env, log *slog.Logger) (c follow.Config, err error) {
	trusted, err := readSigners(f.signers, f.repo)
	if err != nil {
		return c, err
	}
	c = follow.Config{
		Name: f.contentName(), Starter: f.repo == "",
		StaleAfter: f.staleAfter, Log: log,
	}
	if e.loaded != nil {
		c.Settled = sync.OnceFunc(e.loaded)
	}
	source, err := f.open(ctx, e, &c)
	if err != nil {
		return c, err
	}
	c.Loader = loader.New(loader.Config{
		Source: source, Branch: f.ref, Drafts: f.drafts,
		Schemas: schemas.Embedded(), Signers: trusted, Now: time.Now, Environ: e.environ,
		Crashed: func(err error) { crash.Tell(log, err, "doing", "loading the repository") },
	})
	return c, nil
}

// contentName names the served content.
func (f serveFlags) contentName() i18n.Text {
	if f.repo == "" {
		return i18n.New("the starter content")
	}
	return i18n.New("%s", f.shown)
}

// loadSnapshot loads the snapshot that would be served.
func (f serveFlags) loadSnapshot(ctx context.Context, e *env) (*content.Snapshot, error) {
	p, err := f.publisher(ctx, e, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer p.Close()
	loaded, err := p.Load(ctx)
	return loaded.Snapshot, err
}

// publisher opens the repository to serve. The caller closes it.
func (f serveFlags) publisher(ctx context.Context, e *env, log *slog.Logger) (*follow.Follower, error) {
	c, err := f.publisherConfig(ctx, e, log)
	if err != nil {
		return nil, err
	}
	return follow.New(c), nil
}

// at resolves the repository of the command line.
func (f serveFlags) at(e *env) serveFlags {
	f.repo, f.shown = e.path(f.repo), f.repo
	return f
}

// open returns where to read, and has a follower notice changes there; the starter content
// never changes.
func (f serveFlags) open(ctx context.Context, e *env, c *follow.Config) (source git.Opener, err error) {
	if git.IsAddress(f.repo) {
		source, c.Remote, err = f.openRemote(ctx, e, c.Log)
		return source, err
	}
	if f.repo == "" {
		script, err := git.ReadReleases(starter.Files)
		if err != nil {
			return nil, i18n.Errorf("read the starter content: %w", err)
		}
		return git.InMemory(script)
	}
	at, err := git.Locate(f.repo)
	if err != nil {
		return nil, err
	}
	path, err := filepath.Abs(f.repo)
	if err != nil {
		return nil, err
	}
	w := watch.Config{Path: path, GitDir: at.GitDir, Common: at.CommonDir, Poll: f.poll, Log: c.Log}
	if f.drafts && at.WorkTree != "" {
		w.Work, w.Tops = at.WorkTree, loader.Tops()
	}
	c.Watcher = watch.New(w)
	return git.OnDisk(path), nil
}

// publicURL returns the base URL without a trailing slash, or the default.
func (f serveFlags) publicURL(s content.Settings, otherwise string) string {
	switch {
	case f.baseURL != "":
		return strings.TrimRight(f.baseURL, "/")
	case s.CanonicalBaseURL != "":
		return s.CanonicalBaseURL
	}
	return otherwise
}

// checkSigners refuses to serve content that would be unsigned.
func (f serveFlags) checkSigners() error {
	switch {
	case f.signers == "":
	case f.repo == "":
		return usageErrorf("--trusted-signers is for a --repo: the starter content came with the program")
	case f.drafts:
		return usageErrorf("--drafts serves what nobody has signed: leave it out, or --trusted-signers")
	}
	return nil
}
