package verify

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"rulestore/content"
)

// The media types in which a server answers.
const (
	jsonType     = "application/json"
	markdownType = "text/markdown"
)

// maxViews is how many requests are spent on what is more than every version as JSON
// and as Markdown. Of a large repository they are chosen at random, anew in each run.
const maxViews = 10_000

// view is a request, and what people call what it asks for.
type view struct {
	what string
	request
}

// versionViews are the forms in which each version, and each current one, has to be
// read. JSON is asked for by the checks of the list of publications.
func versionViews(s *content.Snapshot) (all []view) {
	for _, it := range s.Items {
		if it.Current != nil {
			all = append(all, plain(it.ID()+" (current) as Markdown", it.Kind.ItemPath(it.Name), markdownType))
		}
		for _, e := range it.Entries {
			all = append(all, plain(e.Tag()+" as Markdown", e.Path(), markdownType))
		}
	}
	return all
}

func plain(what, path, accept string) view { return view{what, request{path: path, accept: accept}} }

// moreViews are all other ways to read what is published: every address as data and as
// a page, in each coding, at once and again, by day, by search, and by MCP.
func (v *verifier) moreViews(ctx context.Context) []view {
	var all []view
	e := v.expected
	for _, path := range e.Paths {
		all = append(all, formsOf(path)...)
	}
	for _, it := range e.Snapshot.Items {
		all = append(all, viewsOf(it)...)
	}
	all = append(all, queryViews(ctx, e)...)
	all = append(all, postViews(ctx, e)...)
	all = append(all, v.conditionalViews(ctx)...)
	if v.answersMCP(ctx) {
		all = append(all, v.mcpViews(ctx)...)
	}
	return v.some(all)
}

// formsOf are the forms of what is at an address.
func formsOf(path string) []view {
	return []view{plain(path, path, anyJSON()), plain(path+" as a page", path, oneOf(pages))}
}

// codedForms are the forms of an item: each coding is a body of its own.
func codedForms(what, path string) (all []view) {
	for _, coding := range []string{"identity", "gzip", "br", "zstd"} {
		all = append(all, view{what + " in " + coding, request{path: path, accept: anyJSON(), coding: coding}})
		all = append(all, view{what + " as Markdown in " + coding, request{path: path, accept: markdownType, coding: coding}})
	}
	return all
}

// conditionalViews are the items as programs ask that hold something of them already, or
// want no more than a part.
func (v *verifier) conditionalViews(ctx context.Context) (all []view) {
	for _, it := range v.expected.Snapshot.Items {
		all = append(all, v.conditionalForms(ctx, it.ID()+" (current)", it.Kind.ItemPath(it.Name))...)
		for _, e := range it.Entries {
			all = append(all, v.conditionalForms(ctx, e.Tag(), e.Path())...)
		}
	}
	return all
}

func (v *verifier) conditionalForms(ctx context.Context, what, path string) (all []view) {
	types := []string{jsonType, markdownType}
	for i, accept := range types {
		form := what + " as " + accept
		all = append(all, view{"HEAD of " + form, request{method: http.MethodHead, path: path, accept: accept, coding: "identity"}})
		for who, header := range map[string]field{
			" for who has another":       {"If-None-Match", `W/"000000000000000000000000"`},
			" for who has the other":     {"If-None-Match", v.expected.tag(ctx, path, types[1-i])},
			" for who has it":            {"If-None-Match", v.expected.tag(ctx, path, accept)},
			" for who has it since ever": {"If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"},
			" in part":                   {"Range", partHeader},
		} {
			all = append(all, view{form + who, request{path: path, accept: accept, coding: "identity", header: header}})
		}
	}
	return all
}

// tag is the entity tag of what is at a path.
func (e *Expected) tag(ctx context.Context, path, accept string) string {
	a, err := e.answer(ctx, request{method: http.MethodHead, path: path, accept: accept})
	if err != nil {
		return ""
	}
	return a.header.Get("Etag")
}

// partHeader asks for a part of an answer, of partSize bytes: less than any has.
const (
	partHeader = "bytes=0-99"
	partSize   = 100
)

// pages are what browsers accept.
var pages = []string{
	"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
	"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
}

// anyJSON is one of the ways to ask for JSON.
func anyJSON() string { return oneOf([]string{jsonType, jsonType, "*/*", ""}) }

// viewsOf are the questions that an item answers.
func viewsOf(it *content.Item) (all []view) {
	path := it.Kind.ItemPath(it.Name)
	all = codedForms(it.ID()+" (current)", path)
	for _, e := range it.Entries {
		all = append(all, codedForms(e.Tag(), e.Path())...)
		day := e.PublishedAt.UTC().Format(content.Date)
		all = append(all, plain(it.ID()+" as of "+day, path+"?as_of="+day, jsonType))
	}
	highest := it.Entries[0]
	for _, next := range []string{highest.Version.IncPatch().String(), highest.Version.IncMinor().String(), highest.Version.IncMajor().String()} {
		all = append(all, plain(it.ID()+" "+next+", which nobody published", path+"/versions/"+next, jsonType))
	}
	if e := it.Current; e != nil {
		title := cmp.Or(e.Body().Text("title"), it.Name)
		all = append(all, plain("a search for "+it.ID(), "/api/v1/search?q="+url.QueryEscape(title), jsonType))
	}
	return all
}

// some chooses at random, if there are too many.
func (v *verifier) some(all []view) []view {
	slices.SortFunc(all, func(a, b view) int { return cmp.Compare(a.key(), b.key()) })
	all = slices.CompactFunc(all, func(a, b view) bool { return a.key() == b.key() })
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	n := min(len(all), maxViews)
	v.result.Skipped += len(all) - n
	return all[:n]
}

// key tells requests apart.
func (r request) key() string {
	return strings.Join([]string{r.method, r.path, r.accept, r.coding, r.header.name, r.header.value, r.body, string(r.speaks)}, "\x00")
}
