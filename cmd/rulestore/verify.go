package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
	"rulestore/server/verify"
)

type verifyFlags struct{ repo, ref, signers, policy, state string }

func newVerify(e *env) *cobra.Command {
	var f verifyFlags
	c := newCommand("verify", 1, 1, func(ctx context.Context, args []string) error {
		return verifyServer(ctx, e, f, args[0])
	})
	flags := c.Flags()
	pathVar(flags, &f.repo, "repo", "")
	flags.StringVar(&f.ref, "ref", "", "")
	pathVar(flags, &f.signers, "trusted-signers", "")
	pathVar(flags, &f.policy, "policy", "")
	pathVar(flags, &f.state, "state", "")
	return c
}

func verifyServer(ctx context.Context, e *env, f verifyFlags, address string) error {
	u, ok := serverAddress(address)
	if !ok {
		return usageErrorf("%q is no address of a server: expected for example https://rules.example.org", address)
	}
	c, err := f.config(ctx, address)
	if err != nil {
		return err
	}
	result, err := verify.Run(ctx, c)
	if dial, ok := errors.AsType[*net.OpError](err); ok && dial.Op == "dial" {
		return i18n.Errorf(
			"verify %s: %w: nothing answers there: mend the address, or start the server that listens on it, "+
				"`rulestore serve --addr %s`",
			u.Redacted(), dial, u.Host,
		)
	}
	if err != nil {
		return i18n.Errorf("verify %s: %w", u.Redacted(), err)
	}
	return printResult(e, u.Redacted(), result)
}

// config is the configuration of a verification.
func (f verifyFlags) config(ctx context.Context, address string) (c verify.Config, err error) {
	c = verify.Config{URL: address}
	if f.policy != "" || f.state != "" {
		if c.Log, err = f.log(); err != nil {
			return c, err
		}
	}
	if f.repo == "" {
		return c, nil
	}
	from := loader.Config{Branch: f.ref, Schemas: schemas.Embedded(), Now: time.Now}
	if from.Signers, err = readSigners(f.signers, f.repo); err != nil {
		return c, err
	}
	if git.IsAddress(f.repo) {
		return c, usageErrorf("--repo: expected a repository on this machine: clone it first")
	}
	path, err := filepath.Abs(f.repo)
	if err != nil {
		return c, err
	}
	from.Source = git.OnDisk(path)
	l := loader.New(from)
	loaded, err := l.Load(ctx)
	if err != nil {
		return c, i18n.Errorf("load %s: %w", f.repo, err)
	}
	if c.Repository = loaded.Snapshot; c.Log != nil {
		c.Log.Untrue = l.Untrue
	}
	return c, nil
}

// log is how the log of a server is verified.
func (f verifyFlags) log() (*verify.Log, error) {
	if f.policy == "" || f.state == "" {
		return nil, usageErrorf(
			"to check the log, give both --policy, whose signatures count, and --state, a file of your own",
		)
	}
	policy, err := readPolicy(f.policy)
	if err != nil {
		return nil, err
	}
	kept := stateFile(f.state)
	raw, err := kept.read()
	if err != nil {
		return nil, i18n.Errorf("read the state: %w", err)
	}
	l := &verify.Log{Policy: policy, Remember: func(signed []byte) error {
		if err := kept.replace(raw, signed); err != nil {
			return i18n.Errorf("keep the state: %w", err)
		}
		return nil
	}}
	if raw == nil {
		return l, nil
	}
	l.Last, err = policy.Seen(raw)
	if err != nil {
		return nil, i18n.Errorf(
			"--state %s does not hold what was seen of this log (%w): bring it back from a copy; if it is another "+
				"log by now, and you know that from its owner, begin with a new file", f.state, err,
		)
	}
	return l, nil
}

// printResult prints the differences to stdout; that there are any is an error.
func printResult(e *env, address string, r verify.Verification) error {
	if len(r.Differences) == 0 {
		_, err := fmt.Fprintf(e.stdout, "%s serves what was published: %s\n", address, checkCounts(r))
		return err
	}
	rows := [][]string{{"WHAT", "DIFFERS IN", "EXPECTED", "FOUND"}}
	for _, d := range r.Differences {
		rows = append(rows, []string{d.What, d.Problem, cmp.Or(d.Expected, "—"), cmp.Or(d.Found, "—")})
	}
	if r.More > 0 {
		rows = append(rows, []string{fmt.Sprintf("and %d more", r.More), "", "", ""})
	}
	if err := e.print("text", outcome{text: func(p page) { p.table(rows...) }}); err != nil {
		return err
	}
	return foundErrorf(
		"%s does not serve what was published: %s, %s", address,
		i18n.Count{N: len(r.Differences) + r.More, Noun: "difference"}, checkCounts(r),
	)
}

// checkCounts says what was checked.
func checkCounts(r verify.Verification) string {
	all := fmt.Sprintf("%d publications", r.Publications)
	if r.Redacted > 0 {
		all += fmt.Sprintf(" (%d of them redacted)", r.Redacted)
	}
	if r.Current > 0 {
		all += fmt.Sprintf(" and %d current versions", r.Current)
	}
	if r.Leaves > 0 {
		all += fmt.Sprintf(" and %d leaves of the log", r.Leaves)
	}
	all += fmt.Sprintf(" checked in %d answers", r.Answers)
	if r.Changed {
		all += "; its content changed meanwhile, so verify it again"
	}
	return all
}
