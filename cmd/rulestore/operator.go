package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"rulestore/cmd/rulestore/internal/guard"
	"rulestore/cmd/rulestore/internal/life"
	"rulestore/cmd/rulestore/internal/publisher"
	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/server/admin"
)

// orderTimeout is the maximum time for a server to execute an order.
const orderTimeout = 2 * time.Minute

func newAdmin(e *env) *cobra.Command {
	var addr, source string
	var asJSON bool
	c := &cobra.Command{
		Use:  "admin",
		Args: arguments(0, 2),
		RunE: func(c *cobra.Command, args []string) error {
			order, argument, err := parseOrder(args)
			if err != nil {
				return usageError{err}
			}
			return e.sendOrder(c.Context(), addr, source, order, argument, asJSON)
		},
	}
	c.Flags().StringVar(&addr, "admin-addr", life.OperatorsDefault, "the address on which the server answers operators")
	c.Flags().StringVar(
		&source, "source", "", "the name of the repository that is meant, where several are served together",
	)
	c.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return c
}

// parseOrder parses an order.
func parseOrder(args []string) (order, argument string, err error) {
	if len(args) == 0 {
		return admin.Show, "", nil
	}
	order = args[0]
	if len(args) == 2 {
		argument = args[1]
	}
	switch {
	case !slices.Contains(admin.Orders, order):
		return "", "", i18n.Errorf(
			"%q is nothing that a server can be told: expected confirm, pin, unpin or back", order,
		)
	case order == admin.Confirm && argument == "":
		return "", "", i18n.Errorf("say which state to confirm: `rulestore admin` names the one that is held back")
	case len(args) == 2 && argument == "":
		return "", "", i18n.Errorf("what comes after %s is empty: give it a value, or leave it out", order)
	case len(args) == 2 && order != admin.Confirm && order != admin.Pin:
		return "", "", i18n.Errorf("%s takes nothing more", order)
	}
	return order, argument, nil
}

// sendOrder sends an order to the server, and prints what it serves afterwards.
func (e *env) sendOrder(ctx context.Context, addr, source, order, argument string, asJSON bool) error {
	ctx, cancel := context.WithTimeout(ctx, orderTimeout)
	defer cancel()
	method, path := http.MethodGet, admin.Served
	if order != admin.Show {
		method, path = http.MethodPost, path+"/"+order+"?"+url.Values{
			admin.Argument: {argument}, admin.Source: {source},
		}.Encode()
	}
	res, err := requestServer(ctx, method, addr, path)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return i18n.Errorf("ask the server: %w", err)
	}
	var now publisher.Served
	if err := json.Unmarshal(body, &now); err != nil {
		return i18n.Errorf(
			"the server at %s answers %s: %s", addr, res.Status, content.Printable(string(body[:min(len(body), 200)])),
		)
	}
	if now.Error != "" {
		return foundErrorf("%s", now.Error)
	}
	if asJSON {
		_, err = e.stdout.Write(body)
		return err
	}
	return e.printServed(now)
}

// requestServer sends a request of an operator to a server of this machine.
func requestServer(ctx context.Context, method, addr, path string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, life.URL(addr, false)+path, nil)
	if err != nil {
		return nil, usageErrorf("--admin-addr %q is no address", addr)
	}
	// Whatever the address is called, orders are for this machine.
	req.Host = "localhost"
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // no proxy: it is this machine
	res, err := client.Do(req)
	if err != nil {
		return nil, i18n.Errorf("ask the server: %w (say where with --admin-addr)", err)
	}
	if res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusMethodNotAllowed {
		res.Body.Close()
		return nil, i18n.Errorf(
			"the server at %s does not answer operators there: %s (say where with --admin-addr)", addr, res.Status,
		)
	}
	return res, nil
}

// printServed prints what is served for people, of several repositories each.
func (e *env) printServed(now publisher.Served) error {
	if len(now.Sources) == 0 {
		return e.printDecisions(now)
	}
	e.printer.Fprintf(e.stdout, "snapshot %s\n", now.Snapshot)
	for _, part := range now.Sources {
		fmt.Fprintf(e.stdout, "%s:\n", content.Printable(part.Source))
		if part.LastError != "" {
			e.printer.Fprintf(e.stdout, "cannot be read: %s\n", content.Printable(part.LastError))
		}
		if part.Commit == "" {
			continue // nothing of it is served
		}
		part.Snapshot = now.Snapshot
		if err := e.printDecisions(part.Served); err != nil {
			return err
		}
	}
	return nil
}

// printDecisions prints what is served of one repository, and the decisions about it.
func (e *env) printDecisions(now publisher.Served) error {
	w := e.stdout
	e.printer.Fprintf(
		w, "served: state %s, commit %s of %s, %d publications, snapshot %s\n", now.State,
		content.ShortCommit(now.Commit),
		now.Branch, now.Publications, now.Snapshot,
	)
	if p := now.Previous; p != nil {
		e.printer.Fprintf(
			w, "before: state %s, commit %s of %s, since %s\n", p.State, content.ShortCommit(p.Commit), p.Branch,
			p.Since.Format(time.RFC3339),
		)
	}
	if now.Pinned != "" {
		e.printer.Fprintf(w, "pinned: to %s, nothing that is pushed is served\n", now.Pinned)
	}
	if w := now.Waiting; w != nil {
		e.printWaiting(w)
	}
	h := now.Held
	if h == nil {
		return nil
	}
	e.printer.Fprintf(
		w, "held back: state %s, commit %s of %s, since %s; %d publications lost\n", h.State,
		content.ShortCommit(h.Commit),
		h.Branch, h.Since.Format(time.RFC3339), h.Losses,
	)
	if h.Rewritten {
		e.printer.Fprintf(w, "  the branch was rewritten\n")
	}
	if h.Log {
		e.printer.Fprintf(w, "  its log does not go on with the one that is served\n")
	}
	if h.Moved {
		e.printer.Fprintf(w, "  what --ref pins is not what it was\n")
	}
	for _, tag := range h.Lost {
		e.printer.Fprintf(w, "  lost: %s\n", content.Printable(tag))
	}
	return nil
}

// printWaiting prints the waiting state for people.
func (e *env) printWaiting(w *guard.WaitingState) {
	e.printer.Fprintf(
		e.stdout, "waits: state %s, commit %s of %s, since %s; %d publications new, %d gone\n", w.State,
		content.ShortCommit(w.Commit), w.Branch, w.Since.Format(time.RFC3339), w.New, w.Gone,
	)
	if w.Until.IsZero() {
		e.printer.Fprintf(e.stdout, "  until the canary has served it for as long as --delay says\n")
		return
	}
	e.printer.Fprintf(e.stdout, "  until %s\n", w.Until.Format(time.RFC3339))
}
