package server_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

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
	if !refused && !(len(names) == 0 && refuses == nil || slices.Contains(names, "section")) {
		c.Errorf("%s: an unknown parameter is ignored", o.path)
	}
}

// required says that the server refuses a request without a parameter that is required.
func (c checker) required(path string, p *openapi3.Parameter) {
	c.Helper()
	path, _, _ = strings.Cut(path, "?")
	r := c.get(path)
	if r.status != http.StatusBadRequest || r.asProblem().Errors[0].Pointer != "/query/"+p.Name {
		c.Errorf("%s is answered without %s: %d\n%.500s", path, p.Name, r.status, r.body)
	}
	c.described(path, r, false)
}

// parameter tries the values that the schema of a parameter allows, and those
// just beyond.
func (c checker) parameter(path string, p *openapi3.Parameter) {
	c.Helper()
	good, bad := trials(p)
	for _, value := range good {
		asked := withParameter(path, p.Name, value)
		r := c.get(asked)
		if r.status != http.StatusOK && !absent(path, p.Name, r) {
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

// absent reports whether what is refused is that the content has nothing there, which no
// schema of a parameter can say.
func absent(path, parameter string, r response) bool {
	switch parameter {
	case "as_of":
		return r.status == http.StatusNotFound
	case "in_force":
		return r.status == http.StatusNotFound && strings.HasPrefix(path, "/compare/")
	case "section":
		return r.status == http.StatusNotFound ||
			r.status == http.StatusBadRequest && r.asProblem().Errors[0].Code == "unknown_section"
	}
	return false
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
		good = []string{fmt.Sprint(int(*s.Min)), fmt.Sprint(int(*s.Max))}
		if s.Default != nil {
			good = append(good, fmt.Sprint(s.Default))
		}
		return good, []string{fmt.Sprint(int(*s.Min) - 1), fmt.Sprint(int(*s.Max) + 1), "1.5", ""}
	case s.Format == "date":
		return []string{p.Example.(string), "2020-01-01"}, []string{"01.05.2026", "2026-02-30", ""}
	}
	if s.Type.Is("array") { // given once
		good, s = []string{cmp.Or(exampled[p.Name], p.Example.([]any)[0].(string))}, s.Items.Value
		return good, []string{"", strings.Repeat("я", int(*s.MaxLength)+1), "nothing/at/all"}
	}
	good = []string{cmp.Or(exampled[p.Name], p.Example.(string))}
	if s.MinLength > 0 {
		bad = append(bad, "")
	}
	if s.Pattern != "" {
		bad = append(bad, "!")
	}
	if s.MaxLength != nil {
		if p.Extensions["x-codes"] == nil && s.Pattern == "" { // the content says which there are
			good = append(good, strings.Repeat("я", int(*s.MaxLength)))
		}
		bad = append(bad, strings.Repeat("я", int(*s.MaxLength)+1))
	}
	return good, bad
}
