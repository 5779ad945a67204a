package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader/gitrepo"
	"rulestore/server/mcpserver"
	"rulestore/server/verify"
)

type verifyFlags struct {
	repositoryFlags
	overlays                 []verifyFlags  // those of the repositories after the first
	bundle                   gitrepo.Opener // in place of the repository at a path
	baseURL, toolsets, trace string
	headers                  []string
	withoutMCP, all, static  bool
	timeout                  time.Duration
}

func newVerify(e *env) *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use: "verify",
		Example: `  rulestore verify https://rules.example.org --repo .
  rulestore verify https://rules.example.org --policy policy.yaml --state rules.state
  rulestore verify https://rules.example.org --policy a.yaml --state a.state --policy house=b.yaml --state house=b.state
  rulestore verify --trace trace.json --repo rules.git`,
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := f.split(e)
			switch {
			case err != nil:
				return err
			case (len(args) == 0) == (f.trace == ""):
				return usageErrorf("say what to verify: the address of a server, or a trace with --trace")
			case (f.trace != "" || f.static) && len(f.policies)+len(f.states) > 0:
				return usageErrorf(
					"--policy and --state check the log of a running server: leave them out with --trace and " +
						"--static",
				)
			case f.trace != "":
				return f.checkTrace(c.Context(), e)
			}
			return verifyServer(c.Context(), e, f, args[0])
		},
	}
	flags := c.Flags()
	flags.Var(&f.repos, "repo", "the repository to compare with, or a git bundle of it; several as the server has them")
	pathVar(
		flags, &f.trace, "trace", "", "the file with a trace of use, to check against a repository instead of a server",
	)
	flags.Var(&f.refs, "ref", "the branch that is served; without it, the one that HEAD names")
	flags.StringVar(
		&f.baseURL, "base-url", "", "the address that the server names as its own, if it is not asked at that",
	)
	flags.Var(&f.signerFiles, "trusted-signers", signersUsage)
	flags.StringVar(
		&f.toolsets, "toolsets", "",
		"the toolsets that the server gives an MCP client that chooses none, as the server has it",
	)
	flags.Var(
		&f.policies, "policy",
		"check the log of the server, which the keys in this file have to have signed; of several repositories the "+
			"log of each",
	)
	flags.Var(
		&f.states, "state",
		"the file in which the log is kept as it was seen last; of several repositories one for each",
	)
	flags.StringSliceVar(
		&f.headers, "proxy-header", nil,
		"a header that a proxy before the server adds or changes, which is not compared; repeatable",
	)
	flags.BoolVar(
		&f.static, "static", false,
		"the address is that of an export, which a web server serves (see rulestore export); needs --repo",
	)
	flags.BoolVar(&f.withoutMCP, "without-mcp", false, "the server does not answer assistants")
	flags.BoolVar(&f.all, "all", false, "read everything in every form, and nothing at random")
	flags.DurationVar(&f.timeout, "timeout", 30*time.Second, "how long one request may take")
	return c
}

func verifyServer(ctx context.Context, e *env, f verifyFlags, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return usageErrorf("%q is no address of a server: expected for example https://rules.example.org", address)
	}
	if err := mcpserver.CheckToolsets(f.toolsets); err != nil {
		return usageErrorf("--toolsets: %w", err)
	}
	if f.timeout <= 0 {
		return usageErrorf("--timeout %s is too short", f.timeout)
	}
	closing, err := f.openBundles(ctx)
	defer closing()
	if err != nil {
		return err
	}
	if f.static {
		return f.verifyExport(ctx, e, address)
	}
	c, err := f.config(ctx, address)
	if err != nil {
		return err
	}
	if isTerminal(e.stderr) && e.getenv("TERM") != "dumb" {
		c.Progress = progress(underlying(e.stderr))
	}
	result, err := verify.Run(ctx, c)
	if c.Progress != nil {
		fmt.Fprint(underlying(e.stderr), "\r\x1b[K")
	}
	if err != nil {
		return i18n.Errorf("verify %s: %w", u.Redacted(), err)
	}
	return printResult(e, u.Redacted(), result)
}

// progress draws a bar, at most ten times a second.
func progress(w io.Writer) func(done, total int) {
	const width = 40
	var last time.Time
	return func(done, total int) {
		if now := time.Now(); done < total && now.Sub(last) < 100*time.Millisecond {
			return
		} else {
			last = now
		}
		full := width * done / total
		fmt.Fprintf(w, "\r[%s%s] %d/%d", strings.Repeat("#", full), strings.Repeat(" ", width-full), done, total)
	}
}

// printResult prints success, or lists the differences and returns an error.
func printResult(e *env, address string, r verify.Result) error {
	if len(r.Differences) == 0 {
		return e.printer.Fprintf(
			e.stdout, "%s serves what was published: %s checked%s\n", address, checkCounts(r), notes(r),
		)
	}
	t := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	e.printer.Fprintf(t, "WHAT\tDIFFERS IN\tEXPECTED\tFOUND\n")
	for _, d := range r.Differences {
		fmt.Fprintf(
			t, "%s\t%s\t%s\t%s\n", e.localized(d.What), e.localized(d.Problem),
			orDash(e.localized(d.Expected)), orDash(e.localized(d.Found)),
		)
	}
	if r.More > 0 {
		e.printer.Fprintf(t, "and %d more\t\t\t\n", r.More)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return foundErrorf(
		"%s does not serve what was published: %s, %s checked%s", address,
		i18n.Count{N: len(r.Differences) + r.More, Noun: "difference"}, checkCounts(r), notes(r),
	)
}

// localized returns a text in the language of the user, safe for a terminal.
func (e *env) localized(t i18n.Localizable) string { return content.Printable(e.printer.Sprint(t)) }

// checkCounts counts the checks.
func checkCounts(r verify.Result) i18n.Text {
	checked := i18n.New("%d publications", r.Publications)
	if r.Redacted > 0 {
		checked = i18n.New("%s (%d of them redacted)", checked, r.Redacted)
	}
	if r.Current > 0 {
		checked = i18n.New("%s and %d current versions", checked, r.Current)
	}
	if r.Leaves > 0 {
		checked = i18n.New("%s and %d leaves of the log", checked, r.Leaves)
	}
	return checked
}

// notes are further remarks, if there are any.
func notes(r verify.Result) i18n.Text {
	all := []any{i18n.New(" in %d answers", r.Answers)}
	if r.Sampled {
		all[0] = i18n.New("%s, other forms chosen at random (--all asks for all of them)", all[0])
	}
	for _, n := range r.Notes {
		all = append(all, n)
	}
	return i18n.Join("; ", all...)
}
