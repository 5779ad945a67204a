package server_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"rulestore/server/api"
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
	_, asJSON := api.OpenAPI("")
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

// valid checks a value against the schema at a JSON pointer of the document.
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
	err = d.body(described, pointer, r)
	if err != nil && d.answersParameter(o, path, r) {
		err = nil
	}
	return errors.Join(d.headers(described, r, whole), err)
}

// answersParameter reports whether an answer is what the document describes beside one of the parameters that
// were given.
func (d *description) answersParameter(o operation, path string, r response) bool {
	_, query, _ := strings.Cut(path, "?")
	given := must(url.ParseQuery(query))
	for _, p := range o.query() {
		answers, _ := p.Extensions["x-answers"].([]any)
		for _, a := range answers {
			value, err := parsed(jsonType, r.body)
			if given.Has(p.Name) && err == nil && d.valid(a.(map[string]any)["$ref"].(string), value) == nil {
				return true
			}
		}
	}
	return false
}

// elsewhere are the headers that the document describes once for all answers.
var elsewhere = regexp.MustCompile(`^(Access-Control-.*|Content-Security-Policy|Referrer-Policy|X-Content-Type-Options|X-Log-Index|Content-Type|Content-Length|Date)$`)

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
	case strings.HasPrefix(kind, "text/"), strings.HasSuffix(kind, "xml"), kind == "application/octet-stream":
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

// checker asks a server and checks the answers against the document.
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
