package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulestore/cmd/rulestore/internal/history"
	"rulestore/cmd/rulestore/internal/life"
	"rulestore/content"
	"rulestore/loader/gitrepo"
	"rulestore/server/admin"
)

// historyFile is the path of the history of served snapshots, beside the mirror of a repository.
const historyFile = "history.jsonl"

// openHistory reads the history of served snapshots. Commands that do not serve store none.
func (f serveFlags) openHistory(e *env) (*history.History, error) {
	name := f.history
	if name == "" && gitrepo.IsAddress(f.repo) {
		mirror, err := f.mirrorFolder(e)
		if err != nil {
			return nil, err
		}
		name = filepath.Join(mirror, historyFile)
	}
	if f.checkOnly {
		name = ""
	}
	return history.Open(name)
}

// mirrorFolder returns the folder of the mirror of a remote repository.
func (f serveFlags) mirrorFolder(e *env) (string, error) {
	address, err := gitrepo.ParseAddress(f.repo)
	if err != nil {
		return "", err
	}
	cache, err := f.remote.cache(e)
	if err != nil {
		return "", err
	}
	return gitrepo.MirrorFolder(cache, address), nil
}

func newHistory(e *env) *cobra.Command {
	var addr string
	var asJSON bool
	c := &cobra.Command{
		Use:  "history",
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			return e.printHistory(c.Context(), addr, strings.Join(args, ""), asJSON)
		},
	}
	c.Flags().StringVar(&addr, "admin-addr", life.OperatorsDefault, "the address on which the server answers operators")
	c.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return c
}

func (e *env) printHistory(ctx context.Context, addr, snapshot string, asJSON bool) error {
	ctx, cancel := context.WithTimeout(ctx, orderTimeout)
	defer cancel()
	res, err := requestServer(ctx, http.MethodGet, addr, admin.History)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	found := false
	lines := bufio.NewReader(io.LimitReader(res.Body, 64<<20))
	for {
		line, err := lines.ReadBytes('\n')
		var served history.Entry
		if json.Unmarshal(line, &served) == nil && (snapshot == "" || served.Snapshot == snapshot) {
			found = true
			if err := e.printEntry(served, line, asJSON); err != nil {
				return err
			}
		}
		if err != nil {
			break
		}
	}
	if !found {
		return foundErrorf("the server does not remember that")
	}
	return nil
}

func (e *env) printEntry(s history.Entry, line []byte, asJSON bool) error {
	if asJSON {
		_, err := e.stdout.Write(line)
		return err
	}
	err := e.printer.Fprintf(
		e.stdout, "%s  snapshot %s, commit %s of %s, %d publications, %d leaves of the log\n",
		s.Time.Format(time.RFC3339),
		content.Printable(s.Snapshot), content.ShortCommit(s.Commit), content.Printable(s.Branch), s.Publications,
		s.LogSize,
	)
	for _, of := range s.Sources {
		e.printer.Fprintf(
			e.stdout, "  %s: commit %s of %s, %d leaves of the log\n", content.Printable(of.Name),
			content.ShortCommit(of.Commit), content.Printable(of.Branch), of.LogSize,
		)
	}
	for _, tag := range s.Added {
		e.printer.Fprintf(e.stdout, "  new: %s\n", content.Printable(tag))
	}
	for _, tag := range s.Removed {
		e.printer.Fprintf(e.stdout, "  gone: %s\n", content.Printable(tag))
	}
	return err
}
