package mcpserver

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The results below are those of the SDK, which sets resultType only in what its
// own handlers return.

// outcome is the common part of results. From 2026-07-28 on each states that it is complete.
type outcome struct {
	mcp.ResultBase
	ResultType string `json:"resultType,omitempty"`
}

func (o *outcome) complete() { o.ResultType = "complete" }

// completed is a result with an outcome.
type completed interface {
	mcp.Result
	complete()
}

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

// markComplete returns the result of a handler, marked as complete if the revision of the
// request requires it.
func markComplete[R completed](req mcp.Request, res R, err error) (mcp.Result, error) {
	if err != nil {
		return nil, err // res can be a nil pointer, which is not a nil interface
	}
	if revisionOf(req) >= statelessSince {
		res.complete()
	}
	return res, nil
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
