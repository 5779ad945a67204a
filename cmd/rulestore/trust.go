package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.yaml.in/yaml/v3"

	"rulestore/content/i18n"
	"rulestore/content/log"
	"rulestore/loader/git"
	"rulestore/loader/signers"
	"rulestore/loader/worktree"
)

// readSigners reads the file of trusted signers, nil if there is none. It must
// not be where those whom it judges could change it.
func readSigners(name, repo string) (*signers.Set, error) {
	if name == "" {
		return nil, nil
	}
	file, err := resolveOutside(name, repo)
	if err != nil {
		return nil, err
	}
	raw, err := readLimited(file, signers.MaxFile)
	if err != nil {
		return nil, i18n.Errorf("read the trusted signers: %w", err)
	}
	set, err := signers.Parse(raw)
	if err != nil {
		return nil, i18n.Errorf("read the trusted signers: %s: %w", name, err)
	}
	return set, nil
}

// resolveOutside returns where a file really is, if that is not in the repository.
func resolveOutside(file, repo string) (string, error) {
	real, err := filepath.EvalSymlinks(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", i18n.Errorf(
			"there is no file %s of trusted signers: write it, a line for each of them with address and public key, "+
				"for example `echo \"a@example.org $(cat ~/.ssh/id_ed25519.pub)\" > %[1]s`",
			file,
		)
	}
	if err != nil {
		return "", i18n.Errorf("read the trusted signers: %w", err)
	}
	if repo == "" || git.IsAddress(repo) {
		return real, nil
	}
	at, err := git.Locate(repo)
	if err != nil {
		return "", err
	}
	for _, dir := range []string{at.WorkTree, at.GitDir, at.CommonDir} {
		if dir == "" {
			continue
		}
		switch _, inside, err := worktree.Inside(dir, real); {
		case err != nil:
			return "", err
		case inside:
			return "", i18n.Errorf(
				"the trusted signers in %s lie in the repository that they guard: keep the file where a push cannot "+
					"change it",
				file,
			)
		}
	}
	return real, nil
}

// maxPolicy is the maximum size of a policy in bytes.
const maxPolicy = 64 << 10

// policyFile is a policy for heads of a log, as somebody wrote it.
type policyFile struct {
	Log       string   `yaml:"log"`
	Witnesses []string `yaml:"witnesses"`
	Quorum    int      `yaml:"quorum"`
	MaxAge    *string  `yaml:"max_age"`
}

// readPolicy reads the policy for heads of a log.
func readPolicy(name string) (log.Policy, error) {
	raw, err := readLimited(name, maxPolicy)
	if err != nil {
		return log.Policy{}, i18n.Errorf("read the policy: %w", err)
	}
	p, err := parsePolicy(raw)
	if err != nil {
		return log.Policy{}, i18n.Errorf("read the policy: %s: %w", name, err)
	}
	return p, nil
}

// parsePolicy reads a policy: the fields log, witnesses, quorum and max_age, and no others. A quorum or an age that
// is given counts: 0 would check nothing.
func parsePolicy(raw []byte) (log.Policy, error) {
	of := policyFile{Quorum: -1}
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	if err := dec.Decode(&of); err != nil && err != io.EOF {
		return log.Policy{}, i18n.Errorf("expected the fields `log`, `witnesses`, `quorum` and `max_age`: %w", err)
	}
	if err := dec.Decode(new(yaml.Node)); err != io.EOF {
		return log.Policy{}, i18n.Errorf("expected one document")
	}
	var age time.Duration
	if of.MaxAge != nil {
		var err error
		if age, err = time.ParseDuration(*of.MaxAge); err != nil || age <= 0 {
			return log.Policy{}, i18n.Errorf("`max_age`: %.40q is no age: expected for example 48h", *of.MaxAge)
		}
	}
	switch {
	case of.Log == "":
		return log.Policy{}, i18n.Errorf("the field `log` is missing: the public key of the log")
	case of.Quorum == 0 || of.Quorum < -1:
		return log.Policy{}, i18n.Errorf("`quorum`: %d is no number of witnesses", of.Quorum)
	}
	return log.NewPolicy(of.Log, of.Witnesses, max(of.Quorum, 0), age)
}

// stateFile is a file that keeps the signed head of a log that was seen last.
type stateFile string

// read returns the stored head, nil if there is none.
func (f stateFile) read() ([]byte, error) {
	raw, err := readLimited(string(f), log.MaxCheckpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return raw, err
}

// replace stores a signed head if the stored one is still the one that was read, otherwise it
// changes nothing. Of two runs that began with the same head one fails: if both were stored in
// turn, a contradiction to the first would be forgotten, or even signed.
func (f stateFile) replace(read, signed []byte) (err error) {
	lock := string(f) + ".lock"
	held, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return i18n.Errorf("%s is there: another run writes this state; if there is none, remove that file", lock)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Close(), os.Remove(lock)) }()
	now, err := f.read()
	if err != nil {
		return err
	}
	if !bytes.Equal(now, read) && !bytes.Equal(now, signed) {
		return i18n.Errorf("another run has written %s meanwhile: run this one again", string(f))
	}
	return worktree.Write(filepath.Dir(string(f)), filepath.Base(string(f)), signed)
}

// readLimited reads a file up to a maximum size in bytes.
func readLimited(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, limit+1))
	if int64(len(raw)) > limit {
		return nil, i18n.Errorf("%s has more than %d bytes", name, limit)
	}
	return raw, err
}
