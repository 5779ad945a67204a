package verify_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/schemas"
	"rulestore/server/site"
	"rulestore/server/verify"
)

// checkedForms verifies a server that runs this version of the program, and returns what differs.
func checkedForms(t *testing.T, h http.Handler) (verify.Result, string) {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close()
	own := site.Config{Version: "test", Schemas: schemas.Embedded()}
	r, err := verify.Run(t.Context(), verify.Config{URL: s.URL, Version: "test",
		Markdown: func(t content.Tag, item content.Object) []byte { return own.Markdown(t.Kind, t.Name, item) }})
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, d := range r.Differences {
		all += fmt.Sprintf("%s|%s|%s|%s\n", d.What, d.Problem, d.Expected, d.Found)
	}
	return r, all
}

// Without a repository everything agrees with itself, whichever items are chosen.
func TestHonestForms(t *testing.T) {
	snapshot := kinds()
	handler := handler(snapshot)
	for range 3 {
		r, found := checkedForms(t, handler)
		if found != "" || r.Publications != snapshot.Count() || r.Sampled || len(r.Notes) > 0 {
			t.Errorf("%d publications, sampled: %t, %v\n%s", r.Publications, r.Sampled, r.Notes, found)
		}
	}
}

// What a proxy, a store or a server may do to one form of an item is found, and named.
func TestCorruptedForms(t *testing.T) {
	h := handler(oneRule())
	accepts := func(r *http.Request, what string) bool { return strings.Contains(r.Header.Get("Accept"), what) }
	coding := func(r *http.Request, what string) bool { return r.Header.Get("Accept-Encoding") == what }
	replace := func(w *httptest.ResponseRecorder, old, with string) {
		w.Body = bytes.NewBufferString(strings.Replace(w.Body.String(), old, with, 1))
	}
	isVersion := func(r *http.Request) bool { return strings.Contains(r.URL.Path, "/versions/") }
	for name, tt := range map[string]struct {
		lie  func(r *http.Request, w *httptest.ResponseRecorder)
		want string
	}{
		"a word in Markdown": {func(r *http.Request, w *httptest.ResponseRecorder) {
			if accepts(r, "markdown") {
				replace(w, "договор", "уговор")
			}
		}, "as text/markdown|disagrees with itself|"},
		"a note, which no checksum covers, in one coding": {func(r *http.Request, w *httptest.ResponseRecorder) {
			if isVersion(r) && coding(r, "br") {
				replace(w, `"change_note":"`, `"change_note":"!`)
			}
		}, "as application/json|disagrees with itself|"},
		"a media type": {func(r *http.Request, w *httptest.ResponseRecorder) {
			if isVersion(r) && coding(r, "zstd") {
				w.Header().Set("Content-Type", "application/octet-stream")
			}
		}, "in the coding zstd|header Content-Type|application/json|application/octet-stream"},
		"one answer for all who accept anything": {func(r *http.Request, w *httptest.ResponseRecorder) {
			w.Header().Set("Vary", "Accept-Encoding")
		}, "|header Vary|Accept|accept-encoding"},
		"another checksum in a HEAD": {func(r *http.Request, w *httptest.ResponseRecorder) {
			if r.Method == http.MethodHead {
				w.Header().Set("X-Content-Checksum", "sha256:0")
			}
		}, "HEAD of guidelines/product.common.001/v1.…|header X-Content-Checksum|sha256:"},
		"nothing new for who has another": {func(r *http.Request, w *httptest.ResponseRecorder) {
			if r.Header.Get("If-None-Match") != "" {
				w.Code, w.Body = http.StatusNotModified, new(bytes.Buffer)
			}
		}, `for who has W/"000000000000000000000000"|status|200|304`},
		"conditions left out, as proxies do": {func(r *http.Request, w *httptest.ResponseRecorder) {
			w.Header().Del("Etag")
		}, ""},
		"a status": {func(r *http.Request, w *httptest.ResponseRecorder) {
			if strings.HasSuffix(r.URL.Path, "/versions") {
				replace(w, `"status":"superseded"`, `"status":"current"`)
			}
		}, "guidelines/product.common.001/v1.0.0|status|current|superseded"},
		"a version that was not published then": {func(r *http.Request, w *httptest.ResponseRecorder) {
			if r.URL.RawQuery != "" {
				w.Code = http.StatusNotFound
			}
		}, "guidelines/product.common.001 as of 2026-…|status|200|404"},
		"a title in a list": {func(r *http.Request, w *httptest.ResponseRecorder) {
			if r.URL.Path == "/api/v1/guidelines" {
				replace(w, `"title":"`, `"title":"!`)
			}
		}, "as title|disagrees with itself|"},
	} {
		t.Run(name, func(t *testing.T) {
			_, found := checkedForms(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked := r.Clone(r.Context())
				r.Header.Del("Accept-Encoding")
				tampered(h, func(_ string, rec *httptest.ResponseRecorder) { tt.lie(asked, rec) }).ServeHTTP(w, r)
			}))
			if tt.want == "" && found != "" || tt.want != "" && !hasLine(found, strings.Split(tt.want, "…")) {
				t.Errorf("found\n%s\nexpected %s", found, tt.want)
			}
		})
	}
}

// hasLine reports whether a line has some texts in their order.
func hasLine(text string, parts []string) bool {
	for line := range strings.Lines(text) {
		found := true
		for _, part := range parts {
			_, line, found = strings.Cut(line, part)
			if !found {
				break
			}
		}
		if found {
			return true
		}
	}
	return false
}

// An export as a web server or a store serves it is held against itself too: JSON at the addresses,
// Markdown with .md, and nothing of what was redacted.
func TestFiles(t *testing.T) {
	redacted := content.Mark{Item: "guidelines/product.common.001", Version: "1.0.0", Status: content.Redacted,
		Reason: "Ошибка", Since: "2026-06-01"}
	for name, snapshot := range map[string]*content.Snapshot{"whole": oneRule(), "with a redacted version": oneRule(redacted)} {
		t.Run(name, func(t *testing.T) {
			service := handler(snapshot)
			hidden := false
			files := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked := r.Clone(r.Context())
				asked.Header.Set("Accept", "application/json")
				if strings.HasSuffix(r.URL.Path, ".md") {
					asked.Header.Set("Accept", "text/markdown")
					asked.URL.Path = strings.TrimSuffix(r.URL.Path, ".md")
				}
				if r.URL.Path == "/api/v1/checksums" {
					asked.Header.Set("Accept", "text/plain")
				}
				asked.Header.Del("Accept-Encoding")
				rec := httptest.NewRecorder()
				service.ServeHTTP(rec, asked)
				if rec.Code != http.StatusOK || r.URL.Path == "/api/v1/health" ||
					hidden && filepath.Base(r.URL.Path) == "1.1.0" {
					http.NotFound(w, r)
					return
				}
				w.Header().Set("Content-Type", rec.Header().Get("Content-Type"))
				_, _ = w.Write(rec.Body.Bytes())
			})
			r, found := checkedForms(t, files)
			if found != "" || len(r.Notes) != 1 || r.Redacted != map[bool]int{true: 1}[name != "whole"] {
				t.Errorf("%+v\n%s", r, found)
			}
			hidden = true
			if _, found := checkedForms(t, files); !strings.Contains(found, "v1.1.0|status|current|redacted") {
				t.Errorf("a version is missing, and found is\n%s", found)
			}
		})
	}
}
