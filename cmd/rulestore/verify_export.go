package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"

	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/schemas"
	"rulestore/server/export"
	"rulestore/server/site"
)

// verifyExport compares an export served by a web server with the expected one, file by file.
func (f verifyFlags) verifyExport(ctx context.Context, e *env, address string) error {
	if f.repo == "" {
		return usageErrorf("--static needs --repo: an export is checked against the repository that it is of")
	}
	r, err := f.repository()
	if err != nil {
		return err
	}
	all, err := r.loadAll(ctx)
	if err != nil {
		return err
	}
	loaded := loader.Join(all...)
	client := &http.Client{
		Timeout:       f.timeout,
		Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 16},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	defer client.CloseIdleConnections()
	held, err := export.Read(ctx, client, address)
	if err != nil {
		return i18n.Errorf("verify %s: %w", address, err)
	}
	base := cmp.Or(
		strings.TrimRight(f.baseURL, "/"), loaded.Snapshot.Settings.CanonicalBaseURL, strings.TrimRight(address, "/"),
	)
	checked, err := export.Check(ctx, client, address, site.Build(nil, loaded.Snapshot, site.Config{
		BaseURL: base, Version: held.Build, Schemas: schemas.Embedded(), Log: all[0].Log, Logs: loaded.Logs,
		MCP:    true,
		Report: &loaded.Report,
	}))
	if err != nil {
		return i18n.Errorf("verify %s: %w", address, err)
	}
	for _, d := range checked.Differs {
		if _, err := fmt.Fprintln(e.stdout, e.localized(d)); err != nil {
			return err
		}
	}
	for _, w := range checked.Warnings {
		if err := e.printer.Fprintf(e.stdout, "warning: %s\n", e.localized(w)); err != nil {
			return err
		}
	}
	if differs := len(checked.Differs); differs > 0 {
		return foundErrorf(
			"%s differs from what was published: %d of %d files (see above)", address, differs, checked.Files,
		)
	}
	return e.printer.Fprintf(
		e.stdout, "%s serves what was published: %d files checked in each coding\n", address, checked.Files,
	)
}
