package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/cmd/rulestore/internal/process"
	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/server/admin"
)

// orderTimeout is the maximum time for a server to execute an order.
const orderTimeout = 2 * time.Minute

func newAdmin(e *env) *cobra.Command {
	var addr string
	var asJSON bool
	c := &cobra.Command{
		Use:  "admin",
		Args: arguments(0, 2),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) > 0 && args[0] != "confirm":
				return usageErrorf("%q is nothing that a server can be told: expected confirm", args[0])
			case len(args) == 1 || len(args) == 2 && args[1] == "":
				return usageErrorf("say which state to confirm: `rulestore admin` names the one that is held back")
			}
			return e.askServed(c.Context(), addr, args, asJSON)
		},
	}
	c.Flags().StringVar(&addr, "admin-addr", process.OperatorsDefault,
		"the address on which the server answers operators")
	c.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return c
}

// askServed asks the server what it serves, after it has served a state that was held back if that is
// to be confirmed, and prints it.
func (e *env) askServed(ctx context.Context, addr string, confirm []string, asJSON bool) error {
	ctx, cancel := context.WithTimeout(ctx, orderTimeout)
	defer cancel()
	method, path := http.MethodGet, admin.Served
	if len(confirm) > 0 {
		method, path = http.MethodPost, admin.Confirm+"?"+url.Values{admin.Name: {confirm[1]}}.Encode()
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
	var now follow.Served
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
	req, err := http.NewRequestWithContext(ctx, method, process.URL(addr, false)+path, nil)
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

// printServed prints what is served for people, and the decisions about it.
func (e *env) printServed(now follow.Served) error {
	w := e.stdout
	e.printer.Fprintf(
		w, "served: state %s, commit %s of %s, %d publications, snapshot %s\n", now.State,
		content.ShortCommit(now.Commit),
		now.Branch, now.Publications, now.Snapshot,
	)
	if now.Pinned != "" {
		e.printer.Fprintf(w, "pinned: to %s, nothing that is pushed is served\n", now.Pinned)
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
