package verify

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
)

// description is the part of the OpenAPI description needed for requests.
type description struct {
	Paths      map[string]map[string]json.RawMessage
	Components struct{ Parameters map[string]parameter }
}

// operation is an operation of the description.
type operation struct{ Parameters []parameter }

type parameter struct {
	Ref     string `json:"$ref"`
	Name    string
	In      string
	Example any
	Schema  schema
}

// schema is the schema of a parameter's value.
type schema struct {
	Type    string
	Format  string
	Enum    []string
	Minimum int
	Items   *schema // of an array
}

// describe reads the expected description; it is empty if there is none.
func (e *Expected) describe(ctx context.Context) (d description) {
	a, err := e.answer(ctx, request{path: "/openapi.json", accept: jsonType})
	if err != nil || json.Unmarshal(a.body, &d) != nil {
		return description{}
	}
	return d
}

// queryViews request each address with each of its parameters, and with values that filter.
func queryViews(ctx context.Context, e *Expected) (all []view) {
	d, words := e.describe(ctx), wordsOf(e)
	for _, template := range slices.Sorted(maps.Keys(d.Paths)) {
		var get operation
		if json.Unmarshal(d.Paths[template]["get"], &get) != nil {
			continue // POST
		}
		paths := e.matching(template)
		if !strings.Contains(template, "{") {
			all = append(all, plain(template, template, jsonType))
			paths = []string{template}
		}
		for _, p := range get.Parameters {
			p = d.resolve(p)
			for i, q := range p.queries(words) {
				for _, path := range paths {
					all = append(all, plain(path+"?"+q, path+"?"+q, jsonType))
					if i == 0 {
						all = append(all, plain(i18n.New("%s as Markdown", path+"?"+q), path+"?"+q, markdownType))
					}
				}
			}
		}
	}
	return all
}

func (d description) resolve(p parameter) parameter {
	if name, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
		return d.Components.Parameters[name]
	}
	return p
}

// segment matches a parameter of a path, quoted for a regular expression.
var segment = regexp.MustCompile(`\\\{[^/]*?\\\}`)

// matching lists the paths of a template.
func (e *Expected) matching(template string) (all []string) {
	form := regexp.MustCompile("^" + segment.ReplaceAllString(regexp.QuoteMeta(template), `[^/]+`) + "$")
	for _, path := range e.Paths {
		if form.MatchString(path) {
			all = append(all, path)
		}
	}
	return all
}

// queries are the query strings with a parameter: with each value of its schema, else with
// texts of the content in fields of that name. Of an array, two values are combined.
func (p parameter) queries(words map[string][]string) (all []string) {
	if p.In != "query" {
		return nil
	}
	s := p.Schema
	if s.Items != nil {
		s = *s.Items
	}
	values := s.Enum
	switch {
	case len(values) > 0:
	case s.Type == "boolean":
		values = []string{"true", "false"}
	case s.Type == "integer":
		values = []string{"1", "2"}
	default:
		values = words[p.Name]
		if text, ok := p.Example.(string); ok {
			values = append([]string{text}, values...)
		}
	}
	values = values[:min(len(values), maxValues)]
	for i, value := range values {
		q := url.Values{p.Name: {value}}
		all = append(all, q.Encode())
		if p.Schema.Items != nil && i > 0 {
			q.Add(p.Name, values[i-1])
			all = append(all, q.Encode())
		}
	}
	return all
}

// maxValues is the maximum number of values of a parameter.
const maxValues = 500

// wordsOf are the texts in the current versions by the name of their field in the singular,
// as values for signal, route or product_type.
func wordsOf(e *Expected) map[string][]string {
	found := map[string]map[string]bool{}
	for _, it := range e.Snapshot.Items {
		collectTexts(found, "since", it.Entries[0].PublishedAt.UTC().Format(content.Date))
		if it.Current == nil || it.Current.Status == content.Redacted {
			continue
		}
		var body any
		if json.Unmarshal(it.Current.Body().AppendJSON(nil), &body) == nil {
			collectTexts(found, "", body)
		}
	}
	words := map[string][]string{}
	for name, values := range found {
		words[name] = slices.Sorted(maps.Keys(values))
	}
	return words
}

// collectTexts collects the texts of a JSON value, without those of more than a few words.
func collectTexts(found map[string]map[string]bool, name string, value any) {
	const longest = 100
	switch value := value.(type) {
	case string:
		name = strings.TrimSuffix(name, "s")
		if found[name] == nil {
			found[name] = map[string]bool{}
		}
		if value != "" && len(value) <= longest {
			found[name][value] = true
		}
	case []any:
		for _, one := range value {
			collectTexts(found, name, one)
		}
	case map[string]any:
		for name, one := range value {
			collectTexts(found, name, one)
		}
	}
}

// calculation is an example request in the description of a tool.
type calculation struct {
	tool    string
	request content.Object
}

// calculations reads the examples from the descriptions of the tools.
func calculations(ctx context.Context, e *Expected) (all []calculation) {
	for _, path := range e.posted(ctx) {
		var tool struct {
			ID       string `json:"tool_id"`
			Examples []struct{ Request content.Object }
		}
		a, err := e.answer(ctx, request{path: path, accept: jsonType})
		if err != nil || json.Unmarshal(a.body, &tool) != nil {
			continue
		}
		for _, example := range tool.Examples {
			all = append(all, calculation{tool.ID, example.Request})
		}
	}
	return all
}

// posted lists the paths of calculations.
func (e *Expected) posted(ctx context.Context) (all []string) {
	for template, methods := range e.describe(ctx).Paths {
		if methods["post"] != nil {
			all = append(all, e.matching(template)...)
		}
	}
	return slices.Sorted(slices.Values(all))
}

// postViews calculate each example at all its paths, and send an invalid request.
func postViews(ctx context.Context, e *Expected) (all []view) {
	given := calculations(ctx, e)
	for _, path := range e.posted(ctx) {
		all = append(all, posting(path, content.Object{}, jsonType))
		for _, c := range given {
			if own := strings.HasSuffix(path, "/"+c.tool); own || !e.describes(path, given) && e.takes(ctx, path, c) {
				all = append(all, posting(path, c.request, jsonType), posting(path, c.request, markdownType))
			}
		}
	}
	return all
}

// describes reports whether a path is that of a tool with examples.
func (e *Expected) describes(path string, given []calculation) bool {
	return slices.ContainsFunc(given, func(c calculation) bool { return strings.HasSuffix(path, "/"+c.tool) })
}

// takes reports whether a path accepts an example.
func (e *Expected) takes(ctx context.Context, path string, c calculation) bool {
	a, err := e.answer(ctx, posting(path, c.request, jsonType).request)
	return err == nil && a.status == http.StatusOK
}

func posting(path string, body content.Object, accept string) view {
	text := string(body.AppendJSON(nil))
	return view{what: i18n.New("POST %s %s as %s", path, clip(text), accept), request: request{
		method: http.MethodPost, path: path, accept: accept, body: text,
	}}
}

// calculationViews calculate each example over MCP.
func calculationViews(ctx context.Context, e *Expected) (all []view) {
	tools := e.tools(ctx)
	for _, c := range calculations(ctx, e) {
		id := content.Member{Name: "tool_id", Value: content.String(c.tool)}
		all = append(all, call("calculate", append(content.Object{id}, c.request...)))
		for _, t := range tools {
			if t.Name == c.tool || strings.HasPrefix(t.Name, "calculate_") &&
				slices.Equal(t.InputSchema.Required, []string{"inputs"}) {
				all = append(all, call(t.Name, c.request))
			}
		}
	}
	return all
}
