package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/text/language"

	"rulestore/cmd/rulestore/internal/lsp"
	"rulestore/schemas"
)

func newLSP(e *env) *cobra.Command {
	c := newCommand("lsp", 0, 0, func(ctx context.Context, _ []string) error {
		return serveEditor(ctx, e)
	})
	c.Flags().Bool("stdio", true, "")
	_ = c.Flags().MarkHidden("stdio")
	return c
}

func serveEditor(ctx context.Context, e *env) error {
	err := lsp.Serve(ctx, lsp.Config{
		Environ: e.environ, Language: editorLocale(e.getenv), Version: build(),
		Schemas: schemas.Embedded(), Now: time.Now,
		Log: slog.New(slog.NewTextHandler(e.stderr, nil)),
	}, e.stdin, underlying(e.stdout))
	if errors.Is(err, lsp.ErrLeft) {
		return foundError{err} // the protocol wants exit code 1
	}
	return err
}

// editorLocale returns the language in which authors are answered whose editor names
// none: Russian, unless the environment names another.
func editorLocale(env func(string) string) language.Tag {
	if tag, ok := preferredLanguage(env); ok {
		return tag
	}
	return language.Russian
}
