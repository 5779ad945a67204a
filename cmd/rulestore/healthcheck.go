package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulestore/cmd/rulestore/internal/process"
	"rulestore/server/api"
)

// healthcheckTimeout is the maximum response time of a healthy server.
const healthcheckTimeout = 5 * time.Second

func newHealthcheck(e *env) *cobra.Command {
	var addr, cert string
	c := &cobra.Command{
		Use:  "healthcheck",
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			target := process.URL(addr, cert != "") + api.LegacyHealthPath
			if len(args) == 1 {
				target = args[0]
			}
			return healthcheck(c.Context(), e.stdout, target, len(args) == 0)
		},
	}
	c.Flags().StringVar(&addr, "addr", defaultAddr, "the address that the server listens on")
	c.Flags().StringVar(
		&cert, "tls-cert", "", "the certificate that the server has, if it has one: then it speaks HTTPS",
	)
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
