package main

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/loader/gitrepo/mirror"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/site"
)

// mirrorIn is the repository of the mirror in a folder.
func mirrorIn(t *testing.T, cache string) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(cache, "*", "repo.git"))
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	return all[0]
}

// defective is a source of which one commit crashes whoever opens it.
type defective struct {
	gitrepo.Opener
	commit string
}

func (d defective) Open() (*gitrepo.Repo, error) {
	r, err := d.Opener.Open()
	if err != nil {
		return nil, err
	}
	if refs, err := r.Refs(""); err == nil && refs.Commit.String() == d.commit {
		_ = r.Close()
		panic("a defect of the loader")
	}
	return r, nil
}

// mirrored is a publisher of a mirror that has fetched what is there.
func mirrored(t *testing.T, bare, cache, commit string, log *lockedBuffer) (*follow.Follower, *follow.Remote) {
	t.Helper()
	address, err := gitrepo.ParseAddress("file://" + filepath.ToSlash(bare))
	if err != nil {
		t.Fatal(err)
	}
	m, err := mirror.Open(t.Context(), cache, mirror.Remote{Address: address})
	if err != nil {
		t.Fatal(err)
	}
	logger := slog.New(slog.NewTextHandler(log, nil))
	r := follow.NewRemote(m, follow.NewGuard(m.Folder(), "", "", 0, logger), time.Hour, logger)
	t.Cleanup(func() { _ = r.Close() })
	if err := r.Fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := follow.New(follow.Config{
		Loader: loader.New(loader.Config{Source: defective{m, commit}, Schemas: schemas.Embedded(), Now: time.Now}),
		Remote: r, Log: logger,
	})
	p.Site = site.Config{BaseURL: baseURL, Schemas: schemas.Embedded()}
	return p, r
}

// A crash of ours is no reason to give up what was fetched: it stays, what was served
// goes on being served, and a process that starts on it serves what was there before.
func TestCrashKeepsTheMirror(t *testing.T) {
	bare, a := newYoung(t)
	cache := t.TempDir()
	a.retitle(common, "На этом всё падает")
	bad := a.git("rev-parse", "HEAD")
	var log lockedBuffer
	p, r := mirrored(t, bare, cache, bad, &log)
	p.Look(t.Context())
	served := p.Current()
	if served == nil {
		t.Fatalf("nothing is served: %s", log.String())
	}
	a.push()
	if err := r.Fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		p.Look(t.Context())
	}
	if s := p.Status().Remote; s.State == server.RemoteUnreadable {
		t.Errorf("it is fetched anew: %+v", s)
	}
	if p.Current() != served || !strings.Contains(p.Status().LastError, "crashed: a defect of the loader") {
		t.Errorf("served changed: %v, last error %q", p.Current() != served, p.Status().LastError)
	}
	if n := strings.Count(log.String(), "msg=crashed"); n != 1 {
		t.Errorf("the stack is in the log %d times", n)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}

	again, _ := mirrored(t, bare, cache, bad, &log)
	result, err := again.Load(t.Context())
	if err != nil || result.Snapshot.Commit != served.Snapshot.Commit {
		t.Errorf("a new process: %v, %v", result.Snapshot, err)
	}
}

// What the system has run out of says nothing about a mirror.
func TestShortageKeepsTheMirror(t *testing.T) {
	bare, _ := newYoung(t)
	cache := t.TempDir()
	var log lockedBuffer
	p, r := mirrored(t, bare, cache, "", &log)
	p.Look(t.Context())
	files := &os.PathError{Op: "open", Path: "pack", Err: syscall.EMFILE}
	if r.ReportUnreadable(&gitrepo.ReadError{What: i18n.New("read"), Err: files}) {
		t.Error("it is fetched anew")
	}
	if !r.ReportUnreadable(&gitrepo.ReadError{What: i18n.New("read"), Err: errors.New("damaged")}) {
		t.Error("what is damaged is not fetched anew")
	}
}
