package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"sync/atomic"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/loader/signers"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/mcpserver"
	"rulestore/server/site"
	"rulestore/server/verify"
)

// config says what to verify, and against what.
func (f verifyFlags) config(ctx context.Context, address string) (verify.Config, error) {
	own := site.Config{Version: build(), Schemas: schemas.Embedded()}
	c := verify.Config{
		URL: address, BaseURL: f.baseURL, Version: own.Version, WithoutMCP: f.withoutMCP, All: f.all, Between: f.between(), Timeout: f.timeout,
		Markdown: func(t content.Tag, item content.Object) []byte { return own.Markdown(t.Kind, t.Name, item) },
	}
	var err error
	if c.Log, err = f.log(); err != nil || f.repo == "" {
		return c, err
	}
	r, err := f.repository()
	if err != nil {
		return c, err
	}
	head, err := r.load(ctx, r.source)
	if err != nil {
		return c, err
	}
	c.Repository = head.Snapshot
	c.Expect = func(ctx context.Context, n verify.Named) (*verify.Expected, error) {
		return r.expect(ctx, head, n)
	}
	return c, nil
}

// between are the headers of others, as headers are spelled.
func (f verifyFlags) between() (names []string) {
	for _, name := range f.headers {
		names = append(names, http.CanonicalHeaderKey(name))
	}
	return names
}

// reviewed is the repository that a server is checked against.
type reviewed struct {
	verifyFlags
	source  gitrepo.Source
	trusted *signers.Set
}

func (f verifyFlags) repository() (*reviewed, error) {
	trusted, err := readSigners(f.signers, f.repo)
	if err != nil {
		return nil, err
	}
	if f.source != nil {
		return &reviewed{f, f.source, trusted}, nil
	}
	path, err := filepath.Abs(f.repo)
	return &reviewed{f, gitrepo.OnDisk(path), trusted}, err
}

// load reads what the repository publishes, at its head or as of an older commit.
func (r *reviewed) load(ctx context.Context, source gitrepo.Source) (loader.Result, error) {
	c := loader.Config{Source: source, Branch: r.ref, Schemas: schemas.Embedded(), Signers: r.trusted, Now: time.Now}
	if r.trusted == nil {
		c.Cache = cacheOf(r.repo)
	}
	loaded, err := loader.New(c).Load(ctx)
	if err != nil {
		return loaded, i18n.Errorf("load %s: %w", r.repo, err)
	}
	_ = c.Cache.Save() // the next run finds out again what cannot be kept
	return loaded, nil
}

// expect returns what a server answers that serves the repository. One that is behind
// is checked against the commit that it serves, so that what it says of that is checked
// too; that it is behind shows in the publications.
func (r *reviewed) expect(ctx context.Context, loaded loader.Result, n verify.Named) (*verify.Expected, error) {
	head := loaded.Snapshot
	e, err := r.expected(loaded, n)
	if err != nil || n.Commit == head.Commit {
		return e, err
	}
	id, ok := r.before(n.Commit, head.Commit)
	if !ok {
		e.Note = i18n.New(
			"it serves commit %s, which is not before the repository's, %s: bring the repository up to date if it is newer",
			content.ShortCommit(n.Commit), content.ShortCommit(head.Commit),
		)
		return e, nil
	}
	older, err := r.load(ctx, gitrepo.At(r.source, id))
	if err != nil {
		return nil, err
	}
	if n.Branch == head.Branch { // else it was asked for that very commit
		older.Report = unmerged(older.Report, loaded.Report)
	}
	behind, err := r.expected(older, n)
	if err != nil {
		return nil, err
	}
	behind.Newer = e
	behind.Note = i18n.New("it serves commit %s, and the repository is at %s", content.ShortCommit(n.Commit), content.ShortCommit(head.Commit))
	return behind, nil
}

// unmerged adds to what was found as of an older commit the tags that are still not merged:
// who has that commit as the head of the branch is refused them too.
func unmerged(older, head content.Report) content.Report {
	all := content.Report{Findings: slices.Clone(older.Findings), Refused: slices.Clone(older.Refused), Held: older.Held}
	for _, f := range head.Findings {
		if f.Rule == "not-merged" {
			all.Findings, all.Refused = append(all.Findings, f), append(all.Refused, f.Tag)
		}
	}
	all.Sort()
	return all
}

// commitID is what a server may name as its commit: no revision that git would search
// for.
var commitID = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// before returns the commit that a server names, if it comes before the head.
func (r *reviewed) before(commit, head string) (id gitrepo.OID, ok bool) {
	if !commitID.MatchString(commit) {
		return id, false
	}
	repo, err := r.source.Open()
	if err != nil {
		return id, false
	}
	defer repo.Close()
	older, err1 := repo.Resolve(commit)
	newer, err2 := repo.Resolve(head)
	if err1 != nil || err2 != nil {
		return id, false
	}
	base, found, err := repo.MergeBase(older, newer)
	return older, err == nil && found && base == older
}

// expected answers as a server does of what was loaded.
func (r *reviewed) expected(loaded loader.Result, n verify.Named) (*verify.Expected, error) {
	s := loaded.Snapshot
	if n.Branch != "" { // a clone may have the same commit on another
		named := *s
		named.Branch, s = n.Branch, &named
	}
	made := fixedSite{site.Build(nil, s, site.Config{
		BaseURL: n.Base, Version: n.Version, Schemas: schemas.Embedded(), Log: loaded.Log, Assistants: offeredTools(),
		Report: &loaded.Report,
	})}
	paths := made.Paths()
	if made.Checkpoint() != nil {
		paths = append(paths, site.CheckpointPath)
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	told := &stated{report: loaded.Report}
	assistants, err := mcpserver.New(mcpserver.Config{
		Sites: made, Health: func(s *site.Site) []byte { return server.Health(s, told.status()) }, Version: n.Version, Toolsets: r.toolsets, Log: log,
	}, made.Math())
	if err != nil {
		return nil, err
	}
	return &verify.Expected{
		Handler:  server.New(server.Config{Sites: made, Status: told.status, MCP: assistants, Log: log}),
		Paths:    paths,
		Snapshot: s,
		Process:  told.set,
	}, nil
}

// stated is the state of a process: what the server says of it, and the report of the
// repository.
type stated struct {
	report content.Report
	said   atomic.Pointer[verify.Process]
}

func (p *stated) set(said verify.Process) { p.said.Store(&said) }

func (p *stated) status() server.Status {
	said := p.said.Load()
	if said == nil {
		return server.Status{Report: p.report}
	}
	report := p.report
	report.Findings = append(slices.Clone(report.Findings), said.Remembered()...)
	report.Sort()
	s := server.Status{
		LoadedAt: said.LoadedAt, CheckedAt: said.CheckedAt, WatchMode: said.WatchMode, LastError: said.LastError,
		Starter: said.Starter, Pinned: said.Pinned, Report: report,
	}
	if h := said.HeldBack; h != nil {
		s.HeldBack = &server.HeldBack{
			Why: h.Why, State: h.State, Commit: h.Commit, Since: h.Since, Until: h.Until, New: h.New, Lost: h.Lost,
		}
	}
	if r := said.Rollout; r != nil {
		s.Rollout = &server.Rollout{Role: r.Role, Content: r.Content, Delay: time.Duration(r.Delay) * time.Second}
		if c := r.Canary; c != nil {
			s.Rollout.Canary = &server.Canary{
				State: server.CanaryState(c.State), AnsweredAt: c.AnsweredAt, Snapshot: c.Snapshot, Commit: c.Commit,
				Content: c.Content,
			}
		}
	}
	if m := said.Remote; m != nil {
		s.Remote = &server.Remote{
			SucceededAt: m.LastSuccess, FailedAt: m.LastFailure, Error: m.LastError,
			State: server.RemoteState(m.State), RenewedAt: m.LastRenewal,
		}
	}
	return s
}

// fixedSite is a site that is never swapped.
type fixedSite struct{ *site.Site }

// Current implements server.Sites.
func (f fixedSite) Current() *site.Site { return f.Site }
