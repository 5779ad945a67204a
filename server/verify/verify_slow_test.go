//go:build slow

package verify_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"rulestore/server/verify"
)

// What a repository does not know is counted, and asked for by nobody.
func TestInventedPublications(t *testing.T) {
	snapshot := oneRule()
	honest := handler(snapshot)
	const invented = 300_000
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/v1/checksums" {
			for i := range invented {
				fmt.Fprintf(w, "guidelines/product.common.001/v3.%d.0 sha256:%064d 2026-02-02T10:00:00Z\n", i, i)
			}
		}
		if strings.Contains(r.URL.Path, "/versions/3.") {
			asked.Add(1)
		}
		r.Header.Del("Accept-Encoding")
		honest.ServeHTTP(w, r)
	}))
	defer s.Close()
	r, err := verify.Run(t.Context(), verify.Config{URL: s.URL, Repository: snapshot})
	if err != nil || asked.Load() > 0 || r.Publications != 2 || len(r.Differences)+r.More != invented ||
		len(r.Differences) != 1000 {
		t.Errorf("asked for %d; %d publications, %d differences and %d more, %v", asked.Load(), r.Publications,
			len(r.Differences), r.More, err)
	}
	_, err = verify.Run(t.Context(), verify.Config{URL: s.URL})
	if err == nil || asked.Load() > 0 || !strings.Contains(err.Error(),
		"more than 100000 publications: compare it with a repository") {
		t.Errorf("without a repository: asked for %d, %v", asked.Load(), err)
	}
}

// A server that is busy for ever is given up too.
func TestGivesUpOnBusyServer(t *testing.T) {
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		var asked atomic.Int64
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/api/v1/checksums" {
				for i := range 100 {
					fmt.Fprintf(w, "guidelines/product.common.001/v1.%d.0 sha256:%064d 2026-02-02T10:00:00Z\n", i, i)
				}
				return
			}
			asked.Add(1)
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(status)
		}))
		_, err := verify.Run(t.Context(), verify.Config{URL: s.URL})
		s.Close()
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("the answer is still %d after 4 attempts",
			status)) {
			t.Errorf("%d: %v", status, err)
		}
		if n := asked.Load(); n > 4*(20+8) { // those that failed, and those under way
			t.Errorf("%d: %d requests", status, n)
		}
	}
}
