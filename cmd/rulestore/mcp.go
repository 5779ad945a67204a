package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"rulestore/cmd/rulestore/internal/follow"
	"rulestore/content"
	"rulestore/server"
	"rulestore/server/mcpserver"
	"rulestore/server/site"
)

func newMCPCommand(e *env) *cobra.Command {
	var f config
	var toolsets string
	c := newCommand("mcp", 0, 0, func(ctx context.Context, _ []string) error {
		return serveMCP(ctx, e, f, toolsets)
	})
	f.flags(c.Flags(), contentFlags...)
	c.Flags().StringVar(&toolsets, "toolsets", "", "")
	return c
}

// offlineURL is the base URL of content that is not served over HTTP: that of the default address
// of serve.
const offlineURL = "http://" + defaultAddr

// serveMCP serves one client until it is gone or the context ends.
func serveMCP(ctx context.Context, e *env, f config, toolsets string) error {
	if err := mcpserver.CheckToolsets(toolsets); err != nil {
		return usageErrorf("--toolsets: %w", err)
	}
	if err := f.check(e); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(e.stderr, nil))
	p, err := f.follower(ctx, e, log)
	if err != nil {
		return unlessEnded(ctx, err)
	}
	defer p.Close()
	start := time.Now()
	first, err := p.Begin(ctx, false)
	if err != nil {
		return unlessEnded(ctx, err)
	}
	p.Base = func(s content.Settings) string { return f.publicURL(s, offlineURL) }
	p.Site = siteConfig()
	if err := p.Serve(first, start); err != nil {
		return err
	}
	assistant, err := newMCP(p, mcpserver.Config{Toolsets: toolsets, Log: log})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.Run(ctx)
	return assistant.Run(ctx, e.stdin, e.stdout)
}

// newMCP makes the MCP server for a publisher.
func newMCP(p *follow.Follower, c mcpserver.Config) (*mcpserver.Server, error) {
	c.Sites, c.Version = p, build()
	c.Health = func(s *site.Site) []byte { return server.Health(s, p.Status()) }
	s, err := mcpserver.New(c, p.Current().Math)
	if err != nil {
		return nil, err
	}
	p.Swapped = s.Swapped
	return s, nil
}
