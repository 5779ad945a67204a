// Package offer serves a repository as git bundles: all of it, or the changes since a
// commit or a size of the log, so that a server anywhere can start and follow without
// access to the git host.
//
// A bundle contains exactly what is served: the served state of the branch, and the tags.
// States that are held back and other branches are not in it.
package offer

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"rulestore/content/i18n"
	"rulestore/loader/gitcmd"
	"rulestore/loader/gitrepo"
	"rulestore/server"
)

// Served is the served state of a repository.
type Served struct {
	gitrepo.Bundle
	// Grown returns the commit of the branch at which the log had that many leaves, or the next
	// fewer; zero if there is none.
	LogCommit func(size int64) gitrepo.OID
}

// Write writes a bundle of the changes since a commit, or a full one if that is zero. Refs in
// had are known to the client, so they are left out.
func Write(
	ctx context.Context, git gitcmd.Environ, w io.Writer, b gitrepo.Bundle, after gitrepo.OID, had []gitrepo.Ref,
) error {
	if err := b.WriteHeader(w, after); err != nil {
		return err
	}
	there := make(map[gitrepo.Ref]bool, len(had))
	for _, r := range had {
		there[r] = true
	}
	var objects, without []string
	for _, r := range b.Refs {
		if there[r] {
			without = append(without, r.OID.String())
			continue
		}
		objects = append(objects, r.OID.String())
	}
	if !after.IsZero() {
		without = append(without, after.String())
	}
	return git.Pack(ctx, b.Dir, objects, without, w)
}

// Offer implements [server.Bundles]. Bundles are made one at a time; the most recent ones are
// cached in files, since followers request the same.
//
// A commit does not determine the tags of a client, since a tag may be pushed later than the
// commits that follow its own. A client that has all of a recently offered state gets none of
// its tags again.
type Offer struct {
	git     gitcmd.Environ
	current func() *Served // nil before there is anything to give

	stating sync.Mutex
	states  []state // that were offered lately, newest last

	waiting chan struct{} // a place for each who waits for a bundle, or makes it
	mu      sync.Mutex    // held while one is made
	dir     string        // of the files
	kept    []string      // the files, newest last
	closed  bool
}

// state is what was offered, and its name.
type state struct {
	source *Served
	name   string
}

const (
	maxStates  = 8
	maxKept    = 4  // bundles
	maxWaiting = 16 // for bundles
	patience   = 15 * time.Minute
)

// New returns an offer with its files in a temporary folder until it is closed.
func New(git gitcmd.Environ, current func() *Served) (*Offer, error) {
	if err := gitcmd.Installed(); err != nil {
		return nil, i18n.Errorf("--offer-bundle: %w, and it makes the bundles", err)
	}
	o := &Offer{git: git, current: current, waiting: make(chan struct{}, maxWaiting)}
	return o, o.makeFolder()
}

// makeFolder makes the folder of the files, also after the system has removed it: it removes temporary
// files that nobody uses for days.
func (o *Offer) makeFolder() (err error) {
	if _, err := os.Lstat(o.dir); errors.Is(err, fs.ErrNotExist) {
		o.dir, err = os.MkdirTemp("", "rulestore-bundles-")
		return err
	}
	return nil
}

// Close removes the files. Requests that are still running after it get no bundle.
func (o *Offer) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	return os.RemoveAll(o.dir)
}

// State implements [server.Bundles].
func (o *Offer) State() string {
	if s := o.current(); s != nil && s.Dir != "" {
		return o.name(s)
	}
	return ""
}

// name returns the name of a state, which is remembered from now on.
func (o *Offer) name(s *Served) string {
	o.stating.Lock()
	defer o.stating.Unlock()
	if n := len(o.states); n > 0 && o.states[n-1].source == s {
		return o.states[n-1].name
	}
	if len(o.states) == maxStates {
		o.states = slices.Delete(o.states, 0, 1)
	}
	o.states = append(o.states, state{s, s.State()})
	return o.states[len(o.states)-1].name
}

// refs returns what a state had; nil if that is not remembered.
func (o *Offer) refs(name string) []gitrepo.Ref {
	o.stating.Lock()
	defer o.stating.Unlock()
	if i := slices.IndexFunc(o.states, func(s state) bool { return s.name == name }); i >= 0 {
		return o.states[i].source.Refs
	}
	return nil
}

// After implements [server.Bundles].
func (o *Offer) After(ctx context.Context, commit, had string) (server.File, error) {
	var id gitrepo.OID
	if commit != "" {
		var err error
		if id, err = gitrepo.ParseOID(commit); err != nil {
			return nil, server.ErrNoCommit
		}
	}
	return o.open(ctx, func(*Served) gitrepo.OID { return id }, had)
}

// Since implements [server.Bundles].
func (o *Offer) Since(ctx context.Context, size int64) (server.File, error) {
	return o.open(ctx, func(s *Served) gitrepo.OID { return s.LogCommit(size) }, "")
}

// open returns the bundle of what came after a commit, for who had a state; of everything if
// the repository has no such commit; from the file if it was made before.
func (o *Offer) open(ctx context.Context, after func(*Served) gitrepo.OID, had string) (server.File, error) {
	select {
	case o.waiting <- struct{}{}:
		defer func() { <-o.waiting }()
	default:
		return nil, server.ErrBusy
	}
	s := o.current()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	id := after(s)
	if !id.IsZero() && !o.git.Has(ctx, s.Dir, id.String()) {
		id = gitrepo.OID{}
	}
	refs := o.refs(had)
	if id.IsZero() || refs == nil {
		refs, had = nil, `"all"`
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil, os.ErrClosed
	}
	if err := o.makeFolder(); err != nil {
		return nil, err
	}
	name := filepath.Join(o.dir, strings.Trim(o.name(s), `"`)+"-"+id.String()+"-"+strings.Trim(had, `"`))
	if f, err := os.Open(name); err == nil {
		return f, nil
	}
	if err := o.make(name, func(w io.Writer) error { return Write(ctx, o.git, w, s.Bundle, id, refs) }); err != nil {
		return nil, err
	}
	return os.Open(name)
}

// make writes a file, and removes the one that was made before all others.
func (o *Offer) make(name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(o.dir, "new-")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if o.kept = append(o.kept, name); len(o.kept) > maxKept {
		_ = os.Remove(o.kept[0]) // who reads it goes on; the system may have removed it
		o.kept = o.kept[1:]
	}
	return err
}
