package server_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"time"

	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/site"
)

// A loaded snapshot becomes a site, which a handler serves.
func ExampleNew() {
	script, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		fmt.Println(err)
		return
	}
	source, err := gitrepo.InMemory(script[:1])
	if err != nil {
		fmt.Println(err)
		return
	}
	loaded, err := loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(),
		Now: time.Now}).Load(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	s := site.Build(nil, loaded.Snapshot, site.Config{BaseURL: "https://rules.example.org",
		Schemas: schemas.Embedded()})
	handler := server.New(server.Config{Sites: serving(s), Status: func() server.Status { return server.Status{} }})
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest("GET", "/api/v1/guidelines/product.common.001", nil))
	fmt.Println(answer.Code, answer.Header().Get("Content-Type"), answer.Header().Get("X-Guideline-Version"))
	// Output:
	// 200 application/json 1.0.0
}
