package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"rulestore/cmd/rulestore/internal/webhook"
	"rulestore/content/crash"
	"rulestore/content/i18n"
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
	webhookPeers                 []string
	maxLoss                      string
}

func (f *remoteFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.cacheDir, "cache-dir", "", "where copies of remote repositories are kept; without it, the user's cache folder")
	flags.StringVar(&f.passwordFile, "git-password-file", "", "a file with the password or token for https; RULESTORE_GIT_USERNAME and RULESTORE_GIT_PASSWORD do as well, else git's credential helpers are asked")
	flags.StringVar(&f.sshKey, "ssh-key", "", "the private key file for ssh; without it, the ssh agent's keys")
	flags.StringVar(&f.knownHosts, "known-hosts", "", "the file of known ssh host keys; without it, ssh's own")
	flags.StringVar(
		&f.maxLoss, "max-loss", "",
		"how many publications a new state of a repository elsewhere may lose; one that loses more, or rewrites the branch, is held back until somebody confirms it. 0 without the flag; all: nothing is held back",
	)
	flags.StringVar(&f.webhookAddr, "webhook-addr", "", "the address on which webhooks of a git host may ask for a fetch; without it, none do")
	flags.StringVar(&f.webhookSecretIn, "webhook-secret-file", "", "a file with the secret that webhooks are signed with; RULESTORE_WEBHOOK_SECRET does as well")
	flags.StringSliceVar(
		&f.webhookPeers, "webhook-peers", nil,
		"where the other replicas hear webhooks, to pass calls on to: HOST:PORT, with a name that has the addresses of all of them",
	)
}

// check looks at what can be wrong without looking at the machine.
func (f *remoteFlags) check(repo string) error {
	for _, name := range f.webhookPeers {
		if !webhook.IsPeer(name) {
			return usageError{i18n.Errorf(
				"--webhook-peers %q is no HOST:PORT: expected for example rulestore-peers:8090", name,
			)}
		}
	}
	if len(f.webhookPeers) > 0 && f.webhookAddr == "" {
		return usageError{i18n.Errorf("--webhook-peers needs --webhook-addr: what others are told of has to be heard")}
	}
	if gitrepo.IsAddress(repo) {
		if _, err := gitrepo.ParseAddress(repo); err != nil {
			return usageError{i18n.Errorf("--repo: %w", err)}
		}
		return f.checkLoss()
	}
	if f.maxLoss != "" {
		return usageError{i18n.Errorf("--max-loss is for a --repo elsewhere, of which there is a copy to go on with")}
	}
	if f.webhookAddr != "" {
		return usageError{i18n.Errorf("--webhook-addr is for a --repo elsewhere: changes on this machine are noticed anyway")}
	}
	return nil
}

// allLosses says that nothing is held back.
const allLosses = "all"

func (f *remoteFlags) checkLoss() error {
	if n, err := strconv.Atoi(f.maxLoss); f.maxLoss != "" && f.maxLoss != allLosses && (err != nil || n < 0) {
		return usageError{i18n.Errorf("--max-loss %q: expected a number of publications, or all", f.maxLoss)}
	}
	return nil
}

// losses is how many publications may be lost, below 0 any number.
func (f *remoteFlags) losses() int {
	if f.maxLoss == allLosses {
		return -1
	}
	n, _ := strconv.Atoi(f.maxLoss) // it was checked; none where no flags were read
	return n
}

// remote follows a repository elsewhere: it keeps a mirror of it.
type remote struct {
	*gitrepo.Mirror
	*watch.Remote
	guard   *guard
	hook    *webhook.Hook // nil if there is none
	log     *slog.Logger
	poll    time.Duration
	newest  string // the state that was admitted last
	patient bool   // the first start waits for the remote; set before it

	fetches fetches

	mu    sync.Mutex
	state server.Remote
	older time.Time // when the remote had what is served, if a process began with an older state; else zero
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
	switch source, ok := gitrepo.Mirrored(cache, address); {
	case ok && f.operate.checkOnly:
		log.Info("what was mirrored is checked, nothing is fetched", "repository", address)
		return gitrepo.In(source, address.Folder), nil, nil
	case !ok:
		if err := f.remote.present(address); err != nil {
			return nil, nil, err
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
	r := &remote{
		Mirror: mirror, guard: newGuard(mirror, f.ref, address.Folder, f.remote.losses(), log), log: log, poll: f.poll,
	}
	r.recall()
	r.Remote = watch.NewRemote(f.poll, r.fetch)
	if f.remote.webhookAddr != "" && !f.operate.checkOnly {
		if r.hook, err = webhook.Listen(webhook.Config{
			Addr: f.remote.webhookAddr, Secret: secret, Peers: f.remote.webhookPeers, Nudge: r.Nudge, Log: log,
		}); err != nil {
			return nil, nil, errors.Join(err, mirror.Close())
		}
	}
	return gitrepo.In(r, address.Folder), r, nil
}

// present looks for the files on this machine that fetching takes. Without any of them
// there is nothing to wait for, while what was fetched before is served without them.
func (f *remoteFlags) present(a gitrepo.Address) error {
	for flag, file := range map[string]string{"ssh-key": f.sshKey, "known-hosts": f.knownHosts} {
		if _, err := os.Stat(file); file != "" && err != nil {
			return usageError{i18n.Errorf("--%s: %w", flag, err)}
		}
	}
	if f.passwordFile != "" {
		if _, err := readSecret(f.passwordFile); err != nil {
			return usageError{i18n.Errorf("--git-password-file: %w", err)}
		}
	}
	if a.Scheme != "file" {
		return nil
	}
	if _, err := gitrepo.Locate(a.Path); err != nil {
		return usageError{i18n.Errorf("--repo %s: %w", a, err)}
	}
	return nil
}

// Close lets go of the mirror and of the address for webhooks.
func (r *remote) Close() error {
	r.hook.Close()
	return r.Mirror.Close()
}

// webhookSecret returns what webhooks are signed with; "" if none are wanted.
func (f *remoteFlags) webhookSecret(e *env) (secret string, err error) {
	if f.webhookAddr == "" {
		return "", nil
	}
	secret = e.getenv(webhookSecret)
	if f.webhookSecretIn != "" {
		if secret, err = readSecret(f.webhookSecretIn); err != nil {
			return "", err
		}
	}
	switch {
	case secret == "":
		return "", i18n.Errorf(
			"--webhook-addr needs the secret that the host signs with: name its file with --webhook-secret-file, or set RULESTORE_WEBHOOK_SECRET",
		)
	case len(secret) < webhook.LeastSecret:
		return "", i18n.Errorf(
			"the webhook secret is too short: at least %d characters, for example from `openssl rand -hex 32`",
			webhook.LeastSecret,
		)
	}
	return secret, nil
}

// cache returns the folder of mirrors.
func (f *remoteFlags) cache() (string, error) {
	if f.cacheDir != "" {
		return filepath.Abs(f.cacheDir)
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", i18n.Errorf("this user has no cache folder: name one with --cache-dir")
	}
	return filepath.Join(dir, "rulestore"), nil
}

// Run fetches, listens for webhooks and passes them on, until the context ends. A crash
// ends all, for who called it to begin them again.
func (r *remote) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	beside := []func(context.Context){r.hook.Run, r.hook.Forward}
	crashed := make(chan error, len(beside))
	for _, work := range beside {
		go func() {
			err := crash.Do(func() { work(ctx) })
			if err != nil {
				cancel()
			}
			crashed <- err
		}()
	}
	defer func() {
		cancel()
		var err error
		for range beside {
			err = errors.Join(err, <-crashed)
		}
		if err != nil {
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
		r.fetches.done(&r.fetches.failed, start)
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
	r.fetches.done(&r.fetches.succeeded, start)
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

// first loads what is served first: the state that an earlier process accepted, so that
// a remote that is away delays nothing, else what the remote has now. Where neither can
// be, the newest state of the mirror is served that can.
func (r *remote) first(ctx context.Context, load func(context.Context) (loader.Result, error)) (loader.Result, error) {
	if err := r.Intact(); err != nil {
		r.log.Warn("the mirror is damaged, it is fetched anew", "error", err)
		_ = r.fetch(ctx) // if the remote is away, what can be read is served
		r.recall()
	}
	if result, ok := r.accepted(ctx, load); ok {
		return result, nil
	}
	for fetched, passed := false, false; ; {
		result, err := load(ctx)
		if err == nil {
			r.begin(result, passed)
			return result, nil
		}
		r.failed(err)
		switch {
		case ctx.Err() != nil:
			return loader.Result{}, err
		case r.Pass():
			r.log.Warn("the newest state of the mirror cannot be loaded, the one before it is tried", "error", err)
			passed = true
			continue
		case fetched:
			return loader.Result{}, err
		}
		if failure := r.await(ctx); failure != nil && errors.Is(err, gitrepo.ErrNotFetched) {
			return loader.Result{}, failure
		} else if failure != nil {
			return loader.Result{}, errors.Join(err, failure)
		}
		fetched, passed = true, false
	}
}

// accepted loads the state that an earlier process accepted. It is not ok if that can be
// read no more, or not as it was: then the newest may be the same, fetched anew.
func (r *remote) accepted(
	ctx context.Context, load func(context.Context) (loader.Result, error),
) (result loader.Result, ok bool) {
	a := r.guard.state().Accepted
	newest, _ := r.Generations()
	if a.Generation == 0 || a.Generation == newest && a.At == "" {
		return result, false
	}
	r.guard.choose(a)
	defer r.guard.newest()
	result, err := load(ctx)
	switch {
	case err != nil:
		r.log.Warn("the state that was accepted cannot be loaded", "state", a.State, "error", err)
		return result, false
	case result.Damaged, a.State != "" && nameState(result) != a.State:
		r.log.Warn("the state that was accepted cannot be read in full", "state", a.State)
		return result, false
	}
	r.loaded(result)
	if a.Generation != newest {
		r.behind(r.Fetched())
	}
	if a.State == "" {
		r.guard.accept(result)
	} else {
		r.guard.reread(result)
	}
	return result, true
}

// begin notes that a process begins with a result, of an older state if the newest was
// passed over. There is nothing else to serve, so it is served even if it is held back.
func (r *remote) begin(result loader.Result, passed bool) {
	if passed {
		at := r.Fetched()
		r.behind(at)
		r.log.Warn("an older state of the repository is served: the newest that could be loaded", "of", at)
	}
	if passed || r.ailing(result) { // the mirror has not what was accepted, as far as can be seen
		r.loaded(result)
		return
	}
	if h := r.guard.judge(result); h != nil {
		r.guard.hold(h)
		r.log.Warn("what is held back is served all the same: what was accepted cannot be read any more", "state", h.State)
		return
	}
	r.loaded(result)
	r.guard.accept(result)
}

// behind notes when the remote had what is served, if that is older than what it was last
// seen to have; the zero time says that it is not.
func (r *remote) behind(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.older = at
}

// await fetches, until that succeeds if the process is to wait for the remote: whoever
// starts it again would come no further, and service managers give up at some time. A
// remote that answers, and has no such repository for this login, is not waited for.
func (r *remote) await(ctx context.Context) error {
	for pause := time.Second; ; pause = min(2*pause, max(r.poll, time.Second)) {
		err := r.fetch(ctx)
		if err == nil || !r.patient || gitrepo.IsRefused(err) || ctx.Err() != nil {
			return err
		}
		r.log.Warn("there is nothing to serve until the repository can be fetched", "next", pause)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// recall notes when an earlier process last fetched what the mirror holds.
func (r *remote) recall() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.SucceededAt = r.Fetched()
}

// errDamagedObjects is why a mirror is fetched anew of which not everything can be read.
var errDamagedObjects = i18n.Errorf("some of what is published cannot be read: %w", gitrepo.ErrDamaged)

// admits is told what came of reading the newest state, and reports whether that is
// served. What the mirror itself has lost is nobody's doing: it is fetched anew first.
func (r *remote) admits(result loader.Result) bool {
	switch {
	case result.Snapshot == nil && r.guard.state().Held != nil:
		return true
	case result.Snapshot == nil:
		r.loaded(result)
		r.guard.moved(r.newest)
		return true
	case r.ailing(result) && len(r.guard.lost(result.Snapshot)) > 0:
		return false
	}
	if h := r.guard.judge(result); h != nil {
		r.guard.hold(h)
		return false
	}
	r.loaded(result)
	r.behind(time.Time{})
	r.newest = nameState(result)
	return true
}

// ailing reports whether the mirror itself has lost something, and is fetched anew.
func (r *remote) ailing(result loader.Result) bool {
	if result.Damaged {
		return r.failed(errDamagedObjects)
	}
	err := r.Intact()
	return err != nil && r.failed(&gitrepo.ReadError{What: i18n.New("open the mirror"), Err: err})
}

// loaded is told that the mirror was read, and what that came to.
func (r *remote) loaded(result loader.Result) {
	if result.Damaged {
		r.failed(errDamagedObjects)
		return
	}
	if err := r.Keep(); err != nil {
		r.log.Warn("the mirror keeps more than it needs", "error", err)
	}
}

// failed is told why the mirror could not be loaded, and reports whether it is fetched
// anew because of that.
func (r *remote) failed(err error) bool {
	if _, crashed := errors.AsType[*crash.Error](err); crashed {
		crash.Tell(r.log, err, "doing", "loading the mirror")
	}
	condemned := r.Condemned() != ""
	if !r.Failed(err) {
		return false
	}
	if !condemned {
		r.log.Warn("the mirror is fetched anew", "error", err)
	}
	r.Nudge()
	return true
}

// describe adds to the status what is known of the remote. What was fetched long
// ago was compared with the remote long ago, whenever it was read.
func (r *remote) describe(s *server.Status) {
	r.mu.Lock()
	state, older := r.state, r.older
	r.mu.Unlock()
	renewal, decided := r.Renewal(), r.guard.state()
	s.Decisions = decided
	state.RenewedAt, state.Renewal, state.Mirror, state.State = renewal.At, renewal.Why, r.Folder(), server.RemoteFollowed
	condemned := r.Condemned()
	switch {
	case condemned != "":
		state.State, state.Renewal = server.RemoteDamaged, condemned
	case state.Error != "":
		state.State = server.RemoteAway
	case s.LastError != "":
		state.State = server.RemoteUnfit
	case decided.Pinned != nil:
		state.State = server.RemotePinned
	case decided.Held != nil:
		state.State = server.RemoteHeld
	}
	s.Remote = &state
	if state.SucceededAt.Before(s.CheckedAt) {
		s.CheckedAt = state.SucceededAt
	}
	if s.LastError != "" && !older.IsZero() && older.Before(s.CheckedAt) {
		s.CheckedAt = older
	}
}
