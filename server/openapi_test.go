package server_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"rulestore/content"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/site"
)

// description is the OpenAPI document: as it is written, and ready to be held
// against answers. Bodies and headers are validated by JSON Schema 2020-12,
// which OpenAPI 3.1 is, each schema compiled once.
type description struct {
	*openapi3.T
	router   routers.Router
	raw      any
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
}

const documentURL = "https://rules.example.org/openapi.json"

var described = sync.OnceValue(func() *description {
	_, asJSON := schemas.OpenAPI()
	d := &description{
		T:        must(openapi3.NewLoader().LoadFromData(asJSON)),
		raw:      must(jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))),
		compiler: jsonschema.NewCompiler(),
		compiled: map[string]*jsonschema.Schema{},
	}
	d.router = must(gorillamux.NewRouter(d.T))
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource(documentURL, d.raw); err != nil {
		panic(err)
	}
	return d
})

// valid holds a value against the schema at a JSON pointer of the document.
func (d *description) valid(pointer string, value any) error {
	s := d.compiled[pointer]
	if s == nil {
		var err error
		if s, err = d.compiler.Compile(documentURL + pointer); err != nil {
			return err
		}
		d.compiled[pointer] = s
	}
	return s.Validate(value)
}

// pointerTo writes a JSON pointer as the fragment of a URL.
func pointerTo(parts ...string) string {
	for i, p := range parts {
		parts[i] = url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(p))
	}
	return "#/" + strings.Join(parts, "/")
}

// operation is what the document says about a method at a path.
type operation struct {
	path   string // as the document writes it
	method string
	*openapi3.Operation
}

// find returns the operation that reads a path of the server.
func (d *description) find(path string) (operation, error) { return d.findMethod(http.MethodGet, path) }

func (d *description) findMethod(method, path string) (operation, error) {
	req, err := http.NewRequest(method, path, nil)
	if err != nil {
		return operation{}, err
	}
	route, _, err := d.router.FindRoute(req)
	if err != nil {
		return operation{}, fmt.Errorf("the document has no %s: %w", path, err)
	}
	return operation{route.Path, strings.ToLower(method), route.Operation}, nil
}

// response returns what the document says about a status, and where.
func (o operation) response(status int) (*openapi3.Response, string) {
	code := strconv.Itoa(status)
	ref := o.Responses.Value(code)
	switch {
	case ref == nil:
		return nil, ""
	case ref.Ref != "":
		return ref.Value, ref.Ref
	}
	return ref.Value, pointerTo("paths", o.path, o.method, "responses", code)
}

// query returns the parameters of the query string.
func (o operation) query() (all []*openapi3.Parameter) {
	for _, p := range o.Parameters {
		if p.Value.In == openapi3.ParameterInQuery {
			all = append(all, p.Value)
		}
	}
	return all
}

// agrees says whether the document describes the answer. Of a whole answer it
// must describe no header that is not there; a part of a resource lacks those
// of the whole, unless the document requires them.
func (d *description) agrees(path string, r response, whole bool) error {
	o, err := d.findMethod(r.method, path)
	if err != nil {
		return err
	}
	described, pointer := o.response(r.status)
	if described == nil {
		return fmt.Errorf("%s: the document has no status %d", o.path, r.status)
	}
	return errors.Join(d.headers(described, r, whole), d.body(described, pointer, r))
}

// elsewhere are the headers that the document describes once for all answers.
var elsewhere = regexp.MustCompile(`^(Access-Control-.*|Content-Security-Policy|Referrer-Policy|X-Content-Type-Options|Content-Type|Content-Length|Date)$`)

func (d *description) headers(described *openapi3.Response, r response, whole bool) error {
	var wrong []error
	known := map[string]bool{}
	for name, h := range described.Headers {
		canonical := http.CanonicalHeaderKey(name)
		known[canonical] = true
		values, ok := r.header[canonical]
		if !ok {
			if h.Value.Required || whole {
				wrong = append(wrong, fmt.Errorf("the header %s is missing", name))
			}
			continue
		}
		var value any = strings.Join(values, ", ")
		if h.Value.Schema.Value.Type.Is("integer") {
			value = json.Number(values[0])
		}
		if err := d.valid(h.Ref+"/schema", value); err != nil {
			wrong = append(wrong, fmt.Errorf("the header %s: %w", name, err))
		}
	}
	for name := range r.header {
		if !known[name] && !elsewhere.MatchString(name) {
			wrong = append(wrong, fmt.Errorf("the document has no header %s", name))
		}
	}
	return errors.Join(wrong...)
}

func (d *description) body(described *openapi3.Response, pointer string, r response) error {
	if len(described.Content) == 0 {
		if len(r.body) > 0 {
			return errors.New("the document has no body")
		}
		return nil
	}
	kind, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	if described.Content[kind] == nil {
		return fmt.Errorf("the document has no %s", kind)
	}
	value, err := parsed(kind, r.body)
	if err != nil {
		return err
	}
	return d.valid(pointer+pointerTo("content", kind, "schema")[1:], value)
}

// parsed reads a body as its media type says: text is a string.
func parsed(kind string, body []byte) (any, error) {
	switch {
	case strings.HasPrefix(kind, "text/"):
		return string(body), nil
	case strings.HasSuffix(kind, "+yaml"):
		var v any
		if err := yaml.Unmarshal(body, &v); err != nil {
			return nil, err
		}
		asJSON, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		body = asJSON
	}
	return jsonschema.UnmarshalJSON(bytes.NewReader(body))
}

// checker asks a server and holds the answers against the document.
type checker struct {
	client
	d *description
}

func checking(t testing.TB, s *site.Site) checker { return checker{ask(t, s), described()} }

// wants asks for a path and expects a status that the document describes.
func (c checker) wants(status int, path string, headers ...string) response {
	c.Helper()
	r := c.get(path, headers...)
	if r.status != status {
		c.Errorf("%s %q: %d, want %d\n%.500s", path, headers, r.status, status, r.body)
	}
	c.described(path, r, !strings.Contains(path, "?"))
	return r
}

func (c checker) described(path string, r response, whole bool) {
	c.Helper()
	if err := c.d.agrees(path, r, whole); err != nil {
		c.Errorf("%s: %d: %v\n%.500s", path, r.status, err, r.body)
	}
}

// openAPISite has what the starter content lacks.
var openAPISite = sync.OnceValue(func() *site.Site { return build(nil, load(readScript("testdata/openapi.txtar")).Snapshot) })

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

// Both forms are served as they are, and say the same.
func TestOpenAPIForms(t *testing.T) {
	c := checking(t, starterSite())
	asYAML, asJSON := c.wants(200, "/openapi.yaml"), c.wants(200, "/openapi.json")
	fromYAML, err := parsed("+yaml", asYAML.body)
	if err != nil || !reflect.DeepEqual(fromYAML, c.d.raw) {
		t.Errorf("/openapi.yaml and /openapi.json differ (%v)", err)
	}
	wantYAML, wantJSON := schemas.OpenAPI()
	if !bytes.Equal(asYAML.body, wantYAML) || !bytes.Equal(asJSON.body, wantJSON) {
		t.Error("what is served is not what is embedded")
	}
}

// pathsOf lists the paths of a site that can be told from its content.
func pathsOf(s *site.Site) (all []string) {
	all = []string{"/", "/.well-known/api-catalog", "/openapi.yaml", "/openapi.json"}
	for name := range schemas.Embedded().Documents() {
		all = append(all, "/schemas/"+name+".json")
	}
	for _, item := range s.Snapshot.Items {
		base := item.Kind.ItemPath(item.Name)
		all = append(all, base+"/versions")
		for _, e := range item.Entries {
			all = append(all, e.Path())
		}
		if item.Current == nil {
			continue
		}
		all = append(all, base)
		if item.Kind.Static != "" {
			static := strings.ReplaceAll(item.Kind.Static, "{name}", item.Name)
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

var linked = regexp.MustCompile(regexp.QuoteMeta(baseURL) + `(/[^\s"<>()\[\]\\]*)`)

// question is a search, which every path but one can do without.
const question = site.SearchPath + "?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4"

// crawl asks for every path of the site's surface and for every address that an
// answer names, and returns the paths that answer, by path of the document.
func (c checker) crawl(s *site.Site) map[string][]string {
	found, seen := map[string][]string{}, map[string]bool{site.SearchPath: true}
	for queue := append(pathsOf(s), question); len(queue) > 0; queue = queue[1:] {
		path := queue[0]
		if seen[path] || strings.Contains(path, "{") {
			continue
		}
		seen[path] = true
		r := c.get(path)
		if r.status == http.StatusGone {
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

// addressesIn lists the addresses of the server that an answer names. Those in the
// document itself are examples.
func addressesIn(path string, r response) (all []string) {
	if strings.HasPrefix(path, site.OpenAPIPath) {
		return nil
	}
	for _, m := range linked.FindAllSubmatch(append(fmt.Append(nil, r.header["Link"]), r.body...), -1) {
		all = append(all, strings.TrimRight(string(m[1]), ".,`"))
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
	surfaces.Do(func() {
		surfaces.starter = checking(t, starterSite()).crawl(starterSite())
		surfaces.own = checking(t, openAPISite()).crawl(openAPISite())
	})
	return surfaces.starter, surfaces.own
}

// Whatever the server knows is in the document, and whatever is in the document
// the server knows: paths, the addresses in the manifest, formats.
func TestOpenAPIPaths(t *testing.T) {
	starter, own := surfacesOf(t)
	for _, path := range described().Paths.InMatchingOrder() {
		if len(starter[path])+len(own[path]) == 0 && described().Paths.Value(path).Get != nil {
			t.Errorf("nothing is at %s", path)
		}
	}
	for _, e := range site.Endpoints() {
		_, err := described().find(e.Path)
		if described().Paths.Value(e.Path) == nil && (err != nil || strings.Contains(e.Path, "{")) {
			t.Errorf("the document lacks %s, which the manifest names", e.Path)
		}
	}
}

// Every path answers as the document says: in each format, to HEAD, to a client
// that has the body already, and to one that takes another format.
func TestOpenAPIAnswers(t *testing.T) {
	starter, own := surfacesOf(t)
	for s, paths := range map[*site.Site]map[string][]string{starterSite(): starter, openAPISite(): own} {
		c := checking(t, s)
		for _, all := range paths {
			for _, path := range all {
				c.answers(path)
			}
		}
	}
}

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

// A client that has what was last modified gets 304 as well.
func TestOpenAPIModifiedSince(t *testing.T) {
	c := checking(t, starterSite())
	starter, _ := surfacesOf(t)
	for path, all := range starter {
		r := c.get(all[0])
		declared := slices.ContainsFunc(described().Paths.Value(path).Get.Parameters, func(p *openapi3.ParameterRef) bool { return p.Value.Name == "If-Modified-Since" })
		modified := r.header.Get("Last-Modified")
		if declared != (modified != "") {
			t.Errorf("%s: If-Modified-Since is described: %v; Last-Modified is %q", path, declared, modified)
		}
		if modified != "" {
			c.wants(304, all[0], "If-Modified-Since", modified)
		}
	}
}

// The parameters are those that the server takes, with the same values and
// limits: it names them itself when it refuses others.
func TestOpenAPIParameters(t *testing.T) {
	starter, own := surfacesOf(t)
	for _, s := range []struct {
		site  *site.Site
		paths map[string][]string
	}{{starterSite(), starter}, {openAPISite(), own}} {
		c := checking(t, s.site)
		for _, all := range s.paths {
			c.unknownParameter(all[0])
			for _, p := range must(c.d.find(all[0])).query() {
				c.parameter(all[0], p)
			}
		}
	}
}

// withParameter adds a parameter to a path.
func withParameter(path, name, value string) string {
	path, query, _ := strings.Cut(path, "?")
	values := must(url.ParseQuery(query))
	values.Set(name, value)
	return path + "?" + values.Encode()
}

var hintList = regexp.MustCompile(`: (.*)\.$`)

// hinted asks with a wrong parameter and returns what the answer says is right;
// not refused means that the server does not mind.
func (c checker) hinted(path, name, value string) (right []string, refused bool) {
	c.Helper()
	r := c.get(withParameter(path, name, value))
	c.described(path, r, false)
	if r.status != http.StatusBadRequest {
		return nil, false
	}
	errs := r.asProblem().Errors
	if len(errs) != 1 || errs[0].Pointer != "/query/"+name {
		c.Errorf("%s: %s=%s: %+v", path, name, value, errs)
		return nil, true
	}
	if m := hintList.FindStringSubmatch(errs[0].Hint); m != nil {
		right = strings.Split(m[1], ", ")
	}
	slices.Sort(right)
	return right, true
}

// unknownParameter says that the server knows no parameter but those described.
// An item takes no notice of what it does not know.
func (c checker) unknownParameter(path string) {
	c.Helper()
	o := must(c.d.find(path))
	var names []string
	for _, p := range o.query() {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	got, refused := c.hinted(path, "x", "1")
	if refused && !slices.Equal(got, names) {
		c.Errorf("%s: the server takes %q, the document has %q", o.path, got, names)
	}
	refuses, _ := o.response(http.StatusBadRequest)
	if !refused && !(len(names) == 0 && refuses == nil || slices.Equal(names, []string{"as_of"})) {
		c.Errorf("%s: an unknown parameter is ignored", o.path)
	}
}

// parameter tries the values that the schema of a parameter allows, and those
// just beyond.
func (c checker) parameter(path string, p *openapi3.Parameter) {
	c.Helper()
	good, bad := trials(p)
	for _, value := range good {
		asked := withParameter(path, p.Name, value)
		r := c.get(asked)
		if r.status != http.StatusOK && !(p.Name == "as_of" && r.status == http.StatusNotFound) {
			c.Errorf("%s: %d\n%s", asked, r.status, r.body)
		}
		c.described(asked, r, false)
	}
	for _, value := range bad {
		allowed, refused := c.hinted(path, p.Name, value)
		if !refused {
			c.Errorf("%s: %s=%s is taken", path, p.Name, value)
		}
		if want := enumOf(p); want != nil && !slices.Equal(allowed, want) {
			c.Errorf("%s: %s may be %q, the document has %q", path, p.Name, allowed, want)
		}
	}
}

// enumOf returns the values that a parameter may have, nil for any.
func enumOf(p *openapi3.Parameter) (all []string) {
	if p.Schema.Value.Type.Is("boolean") {
		return []string{"false", "true"}
	}
	for _, v := range p.Schema.Value.Enum {
		all = append(all, v.(string))
	}
	slices.Sort(all)
	return all
}

func trials(p *openapi3.Parameter) (good, bad []string) {
	s := p.Schema.Value
	switch enum := enumOf(p); {
	case enum != nil:
		return enum, []string{"nothing", ""}
	case s.Type.Is("integer"):
		good = []string{fmt.Sprint(int(*s.Min)), fmt.Sprint(int(*s.Max)), fmt.Sprint(s.Default)}
		return good, []string{fmt.Sprint(int(*s.Min) - 1), fmt.Sprint(int(*s.Max) + 1), "1.5", ""}
	case s.Format == "date":
		return []string{p.Example.(string), "2020-01-01"}, []string{"01.05.2026", "2026-02-30", ""}
	}
	good = []string{p.Example.(string)}
	if s.MinLength > 0 {
		bad = append(bad, "")
	}
	if s.MaxLength != nil {
		good = append(good, strings.Repeat("я", int(*s.MaxLength)))
		bad = append(bad, strings.Repeat("я", int(*s.MaxLength)+1))
	}
	return good, bad
}

// Each default is what the server does without the parameter.
func TestOpenAPIDefaults(t *testing.T) {
	c := checking(t, starterSite())
	for _, path := range []string{"/api/v1/changelog", "/api/v1/search?scenario=fraud_risk"} {
		got := decode[map[string]any](t, c.wants(200, path).body)
		for _, p := range must(c.d.find(path)).query() {
			if p.Schema.Value.Default != nil && got[p.Name] != p.Schema.Value.Default {
				t.Errorf("%s: %s is %v, the document has %v", path, p.Name, got[p.Name], p.Schema.Value.Default)
			}
		}
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
		"/api/v1/guidelines/product.deposit.001/versions/9.9.9", "/api/v1/guidelines/product.deposit.001?as_of=2020-01-01",
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
			"/api/v1/registries/units", "/api/v1/registries/units/versions/1.0.0", "/api/v1/scenarios/fraud_risk", "/scenarios/fraud_risk/current.md",
			"/api/v1/instructions/fallback-policy", "/api/v1/instructions/fallback-policy/versions/1.0.0", "/instructions/fallback-policy.json",
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
		"/", "/api/v1/guidelines", "/api/v1/guidelines?status=archived", "/api/v1/guidelines?status=superseded", "/api/v1/guidelines?status=review_required",
		"/api/v1/guidelines/fraud.code.001", "/api/v1/guidelines/fraud.call.001", "/api/v1/guidelines/investment.promise.001/versions", "/api/v1/changelog", "/api/v1/checksums",
	} {
		c.wants(200, path)
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
	broken := checker{start(t, server.Config{Sites: serving(storeSite()), Status: func() server.Status { panic("broken") }}), described()}
	broken.wants(500, "/api/v1/health")
	broken.wants(500, "/healthz")
}

// Other methods are described in words alone, their answer is a Problem too.
func TestOpenAPIMethods(t *testing.T) {
	c := checking(t, storeSite())
	for _, path := range []string{"/", "/api/v1/guidelines", "/llms.txt", "/api/v1/health"} {
		r := c.do(http.MethodPost, path)
		body, err := parsed("application/json", r.body)
		if r.status != http.StatusMethodNotAllowed || err != nil || c.d.valid("#/components/schemas/Problem", body) != nil {
			t.Errorf("POST %s: %d %v\n%s", path, r.status, err, r.body)
		}
		if r := c.do(http.MethodOptions, path); r.status != http.StatusNoContent || r.header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("OPTIONS %s: %d %v", path, r.status, r.header)
		}
	}
}

// Health is described in every state.
func TestOpenAPIHealth(t *testing.T) {
	finding := content.Finding{Tag: "guidelines/a/v1.0.0", Path: "guidelines/a.yaml", Line: 1, Column: 2, Rule: "schema", Severity: content.Error, Message: "wrong", Hint: "mend it"}
	report := content.Report{Findings: []content.Finding{finding}, Refused: []string{finding.Tag}, Held: []string{"guidelines/b/v1.0.0"}}
	for _, test := range []struct {
		status server.Status
		want   int
	}{
		{server.Status{WatchMode: "events"}, 200},
		{server.Status{LastError: "no refs", Report: report}, 200},
		{server.Status{Draining: true, Report: report}, 503},
		{server.Status{StaleAfter: time.Minute}, 503},
		{server.Status{Remote: &server.Remote{}}, 200},
		{server.Status{Remote: &server.Remote{SucceededAt: time.Now(), FailedAt: time.Now(), Error: "no route"}}, 200},
	} {
		c := checker{start(t, server.Config{Sites: serving(storeSite()), Status: func() server.Status { return test.status }}), described()}
		for _, path := range []string{"/api/v1/health", "/healthz"} {
			r := c.get(path)
			if r.status != test.want {
				t.Errorf("%s: %d, want %d", path, r.status, test.want)
			}
			c.described(path, r, false)
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
		if r := c.wants(200, base+"/versions"); !bytes.Contains(r.body, []byte(`"signed_by":{"signer":"anna@example.org","key":"SHA256:aaa`)) {
			t.Errorf("%s: nobody signed\n%.500s", base, r.body)
		}
		if r := c.wants(200, base); bytes.Contains(r.body, []byte("signed_by")) {
			t.Errorf("%s says who signed", base)
		}
	}
}

// itemFormats says which format each schema of an item comes from.
var itemFormats = map[string]string{
	"Guideline": "guidelines", "GeneralInstruction": "instructions", "AssistantInstruction": "instructions/assistant",
	"Policy": "policies", "Profile": "profiles", "OutputSchema": "schemas", "Registry": "registries", "Taxonomy": "registries/taxonomy",
	"Glossary": "registries/glossary", "FraudSignals": "registries/fraud-signals", "FraudStates": "registries/fraud-states",
	"FraudScenarios": "registries/fraud-scenarios", "FraudRoutes": "registries/fraud-routes", "AuthorityResources": "registries/authority-resources",
	"Parameter": "parameters", "Calendar": "calendars", "Scenario": "scenarios",
}

// The fields of items are those of the newest formats, with the same types,
// values and patterns, and those that the service derives.
func TestOpenAPIFormats(t *testing.T) {
	set := schemas.Embedded()
	for name, folder := range itemFormats {
		all := set.Formats(folder)
		format := must(jsonschema.UnmarshalJSON(bytes.NewReader(set.Documents()[folder+"/"+all[len(all)-1]])))
		want := shape(format, format)
		got := shape(described().raw, map[string]any{"$ref": "#/components/schemas/" + name})
		kind := content.KindOf(strings.Split(folder, "/")[0])
		derived := []string{
			kind.Version, "status", "total", "published_at", "updated_at", "change_note", "canonical_url", "output_schema_url",
			"checksum_algorithm", "content_checksum", "fetched_at",
		}
		for _, f := range derived {
			delete(got["properties"].(map[string]any), f)
		}
		got["required"] = slices.DeleteFunc(got["required"].([]string), func(f string) bool { return slices.Contains(derived, f) })
		for _, difference := range differences(name, want, got) {
			t.Error(difference)
		}
	}
}

// shape is what a schema says about values, with what it refers to in its place
// and without what only authors need: lengths, counts and titles.
func shape(root, node any) map[string]any {
	n := node.(map[string]any)
	all := map[string]any{}
	if ref, ok := n["$ref"].(string); ok {
		target := root
		for step := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			target = target.(map[string]any)[step]
		}
		all = shape(root, target)
	}
	for key, value := range n {
		switch key {
		case "type", "enum", "const", "pattern", "format":
			all[key] = value
		case "required":
			all[key] = sortedTexts(value)
		case "items":
			all[key] = shape(root, value)
		case "oneOf":
			var options []any
			for _, v := range value.([]any) {
				options = append(options, shape(root, v))
			}
			all[key] = options
		case "properties":
			properties := map[string]any{}
			for name, v := range value.(map[string]any) {
				properties[name] = shape(root, v)
			}
			all[key] = properties
		}
	}
	if all["const"] != nil {
		delete(all, "type") // which it implies
	}
	return all
}

// sortedTexts returns the strings of a JSON array, sorted.
func sortedTexts(array any) (all []string) {
	for _, v := range array.([]any) {
		all = append(all, v.(string))
	}
	slices.Sort(all)
	return all
}

// differences lists where two shapes differ.
func differences(path string, want, got map[string]any) (all []string) {
	keys := maps.Clone(want)
	maps.Copy(keys, got)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		a, b := want[key], got[key]
		x, isObject := a.(map[string]any)
		y, areObjects := b.(map[string]any)
		switch {
		case reflect.DeepEqual(a, b):
		case isObject && areObjects:
			all = append(all, differences(path+"."+key, x, y)...)
		default:
			all = append(all, fmt.Sprintf("%s.%s: the format has %v, the document %v", path, key, a, b))
		}
	}
	return all
}
