package main

import (
	"context"
	"os"
	"strings"

	"rulestore/content/i18n"
	"rulestore/loader/gitcmd"
)

// login provides users and passwords for https: from a file, which is read each time because
// tokens are rotated, else from the environment, else from git's credential helpers, once the
// remote requires them.
type login struct {
	user, password string
	file           string
	helpers        gitcmd.Credentials

	known [2]string // from the helpers
}

func newLogin(e *env, file string) *login {
	return &login{
		user: e.getenv(gitUsername), password: e.getenv(gitPassword), file: file,
		helpers: gitcmd.Credentials{Environ: e.environ},
	}
}

// defaultUser is the user for hosts that check only the token.
const defaultUser = "git"

func (l *login) Login(ctx context.Context, url string, refused bool) (user, password string, err error) {
	user = l.user
	if user == "" {
		user = defaultUser
	}
	switch {
	case l.file != "":
		password, err = readSecret(l.file)
		return user, password, err
	case l.password != "":
		return user, l.password, nil
	case refused:
		l.known[0], l.known[1] = l.helpers.Fill(ctx, url)
	}
	return l.known[0], l.known[1], nil
}

func (l *login) Judge(ctx context.Context, url, user, password string, accepted bool) {
	if l.known != [2]string{user, password} {
		return // the operator's own
	}
	l.helpers.Judge(ctx, url, user, password, accepted)
	if !accepted {
		l.known = [2]string{}
	}
}

// maxSecret is the maximum size of a file with a secret in bytes.
const maxSecret = 64 << 10

// readSecret reads the first line of a file.
func readSecret(file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", i18n.Errorf("read the secret: %w", err)
	}
	if info.Size() > maxSecret {
		return "", i18n.Errorf("read the secret: %s has %d bytes, at most %d are read", file, info.Size(), maxSecret)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return "", i18n.Errorf("read the secret: %w", err)
	}
	secret, _, _ := strings.Cut(string(raw), "\n")
	if secret = strings.TrimRight(secret, "\r"); secret == "" {
		return "", i18n.Errorf("read the secret: the first line of %s is empty", file)
	}
	return secret, nil
}
