package mcpserver

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The results below are those of the SDK, which sets resultType only in what its
// own handlers return.

// outcome is what results have in common. From 2026-07-28 on each says that it is
// complete.
type outcome struct {
	mcp.ResultBase
	ResultType string `json:"resultType,omitempty"`
}

func (o *outcome) complete() { o.ResultType = "complete" }

// completed is a result that can say so.
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

// finished returns what a handler has returned, marked as complete where the
// revision that the request speaks has that.
func finished[R completed](req mcp.Request, res R, err error) (mcp.Result, error) {
	if err != nil {
		return nil, err // a nil pointer would be a result
	}
	if spoken(req) >= statelessSince {
		res.complete()
	}
	return res, nil
}

// linksSince is the revision from which on a message may be a link to a resource.
const linksSince = "2025-06-18"

// spoken is the revision that a request speaks, "" if it does not tell.
func spoken(req mcp.Request) string {
	if r, ok := req.(interface{ ProtocolVersion() string }); ok {
		return r.ProtocolVersion()
	}
	return ""
}
