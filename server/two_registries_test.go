package server_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// Two servers in one process have registries of their own: what one is asked, the
// other does not count, while both are asked at once and their sites are made anew.
func TestServersCountForThemselves(t *testing.T) {
	const asked = 30
	var wg sync.WaitGroup
	registries := [2]*calc.Registry{calc.New(), calc.New()}
	for i, r := range registries {
		c := site.Config{BaseURL: baseURL, Schemas: schemas.Embedded(), Math: r}
		first := site.Build(nil, kindsSite().Snapshot, c)
		h := server.New(server.Config{Sites: fixedSite{first}, Status: func() server.Status { return server.Status{} }})
		tool, _ := r.Tool("loan_payment")
		wg.Go(func() {
			for range asked * (i + 1) {
				w := httptest.NewRecorder()
				req := httptest.NewRequest(http.MethodPost, "/api/v1/math/tools/loan_payment",
					strings.NewReader(tool.Examples[0].Request))
				req.Header.Set("Content-Type", "application/json")
				if h.ServeHTTP(w, req); w.Code != http.StatusOK {
					t.Errorf("%d %s", w.Code, w.Body)
				}
			}
		})
		wg.Go(func() {
			if next := site.Build(first, kindsSite().Snapshot, c); next.Math() != r {
				t.Error("another registry after a swap")
			}
		})
	}
	wg.Wait()
	for i, r := range registries {
		tool, _ := r.Tool("loan_payment")
		if got := tool.Calls().Computed; got != uint64(asked*(i+1)) {
			t.Errorf("server %d was asked %d times and counted %d", i, asked*(i+1), got)
		}
	}
}

type fixedSite struct{ *site.Site }

func (f fixedSite) Current() *site.Site { return f.Site }
