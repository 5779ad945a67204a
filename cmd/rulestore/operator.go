package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/cmd/rulestore/internal/process"
	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/server/admin"
	"rulestore/server/api"
)

// orderTimeout is the maximum time for a server to execute an order.
const orderTimeout = 2 * time.Minute

func newAdmin(e *env) *cobra.Command {
	var addr string
	c := newCommand("admin", 0, 2, func(ctx context.Context, args []string) error {
		switch {
		case len(args) > 0 && args[0] != "confirm":
			return usageErrorf("%q is nothing that a server can be told: expected confirm", args[0])
		case len(args) == 1 || len(args) == 2 && args[1] == "":
			return usageErrorf("say which state to confirm: `rulestore admin` names the one that is held back")
		}
		return e.askServed(ctx, addr, args)
	})
	c.Flags().StringVar(&addr, "admin-addr", process.OperatorsDefault, "")
	return c
}

// askServed asks the server what it serves, after it has served a state that was held back if that is
// to be confirmed, and prints the answer.
func (e *env) askServed(ctx context.Context, addr string, confirm []string) error {
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
	_, err = e.stdout.Write(body)
	return err
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

// healthcheckTimeout is the maximum response time of a healthy server.
const healthcheckTimeout = 5 * time.Second

func newHealthcheck(e *env) *cobra.Command {
	var addr, cert string
	c := newCommand("healthcheck", 0, 1, func(ctx context.Context, args []string) error {
		target := process.URL(addr, cert != "") + api.LegacyHealthPath
		if len(args) == 1 {
			target = args[0]
		}
		return healthcheck(ctx, e.stdout, target, len(args) == 0)
	})
	c.Flags().StringVar(&addr, "addr", defaultAddr, "")
	c.Flags().StringVar(&cert, "tls-cert", "", "")
	return c
}

// healthcheck asks one address. The name in the certificate of this machine's own
// server is that which clients know, so it is not checked.
func healthcheck(ctx context.Context, w io.Writer, target string, own bool) error {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return usageErrorf("%q is no address: expected for example http://127.0.0.1:8080/healthz", target)
	}
	ctx, cancel := context.WithTimeout(ctx, healthcheckTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: own},
		DisableKeepAlives: true,
	}}
	res, err := client.Do(req)
	if err != nil {
		return foundErrorf("healthcheck: %w", err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10)) // for the message
	if res.StatusCode != http.StatusOK {
		return foundErrorf(
			"healthcheck: %s answers %s: %s", target, res.Status, strings.Join(strings.Fields(string(body)), " "),
		)
	}
	_, err = fmt.Fprintln(w, "ok")
	return err
}
