package server_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/schemas"
	"rulestore/server/api"
)

// call calls a tool over MCP and returns the whole answer.
func (c client) call(tool, args string) string {
	c.Helper()
	body := c.called(tool, args)
	if !strings.Contains(body, `"result"`) || strings.Contains(body, `"isError":true`) {
		c.Errorf("%s %s: %s", tool, args, body)
	}
	return body
}

// called returns what a tool answers, or why it does not.
func (c client) called(tool, args string) string {
	c.Helper()
	req, err := http.NewRequest(http.MethodPost, c.url+api.MCPPath+"?toolsets=all",
		strings.NewReader(fmt.Sprintf(calling, tool, args, stateless)))
	if err != nil {
		c.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		req.Header.Set(name, value)
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		c.Fatal(err)
	}
	defer resp.Body.Close()
	return string(must(io.ReadAll(resp.Body)))
}

// A publication without a seal that has such a field is refused, as it always was.
func TestDerivedNamesAreRefused(t *testing.T) {
	script := slices.Clone(readScript("testdata/kinds.txtar"))
	script[2].Files = maps.Clone(script[2].Files)
	const path = "registries/fraud-signals"
	script[2].Files[path+".yaml"] = append(slices.Clone(script[2].Files[path+".yaml"]), "\ntotal: SYSTEM\n"...)
	if refused := load(script).Report.Refused; !slices.Contains(refused, path+"/v1.2.0") {
		t.Errorf("refused: %q", refused)
	}
}

// What the service writes beside the fields of a record, or in place of them, is the
// name of no field that an author can write there.
func TestNoFormatOfRecordsUsesNamesOfTheService(t *testing.T) {
	k := content.Registries
	own := []string{k.ID, k.Version, "source_checksum", "source_url", "fetched_at", "total"}
	n := 0
	for _, it := range kindsSite().Snapshot.Items {
		if it.Kind != k {
			continue
		}
		folder := content.FormatsOf(schemas.Embedded(), k, it.Name)
		for _, format := range schemas.Embedded().Formats(folder) {
			lists := 0
			for _, f := range schemas.Embedded().Schema(folder, format).Root().Fields {
				if !f.Records {
					continue
				}
				lists++
				for _, g := range f.Items.Fields {
					if n++; slices.Contains(own, g.Name) {
						t.Errorf("%s %s: %s is the service's", folder, format, g.Name)
					}
				}
				if slices.Contains(own, f.Name) {
					t.Errorf("%s %s: %s is the service's", folder, format, f.Name)
				}
			}
			if lists > 1 {
				t.Errorf("%s %s has %d lists of records: total would be there as often", folder, format, lists)
			}
		}
	}
	if n < 30 {
		t.Errorf("only %d fields", n)
	}
}
