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
	"rulestore/server/mcpserver"
	"rulestore/server/verify"
)

type verifyFlags struct {
	repo, ref, baseURL, signers string
	toolsets                    string
	headers                     []string
	withoutMCP                  bool
	timeout                     time.Duration
}

func newVerify(e *env) *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:   "verify URL",
		Short: "Prove that a server serves what was published",
		Long: `Fetch every publication from a running server and recompute its checksum, and
hold what the server says in one form against what it says in another: Markdown,
lists, MCP, each coding.

With --repo compare everything with what the repository publishes: bodies as JSON,
Markdown and pages, notes, dates, states, links and headers, lists, records,
searches and what assistants read. Nothing may be missing, different or too much.
Of a large repository every version is read as JSON and as Markdown, and of the
other forms as many as are read in a moment, chosen at random. What differs is
listed on stdout, and the exit code is 1; it is 3 if the server cannot be asked.

Every answer is taken as it comes first: redirects are not followed. A header that
the service does not send is a difference, unless proxies and caches add it by
custom; name others that yours adds by --proxy-header.

The server has to name as its address the one that it is asked at, or
canonical_base_url of rulestore.yaml; give --base-url if it is known by another.
One that shows drafts is not verified.`,
		Example: `  rulestore verify https://rules.example.org --repo .`,
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return verifyServer(c.Context(), e, f, args[0])
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.repo, "repo", "", "the repository to compare with")
	flags.StringVar(&f.ref, "ref", "", "the branch that is served; without it, the one that HEAD names")
	flags.StringVar(&f.baseURL, "base-url", "", "the address that the server names as its own, if it is not asked at that")
	flags.StringVar(&f.signers, "trusted-signers", "", signersUsage)
	flags.StringVar(&f.toolsets, "toolsets", "", "the toolsets that the server gives an MCP client that chooses none, as the server has it")
	flags.StringSliceVar(&f.headers, "proxy-header", nil, "a header that a proxy before the server adds or changes, which is not compared; repeatable")
	flags.BoolVar(&f.withoutMCP, "without-mcp", false, "the server does not answer assistants")
	flags.DurationVar(&f.timeout, "timeout", 30*time.Second, "how long one request may take")
	return c
}

func verifyServer(ctx context.Context, e *env, f verifyFlags, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return usageError{fmt.Errorf("%q is no address of a server: expected for example https://rules.example.org", address)}
	}
	if err := mcpserver.CheckToolsets(f.toolsets); err != nil {
		return usageError{fmt.Errorf("--toolsets: %w", err)}
	}
	if f.timeout <= 0 {
		return usageError{fmt.Errorf("--timeout %s is too short", f.timeout)}
	}
	c, err := f.config(ctx, address)
	if err != nil {
		return err
	}
	if isTerminal(e.stderr) && e.getenv("TERM") != "dumb" {
		c.Progress = progress(bare(e.stderr))
	}
	result, err := verify.Run(ctx, c)
	if c.Progress != nil {
		fmt.Fprint(bare(e.stderr), "\r\x1b[K")
	}
	if err != nil {
		return fmt.Errorf("verify %s: %w", u.Redacted(), err)
	}
	return printResult(e.stdout, u.Redacted(), result)
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

// printResult says that all is well, or lists what differs and returns an error.
func printResult(w io.Writer, address string, r verify.Result) error {
	if len(r.Differences) == 0 {
		_, err := fmt.Fprintf(w, "%s serves what was published: %s checked%s\n", address, checkedOf(r), notes(r))
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "WHAT\tDIFFERS IN\tEXPECTED\tFOUND")
	for _, d := range r.Differences {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", d.What, d.Problem, dash(d.Expected), dash(d.Found))
	}
	if r.More > 0 {
		fmt.Fprintf(t, "and %d more\t\t\t\n", r.More)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return foundError{fmt.Errorf("%s does not serve what was published: %d differences, %s checked%s", address, len(r.Differences)+r.More, checkedOf(r), notes(r))}
}

// checkedOf counts what was checked.
func checkedOf(r verify.Result) string {
	checked := fmt.Sprintf("%d publications", r.Publications)
	if r.Redacted > 0 {
		checked += fmt.Sprintf(" (%d of them redacted)", r.Redacted)
	}
	if r.Current > 0 {
		checked += fmt.Sprintf(" and %d current versions", r.Current)
	}
	return checked
}

// notes are what else there is to know, if anything.
func notes(r verify.Result) string {
	all := []string{fmt.Sprintf(" in %d answers", r.Answers)}
	if r.Skipped > 0 {
		all[0] += fmt.Sprintf(", %d other forms were left out at random", r.Skipped)
	}
	for _, n := range r.Notes {
		all = append(all, content.Printable(n))
	}
	return strings.Join(all, "; ")
}
