package mcpserver_test

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/server/mcpserver"
	"rulestore/server/site"
)

// A model gets the proof that HTTP gives, and is told the place in the log of what it reads.
func TestProofs(t *testing.T) {
	r := start(t)
	c, _ := r.client(eras[1].version, all)
	e := kinds().Snapshot.Item(content.Guidelines, "fraud.code.001").Current
	_, text := call(t, c, "get_proof", map[string]any{"tag": e.Tag()})
	p := must(log.ParseProof([]byte(text)))
	leaf := log.SealOf(content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt})
	if _, err := p.Verify(leaf, must(log.NewVerifier(mcpserver.LogKey().Public()))); err != nil {
		t.Error(err)
	}
	res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_guideline",
		Arguments: map[string]any{"guideline_id": "fraud.code.001", "view": "brief"}})
	if err != nil || res.Meta["log_index"] != float64(p.Index) {
		t.Errorf("%v %v", res.Meta, err)
	}
}

func TestCheckCitations(t *testing.T) {
	c, _ := start(t).client(eras[1].version, all)
	e := kinds().Snapshot.Item(content.Guidelines, "fraud.code.001").Current
	cited := []site.Citation{{ID: "fraud.code.001", Version: e.Version.String(), Checksum: e.Checksum,
		At: e.PublishedAt.Format(content.Date)}}
	answer, _ := call(t, c, "check_citations", map[string]any{"citations": cited})
	var said struct {
		Citations []struct {
			Result string
			Then   bool `json:"current_then"`
			Now    bool `json:"current_now"`
		}
	}
	if err := json.Unmarshal(answer, &said); err != nil || len(said.Citations) != 1 ||
		said.Citations[0].Result != "matches" || !said.Citations[0].Then || !said.Citations[0].Now {
		t.Errorf("%s %v", answer, err)
	}
}
