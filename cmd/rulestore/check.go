package main

import (
	"context"

	"github.com/spf13/cobra"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/content"
	"rulestore/loader"
)

func newCheck(e *env) *cobra.Command {
	f, format := config{checkOnly: true}, ""
	c := newCommand("check", 0, 0, func(ctx context.Context, _ []string) error {
		return f.load(ctx, e, format)
	})
	f.flags(c.Flags(), append(contentFlags, logFlags...)...)
	choiceVar(c.Flags(), &format, "format", "text", formats...)
	return c
}

// load loads what a server with the same flags would serve, and prints what was found.
func (c *config) load(ctx context.Context, e *env, format string) error {
	if err := c.check(e); err != nil {
		return err
	}
	p, err := c.follower(ctx, e, c.logger(e.stderr))
	if err != nil {
		return err
	}
	defer p.Close()
	loaded, err := p.Load(ctx)
	if err != nil {
		return err
	}
	if loaded.Fixed {
		loaded.Report.Add(follow.PinnedFinding(loaded.Snapshot.Branch))
	}
	return c.printCheck(e, format, loaded)
}

// printCheck prints the result of a load. It fails if some content would not be served as written.
func (c *config) printCheck(e *env, format string, r loader.Loaded) error {
	s, report := r.Snapshot, r.Report
	refused, held := len(report.Refused), len(report.Held)
	mistakes, warnings := report.Count(content.Error), report.Count(content.Warning)
	err := e.print(format, outcome{
		checked: checked{Findings: report.Findings},
		text: func(p page) {
			if more := report.Total() - len(report.Findings); more > 0 {
				p.line("… and %d more findings", more)
			}
			p.line(
				"%s, branch %s at %s: %d publications of %d items; %d refused, %d held, %d errors, %d warnings",
				c.contentName(), s.Branch, content.ShortCommit(s.Commit), s.Count(), len(s.Items), refused, held,
				mistakes, warnings,
			)
		},
		document: func(findings []jsonFinding) any {
			return struct {
				Branch       string        `json:"branch"`
				Commit       string        `json:"commit"`
				Items        int           `json:"items"`
				Publications int           `json:"publications"`
				Refused      []string      `json:"refused"`
				Held         []string      `json:"held"`
				Findings     []jsonFinding `json:"findings"`
				Errors       int           `json:"errors"`
				Warnings     int           `json:"warnings"`
			}{
				s.Branch, s.Commit, len(s.Items), s.Count(), list(report.Refused), list(report.Held),
				findings, mistakes, warnings,
			}
		},
	})
	if n := refused + held; err == nil && n+mistakes > 0 {
		err = foundErrorf(
			"check %s: %d publications would not be served, %d errors (see above)", c.contentName(), n, mistakes,
		)
	}
	return err
}
