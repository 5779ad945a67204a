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
	"rulestore/server/api"
	"rulestore/server/mcpserver"
	"rulestore/server/site"
	"rulestore/server/verify"
)

// config is the configuration of a verification.
func (f verifyFlags) config(ctx context.Context, address string) (verify.Config, error) {
	own := site.Config{Version: build(), Schemas: schemas.Embedded()}
	c := verify.Config{
		URL: address, BaseURL: f.baseURL, Version: own.Version, WithoutMCP: f.withoutMCP, All: f.all,
		Between: f.proxyHeaders(), Timeout: f.timeout,
		Markdown: func(t content.Tag, item content.Object) []byte { return own.Markdown(t.Kind, t.Name, item) },
	}
	var err error
	if c.Logs, err = f.logs(); err != nil || f.repo == "" {
		return c, err
	}
	r, err := f.repository()
	if err != nil {
		return c, err
	}
	head, err := r.loadAll(ctx)
	if err != nil {
		return c, err
	}
	c.Repository = loader.Join(head...).Snapshot
	for i, part := range r.all() {
		if i < len(c.Logs) {
			c.Logs[i].Untrue = part.loader.Untrue
		}
	}
	c.Expect = func(ctx context.Context, n verify.Named) (*verify.Expected, error) {
		return r.expect(ctx, head, n)
	}
	return c, nil
}

// proxyHeaders are the canonical names of the headers that proxies may change.
func (f verifyFlags) proxyHeaders() (names []string) {
	for _, name := range f.headers {
		names = append(names, http.CanonicalHeaderKey(name))
	}
	return names
}

// localRepository is the repository that a server is checked against.
type localRepository struct {
	verifyFlags
	source   gitrepo.Opener
	loader   *loader.Loader // of its head
	trusted  *signers.Set
	overlays []*localRepository // those that build on it, where there are several
}

func (f verifyFlags) repository() (*localRepository, error) {
	trusted, err := readSigners(f.signers, f.repo)
	if err != nil {
		return nil, err
	}
	r := &localRepository{verifyFlags: f, source: f.bundle, trusted: trusted}
	if f.bundle == nil {
		path, err := filepath.Abs(f.repo)
		if err != nil {
			return nil, err
		}
		r.source = gitrepo.OnDisk(path)
	}
	for _, part := range f.overlays {
		also, err := part.repository()
		if err != nil {
			return nil, err
		}
		r.overlays = append(r.overlays, also)
	}
	return r, nil
}

// all are the repositories in their order.
func (r *localRepository) all() []*localRepository {
	return append([]*localRepository{r}, r.overlays...)
}

// loadAll loads the publications of all repositories, each over those before it.
func (r *localRepository) loadAll(ctx context.Context) (all []loader.Result, err error) {
	for _, part := range r.all() {
		loaded, err := part.load(ctx, part.source, all)
		if err != nil {
			return nil, err
		}
		all = append(all, loaded)
	}
	return all, nil
}

// load loads the publications of a repository over those loaded before it, at its head or as of an
// older commit.
func (r *localRepository) load(
	ctx context.Context, source gitrepo.Opener, before []loader.Result,
) (loader.Result, error) {
	c := loader.Config{
		Below: below(r.sourceName, snapshotsOf(before)), Source: source, Branch: r.ref,
		Schemas: schemas.Embedded(), Signers: r.trusted, Now: time.Now,
	}
	if r.trusted == nil {
		c.Cache = cacheOf(r.repo)
	}
	l := loader.New(c)
	loaded, err := l.Load(ctx)
	if err != nil {
		return loaded, i18n.Errorf("load %s: %w", r.repo, err)
	}
	if source == r.source {
		r.loader = l
	}
	_ = c.Cache.Save() // the next run computes it again
	return loaded, nil
}

func snapshotsOf(all []loader.Result) (snapshots []*content.Snapshot) {
	for _, r := range all {
		snapshots = append(snapshots, r.Snapshot)
	}
	return snapshots
}

// expect returns the expected answers of a server for the repositories. One that is behind is
// compared with the commits that it serves, so that these answers are verified too; the difference
// appears in the publications.
func (r *localRepository) expect(ctx context.Context, head []loader.Result, n verify.Named) (*verify.Expected, error) {
	if len(r.overlays) == 0 {
		n.Sources = []verify.NamedSource{{Commit: n.Commit, Branch: n.Branch}}
	}
	e, err := r.expected(head, n)
	if err != nil {
		return nil, err
	}
	var older []loader.Result
	var notes []any
	for i, part := range r.all() {
		served, at := findSource(n, part.sourceName), head[i].Snapshot
		source, isBehind := part.source, served.Commit != at.Commit
		if isBehind {
			id, ok := part.findAncestor(served.Commit, at.Commit)
			if !ok {
				e.Note = i18n.New(
					"it serves commit %s, which is not before the repository's, %s: bring the repository up to date "+
						"if it is newer",
					content.ShortCommit(served.Commit), content.ShortCommit(at.Commit),
				)
				return e, nil
			}
			source = gitrepo.At(part.source, id)
			notes = append(notes, i18n.New("it serves commit %s, and the repository is at %s",
				content.ShortCommit(served.Commit), content.ShortCommit(at.Commit)))
		}
		loaded := head[i]
		if len(notes) > 0 { // it is older, or is over an older one
			if loaded, err = part.load(ctx, source, older); err != nil {
				return nil, err
			}
		}
		if isBehind && served.Branch == at.Branch { // otherwise that commit was requested
			loaded.Report = unmerged(loaded.Report, head[i].Report)
		}
		older = append(older, loaded)
	}
	if len(notes) == 0 {
		return e, nil
	}
	behind, err := r.expected(older, n)
	if err != nil {
		return nil, err
	}
	behind.Newer, behind.Note = e, i18n.Join("; ", notes...)
	return behind, nil
}

// findSource returns the state of a repository in a server's answer.
func findSource(n verify.Named, name string) verify.NamedSource {
	for _, part := range n.Sources {
		if part.Source == name {
			return part
		}
	}
	return verify.NamedSource{}
}

// unmerged adds to the findings as of an older commit the tags that are still not merged: a server
// with that commit as its head refuses them too.
func unmerged(older, head content.Report) content.Report {
	all := content.Report{
		Findings: slices.Clone(older.Findings), Refused: slices.Clone(older.Refused), Held: older.Held,
	}
	for _, f := range head.Findings {
		if f.Rule == "not-merged" {
			all.Findings, all.Refused = append(all.Findings, f), append(all.Refused, f.Tag)
		}
	}
	all.Sort()
	return all
}

// commitID matches a commit in a server's answer, and no other revision.
var commitID = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// findAncestor returns the commit that a server names, if it comes before the head.
func (r *localRepository) findAncestor(commit, head string) (id gitrepo.OID, ok bool) {
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

// expected serves the loaded content like a server.
func (r *localRepository) expected(loaded []loader.Result, n verify.Named) (*verify.Expected, error) {
	loaded = slices.Clone(loaded)
	for i, part := range r.all() {
		// a clone may have the same commit on another branch
		if branch := findSource(n, part.sourceName).Branch; branch != "" {
			own := *loaded[i].Snapshot
			own.Branch, loaded[i].Snapshot = branch, &own
		}
	}
	j := loader.Join(loaded...)
	s := j.Snapshot
	served := fixedSite{site.Build(nil, s, site.Config{
		BaseURL: n.Base, Version: n.Version, Schemas: schemas.Embedded(), Log: loaded[0].Log, Logs: j.Logs,
		MCP:    true,
		Report: &j.Report,
	})}
	paths := append(served.Paths(), served.SourceLogs()...)
	if served.Checkpoint() != nil {
		paths = append(paths, api.CheckpointPath)
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	state := &reportedState{report: j.Report}
	for i, part := range r.overlays {
		if i == 0 {
			state.parts = append(
				state.parts, server.SourceStatus{Name: r.sourceName, Status: server.Status{Report: loaded[0].Report}},
			)
		}
		state.parts = append(
			state.parts, server.SourceStatus{Name: part.sourceName, Status: server.Status{Report: loaded[i+1].Report}},
		)
	}
	assistants, err := mcpserver.New(mcpserver.Config{
		Sites: served, Health: func(s *site.Site) []byte { return server.Health(s, state.status()) },
		Version: n.Version, Toolsets: r.toolsets, Log: log,
	}, served.Math())
	if err != nil {
		return nil, err
	}
	return &verify.Expected{
		Handler:  server.New(server.Config{Sites: served, Status: state.status, MCP: assistants, Log: log}),
		Paths:    paths,
		Snapshot: s,
		Process:  state.set,
	}, nil
}

// reportedState is the state of a process by its own health document, with the reports of the repositories.
type reportedState struct {
	report  content.Report
	parts   []server.SourceStatus // where there are several
	process atomic.Pointer[verify.ProcessState]
}

func (p *reportedState) set(process verify.ProcessState) { p.process.Store(&process) }

func (p *reportedState) status() server.Status {
	process := p.process.Load()
	if process == nil {
		process = &verify.ProcessState{}
	}
	s := statusOf(*process, p.report, process.Remembered())
	for _, part := range p.parts {
		of := verify.ProcessState{}
		for _, source := range process.Sources {
			if source.Source == part.Name {
				of = source.ProcessState
			}
		}
		remembered := slices.DeleteFunc(
			process.Remembered(), func(f content.Finding) bool { return f.Source != part.Name },
		)
		for i := range remembered {
			remembered[i].Source = ""
		}
		own := statusOf(of, part.Report, remembered)
		s.Sources = append(s.Sources, server.SourceStatus{Name: part.Name, Status: own})
	}
	if len(s.Sources) > 0 {
		s.Report = server.JoinReports(s.Sources)
	}
	return s
}

// statusOf returns the status that a process reports, with the findings.
func statusOf(p verify.ProcessState, report content.Report, remembered []content.Finding) server.Status {
	if len(remembered) > 0 {
		report.Findings = append(slices.Clone(report.Findings), remembered...)
		report.Sort()
	}
	s := server.Status{
		LoadedAt: p.LoadedAt, CheckedAt: p.CheckedAt, WatchMode: p.WatchMode, LastError: p.LastError,
		Starter: p.Starter, Pinned: p.Pinned, Report: report,
	}
	if h := p.HeldBack; h != nil {
		s.HeldBack = &server.HeldBack{
			State: h.State, Commit: h.Commit, Since: h.Since, New: h.New, Lost: h.Lost,
		}
	}
	if m := p.Remote; m != nil {
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
