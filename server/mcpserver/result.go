package mcpserver

import (
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/server/site"
)

// The results below are those of the SDK, which sets resultType only in what its
// own handlers return.

// outcome is the common part of results. From 2026-07-28 on each states that it is complete.
type outcome struct {
	mcp.ResultBase
	ResultType string `json:"resultType,omitempty"`
}

func (o *outcome) complete() { o.ResultType = "complete" }

type callResult struct {
	outcome
	Content    []mcp.Content   `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
}

type readResult struct {
	outcome
	mcp.Cacheable
	Contents []*mcp.ResourceContents `json:"contents"`
}

type promptResult struct {
	outcome
	Description string               `json:"description,omitempty"`
	Messages    []*mcp.PromptMessage `json:"messages"`
}

type listSkillsResult struct {
	outcome
	mcp.Cacheable
	Skills []skillEntry `json:"skills"`
}

type getSkillResult struct {
	outcome
	mcp.Cacheable
	Skill skillEntry `json:"skill"`
}

// linksSince is the first revision in which a message can be a link to a resource.
const linksSince = "2025-06-18"

// revisionOf is the revision of a request, "" if it is unknown.
func revisionOf(req mcp.Request) string {
	if r, ok := req.(interface{ ProtocolVersion() string }); ok {
		return r.ProtocolVersion()
	}
	return ""
}

func failure(code int64, text string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: code, Message: text}
}

// invalid is the error of invalid parameters.
func invalid(format string, args ...any) error {
	return failure(jsonrpc.CodeInvalidParams, fmt.Sprintf(format, args...))
}

// isRedacted is the error of a version that was redacted.
func isRedacted(g *site.Gone) error {
	return invalid("version %s of %s was redacted: %s", g.Version, g.Item, g.Reason)
}

// notFound is the error of an unknown URI. That of the SDK is not valid JSON if the URI has
// characters that Go quotes differently, and the request is never answered.
func notFound(uri string) error {
	return &jsonrpc.Error{
		Code: jsonrpc.CodeInvalidParams, Message: "Resource not found",
		Data: marshal(struct {
			URI string `json:"uri"`
		}{uri}),
	}
}
