package main

import (
	"cmp"
	"os"
	"strings"

	"rulestore/content/i18n"
	"rulestore/loader/git/mirror"
)

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
