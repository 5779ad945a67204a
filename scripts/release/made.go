package main

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
)

// built is a program as it was made, and what the Go command says that it is made of.
type built struct {
	artifact
	target
	compiler string // as go1.26.8
	modules  []*debug.Module
}

// inspect reads what a program says of itself, which has to be that it is of the commit.
func inspect(path string, from source) (built, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return built{}, err
	}
	said := map[string]string{}
	for _, s := range info.Settings {
		said[s.Key] = s.Value
	}
	if said["vcs.revision"] != from.commit || said["vcs.modified"] != "false" {
		return built{}, fmt.Errorf(
			"the program says that it is of commit %q (modified: %s), and it is to be of %s",
			said["vcs.revision"], said["vcs.modified"], from.commit,
		)
	}
	b := built{compiler: info.GoVersion}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.modules = append(b.modules, m)
	}
	return b, nil
}

var numberForm = regexp.MustCompile(`(?m)^const release = "([0-9]+\.[0-9]+\.[0-9]+)"$`)

// numberOf returns the number of the release, as the sources say it.
func numberOf(dir string) (string, error) {
	const file = "cmd/rulestore/version.go"
	raw, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return "", err
	}
	m := numberForm.FindSubmatch(raw)
	if m == nil {
		return "", fmt.Errorf("%s does not say which release this is", file)
	}
	return string(m[1]), nil
}
