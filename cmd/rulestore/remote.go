package main

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/cmd/rulestore/internal/process"
	"rulestore/content/i18n"
	"rulestore/loader/git"
	"rulestore/loader/git/mirror"
)

// remoteFlags are the flags about a repository elsewhere.
type remoteFlags struct {
	cacheDir, passwordFile       string
	sshKey, knownHosts           string
	webhookAddr, webhookSecretIn string
	maxLoss                      string
}

// registerCache adds the flag for the folder of mirrors.
func (f *remoteFlags) registerCache(flags *pflag.FlagSet) {
	pathVar(
		flags, &f.cacheDir, "cache-dir", "",
		"where copies of remote repositories are kept; without it, the user's cache folder",
	)
}

func (f *remoteFlags) register(flags *pflag.FlagSet) {
	f.registerCache(flags)
	pathVar(
		flags, &f.passwordFile, "git-password-file", "",
		"a file with the password or token for https; RULESTORE_GIT_USERNAME and RULESTORE_GIT_PASSWORD do as well, "+
			"else git's credential helpers are asked",
	)
	pathVar(flags, &f.sshKey, "ssh-key", "", "the private key file for ssh; without it, the ssh agent's keys")
	pathVar(flags, &f.knownHosts, "known-hosts", "", "the file of known ssh host keys; without it, ssh's own")
	flags.StringVar(
		&f.maxLoss, "max-loss", "",
		"how many publications a new state of a repository elsewhere may lose; one that loses more, or rewrites the "+
			"branch, is held back until somebody confirms it. 0 without the flag; all: nothing is held back",
	)
}

// registerWebhooks adds the flags of a server that hears webhooks.
func (f *remoteFlags) registerWebhooks(flags *pflag.FlagSet) {
	flags.StringVar(
		&f.webhookAddr, "webhook-addr", "",
		"the address on which webhooks of a git host may ask for a fetch; without it, none do",
	)
	pathVar(
		flags, &f.webhookSecretIn, "webhook-secret-file", "",
		"a file with the secret that webhooks are signed with; RULESTORE_WEBHOOK_SECRET does as well",
	)
}

// check validates the flags without access to the machine.
func (f *remoteFlags) check(repo string) error {
	if err := checkListening("webhook-addr", f.webhookAddr); err != nil {
		return err
	}
	if f.webhookSecretIn != "" && f.webhookAddr == "" {
		return secretWithoutAddr("--webhook-secret-file")
	}
	if git.IsAddress(repo) {
		if _, err := git.ParseAddress(repo); err != nil {
			return usageErrorf("--repo: %w", err)
		}
		return f.checkLoss()
	}
	if f.maxLoss != "" {
		return usageErrorf("--max-loss is for a --repo elsewhere, of which there is a copy to go on with")
	}
	if f.webhookAddr != "" {
		return usageErrorf("--webhook-addr is for a --repo elsewhere: changes on this machine are noticed anyway")
	}
	return nil
}

// secretWithoutAddr is the error for a secret of webhooks that nothing listens for.
func secretWithoutAddr(name string) error {
	return usageErrorf("%s needs --webhook-addr: without it nothing listens for webhooks", name)
}

// allLosses means that no state is held back.
const allLosses = "all"

func (f *remoteFlags) checkLoss() error {
	if n, err := strconv.Atoi(f.maxLoss); f.maxLoss != "" && f.maxLoss != allLosses && (err != nil || n < 0) {
		return usageErrorf("--max-loss %q: expected a number of publications, or all", f.maxLoss)
	}
	return nil
}

// lossLimit is the maximum number of lost publications, below 0 unlimited.
func (f *remoteFlags) lossLimit() int {
	if f.maxLoss == allLosses {
		return -1
	}
	n, _ := strconv.Atoi(f.maxLoss) // it was checked; none where no flags were read
	return n
}

// openRemote opens the mirror. A check does not, if something was mirrored already: a running server may hold it.
func (f serveFlags) openRemote(ctx context.Context, e *env, log *slog.Logger) (git.Opener, *follow.Remote, error) {
	address, err := git.ParseAddress(f.repo)
	if err != nil {
		return nil, nil, err
	}
	cache, err := f.remote.cache(e)
	if err != nil {
		return nil, nil, err
	}
	switch arrived, ok := mirror.Arrived(cache, address); {
	case ok && f.checkOnly:
		log.Info("what was mirrored is checked, nothing is fetched", "repository", address.String())
		return arrived, nil, nil
	case !ok:
		if err := f.remote.checkFiles(address); err != nil {
			return nil, nil, err
		}
	}
	copied, err := mirror.Open(ctx, cache, mirror.Remote{
		Address: address, Login: e.login(f.remote.passwordFile),
		SSHKey: f.remote.sshKey, KnownHosts: f.remote.knownHosts, Environ: e.environ,
	})
	if err != nil {
		return nil, nil, err
	}
	if address.Plain() {
		log.Warn(
			"the repository is fetched over http: anybody on the way can read it and change what is served, use https",
			"repository", address.String(),
		)
	}
	log.Info("mirroring", "repository", address.String(), "folder", copied.Folder())
	remote := &follow.Remote{Source: copied, Poll: f.poll, Losses: f.remote.lossLimit(), Mode: "fetch"}
	if f.remote.webhookAddr != "" {
		remote.Mode = "fetch+webhook"
	}
	return copied, remote, nil
}

// checkFiles checks that the files for fetching exist. Without them waiting is useless, while content
// that was fetched before is served.
func (f *remoteFlags) checkFiles(a git.Address) error {
	for flag, file := range map[string]string{"ssh-key": f.sshKey, "known-hosts": f.knownHosts} {
		if _, err := os.Stat(file); file != "" && err != nil {
			return usageErrorf("--%s: %w", flag, err)
		}
	}
	if f.passwordFile != "" {
		if _, err := readSecret(f.passwordFile); err != nil {
			return usageErrorf("--git-password-file: %w", err)
		}
	}
	if a.Scheme != "file" {
		return nil
	}
	if _, err := git.Locate(a.Path); err != nil {
		return usageErrorf("--repo %s: %w", a, err)
	}
	return nil
}

// webhookSecret returns the secret for signatures of webhooks; "" if there are none.
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
			"--webhook-addr needs the secret that the host signs with: name its file with --webhook-secret-file, or " +
				"set RULESTORE_WEBHOOK_SECRET",
		)
	case len(secret) < process.LeastSecret:
		return "", i18n.Errorf(
			"the webhook secret is too short: at least %d characters, for example from `openssl rand -hex 32`",
			process.LeastSecret,
		)
	}
	return secret, nil
}

// cache returns the folder of mirrors.
func (f *remoteFlags) cache(e *env) (string, error) {
	if f.cacheDir != "" {
		return filepath.Abs(f.cacheDir)
	}
	dir := userCacheDir(runtime.GOOS, e.getenv)
	if dir == "" {
		return "", i18n.Errorf("this user has no cache folder: name one with --cache-dir")
	}
	return filepath.Join(dir, "rulestore"), nil
}

// userCacheDir returns what [os.UserCacheDir] does, in the environment of a command instead of that of
// the process; empty if there is none.
func userCacheDir(system string, getenv func(string) string) string {
	home, xdg := getenv("HOME"), getenv("XDG_CACHE_HOME")
	switch {
	case system == "windows":
		return getenv("LocalAppData")
	case system == "darwin" && home != "":
		return filepath.Join(home, "Library", "Caches")
	case system != "darwin" && filepath.IsAbs(xdg):
		return xdg
	case system != "darwin" && xdg == "" && home != "":
		return filepath.Join(home, ".cache")
	}
	return ""
}

// defaultUser is the user for hosts that check only the token.
const defaultUser = "git"

// login provides the user and the password for https: from a file, which is read each time because
// tokens are rotated, else from the environment; none if git's credential helpers are to be asked.
func (e *env) login(file string) mirror.Login {
	return func() (user, password string, err error) {
		user, password = cmp.Or(e.getenv(gitUsername), defaultUser), e.getenv(gitPassword)
		if file != "" {
			password, err = readSecret(file)
		}
		return user, password, err
	}
}

// maxSecret is the maximum size of a file with a secret in bytes.
const maxSecret = 64 << 10

// readSecret reads the first line of a file.
func readSecret(file string) (string, error) {
	raw, err := readLimited(file, maxSecret)
	if err != nil {
		return "", i18n.Errorf("read the secret: %w", err)
	}
	secret, _, _ := strings.Cut(string(raw), "\n")
	if secret = strings.TrimRight(secret, "\r"); secret == "" {
		return "", i18n.Errorf("read the secret: the first line of %s is empty", file)
	}
	return secret, nil
}
