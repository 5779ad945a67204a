package verify

import (
	"cmp"
	"context"
	"hash/maphash"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"

	"rulestore/content"
	"rulestore/content/i18n"
)

// The media types of responses.
const (
	jsonType     = "application/json"
	markdownType = "text/markdown"
)

// The number of requests beside every version as JSON; they are sampled, with a new random
// selection in each run. [Config.All] turns sampling off.
const (
	// large is the number of publications from which on Markdown is sampled too.
	large = 5_000
	// maxViews is the number of requests for forms other than JSON and Markdown.
	maxViews = 10_000
	// maxViewsOfLarge is the number for a large repository, of all forms other than JSON.
	maxViewsOfLarge = 1_000
	// maxChosen is the approximate number of publications of a large repository in the sample.
	maxChosen = 500
)

// view is a request with a name for people.
type view struct {
	what i18n.Text
	request
	params map[string]any // of a message of MCP
	has    string         // the media type of the response that the client has cached; "" if none
}

// otherViews are the requests for the whole content, except every version as JSON, which the
// checks of the list of publications request.
func (v *verifier) otherViews(ctx context.Context) []view {
	var chosen []view
	if v.All || len(v.known) <= large {
		chosen = append(versionViews(v.expected.Snapshot), v.chooseViews(v.moreViews(ctx, v.expected), maxViews)...)
	} else {
		few := v.expected.sample(maxChosen)
		chosen = v.chooseViews(append(versionViews(few.Snapshot), v.moreViews(ctx, few)...), maxViewsOfLarge)
		v.result.Sampled = true
	}
	for i, w := range chosen {
		chosen[i] = v.expected.withEntityTag(ctx, w)
	}
	return chosen
}

// sample returns the expectation with a random choice of items that have about so many
// versions, and everything else.
func (e *Expected) sample(versions int) *Expected {
	all, left := e.Snapshot, map[string]bool{}
	few := *all
	few.Items = nil
	for _, i := range rand.Perm(len(all.Items)) {
		it := all.Items[i]
		if versions <= 0 {
			left[it.Kind.ItemPath(it.Name)] = true
			continue
		}
		few.Items = append(few.Items, it)
		versions -= len(it.Entries)
	}
	sampled := *e
	sampled.Snapshot = &few
	sampled.Paths = slices.DeleteFunc(slices.Clone(e.Paths), func(path string) bool { return under(path, left) })
	return &sampled
}

// under reports whether a path is one of some, or below it.
func under(path string, some map[string]bool) bool {
	for i := range path {
		if path[i] == '/' && some[path[:i]] {
			return true
		}
	}
	return some[path]
}

// versionViews request each version, and each current one, as Markdown.
func versionViews(s *content.Snapshot) (all []view) {
	for _, it := range s.Items {
		if it.Current != nil {
			all = append(all, plain(
				i18n.New("%s as Markdown", i18n.New("%s (current)", it.ID())), it.Kind.ItemPath(it.Name), markdownType,
			))
		}
		for _, e := range it.Entries {
			all = append(all, plain(i18n.New("%s as Markdown", e.Tag()), e.Path(), markdownType))
		}
	}
	return all
}

// plain is a request without conditions; what is a text or a string.
func plain(what any, path, accept string) view {
	return view{what: textOf(what), request: request{path: path, accept: accept}}
}

// moreViews are the requests in all other forms: every address as data and as a page, in each
// content coding, with conditions, by day, by search, and over MCP.
func (v *verifier) moreViews(ctx context.Context, e *Expected) []view {
	var all []view
	for _, path := range e.Paths {
		all = append(all, formsOf(path)...)
	}
	for _, it := range e.Snapshot.Items {
		all = append(all, viewsOf(it)...)
	}
	all = append(all, queryViews(ctx, e)...)
	all = append(all, postViews(ctx, e)...)
	all = append(all, conditionalViews(e)...)
	if v.answersMCP(ctx) {
		all = append(all, v.mcpViews(ctx, e)...)
	}
	return all
}

// formsOf are the forms of a resource.
func formsOf(path string) []view {
	return []view{plain(path, path, anyJSON()), plain(i18n.New("%s as a page", path), path, oneOf(pages))}
}

// codedForms are the forms of an item in each content coding, as each is a body of its own.
func codedForms(what any, path string) (all []view) {
	for _, coding := range []string{"identity", "gzip", "br", "zstd"} {
		all = append(all, view{
			what:    i18n.New("%s in the coding %s", what, coding),
			request: request{path: path, accept: anyJSON(), coding: coding},
		})
		all = append(all, view{
			what:    i18n.New("%s as Markdown in the coding %s", what, coding),
			request: request{path: path, accept: markdownType, coding: coding},
		})
	}
	return all
}

// conditionalViews request items with conditions or ranges.
func conditionalViews(e *Expected) (all []view) {
	for _, it := range e.Snapshot.Items {
		all = append(all, conditionalForms(i18n.New("%s (current)", it.ID()), it.Kind.ItemPath(it.Name))...)
		for _, e := range it.Entries {
			all = append(all, conditionalForms(e.Tag(), e.Path())...)
		}
	}
	return all
}

func conditionalForms(what any, path string) (all []view) {
	types := []string{jsonType, markdownType}
	for i, accept := range types {
		form := i18n.New("%s as %s", what, accept)
		all = append(all, view{what: i18n.New("HEAD of %s", form), request: request{
			method: http.MethodHead, path: path, accept: accept, coding: "identity",
		}})
		for _, ask := range []struct {
			what   i18n.Text
			header field
			has    string
		}{
			{i18n.New("%s for who has another", form), field{"If-None-Match", `W/"000000000000000000000000"`}, ""},
			{i18n.New("%s for who has the other", form), field{"If-None-Match", ""}, types[1-i]},
			{i18n.New("%s for who has it", form), field{"If-None-Match", ""}, accept},
			{
				i18n.New("%s for who has it since ever", form),
				field{"If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"}, "",
			},
			{i18n.New("%s in part", form), field{"Range", partHeader}, ""},
		} {
			all = append(all, view{
				what: ask.what, has: ask.has,
				request: request{path: path, accept: accept, coding: "identity", header: ask.header},
			})
		}
	}
	return all
}

// withEntityTag adds the entity tag of the cached response to a view. It needs the response,
// so it is called for chosen views only.
func (e *Expected) withEntityTag(ctx context.Context, w view) view {
	if w.has != "" {
		w.header.value = e.tag(ctx, w.path, w.has)
	}
	return w
}

// tag is the entity tag of a resource.
func (e *Expected) tag(ctx context.Context, path, accept string) string {
	a, err := e.answer(ctx, request{method: http.MethodHead, path: path, accept: accept})
	if err != nil {
		return ""
	}
	return a.header.Get("Etag")
}

// partHeader requests a range of partSize bytes: less than any response has.
const (
	partHeader = "bytes=0-99"
	partSize   = 100
)

// pages are the values of Accept of browsers.
var pages = []string{
	"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
	"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
}

// anyJSON is one of the values of Accept for JSON.
func anyJSON() string { return oneOf([]string{jsonType, jsonType, "*/*", ""}) }

// viewsOf are the requests for an item.
func viewsOf(it *content.Item) (all []view) {
	path := it.Kind.ItemPath(it.Name)
	all = codedForms(i18n.New("%s (current)", it.ID()), path)
	for _, e := range it.Entries {
		all = append(all, codedForms(e.Tag(), e.Path())...)
		day := e.PublishedAt.UTC().Format(content.Date)
		all = append(all, plain(i18n.New("%s as of %s", it.ID(), day), path+"?as_of="+day, jsonType))
		all = append(all, plain(i18n.New("%s in force on %s", it.ID(), day), path+"?in_force="+day, jsonType))
	}
	highest := it.Entries[0]
	for _, next := range []string{
		highest.Version.IncPatch().String(), highest.Version.IncMinor().String(), highest.Version.IncMajor().String(),
	} {
		all = append(
			all, plain(i18n.New("%s %s, which nobody published", it.ID(), next), path+"/versions/"+next, jsonType),
		)
	}
	if e := it.Current; e != nil {
		title := cmp.Or(e.Body().Text("title"), it.Name)
		all = append(all, plain(
			i18n.New("a search for %s", it.ID()), "/api/v1/search?fields=full&q="+url.QueryEscape(title), jsonType,
		))
	}
	return all
}

// chooseViews chooses views at random, up to a maximum and without duplicates, unless all are requested.
func (v *verifier) chooseViews(all []view, most int) (chosen []view) {
	rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	type question struct {
		request
		has string
	}
	seed, seen := maphash.MakeSeed(), make(map[uint64]bool, len(all))
	for _, w := range all {
		id := maphash.Comparable(seed, question{w.request, w.has})
		if seen[id] {
			continue
		}
		if seen[id] = true; v.All || len(chosen) < most {
			chosen = append(chosen, w)
		}
	}
	v.result.Sampled = v.result.Sampled || len(chosen) < len(seen)
	return chosen
}
