package main

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/author"
	"rulestore/schemas"
)

type markFlags struct{ repo, reason, since, replacedBy string }

func newMark(e *env) *cobra.Command {
	var f markFlags
	c := newCommand("mark", 2, 2, func(ctx context.Context, args []string) error {
		return mark(ctx, e, f, args[0], content.Status(args[1]))
	})
	flags := c.Flags()
	repoFlag(flags, &f.repo)
	flags.StringVar(&f.reason, "reason", "", "")
	flags.StringVar(&f.replacedBy, "replaced-by", "", "")
	flags.StringVar(&f.since, "since", "", "")
	return c
}

func mark(ctx context.Context, e *env, f markFlags, arg string, status content.Status) error {
	m := content.Mark{Status: status, Reason: f.reason, Since: f.since, ReplacedBy: f.replacedBy}
	m.Item, m.Version = parseItem(arg)
	if err := f.check(m); err != nil {
		return err
	}
	repo, err := author.Open(f.repo, e.environ, false)
	if err != nil {
		return err
	}
	loaded, err := loader.New(loader.Config{
		Source: repo.Source(), Drafts: status == content.Void, Schemas: schemas.Embedded(), Now: time.Now,
		Environ: e.environ,
	}).LoadToPlan(ctx)
	if err != nil {
		return i18n.Errorf("load %s: %w", f.repo, err)
	}
	if m.Since == "" {
		m.Since = time.Now().UTC().Format(content.Date)
	}
	if err := repo.Mark(ctx, schemas.Embedded(), loaded.Snapshot, m); err != nil {
		return err
	}
	return e.printer.Fprintf(
		e.stdout, "marked %s %s since %s in %s\nto put it in force: `%[5]s add %[4]s && %[5]s commit -m \"…\" %[4]s`\n",
		arg, status, m.Since, content.LifecycleFile, e.gitCommand(repo.Dir),
	)
}

// gitCommand is the git command for a work tree from the author's folder.
func (e *env) gitCommand(dir string) string {
	here, err := os.Stat(e.path("."))
	there, err2 := os.Stat(dir)
	if err == nil && err2 == nil && os.SameFile(here, there) {
		return "git"
	}
	return "git -C " + shellWord(dir)
}

func (f markFlags) check(m content.Mark) error {
	switch m.Status {
	case content.Archived, content.ReviewRequired, content.Redacted, content.Void:
	default:
		return usageErrorf("%q is no mark: choose archived, review_required, redacted or void", m.Status)
	}
	switch {
	case m.ReplacedBy == "":
	case m.Version != "":
		return usageErrorf(
			"--replaced-by is for the item as a whole: leave the version out, or --replaced-by, since the next " +
				"version replaces it",
		)
	case !slices.Contains([]content.Status{content.Archived, content.Redacted}, m.Status):
		return usageErrorf(
			"--replaced-by is for what is not in force any more, and %s says something else: choose archived or "+
				"redacted",
			m.Status,
		)
	}
	if strings.TrimSpace(f.reason) == "" {
		return usageErrorf("say why with --reason: readers see it")
	}
	if _, err := time.Parse(content.Date, f.since); f.since != "" && err != nil {
		return usageErrorf("--since %q is no date: expected for example 2026-05-01", f.since)
	}
	return nil
}

// parseItem reads ITEM[@VERSION].
func parseItem(arg string) (item, version string) {
	item, version, _ = strings.Cut(arg, "@")
	return item, strings.TrimPrefix(version, "v")
}
