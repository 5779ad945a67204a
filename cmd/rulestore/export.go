package main

import (
	"context"
	"log/slog"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/schemas"
	"rulestore/server/calc"
	"rulestore/server/export"
	"rulestore/server/site"
)

type exportFlags struct {
	serve serveFlags
	watch bool
	after string
	log   logFlags
}

func newExport(e *env) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use: "export",
		Example: `  rulestore export /srv/rules --repo rules --base-url https://rules.example.org
  rulestore export /srv/rules --repo rules --watch --run 'timeout 10m rclone sync --checksum "$RULESTORE_EXPORT" s3:rules'`,
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), e, e.path(args[0])) },
	}
	flags := c.Flags()
	f.serve.source(flags)
	f.log.register(flags)
	flags.BoolVar(&f.watch, "watch", false, "go on, and export whenever what is published changes")
	flags.StringVar(&f.after, "run", "", "a command for a shell to run after each export")
	return c
}

func (f exportFlags) run(ctx context.Context, e *env, dir string) error {
	var err error
	if f.serve, err = f.serve.split(e); err == nil {
		err = f.serve.check()
	}
	if err != nil {
		return err
	}
	if f.serve.private() {
		return usageErrorf("what is exported is for everybody, and drafts are not: leave out --drafts")
	}
	log := f.log.logger(e.stderr)
	w, err := export.NewWriter(dir)
	if err != nil {
		return err
	}
	p, err := f.serve.publisher(ctx, e, log)
	if err != nil {
		return err
	}
	defer p.Close()
	p.Site = site.Config{Version: build(), Schemas: schemas.Embedded(), Math: calc.New(), MCP: true}
	p.Base = func(s content.Settings) string { return f.serve.publicURL(s, "") }
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
	x := exporting{f, e, w, dir, log, slowCommand}
	changed, done := p.Next(), p.Current()
	if err := x.export(ctx, done, start); err != nil || !f.watch {
		return err
	}
	if e.loaded != nil {
		e.loaded()
	}
	p.Follow(ctx)
	var again <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
			changed = p.Next()
		case <-again:
		}
		now := p.Current()
		if now == done {
			continue
		}
		if err := x.export(ctx, now, time.Now()); err == nil {
			done, again = now, nil
		} else if ctx.Err() == nil {
			log.Error("the export failed and is repeated", "error", err, "after", f.serve.poll)
			again = time.After(f.serve.poll)
		}
	}
}

// exporting is where sites are exported to.
type exporting struct {
	exportFlags
	*env
	writer *export.Writer
	dir    string
	log    *slog.Logger
	slow   time.Duration // after which a command is named in the log
}

// slowCommand is the time that commands are expected to take at most.
const slowCommand = time.Minute

func (x exporting) export(ctx context.Context, s *site.Site, start time.Time) error {
	r, err := x.writer.Write(ctx, s)
	if err != nil {
		return i18n.Errorf("export to %s: %w", x.dir, err)
	}
	x.log.Info("exported", "snapshot", s.ID, "commit", content.ShortCommit(s.Snapshot.Commit),
		"files", r.Files, "written", r.Written, "removed", r.Removed, "took", time.Since(start).Round(time.Millisecond))
	if x.after == "" {
		return nil
	}
	return x.runCommand(ctx)
}

// runCommand runs the command that follows an export, with its folder.
func (x exporting) runCommand(ctx context.Context) error {
	current, err := filepath.EvalSymlinks(filepath.Join(x.dir, export.Current))
	if err == nil {
		current, err = filepath.Abs(current)
	}
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", x.after)
	cmd.Dir, cmd.Env = x.env.dir, x.environ
	cmd.Env = append(cmd.Environ(), "RULESTORE_EXPORT="+current)
	cmd.Stdout, cmd.Stderr = underlying(x.stderr), underlying(x.stderr)
	timer := time.AfterFunc(x.slow, func() {
		x.log.Warn("the command still runs, and the next export waits for it", "run", x.after, "for", x.slow)
	})
	defer timer.Stop()
	if err := cmd.Run(); err != nil {
		return i18n.Errorf("--run: %w", err)
	}
	return nil
}
