package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"rulestore/content/crash"
	"rulestore/loader"
	"rulestore/loader/author"
	"rulestore/loader/gitrepo"
	"rulestore/loader/watch"
	"rulestore/server"
)

// remoteFlags are the flags about a repository elsewhere.
type remoteFlags struct {
	cacheDir, passwordFile       string
	sshKey, knownHosts           string
	webhookAddr, webhookSecretIn string
}

func (f *remoteFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.cacheDir, "cache-dir", "", "where copies of remote repositories are kept; without it, the user's cache folder")
	flags.StringVar(&f.passwordFile, "git-password-file", "", "a file with the password or token for https; RULESTORE_GIT_USERNAME and RULESTORE_GIT_PASSWORD do as well, else git's credential helpers are asked")
	flags.StringVar(&f.sshKey, "ssh-key", "", "the private key file for ssh; without it, the ssh agent's keys")
	flags.StringVar(&f.knownHosts, "known-hosts", "", "the file of known ssh host keys; without it, ssh's own")
	flags.StringVar(&f.webhookAddr, "webhook-addr", "", "the address on which webhooks of a git host may ask for a fetch; without it, none do")
	flags.StringVar(&f.webhookSecretIn, "webhook-secret-file", "", "a file with the secret that webhooks are signed with; RULESTORE_WEBHOOK_SECRET does as well")
}

// check looks at what can be wrong without looking at the machine.
func (f *remoteFlags) check(repo string) error {
	if gitrepo.IsAddress(repo) {
		if _, err := gitrepo.ParseAddress(repo); err != nil {
			return usageError{fmt.Errorf("--repo: %w", err)}
		}
		return nil
	}
	if f.webhookAddr != "" {
		return usageError{errors.New("--webhook-addr is for a --repo elsewhere: changes on this machine are noticed anyway")}
	}
	return nil
}

// remote follows a repository elsewhere: it keeps a mirror of it.
type remote struct {
	*gitrepo.Mirror
	*watch.Remote
	hook *webhook // nil if there is none
	log  *slog.Logger

	succeeded, failed atomic.Uint64 // fetches
	renewed           time.Time     // when everything was last asked for again

	mu    sync.Mutex
	state server.Remote
}

// openRemote opens the mirror and, if webhooks are wanted, the listener for them.
// A check needs neither, if something was mirrored already: a running server may
// hold both.
func openRemote(ctx context.Context, e *env, f serveFlags, log *slog.Logger) (gitrepo.Source, watcher, error) {
	address, err := gitrepo.ParseAddress(f.repo)
	if err != nil {
		return nil, nil, err
	}
	cache, err := f.remote.cache()
	if err != nil {
		return nil, nil, err
	}
	secret, err := f.remote.webhookSecret(e)
	if err != nil {
		return nil, nil, err
	}
	if f.operate.checkOnly {
		if source, ok := gitrepo.Mirrored(cache, address); ok {
			log.Info("what was mirrored is checked, nothing is fetched", "repository", address)
			return source, nil, nil
		}
	}
	mirror, err := gitrepo.OpenMirror(ctx, cache, gitrepo.Remote{
		Address: address, Login: newLogin(e, f.remote.passwordFile),
		SSHKey: f.remote.sshKey, KnownHosts: f.remote.knownHosts, Local: author.UploadPack,
	})
	if err != nil {
		return nil, nil, err
	}
	log.Info("mirroring", "repository", address, "folder", mirror.Folder())
	r := &remote{Mirror: mirror, log: log}
	r.recall()
	r.Remote = watch.NewRemote(f.poll, r.fetch)
	if f.remote.webhookAddr != "" && !f.operate.checkOnly {
		if r.hook, err = newWebhook(f.remote.webhookAddr, secret, r.Nudge, log); err != nil {
			return nil, nil, errors.Join(err, mirror.Close())
		}
	}
	return r, r, nil
}

// Close lets go of the mirror and of the address for webhooks.
func (r *remote) Close() error {
	if r.hook != nil {
		_ = r.hook.listener.Close() // it may be closed already
	}
	return r.Mirror.Close()
}

// cache returns the folder of mirrors.
func (f *remoteFlags) cache() (string, error) {
	if f.cacheDir != "" {
		return filepath.Abs(f.cacheDir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", errors.New("this user has no cache folder: name one with --cache-dir")
	}
	return filepath.Join(dir, "rulestore"), nil
}

// Run fetches, and listens for webhooks, until the context ends. A crash ends both, for
// who called it to begin them again.
func (r *remote) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	hook := make(chan error, 1)
	go func() {
		err := crash.Do(func() { r.hook.run(ctx) })
		if err != nil {
			cancel()
		}
		hook <- err
	}()
	defer func() {
		cancel()
		if err := <-hook; err != nil {
			panic(err)
		}
	}()
	r.Remote.Run(ctx)
}

// Mode says how changes are noticed.
func (r *remote) Mode() string {
	if r.hook != nil {
		return "fetch+webhook"
	}
	return "fetch"
}

// fetch brings the mirror up to date, and notes how that went.
func (r *remote) fetch(ctx context.Context) error {
	start := time.Now()
	changed, err := r.tryFetch(ctx)
	if ctx.Err() != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.failed.Add(1)
		r.state.FailedAt, r.state.Error = time.Now(), err.Error()
		r.log.Warn("the repository could not be fetched", "error", err)
		return err
	}
	if r.state.Error != "" {
		r.log.Info("the repository can be fetched again")
	}
	if changed {
		r.log.Info("fetched", "took", time.Since(start).Round(time.Millisecond))
	}
	r.succeeded.Add(1)
	r.state.SucceededAt, r.state.Error = start, ""
	return nil
}

// tryFetch is a fetch from a remote that may say more than that was made for.
func (r *remote) tryFetch(ctx context.Context) (changed bool, err error) {
	if crashed := crash.Do(func() { changed, err = r.Mirror.Fetch(ctx) }); crashed != nil {
		crash.Tell(r.log, crashed, "doing", "fetching")
		return false, crashed
	}
	return changed, err
}

// first loads what is served first: the mirror as an earlier process left it,
// so that a remote that is away delays nothing, else what the remote has now.
func (r *remote) first(ctx context.Context, load func(context.Context) (loader.Result, error)) (loader.Result, error) {
	for fetched := false; ; {
		result, err := load(ctx)
		switch {
		case err == nil:
			r.loaded(result)
			return result, nil
		case r.passed(err):
			continue
		case fetched || ctx.Err() != nil:
			return loader.Result{}, err
		case r.unreadable(err):
			r.log.Warn("the mirror cannot be read, the state before it is tried", "error", err)
			r.recall()
			continue
		}
		if failure := r.fetch(ctx); failure != nil {
			if errors.Is(err, gitrepo.ErrNotFetched) {
				return loader.Result{}, failure
			}
			return loader.Result{}, errors.Join(err, failure)
		}
		fetched = true
	}
}

// recall notes when an earlier process last fetched what the mirror holds.
func (r *remote) recall() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.SucceededAt = r.Fetched()
}

// renewEvery is how often at most everything is fetched again because objects are
// damaged: they may be so at the remote.
const renewEvery = 10 * time.Minute

// loaded is told that the mirror was read, and what that came to.
func (r *remote) loaded(result loader.Result) {
	if result.Damaged && time.Since(r.renewed) > renewEvery {
		r.log.Warn("the mirror has damaged objects, it is fetched anew")
		r.renewed = time.Now()
		r.Renew()
		r.Nudge()
		return
	}
	if err := r.Keep(); err != nil {
		r.log.Warn("the mirror keeps more than it needs", "error", err)
	}
}

// passed passes over the newest state of the mirror if loading it crashes, and says
// whether there is an older one. Nothing is dropped for a defect of ours.
func (r *remote) passed(err error) bool {
	if _, ok := errors.AsType[*crash.Error](err); !ok || !r.Pass() {
		return false
	}
	crash.Tell(r.log, err, "doing", "loading the mirror")
	r.log.Warn("the mirror cannot be loaded, the state before it is served", "error", err)
	r.recall()
	return true
}

// unreadable drops what is not a repository any more, and says whether there is
// an older state to go on with. What people put into the repository is never a
// reason.
func (r *remote) unreadable(err error) bool {
	_, ok := errors.AsType[*gitrepo.ReadError](err)
	return ok && !gitrepo.IsShortage(err) && r.Drop()
}

// describe adds to the status what is known of the remote. What was fetched long
// ago was compared with the remote long ago, whenever it was read.
func (r *remote) describe(s *server.Status) {
	r.mu.Lock()
	state := r.state
	r.mu.Unlock()
	s.Remote = &state
	if state.SucceededAt.Before(s.CheckedAt) {
		s.CheckedAt = state.SucceededAt
	}
}
