package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/server/export"
)

func newExport(e *env) *cobra.Command {
	var f config
	c := newCommand("export", 1, 1, func(ctx context.Context, args []string) error {
		return exportSite(ctx, e, f, e.path(args[0]))
	})
	f.flags(c.Flags(), append(contentFlags, logFlags...)...)
	return c
}

func exportSite(ctx context.Context, e *env, f config, dir string) error {
	if err := f.check(e); err != nil {
		return err
	}
	if f.drafts {
		return usageErrorf("what is exported is for everybody, and drafts are not: leave out --drafts")
	}
	log := f.logger(e.stderr)
	p, err := f.follower(ctx, e, log)
	if err != nil {
		return err
	}
	defer p.Close()
	p.Site = siteConfig()
	p.Base = func(s content.Settings) string { return f.publicURL(s, "") }
	start := time.Now()
	first, err := p.Load(ctx)
	if err != nil {
		return err
	}
	if p.Base(first.Snapshot.Settings) == "" {
		return usageErrorf(
			"files name the address of the service: say which with --base-url, or canonical_base_url in " +
				"rulestore.yaml",
		)
	}
	if err := p.Serve(first, start); err != nil {
		return err
	}
	served := p.Current()
	files, err := export.Write(ctx, dir, served)
	if err != nil {
		return i18n.Errorf("export to %s: %w", dir, err)
	}
	log.Info("exported", "snapshot", served.ID, "commit", content.ShortCommit(served.Snapshot.Commit), "files", files,
		"took", time.Since(start).Round(time.Millisecond))
	return nil
}
