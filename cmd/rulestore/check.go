package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/mirror"
	"rulestore/schemas"
)

func newCheck(e *env) *cobra.Command {
	f := serveFlags{checkOnly: true}
	c := &cobra.Command{
		Use:  "check",
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error { return f.load(c.Context(), e) },
	}
	f.source(c.Flags())
	f.operate.log.register(c.Flags())
	return c
}

// load loads what a server with the same flags would serve, and prints what was found.
func (f serveFlags) load(ctx context.Context, e *env) error {
	f = f.at(e)
	if err := errors.Join(f.check(), f.operate.log.check()); err != nil {
		return err
	}
	p, err := f.publisher(ctx, e, f.operate.log.logger(e.stderr))
	if err != nil {
		return err
	}
	defer p.Close()
	first, err := p.Load(ctx)
	if err != nil {
		return err
	}
	first.Report.Add(append(p.Findings(), f.predict(ctx, e, first)...)...)
	return f.printCheck(e, first)
}

// predict finds what a server would make of the loaded state: serve what --ref pins, or hold it back for what an
// earlier process served.
func (f serveFlags) predict(ctx context.Context, e *env, next loader.Loaded) (found []content.Finding) {
	if next.Fixed {
		found = append(found, follow.PinnedFinding(next.Snapshot.Branch))
	}
	address, err := git.ParseAddress(f.repo)
	cache, noCache := f.remote.cache(e)
	if !git.IsAddress(f.repo) || errors.Join(err, noCache) != nil {
		return found
	}
	source, ok := mirror.Served(cache, address)
	if !ok {
		return found
	}
	served, err := loader.New(loader.Config{
		Source: git.In(source, address.Folder), Branch: f.ref, Schemas: schemas.Embedded(),
		Now: time.Now, Environ: e.environ,
	}).Load(ctx)
	if err != nil {
		return found
	}
	return append(found, follow.Predict(served, next, f.remote.lossLimit())...)
}

// printCheck prints the result of a load. It fails if some content would not be served as written.
func (f serveFlags) printCheck(e *env, r loader.Loaded) error {
	tell := f.printCheckText
	if f.operate.log.format == jsonFormat {
		tell = f.printCheckJSON
	}
	if err := tell(e, r); err != nil {
		return err
	}
	report := r.Report
	if n, errors := len(report.Refused)+len(report.Held), report.Count(content.Error); n > 0 || errors > 0 {
		return foundErrorf(
			"check %s: %d publications would not be served, %d errors (see above)", f.contentName(), n, errors,
		)
	}
	return nil
}

// printCheckText prints it for people.
func (f serveFlags) printCheckText(e *env, r loader.Loaded) error {
	for _, finding := range r.Report.Findings {
		if _, err := fmt.Fprintln(e.stdout, finding); err != nil {
			return err
		}
	}
	s, report := r.Snapshot, r.Report
	if more := report.Total() - len(report.Findings); more > 0 {
		if err := e.printer.Fprintf(e.stdout, "… and %d more findings\n", more); err != nil {
			return err
		}
	}
	return e.printer.Fprintf(e.stdout,
		"%s, branch %s at %s: %d publications of %d items; %d refused, %d held, %d errors, %d warnings\n",
		f.contentName(), content.Printable(s.Branch), content.ShortCommit(s.Commit), s.Count(), len(s.Items),
		len(report.Refused), len(report.Held), report.Count(content.Error), report.Count(content.Warning))
}

// printCheckJSON prints it as lines of JSON, as the log of a server is.
func (f serveFlags) printCheckJSON(e *env, r loader.Loaded) error {
	log := logFlags{format: jsonFormat}.logger(e.stdout)
	for _, finding := range r.Report.Findings {
		level := slog.LevelWarn
		if finding.Severity == content.Error {
			level = slog.LevelError
		}
		log.Log(context.Background(), level, finding.Message, slog.Group("finding",
			"rule", finding.Rule, "severity", finding.Severity, "tag", finding.Tag,
			"path", finding.Path, "line", finding.Line, "column", finding.Column, "hint", finding.Hint, "detail",
			finding.Detail))
	}
	s, report := r.Snapshot, r.Report
	log.Info("checked", "content", f.contentName(), "branch", s.Branch, "commit", s.Commit, "publications", s.Count(),
		"items", len(s.Items),
		"refused", len(report.Refused), "held", len(report.Held),
		"errors", report.Count(content.Error), "warnings", report.Count(content.Warning))
	return nil
}
