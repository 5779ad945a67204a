package main

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/cmd/rulestore/internal/process"
	"rulestore/content/i18n"
	"rulestore/loader/git"
	"rulestore/loader/git/mirror"
)

// openRemote opens the mirror. A check does not, if something was mirrored already: a running server may hold it.
func (c *config) openRemote(ctx context.Context, e *env, log *slog.Logger) (git.Opener, *follow.Remote, error) {
	address, err := git.ParseAddress(c.repo)
	if err != nil {
		return nil, nil, err
	}
	cache, err := c.cache(e)
	if err != nil {
		return nil, nil, err
	}
	switch arrived, ok := mirror.Arrived(cache, address); {
	case ok && c.checkOnly:
		log.Info("what was mirrored is checked, nothing is fetched", "repository", address.String())
		return arrived, nil, nil
	case !ok:
		if err := c.checkFiles(address); err != nil {
			return nil, nil, err
		}
	}
	copied, err := mirror.Open(ctx, cache, mirror.Remote{
		Address: address, Login: e.login(c.passwordFile),
		SSHKey: c.sshKey, KnownHosts: c.knownHosts, Environ: e.environ,
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
	remote := &follow.Remote{Source: copied, Poll: c.poll, Losses: c.lossLimit(), Mode: "fetch"}
	if c.webhookAddr != "" {
		remote.Mode = "fetch+webhook"
	}
	return copied, remote, nil
}

// checkFiles checks that the files for fetching exist. Without them waiting is useless, while content
// that was fetched before is served.
func (c *config) checkFiles(a git.Address) error {
	for flag, file := range map[string]string{"ssh-key": c.sshKey, "known-hosts": c.knownHosts} {
		if _, err := os.Stat(file); file != "" && err != nil {
			return usageErrorf("--%s: %w", flag, err)
		}
	}
	if c.passwordFile != "" {
		if _, err := readSecret(c.passwordFile); err != nil {
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
func (c *config) webhookSecret(e *env) (secret string, err error) {
	secret, err = e.secret(c.webhookSecretFile, webhookSecret)
	switch {
	case c.webhookAddr == "" && secret != "":
		return "", usageErrorf("%s needs --webhook-addr: without it nothing listens for webhooks", webhookSecret)
	case c.webhookAddr == "" || err != nil:
		return "", err
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

// cache returns the folder of mirrors, by default in the folder of the user's caches as the XDG Base Directory
// Specification has it, on each system.
func (c *config) cache(e *env) (string, error) {
	dir, home := e.getenv("XDG_CACHE_HOME"), e.getenv("HOME")
	switch {
	case c.cacheDir != "":
		return filepath.Abs(c.cacheDir)
	case filepath.IsAbs(dir): // others are to be ignored
	case home != "":
		dir = filepath.Join(home, ".cache")
	default:
		return "", i18n.Errorf("this user has no cache folder: name one with --cache-dir")
	}
	return filepath.Join(dir, "rulestore"), nil
}

// defaultUser is the user for hosts that check only the token.
const defaultUser = "git"

// login provides the user and the password for https: from a file, which is read each time because
// tokens are rotated, else from the environment; none if git's credential helpers are to be asked.
func (e *env) login(file string) mirror.Login {
	return func() (user, password string, err error) {
		password, err = e.secret(file, gitPassword)
		return cmp.Or(e.getenv(gitUsername), defaultUser), password, err
	}
}

// secret is the first line of a file or, if none is named, what a variable says; "" if that is not set.
func (e *env) secret(file, variable string) (string, error) {
	if file == "" {
		return e.getenv(variable), nil
	}
	return readSecret(file)
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
