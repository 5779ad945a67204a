// Command release makes the files of a release in an empty folder: the program for each
// system, its components (CycloneDX), its provenance (in-toto, SLSA), and
// SHA256SUMS over these. It prints the checksums.
//
//	go run ./scripts/release -o dist
//
// It needs Go and git, and a clone without changes. The bytes are a function of the commit and
// of the version of Go alone, so anyone can reproduce them.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
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

// source is what a release is made of.
type source struct {
	version string // the number of the release, and the commit
	commit  string
	time    time.Time // of the commit
}

// artifact is a file of a release.
type artifact struct{ name, sum string }

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
	var all []artifact
	var made []built
	for _, t := range targets {
		b, err := build(ctx, dir, to, from, t)
		if err != nil {
			return err
		}
		made, all = append(made, b), append(all, b.artifact)
		bill, err := write(to, b.name+".cdx.json", billOfMaterials(b, from))
		if err != nil {
			return err
		}
		all = append(all, bill)
	}
	statement, err := write(to, program+"-"+from.version+".intoto.json", provenance(all, made, from))
	if err != nil {
		return err
	}
	list := checksums(append(all, statement))
	if err := os.WriteFile(filepath.Join(to, sums), list, 0o644); err != nil {
		return err
	}
	_, err = out.Write(list)
	return err
}

// clean returns the commit of a clone, if nothing in it differs from that.
func clean(ctx context.Context, dir string) (source, error) {
	if git, err := os.Stat(filepath.Join(dir, ".git")); err == nil && !git.IsDir() {
		return source{}, errors.New(
			"this is a linked work tree, in which the Go command notes no commit down: make the release in a clone",
		)
	}
	changed, err := run(ctx, dir, nil, "git", "status", "--porcelain")
	if err != nil {
		return source{}, err
	}
	if changed != "" {
		return source{}, errors.New(
			"the clone has changes, so the release would be of no commit: commit or remove them\n" + changed,
		)
	}
	said, err := run(ctx, dir, nil, "git", "log", "-1", "--format=%H %cI")
	if err != nil {
		return source{}, err
	}
	commit, at, _ := strings.Cut(said, " ")
	made, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return source{}, err
	}
	number, err := numberOf(dir)
	return source{number + "-" + commit[:12], commit, made.UTC()}, err
}

// build makes the program for a system.
func build(ctx context.Context, dir, to string, from source, t target) (built, error) {
	fresh := filepath.Join(to, "program.new")
	args := append(append([]string{"build"}, flags...), "-o", fresh, command)
	if _, err := run(ctx, dir, append(fixed, "GOOS="+t.OS, "GOARCH="+t.Arch), "go", args...); err != nil {
		return built{}, err
	}
	b, err := inspect(fresh, from)
	if err != nil {
		return built{}, err
	}
	b.target = t
	b.name = strings.Join([]string{program, from.version, t.OS, t.Arch}, "-")
	if t.OS == "windows" {
		b.name += ".exe"
	}
	if b.sum, err = sumOf(fresh); err != nil {
		return built{}, err
	}
	return b, os.Rename(fresh, filepath.Join(to, b.name))
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

// write writes a file of a release.
func write(to, name string, raw []byte) (artifact, error) {
	sum := sha256.Sum256(raw)
	return artifact{name, hex.EncodeToString(sum[:])}, os.WriteFile(filepath.Join(to, name), raw, 0o644)
}

func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

// checksums lists files as sha256sum -c reads them.
func checksums(all []artifact) []byte {
	var b bytes.Buffer
	for _, a := range all {
		fmt.Fprintf(&b, "%s  %s\n", a.sum, a.name)
	}
	return b.Bytes()
}
