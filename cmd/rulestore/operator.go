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
	// Whatever the address is called, orders are for this machine.
	res, err := send(ctx, method, process.URL(addr, false)+path, "localhost")
	if err != nil {
		return nil, i18n.Errorf("ask the server: %w: start it, or say with --admin-addr where it answers", err)
	}
	if res.StatusCode == http.StatusNotFound || res.StatusCode == http.StatusMethodNotAllowed {
		res.Body.Close()
		return nil, i18n.Errorf(
			"the server at %s does not answer operators there: %s (say where with --admin-addr)", addr, res.Status,
		)
	}
	return res, nil
}

// send sends a request without a body, through no proxy. host is what the server is called, "" for what its address
// says; the certificate of a server that is asked by an address of this machine has the name that clients know, and
// is not checked.
func send(ctx context.Context, method, address, host string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, err
	}
	req.Host = host
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: host != ""}, DisableKeepAlives: true,
	}}
	return client.Do(req)
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
		host := ""
		if len(args) == 0 {
			host = "localhost"
		}
		return healthcheck(ctx, e.stdout, target, host)
	})
	c.Flags().StringVar(&addr, "addr", defaultAddr, "")
	c.Flags().StringVar(&cert, "tls-cert", "", "")
	return c
}

// healthcheck asks one address, see [send].
func healthcheck(ctx context.Context, w io.Writer, target, host string) error {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return usageErrorf("%q is no address: expected for example http://127.0.0.1:8080/healthz", target)
	}
	ctx, cancel := context.WithTimeout(ctx, healthcheckTimeout)
	defer cancel()
	res, err := send(ctx, http.MethodGet, target, host)
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
