package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
	"rulestore/server/verify"
)

type verifyFlags struct {
	repo, ref string
	timeout   time.Duration
}

func newVerify(e *env) *cobra.Command {
	var f verifyFlags
	c := &cobra.Command{
		Use:   "verify URL",
		Short: "Prove that a server serves what was published",
		Long: `Fetch every publication from a running server and recompute its checksum. With
--repo compare them with what the repository publishes, too: nothing may be
missing, different or too much, and the current versions have to be current
there. What differs is listed on stdout, and the exit code is 1.`,
		Example: `  rulestore verify https://rules.example.org --repo .`,
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return verifyServer(c.Context(), e, f, args[0])
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.repo, "repo", "", "the repository to compare with")
	flags.StringVar(&f.ref, "ref", "", "the branch that is served; without it, the one that HEAD names")
	flags.DurationVar(&f.timeout, "timeout", 30*time.Second, "how long one request may take")
	return c
}

func verifyServer(ctx context.Context, e *env, f verifyFlags, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return usageError{fmt.Errorf("%q is no address of a server: expected for example https://rules.example.org", address)}
	}
	if f.timeout <= 0 {
		return usageError{fmt.Errorf("--timeout %s is too short", f.timeout)}
	}
	c := verify.Config{URL: address, Timeout: f.timeout}
	if c.Repository, err = f.snapshot(ctx); err != nil {
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

// snapshot reads what the repository publishes, nil if none was named.
func (f verifyFlags) snapshot(ctx context.Context) (*content.Snapshot, error) {
	if f.repo == "" {
		return nil, nil
	}
	path, err := filepath.Abs(f.repo)
	if err != nil {
		return nil, err
	}
	loaded, err := loader.New(loader.Config{
		Source: gitrepo.OnDisk(path), Branch: f.ref, Schemas: schemas.Embedded(), Now: time.Now,
	}).Load(ctx)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", f.repo, err)
	}
	return loaded.Snapshot, nil
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
	checked := fmt.Sprintf("%d publications", r.Publications)
	if r.Redacted > 0 {
		checked += fmt.Sprintf(" (%d of them redacted)", r.Redacted)
	}
	if r.Current > 0 {
		checked += fmt.Sprintf(" and %d current versions", r.Current)
	}
	if len(r.Differences) == 0 {
		_, err := fmt.Fprintf(w, "%s serves what was published: %s checked\n", address, checked)
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "WHAT\tDIFFERS IN\tEXPECTED\tFOUND")
	for _, d := range r.Differences {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", d.What, d.Problem, dash(d.Expected), dash(d.Found))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return fmt.Errorf("%s does not serve what was published: %d differences, %s checked", address, len(r.Differences), checked)
}
