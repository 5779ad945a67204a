// Command release makes the files of a release in an empty folder: the program for each
// system, SHA256SUMS over these, and the components of each (CycloneDX, by cyclonedx-gomod). It
// prints the checksums.
//
//	go run ./scripts/release -o dist
//
// It needs Go and git, and a clone without changes. The bytes of the programs are a function of the
// commit and of the version of Go alone, so anyone can reproduce them.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
)

// target is a system that the program is made for.
type target struct{ OS, Arch string }

var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"},
	{"windows", "arm64"},
}

// The program, and how it is made.
const (
	program = "rulestore"
	command = "./cmd/rulestore"
	sums    = "SHA256SUMS"
)

// flags leave out of the program what is of the machine: its folders, and an ID that depends
// on them. The commit is stamped.
var flags = []string{"-trimpath", "-buildvcs=true", "-ldflags=-buildid=", "-mod=readonly"}

// fixed are the variables that decide what the compiler makes, whatever the machine says.
var fixed = []string{
	"CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GOEXPERIMENT=", "GOFIPS140=off", "GOAMD64=v1", "GOARM64=v8.0",
	"GOTOOLCHAIN=local", "GOENV=off",
}

func main() {
	to := flag.String("o", "dist", "the folder to make, which must be empty or not there")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := release(ctx, ".", *to, targets, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		stop()
		os.Exit(1)
	}
}

// origin is what a release is made of.
type origin struct {
	version string // the number of the release, and the commit
	commit  string
}

// release makes the files of a release of the clone in dir, and prints their checksums.
func release(ctx context.Context, dir, to string, targets []target, out io.Writer) error {
	from, err := clean(ctx, dir)
	if err != nil {
		return err
	}
	if to, err = filepath.Abs(to); err != nil {
		return err
	}
	if left, err := os.ReadDir(to); err == nil && len(left) > 0 {
		return fmt.Errorf("%s is not empty: a release is made in a folder of its own", to)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if _, err := run(ctx, dir, nil, "go", "mod", "verify"); err != nil {
		return err
	}
	var list bytes.Buffer // as sha256sum -c reads it
	for _, t := range targets {
		name, err := build(ctx, dir, to, from, t)
		if err != nil {
			return err
		}
		if err := listComponents(ctx, filepath.Join(to, name), from.version); err != nil {
			return err
		}
		raw, err := os.ReadFile(filepath.Join(to, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(raw), name)
	}
	if err := os.WriteFile(filepath.Join(to, sums), list.Bytes(), 0o644); err != nil {
		return err
	}
	_, err = list.WriteTo(out)
	return err
}

// clean returns the commit of a clone, if nothing in it differs from that.
func clean(ctx context.Context, dir string) (origin, error) {
	if git, err := os.Stat(filepath.Join(dir, ".git")); err == nil && !git.IsDir() {
		return origin{}, errors.New(
			"this is a linked work tree, in which the Go command notes no commit down: make the release in a clone",
		)
	}
	changed, err := run(ctx, dir, nil, "git", "status", "--porcelain")
	if err != nil {
		return origin{}, err
	}
	if changed != "" {
		return origin{}, errors.New(
			"the clone has changes, so the release would be of no commit: commit or remove them\n" + changed,
		)
	}
	commit, err := run(ctx, dir, nil, "git", "rev-parse", "HEAD")
	if err != nil {
		return origin{}, err
	}
	number, err := numberOf(dir)
	return origin{number + "-" + commit[:12], commit}, err
}

// build makes the program for a system, and returns the name of its file.
func build(ctx context.Context, dir, to string, from origin, t target) (string, error) {
	fresh := filepath.Join(to, "program.new")
	args := append(append([]string{"build"}, flags...), "-o", fresh, command)
	if _, err := run(ctx, dir, append(fixed, "GOOS="+t.OS, "GOARCH="+t.Arch), "go", args...); err != nil {
		return "", err
	}
	if err := checkCommit(fresh, from.commit); err != nil {
		return "", err
	}
	name := strings.Join([]string{program, from.version, t.OS, t.Arch}, "-")
	if t.OS == "windows" {
		name += ".exe"
	}
	return name, os.Rename(fresh, filepath.Join(to, name))
}

// listComponents writes the components of a program beside it, as the Go command recorded them in it.
func listComponents(ctx context.Context, path, version string) error {
	main, err := run(ctx, ".", fixed, "go", "env", "GOMOD")
	if err != nil {
		return err
	}
	_, err = run(
		ctx, ".", fixed, "go", "tool", "-modfile="+filepath.Join(filepath.Dir(main), "scripts", "tools", "go.mod"),
		"cyclonedx-gomod", "bin", "-json", "-std", "-noserial", "-notimestamp", "-version", version,
		"-output", path+".cdx.json", path,
	)
	return err
}

// run runs a command, and returns what it printed.
func run(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	var out, wrong bytes.Buffer
	c.Stdout, c.Stderr = &out, &wrong
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, wrong.String())
	}
	return strings.TrimSpace(out.String()), nil
}

// checkCommit checks that a program says of itself that it is of a commit.
func checkCommit(path, commit string) error {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return err
	}
	said := map[string]string{}
	for _, s := range info.Settings {
		said[s.Key] = s.Value
	}
	if said["vcs.revision"] != commit || said["vcs.modified"] != "false" {
		return fmt.Errorf(
			"the program says that it is of commit %q (modified: %s), and it is to be of %s",
			said["vcs.revision"], said["vcs.modified"], commit,
		)
	}
	return nil
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
