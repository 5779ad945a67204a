//go:build slow

package server_test

import (
	"bytes"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"rulestore/content"
	"rulestore/server"
	"rulestore/server/api"
	"rulestore/server/site"
)

// Both forms are served as they are, and say the same.
func TestOpenAPIForms(t *testing.T) {
	c := checking(t, starterSite())
	asYAML, asJSON := c.wants(200, "/openapi.yaml"), c.wants(200, "/openapi.json")
	fromYAML, err := parsed("+yaml", asYAML.body)
	if err != nil || !reflect.DeepEqual(fromYAML, c.d.raw) {
		t.Errorf("/openapi.yaml and /openapi.json differ (%v)", err)
	}
	wantYAML, wantJSON := api.OpenAPI("")
	if !bytes.Equal(asYAML.body, wantYAML) || !bytes.Equal(asJSON.body, wantJSON) {
		t.Error("what is served is not what is embedded")
	}
}

// Every path answers as the document says in each format; the first and the last few of each
// also to HEAD, to a client that has the body already, and to one that takes another format.
func TestOpenAPIAnswers(t *testing.T) {
	starter, own := surfacesOf(t)
	for s, paths := range map[*site.Site]map[string][]string{starterSite(): starter, openAPISite(): own} {
		c := checking(t, s)
		for _, all := range paths {
			for i, path := range all {
				c.answers(path, i < 3 || i >= len(all)-3)
			}
		}
	}
}

// Who signed a version is described for every kind, and is no part of the item.
func TestOpenAPISigned(t *testing.T) {
	snapshot := load(starterScript()).Snapshot
	for _, item := range snapshot.Items {
		for i, e := range item.Entries {
			e.SignedBy = []content.Signature{
				{Signer: "anna@example.org", Key: "SHA256:" + strings.Repeat("a", 43), Object: content.SignedTag},
				{Signer: "Борис <boris@example.org>", Key: strings.Repeat("0A", 20), Object: content.SignedSeal},
			}[i%2]
		}
	}
	c := checking(t, build(nil, snapshot))
	for _, item := range snapshot.Items {
		base := item.Kind.ItemPath(item.Name)
		if r := c.wants(200, base+"/versions"); !bytes.Contains(r.body,
			[]byte(`"signed_by":{"signer":"anna@example.org","key":"SHA256:aaa`)) {
			t.Errorf("%s: nobody signed\n%.500s", base, r.body)
		}
		if r := c.wants(200, base); bytes.Contains(r.body, []byte("signed_by")) {
			t.Errorf("%s says who signed", base)
		}
	}
}

// What nobody signed is left out, not left empty; and health says who vouches for the
// files of the root. Everything else is as described.
func TestOpenAPIUnsigned(t *testing.T) {
	snapshot := load(starterScript()).Snapshot
	for _, item := range snapshot.Items {
		for _, e := range item.Entries {
			e.UpdatedAt, e.ChangeNote, e.Trailers = time.Time{}, "", nil
		}
	}
	for _, change := range snapshot.Changes {
		if change.Guideline != "" {
			change.Summary = ""
		}
	}
	snapshot.Settings = content.Unsettled()
	snapshot.SignedFiles = []content.SignedFile{{
		File: content.LifecycleFile, Commit: strings.Repeat("0a", 20),
		SignedBy: content.Signature{Signer: "anna@example.org", Key: "SHA256:" + strings.Repeat("a", 43),
			Object: content.SignedCommit},
	}}
	c := checking(t, build(nil, snapshot))
	for _, item := range snapshot.Items {
		base := item.Kind.ItemPath(item.Name)
		if fields := fieldsOf(decode[content.Object](t, c.wants(200, base).body)); slices.Contains(fields,
			"updated_at") || slices.Contains(fields, "change_note") {
			t.Errorf("%s has %q", base, fields)
		}
		if r := c.wants(200, base+"/versions"); bytes.Contains(r.body, []byte("change_note")) {
			t.Errorf("%s\n%s", base, r.body)
		}
		if r := c.do(http.MethodGet, item.Kind.ItemPath(item.Name), "Accept",
			"text/markdown"); bytes.Contains(r.body, []byte("Изменено")) ||
			bytes.Contains(r.body, []byte("Что изменилось")) {
			t.Errorf("the Markdown of %s has a label and nothing behind it\n%s", item.ID(), r.body)
		}
	}
	if r := c.wants(200, "/api/v1/changelog?limit=500"); bytes.Contains(r.body, []byte("change_summary")) {
		t.Errorf("%.500s", r.body)
	}
	for _, path := range []string{"/", "/llms.txt", "/.well-known/api-catalog"} {
		c.wants(200, path)
		if r := c.do(http.MethodGet, path, "Accept", "text/html"); r.status != 200 ||
			bytes.Contains(r.body, []byte("0001")) {
			t.Errorf("%s: %d\n%s", path, r.status, r.body)
		}
	}
	h := c.get("/api/v1/health")
	c.described("/api/v1/health", h, false)
	if !bytes.Contains(h.body, []byte(`"vouched": [`)) || !bytes.Contains(h.body, []byte(`"commit": "0a0a`)) {
		t.Errorf("health does not say who vouches\n%s", h.body)
	}
	if r := c.do(http.MethodGet, "/api/v1/health", "Accept", "text/html"); !bytes.Contains(r.body,
		[]byte("из коммита 0a0a")) {
		t.Errorf("nor does its page\n%s", r.body)
	}
}

// hasCurrent reports whether a site has a current item of a kind.
func hasCurrent(s *site.Site, k *content.Kind) bool {
	return slices.ContainsFunc(s.Snapshot.Items, func(it *content.Item) bool {
		return it.Kind == k && it.Current != nil
	})
}

// Whatever the server knows is in the document, and whatever is in the document
// the server knows: paths, the addresses in the manifest, formats.
func TestOpenAPIPaths(t *testing.T) {
	starter, own := surfacesOf(t)
	for _, k := range content.Kinds {
		if !hasCurrent(starterSite(), k) && !hasCurrent(openAPISite(), k) {
			t.Errorf("no answer with %s is compared with the document: add an item and its tag, %s/NAME/v1.0.0, to "+
				"server/testdata/openapi.txtar", k.Folder, k.Folder)
		}
	}
	if t.Failed() {
		return // nothing is at the paths of that kind
	}
	for _, path := range described().Paths.InMatchingOrder() {
		if strings.HasSuffix(path, api.ProofSuffix) &&
			len(starter["/api/v1/guidelines/{guideline_id}/versions/{version}/proof"]) > 0 {
			continue // one handler makes all proofs, of what is sealed
		}
		if len(starter[path])+len(own[path]) == 0 && described().Paths.Value(path).Get != nil {
			t.Errorf("nothing is at %s: Build (server/site) makes no resource there, and none of handlers "+
				"(server/routes.go) "+
				"answers it", path)
		}
	}
	for _, e := range api.Endpoints() {
		_, err := described().find(e.Path)
		if described().Paths.Value(e.Path) == nil && (err != nil || strings.Contains(e.Path, "{")) &&
			!e.Of.Undescribed {
			t.Errorf("the document lacks %s, which the manifest names", e.Path)
		}
	}
}

// A client that has what was last modified gets 304 as well.
func TestOpenAPIModifiedSince(t *testing.T) {
	c := checking(t, starterSite())
	starter, _ := surfacesOf(t)
	for path, all := range starter {
		r := c.get(all[0])
		declared := slices.ContainsFunc(described().Paths.Value(path).Get.Parameters,
			func(p *openapi3.ParameterRef) bool {
				return p.Value.Name == "If-Modified-Since"
			})
		modified := r.header.Get("Last-Modified")
		if declared != (modified != "") {
			t.Errorf("%s: If-Modified-Since is described: %v; Last-Modified is %q", path, declared, modified)
		}
		if modified != "" {
			c.wants(304, all[0], "If-Modified-Since", modified)
		}
	}
}

// Before the first site every path says so; a handler that crashes is described
// as well.
func TestOpenAPIUnavailable(t *testing.T) {
	c := checker{start(t, server.Config{Sites: &current{}}), described()}
	starter, _ := surfacesOf(t)
	for _, all := range starter {
		r := c.get(all[0])
		whole := !strings.Contains(all[0], "health") // whose other 503 says more
		if r.status != http.StatusServiceUnavailable {
			t.Errorf("%s: %d", all[0], r.status)
		}
		c.described(all[0], r, whole)
	}
	broken := checker{start(t, server.Config{Sites: serving(storeSite()),
		Status: func() server.Status { panic("broken") }}), described()}
	broken.wants(500, "/api/v1/health")
	broken.wants(500, "/healthz")
}
