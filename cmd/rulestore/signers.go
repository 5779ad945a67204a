package main

import (
	"os"
	"path/filepath"
	"strings"

	"rulestore/content/i18n"
	"rulestore/loader/git"
	"rulestore/loader/signers"
)

// signersUsage is the description of the flag, for all commands.
const signersUsage = "count only what somebody signed whom this file lists: SSH keys as in git's allowed_signers, " +
	"OpenPGP keys armored"

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
	info, err := os.Stat(file)
	if err != nil {
		return nil, i18n.Errorf("read the trusted signers: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > signers.MaxFile {
		return nil, i18n.Errorf("read the trusted signers: %s is no file of at most %d bytes", name, signers.MaxFile)
	}
	raw, err := os.ReadFile(file)
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
	if err == nil {
		real, err = filepath.Abs(real)
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
		if dir, err = filepath.EvalSymlinks(dir); err != nil {
			return "", err
		}
		if strings.HasPrefix(real, dir+string(filepath.Separator)) {
			return "", i18n.Errorf(
				"the trusted signers in %s lie in the repository that they guard: keep the file where a push cannot "+
					"change it",
				file,
			)
		}
	}
	return real, nil
}

// checkSigners refuses to serve content that would be unsigned.
func (f serveFlags) checkSigners() error {
	switch {
	case f.signers == "":
	case f.repo == "":
		return usageErrorf("--trusted-signers is for a --repo: the starter content came with the program")
	case f.drafts:
		return usageErrorf("--drafts serves what nobody has signed: leave it out, or --trusted-signers")
	}
	return nil
}
