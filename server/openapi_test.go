package server_test

import (
	"encoding/json"
	"fmt"
	"html"
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
	"rulestore/content/document"
	"rulestore/content/log"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/api"
	"rulestore/server/clients"
	"rulestore/server/site"
)

// openAPISite has what the starter content lacks.
var openAPISite = sync.OnceValue(func() *site.Site {
	return build(nil, load(readScript("testdata/openapi.txtar")).Snapshot)
})

// The document says that it is OpenAPI 3.1, version 1.1.0; it is valid, and so
// are its examples.
func TestOpenAPIDocument(t *testing.T) {
	d := described()
	if d.OpenAPI != "3.1.0" || d.Info.Version != "1.1.0" {
		t.Errorf("OpenAPI %s, version %s", d.OpenAPI, d.Info.Version)
	}
	if err := d.Validate(t.Context(), openapi3.EnableMultiError()); err != nil {
		t.Error(err)
	}
}

// pathsOf lists the paths of a site that can be told from its content.
func pathsOf(s *site.Site) (all []string) {
	all = []string{"/", api.UpcomingPath, "/feeds/all.atom", "/feeds/upcoming.atom", "/feeds/guidelines.atom",
		"/.well-known/agent-skills/index.json", "/.well-known/skills/index.json", "/.well-known/api-catalog",
		"/openapi.yaml", "/openapi.json"}
	for _, name := range slices.Sorted(maps.Keys(schemas.Embedded().Documents())) {
		all = append(all, "/schemas/"+name+".json")
	}
	all = append(all, api.LogPath, api.CheckpointPath)
	if view, ok := logs.Load(s.Snapshot); ok && s.HasLog() {
		for _, tile := range view.(*log.View).Tiles() {
			all = append(all, api.LogRoot+tile.Path())
		}
	}
	for _, item := range s.Snapshot.Items {
		base := item.Kind.ItemPath(item.Name)
		all = append(all, base+"/versions")
		for _, e := range item.Entries {
			all = append(all, e.Path(), api.ChecksumsPath+"/"+e.Checksum)
			if _, ok := s.Logged(e.Publication); ok {
				all = append(all, e.Path()+api.ProofSuffix)
			}
		}
		if item.Current == nil {
			continue
		}
		all = append(all, base)
		if !strings.Contains(item.Name, "/") {
			all = append(all, api.ComparePath+item.ID())
		}
		if item.Kind == content.Parameters {
			day := today.Format(time.DateOnly)
			all = append(all, base+"/periods", base+"/periods?as_of="+day, base+"?in_force="+day,
				base+"?in_force=1990-01-01")
		}
		if item.Kind.Static != "" {
			static := item.Kind.StaticPath(item.Name)
			all = append(all, static+".json", static+".md")
		}
		all = append(all, recordPaths(item)...)
	}
	return all
}

// recordPaths lists where the records of a registry are.
func recordPaths(item *content.Item) (all []string) {
	set := schemas.Embedded()
	format := set.Schema(content.FormatsOf(set, item.Kind, item.Name), "1.0")
	for _, f := range format.Root().Fields {
		var records []content.Object
		if !f.Records || json.Unmarshal(item.Current.Body().Get(f.Name), &records) != nil {
			continue
		}
		for _, r := range records {
			all = append(all, item.Kind.ItemPath(item.Name)+"/"+r.Text(f.Unique))
		}
	}
	return all
}

var linked = regexp.MustCompile(regexp.QuoteMeta(baseURL) + `(/[^\s"'<>()\[\]\\]*)`)

// question is a search, which every path but two can do without.
const question = api.SearchPath + "?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4"

// crawl asks for every path of the site's surface and for every address that an
// answer names, and returns the paths that answer, by path of the document. Of the
// sections of an item it asks for one: of the others it is enough that the item has them.
func (c checker) crawl(s *site.Site) map[string][]string {
	found, seen := map[string][]string{}, map[string]bool{api.SearchPath: true, api.FraudBriefPath: true}
	sections := map[string]map[string]bool{}
	queue := append(pathsOf(s), question)
	if s.Lookup(api.FraudBriefPath) != nil && s.UnknownSignal("SMS_CODE_REQUESTED") == nil {
		queue = append(queue, api.FraudBriefPath+"?signal=SMS_CODE_REQUESTED")
	}
	for ; len(queue) > 0; queue = queue[1:] {
		path := queue[0]
		if seen[path] || strings.Contains(path, "{") {
			continue
		}
		seen[path] = true
		if resource, section := sectionOf(path); section != "" {
			if known := sections[resource]; known == nil {
				sections[resource] = sectionsBehind(s, resource)
			} else if known[section] {
				continue
			}
		}
		r := c.get(path)
		if r.status == http.StatusGone || r.isPosted() {
			continue
		}
		o, err := c.d.find(path)
		if err != nil || r.status != http.StatusOK {
			c.Errorf("%s: %d %v", path, r.status, err)
			continue
		}
		found[o.path] = append(found[o.path], path)
		queue = append(queue, addressesIn(path, r)...)
	}
	return found
}

// sectionOf is the section that a path asks for, if any, and what it asks for a section of.
func sectionOf(path string) (resource, section string) {
	resource, query, _ := strings.Cut(path, "?")
	return resource, must(url.ParseQuery(query)).Get("section")
}

// sectionsBehind are the sections of all versions of the item that a resource is about.
func sectionsBehind(s *site.Site, resource string) map[string]bool {
	sections, set := map[string]bool{}, schemas.Embedded()
	for _, item := range s.Snapshot.Items {
		if !strings.HasSuffix(resource, "/"+item.ID()) && !strings.HasPrefix(resource+"/",
			item.Kind.ItemPath(item.Name)+"/") {
			continue
		}
		for _, e := range item.Entries {
			format := set.Schema(content.FormatsOf(set, item.Kind, item.Name), e.Body().Text(item.Kind.Format))
			for section := range document.Read(e.Body(), format.Root()).Sections() {
				sections[section.Address] = true
			}
		}
	}
	return sections
}

// addressesIn lists the addresses of the server that an answer names. Those in the
// document itself are examples.
func addressesIn(path string, r response) (all []string) {
	if strings.HasPrefix(path, api.OpenAPIPath) {
		return nil
	}
	body := string(r.body)
	if r.isPage() {
		body = html.UnescapeString(body)
	}
	for _, m := range linked.FindAllStringSubmatch(fmt.Sprint(r.header["Link"])+body, -1) {
		to, _, _ := strings.Cut(strings.TrimRight(m[1], ".,`"), "#")
		if !strings.HasPrefix(to, api.SkillsPath) { // of which the document has the index alone
			all = append(all, to)
		}
	}
	return all
}

// surfaces are the paths that answer, of a site that has everything but a
// registry without an address of its own, and of one that has that.
var surfaces struct {
	sync.Once
	starter, own map[string][]string
}

func surfacesOf(t *testing.T) (starter, own map[string][]string) {
	t.Helper()
	surfaces.Do(func() {
		surfaces.starter = checking(t, starterSite()).crawl(starterSite())
		surfaces.own = checking(t, openAPISite()).crawl(openAPISite())
	})
	return surfaces.starter, surfaces.own
}

func (c checker) answers(path string, otherwise bool) {
	c.Helper()
	o := must(c.d.find(path))
	ok, _ := o.response(http.StatusOK)
	for kind := range ok.Content {
		r := c.wants(200, path, "Accept", kind)
		if got, _, _ := strings.Cut(r.header.Get("Content-Type"), ";"); got != kind {
			c.Errorf("%s: asked for %s, got %s", path, kind, got)
		}
		if !otherwise {
			continue
		}
		c.head(path, r, "Accept", kind)
		if tag := r.header.Get("Etag"); tag != "" {
			c.wants(304, path, "Accept", kind, "If-None-Match", tag)
		}
	}
	refuses, _ := o.response(http.StatusNotAcceptable)
	switch {
	case !otherwise:
		return
	case refuses == nil:
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
// store lacks most, the starter content only what nobody has.
func TestOpenAPIMissing(t *testing.T) {
	store, starter := checking(t, storeSite()), checking(t, starterSite())
	for path, item := range described().Paths.Map() {
		if item.Get == nil {
			continue
		}
		missing := variable.ReplaceAllString(strings.ReplaceAll(path, "{version}", "9.9.9"), "nothing-here")
		for _, c := range []checker{store, starter} {
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

// What is there no more is described.
func TestOpenAPIGone(t *testing.T) {
	for s, paths := range map[*site.Site][]string{
		storeSite(): {
			"/api/v1/guidelines/investment.secret.001", "/api/v1/guidelines/investment.secret.001/versions/1.0.0",
			"/api/v1/guidelines/investment.promise.001/versions/1.0.0",
			"/guidelines/investment.secret.001/current.json", "/guidelines/investment.secret.001/current.md",
		},
		openAPISite(): {
			"/api/v1/registries/units", "/api/v1/registries/units/versions/1.0.0", "/api/v1/scenarios/fraud_risk",
			"/scenarios/fraud_risk/current.md",
			"/api/v1/instructions/fallback-policy", "/api/v1/instructions/fallback-policy/versions/1.0.0",
			"/instructions/fallback-policy.json",
		},
	} {
		c := checking(t, s)
		for _, path := range paths {
			c.wants(410, path)
		}
	}
	checking(t, storeSite()).wants(200, "/api/v1/guidelines/investment.secret.001/versions")
}

// Items and lists are described in every status.
func TestOpenAPIStatuses(t *testing.T) {
	c := checking(t, storeSite())
	for _, path := range []string{
		"/", "/api/v1/guidelines", "/api/v1/guidelines?status=archived", "/api/v1/guidelines?status=superseded",
		"/api/v1/guidelines?status=review_required",
		"/api/v1/guidelines/fraud.code.001", "/api/v1/guidelines/fraud.call.001",
		"/api/v1/guidelines/investment.promise.001/versions", "/api/v1/changelog", "/api/v1/checksums",
	} {
		c.wants(200, path)
	}
}

// Every path refuses an address that is too long and a client that sends too much as described.
func TestOpenAPILimits(t *testing.T) {
	starter, _ := surfacesOf(t)
	long := checking(t, starterSite())
	busy := checker{start(t, server.Config{
		Sites: serving(starterSite()), Rate: clients.NewRate(1, nil),
	}), described()}
	for _, all := range starter {
		path := all[0]
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		r := long.get(path + separator + strings.Repeat("a", 25<<10))
		if r.status != http.StatusRequestURITooLong {
			t.Errorf("%s: status %d for a long address", path, r.status)
		}
		long.described(path, r, true)
		r = busy.get(path)
		for i := 0; r.status != http.StatusTooManyRequests && i < 100; i++ { // one a second is answered
			r = busy.get(path)
		}
		if r.status != http.StatusTooManyRequests {
			t.Fatalf("%s: status %d for a busy client", path, r.status)
		}
		busy.described(path, r, true)
	}
}

// Other methods are described in words alone, their answer is a Problem too.
func TestOpenAPIMethods(t *testing.T) {
	c := checking(t, storeSite())
	for _, path := range []string{"/", "/api/v1/guidelines", "/llms.txt", "/api/v1/health"} {
		r := c.do(http.MethodPost, path)
		body, err := parsed("application/json", r.body)
		if r.status != http.StatusMethodNotAllowed || err != nil ||
			c.d.valid("#/components/schemas/Problem", body) != nil {
			t.Errorf("POST %s: %d %v\n%s", path, r.status, err, r.body)
		}
		if r := c.do(http.MethodOptions, path); r.status != http.StatusNoContent ||
			r.header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("OPTIONS %s: %d %v", path, r.status, r.header)
		}
	}
}

// Health is described in every state.
func TestOpenAPIHealth(t *testing.T) {
	finding := content.Finding{Tag: "guidelines/a/v1.0.0", Path: "guidelines/a.yaml", Line: 1, Column: 2,
		Rule: "schema", Severity: content.Error, Message: "wrong", Hint: "mend it"}
	report := content.Report{Findings: []content.Finding{finding}, Refused: []string{finding.Tag},
		Held: []string{"guidelines/b/v1.0.0"}}
	for i, test := range []struct {
		status server.Status
		want   int
	}{
		{server.Status{WatchMode: "events"}, 200},
		{server.Status{LastError: "no refs", Report: report}, 200},
		{server.Status{Draining: true, Report: report}, 503},
		{server.Status{StaleAfter: time.Minute}, 503},
		{server.Status{Remote: &server.Remote{State: server.RemoteFollowed}}, 200},
		{server.Status{Remote: &server.Remote{State: server.RemoteAway, RenewedAt: time.Now(), SucceededAt: time.Now(),
			FailedAt: time.Now(), Error: "no route"}}, 200},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			c := checker{start(t, server.Config{Sites: serving(storeSite()),
				Status: func() server.Status { return test.status }}), described()}
			for _, path := range []string{"/api/v1/health", "/healthz"} {
				r := c.get(path)
				if r.status != test.want {
					t.Errorf("%s: %d, want %d", path, r.status, test.want)
				}
				c.described(path, r, false)
			}
		})
	}
}
