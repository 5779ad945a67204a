//go:build slow

package server_test

import (
	"bytes"
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"rulestore/content"
	"rulestore/server/site"
)

var describedBy = regexp.MustCompile(`^<` + regexp.QuoteMeta(baseURL) + `(/schemas/.+\.json)>; rel="describedby"$`)

// The schema that an item links to accepts what its author wrote: the item
// without the version and what the service derives.
func TestDescribedBy(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*site.Site{"store": storeSite(), "kinds": kindsSite()} {
		c := ask(t, s)
		compiled := map[string]*jsonschema.Schema{}
		for _, p := range places(s) {
			if p.entry == nil || p.kind != jsonType || p.entry.Status == content.Redacted {
				continue
			}
			r := c.get(p.path)
			links := slices.DeleteFunc(slices.Clone(r.header["Link"]),
				func(l string) bool { return !describedBy.MatchString(l) })
			if len(links) != 1 {
				t.Errorf("%s: %q", p.path, r.header["Link"])
				continue
			}
			path := describedBy.FindStringSubmatch(links[0])[1]
			if compiled[path] == nil {
				compiled[path] = compileSchema(t, c.get(path))
			}
			if err := compiled[path].Validate(authored(t, r.body)); err != nil {
				t.Errorf("%s is not as %s describes it: %v", p.path, path, err)
			}
			if err := compiled[path].Validate(map[string]any{"id": "x"}); err == nil {
				t.Errorf("%s accepts anything", path)
			}
		}
		if len(compiled) < 2 {
			t.Errorf("%s: only %d formats", name, len(compiled))
		}
	}
}

func compileSchema(t *testing.T, r response) *jsonschema.Schema {
	t.Helper()
	if r.status != http.StatusOK || r.header.Get("Content-Type") != "application/schema+json" {
		t.Fatalf("%d %v", r.status, r.header)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("urn:format", doc); err != nil {
		t.Fatal(err)
	}
	return must(c.Compile("urn:format"))
}

// authored is what remains of an item without what the service says of it.
func authored(t *testing.T, body []byte) any {
	t.Helper()
	all := decode[content.Object](t, body)
	version := all[1].Name
	rest := slices.DeleteFunc(all, func(m content.Member) bool {
		return m.Name == version || m.Name == "checksum_algorithm" || slices.Contains(content.Derived, m.Name)
	})
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(rest.AppendJSON(nil)))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
