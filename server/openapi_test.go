package server_test

import (
	"bytes"
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"rulestore/content"
	"rulestore/loader/git"
	"rulestore/server"
	"rulestore/server/api"
	"rulestore/server/clients"
	"rulestore/server/site"
)

// The document says that it is OpenAPI 3.1, version 1.1.0; it is valid, and so are its examples; it is
// served in both forms, which say the same.
func TestOpenAPIDocument(t *testing.T) {
	d := described()
	if d.OpenAPI != "3.1.0" || d.Info.Version != "1.1.0" {
		t.Errorf("OpenAPI %s, version %s", d.OpenAPI, d.Info.Version)
	}
	if err := d.Validate(t.Context(), openapi3.EnableMultiError()); err != nil {
		t.Error(err)
	}
	c := checking(t, storeSite())
	asYAML, asJSON := c.wants(200, "/openapi.yaml"), c.wants(200, "/openapi.json")
	wantYAML, wantJSON := api.OpenAPI("")
	if !bytes.Equal(asYAML.body, wantYAML) || !bytes.Equal(asJSON.body, wantJSON) {
		t.Error("what is served is not what is embedded")
	}
	below, _ := api.OpenAPI("/finance/rules")
	if bytes.Count(below, []byte("url: /finance/rules\n")) != 1 {
		t.Error("below a path of its host, the description does not say so")
	}
	if same, err := parsed("+yaml", asYAML.body); err != nil || !reflect.DeepEqual(same, d.raw) {
		t.Errorf("/openapi.yaml and /openapi.json differ (%v)", err)
	}
}

// example is an operation that reads, and what it is asked for.
type example struct {
	checker
	path string
	*openapi3.Operation
}

// documentedSite is the store of all kinds, with the two items that the document names besides.
var documentedSite = sync.OnceValue(func() *site.Site {
	script := readScript("testdata/kinds.txtar")
	added := git.ScriptCommit{Date: today.AddDate(0, 0, -1), Message: "Ещё", Files: map[string][]byte{}}
	renamed := strings.NewReplacer("service.claims.", "service.product-document-analysis.",
		"service.math.claim.", "service.math.loan-calculation.")
	for from, to := range map[string]string{"instructions/claims": "instructions/product-document-analysis",
		"schemas/math/claim": "schemas/math/loan-calculation"} {
		added.Files[to+".yaml"] = []byte(renamed.Replace(string(script[0].Files[from+".yaml"])))
		added.Tags = append(added.Tags, git.NewTag{Name: to + "/v1.0.0", Message: "Ещё"})
	}
	return build(nil, load(sealed(append(script, added))).Snapshot)
})

// exampled are values of parameters, where the store of all kinds has not what the document shows.
var exampled = map[string]string{"signal": "CODE_REQUESTED", "state": "CONTACT_ACTIVE", "resource": "user_bank",
	"product_type": "card", "section": "title"}

// examples has one for each path of the document that is read. A full tile of the log has none, as it
// takes 256 publications.
func examples(t *testing.T) (all []example) {
	t.Helper()
	declared := map[string]*api.Operation{}
	for _, o := range api.Operations() {
		if o.Method == "" {
			declared[o.Path] = o
		}
	}
	c := checking(t, documentedSite())
	for _, path := range described().Paths.InMatchingOrder() {
		o, get, query := declared[path], described().Paths.Value(path).Get, url.Values{}
		if get == nil || strings.HasSuffix(path, "/{tile}") {
			continue
		}
		if o == nil {
			t.Fatalf("%s is described, and no operation of server/api", path)
		}
		for _, p := range o.Params {
			if p.In == "query" && (p.Required || p.Name == "q" || p == api.Shared("BriefSignals")) {
				query.Set(p.Name, cmp.Or(exampled[p.Name], p.Example))
			}
		}
		if strings.Contains(path, "{") {
			path = pathFor(documentedSite(), path)
		}
		if path == "" {
			t.Fatalf("nothing is at any address of %s", o.Path)
		}
		if len(query) > 0 {
			path += "?" + query.Encode()
		}
		all = append(all, example{c, path, get})
	}
	return all
}

// Every operation that reads answers its example in each format as the document says, and so to HEAD, to
// a client that has the body already, and to one that takes another format. It takes the parameters of
// the document, with the values that these may have, and no others.
func TestOpenAPIAnswers(t *testing.T) {
	for _, e := range examples(t) {
		e.answers(e.path)
		e.unknownParameter(e.path)
		for _, p := range must(e.d.find(e.path)).query() {
			if p.Required {
				e.required(e.path, p)
			}
			e.parameter(e.path, p)
		}
	}
}

// answers asks for a path in each format of the document.
func (c checker) answers(path string) {
	c.Helper()
	o := must(c.d.find(path))
	ok, _ := o.response(http.StatusOK)
	for kind := range ok.Content {
		r := c.wants(200, path, "Accept", kind)
		if got, _, _ := strings.Cut(r.header.Get("Content-Type"), ";"); got != kind {
			c.Errorf("%s: asked for %s, got %s", path, kind, got)
		}
		c.head(path, r, "Accept", kind)
		if tag := r.header.Get("Etag"); tag != "" {
			c.wants(304, path, "Accept", kind, "If-None-Match", tag)
		}
		modified := r.header.Get("Last-Modified")
		if declared := o.Parameters.GetByInAndName("header", "If-Modified-Since") != nil; declared != (modified != "") {
			c.Errorf("%s: If-Modified-Since is described: %v; Last-Modified is %q", path, declared, modified)
		} else if declared && kind != htmlType { // what is around a page changes with every site
			c.wants(304, path, "Accept", kind, "If-Modified-Since", modified)
		}
	}
	refuses, _ := o.response(http.StatusNotAcceptable)
	if refuses == nil {
		c.wants(200, path, "Accept", "image/png")
		return
	}
	refusal := c.wants(406, path, "Accept", "image/png").asProblem().Detail
	_, list, _ := strings.Cut(refusal, ": ")
	list, _, _ = strings.Cut(list, ". ")
	offered := strings.Split(list, ", ")
	slices.Sort(offered)
	if kinds := slices.Sorted(maps.Keys(ok.Content)); !slices.Equal(kinds, offered) {
		c.Errorf("%s: the document has %s, the server: %s", path, kinds, refusal)
	}
}

// head says that HEAD has the status and the headers of GET.
func (c checker) head(path string, r response, headers ...string) {
	c.Helper()
	head := c.do(http.MethodHead, path, headers...)
	for _, h := range []http.Header{head.header, r.header} {
		h.Del("Date")
	}
	if path == "/api/v1/health" { // its length changes with the time
		head.header.Del("Content-Length")
		r.header.Del("Content-Length")
	}
	if head.status != r.status || !reflect.DeepEqual(head.header, r.header) {
		c.Errorf("HEAD %s: got %d %v, GET has %v", path, head.status, head.header, r.header)
	}
}

var variable = regexp.MustCompile(`\{[a-z_]+\}`)

// What is not there is described wherever it can happen, and nowhere else: the
// store lacks most, that of all kinds only what nobody has.
func TestOpenAPIMissing(t *testing.T) {
	store, kinds := checking(t, storeSite()), checking(t, documentedSite())
	for path, item := range described().Paths.Map() {
		if item.Get == nil {
			continue
		}
		missing := variable.ReplaceAllString(strings.ReplaceAll(path, "{version}", "9.9.9"), "nothing-here")
		for _, c := range []checker{store, kinds} {
			if r := c.get(missing); r.status == http.StatusNotFound {
				c.described(missing, r, true)
			} else if c == store && item.Get.Responses.Value("404") != nil {
				t.Errorf("%s is never missing, the document says it could be", path)
			}
		}
	}
	for _, path := range []string{
		"/api/v1/guidelines/consumer-rights.court.001", "/guidelines/consumer-rights.court.001/current.json",
		"/api/v1/guidelines/product.deposit.001/versions/9.9.9",
		"/api/v1/guidelines/product.deposit.001?as_of=2020-01-01",
	} {
		store.wants(404, path)
	}
}

// Every path refuses an address that is too long and a client that sends too much, and says that there
// is nothing yet, as described.
func TestOpenAPIRefusals(t *testing.T) {
	busy := checker{start(t, server.Config{
		Sites: serving(kindsSite()), Rate: clients.NewRate(1, nil),
	}), described()}
	empty := checker{start(t, server.Config{Sites: &current{}}), described()}
	for _, e := range examples(t) {
		separator := "?"
		if strings.Contains(e.path, "?") {
			separator = "&"
		}
		e.wants(http.StatusRequestURITooLong, e.path+separator+strings.Repeat("a", 25<<10))
		if r := empty.get(e.path); r.status != http.StatusServiceUnavailable {
			t.Errorf("%s: %d before the first content", e.path, r.status)
		} else {
			empty.described(e.path, r, !strings.Contains(e.path, "health")) // whose other 503 says more
		}
		r := busy.get(e.path)
		for i := 0; r.status != http.StatusTooManyRequests && i < 100; i++ { // one a second is answered
			r = busy.get(e.path)
		}
		if r.status != http.StatusTooManyRequests {
			t.Fatalf("%s: status %d for a busy client", e.path, r.status)
		}
		busy.described(e.path, r, true)
	}
	broken := checker{start(t, server.Config{Sites: serving(storeSite()),
		Status: func() server.Status { panic("broken") }}), described()}
	broken.wants(500, "/api/v1/health")
	broken.wants(500, "/healthz")
}

// Who signed a version or vouches for the files of the root is described, and is left out, not left
// empty, where nobody did; so is what a commit says of a version.
func TestOpenAPISigned(t *testing.T) {
	snapshot := load(readScript("testdata/store.txtar")).Snapshot
	signer := content.Signature{Signer: "anna@example.org", Key: "SHA256:" + strings.Repeat("a", 43),
		Object: content.SignedTag}
	snapshot.SignedFiles = []content.SignedFile{{File: content.LifecycleFile, Commit: strings.Repeat("0a", 20),
		SignedBy: signer}}
	for _, item := range snapshot.Items {
		item.Entries[0].SignedBy = signer
		item.Entries[0].UpdatedAt, item.Entries[0].ChangeNote, item.Entries[0].Trailers = time.Time{}, "", nil
	}
	c := checking(t, build(nil, snapshot))
	for _, item := range snapshot.Items {
		base := item.Kind.ItemPath(item.Name)
		r := c.wants(200, base+"/versions")
		if n := bytes.Count(r.body, []byte(`"signed_by":{"signer":"anna@example.org"`)); n != 1 {
			t.Errorf("%s has %d signers\n%.500s", base, n, r.body)
		}
		if item.Current == nil {
			continue
		}
		r = c.wants(200, base)
		if bytes.Contains(r.body, []byte("signed_by")) ||
			item.Current == item.Entries[0] && bytes.Contains(r.body, []byte(`"updated_at"`)) {
			t.Errorf("%s: %.500s", base, r.body)
		}
	}
	health := c.get("/api/v1/health")
	c.described("/api/v1/health", health, false)
	if !bytes.Contains(health.body, []byte(`"vouched": [`)) {
		t.Errorf("health does not say who vouches\n%s", health.body)
	}
}
