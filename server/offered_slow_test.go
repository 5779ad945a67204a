//go:build slow

package server_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"rulestore/schemas"
	"rulestore/server/site"
)

// Below a path of its host, the service says so in its description: a client that adds the paths of the
// document to the address of the server comes to the service.
func TestOpenAPIServer(t *testing.T) {
	for base, want := range map[string]string{
		"https://example.org": "/", "https://example.org/finance/rules": "/finance/rules",
	} {
		c := ask(t, site.Build(nil, load(readScript("testdata/store.txtar")).Snapshot, site.Config{
			BaseURL: base, Version: "0.0.0-test", Schemas: schemas.Embedded(), Requests: counted,
		}))
		for _, form := range []string{".json", ".yaml"} {
			servers := must(openapi3.NewLoader().LoadFromData(c.get("/openapi" + form).body)).Servers
			if len(servers) != 1 || servers[0].URL != want {
				t.Errorf("%s: %s names %v", base, form, servers)
			}
		}
	}
}
