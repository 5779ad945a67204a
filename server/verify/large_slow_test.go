//go:build slow

package verify_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/site"
	"rulestore/server/verify"
)

// manyVersions is one rule in so many versions, and what is expected of who serves it.
func manyVersions(t *testing.T, n int) (*content.Snapshot, *verify.Expected) {
	t.Helper()
	all, _ := starterContent(t)
	first := all.Item(content.Guidelines, "product.common.001").Entries[0].Publication
	in := content.Input{Source: all.Source, Settings: all.Settings}
	for i := range n {
		p := *first
		p.Version = semver.New(1, uint64(i), 0, "", "")
		sum, err := content.Checksum(content.Identified(p.Kind, p.Version, p.Body()))
		if err != nil {
			t.Fatal(err)
		}
		p.Checksum = sum
		in.Publications = append(in.Publications, &p)
	}
	many := content.NewSnapshot(in)
	made := site.Build(nil, many, site.Config{BaseURL: "https://rules.example.org", Version: "test",
		Schemas: schemas.Embedded()})
	return many, &verify.Expected{
		Handler: server.New(server.Config{Sites: current{made},
			Status: func() server.Status { return server.Status{} }}),
		Paths: made.Paths(), Snapshot: many,
	}
}

// Of a large repository each version is still checked, and what is left to chance is few
// answers among which a server that lies in any one form is found.
func TestLarge(t *testing.T) {
	const versions = 5_100
	many, expected := manyVersions(t, versions)
	for _, test := range []struct {
		name  string
		lie   func(r *http.Request) (old, with string)
		finds string // in a difference; "" if there is none
	}{
		{"honest", func(*http.Request) (string, string) { return "", "" }, ""},
		{"one version", func(r *http.Request) (string, string) {
			if strings.HasSuffix(r.URL.Path, "/versions/1.4321.0") &&
				!strings.Contains(r.Header.Get("Accept"), "text/") {
				return `"title":"`, `"title":"X`
			}
			return "", ""
		}, "guidelines/product.common.001/v1.4321.0"},
		{"what most browsers accept", func(r *http.Request) (string, string) {
			if r.Header.Get("Accept-Encoding") == "gzip, deflate, br, zstd" {
				return `"title":"`, `"title":"X`
			}
			return "", ""
		}, "guidelines/product.common.001/v1."},
		{"Markdown", func(r *http.Request) (string, string) {
			if strings.Contains(r.Header.Get("Accept"), "text/markdown") {
				return "\n", "\n\n"
			}
			return "", ""
		}, "as Markdown"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				old, with := test.lie(r)
				if old == "" {
					expected.Handler.ServeHTTP(w, r)
					return
				}
				lying(expected.Handler, old, with).ServeHTTP(w, r)
			}))
			defer s.Close()
			r, err := verify.Run(t.Context(), verify.Config{
				URL: s.URL, BaseURL: "https://rules.example.org", Repository: many, Version: "test", WithoutMCP: true,
				Expect: func(context.Context, verify.Named) (*verify.Expected, error) { return expected, nil },
			})
			if err != nil {
				t.Fatal(err)
			}
			if found := fmt.Sprint(r.Differences); (test.finds == "") != (len(r.Differences) == 0) ||
				!strings.Contains(found, test.finds) {
				t.Errorf("%d differences without %q: %.1000s", len(r.Differences), test.finds, found)
			}
			if r.Publications != versions || !r.Sampled || r.Answers > versions+1100 || r.Answers < versions+900 {
				t.Errorf("%d publications in %d answers, sampled: %t", r.Publications, r.Answers, r.Sampled)
			}
		})
	}
}

// lying has another text in place of the first that is somewhere in an answer.
func lying(h http.Handler, old, with string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Accept-Encoding")
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		for name, values := range rec.Header() {
			w.Header()[name] = values
		}
		w.Header().Del("Content-Length")
		w.WriteHeader(rec.Code)
		_, _ = w.Write([]byte(strings.Replace(rec.Body.String(), old, with, 1)))
	})
}

// What is left out, nothing is where everything is asked for.
func TestAll(t *testing.T) {
	const versions = 510
	_, expected := manyVersions(t, versions)
	s := httptest.NewServer(expected.Handler)
	defer s.Close()
	answers := map[bool]int{}
	for _, all := range []bool{false, true} {
		markdown := func(content.Tag, content.Object) []byte { return nil }
		r, err := verify.Run(t.Context(), verify.Config{URL: s.URL, Markdown: markdown, WithoutMCP: true, All: all})
		if err != nil || len(r.Differences) > 0 || r.Sampled == all {
			t.Errorf("all: %t: %v, %v, sampled: %t", all, err, r.Differences, r.Sampled)
		}
		answers[all] = r.Answers
	}
	if answers[true] <= answers[false] {
		t.Errorf("%d answers are all, and %d are not", answers[true], answers[false])
	}
}
