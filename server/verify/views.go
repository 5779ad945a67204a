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
	// large is how many publications there have to be for versions to be left out as
	// Markdown, too.
	large = 5_000
	// maxViews is how many requests are spent on what is more than JSON and Markdown.
	maxViews = 10_000
	// maxViewsOfLarge is how many of a large repository are, on all that is more than JSON.
	maxViewsOfLarge = 1_000
	// maxChosen is of how many publications of a large repository they are, about.
	maxChosen = 500
)

// view is a request, and what people call what it asks for.
type view struct {
	what i18n.Text
	request
	has string // the media type of which who asks has the answer already; "" if that is nobody
}

// otherViews are the requests for all that is published but for what the checks of the list
// of publications ask for: every version as JSON.
func (v *verifier) otherViews(ctx context.Context) []view {
	var chosen []view
	if v.All || len(v.known) <= large {
		chosen = append(versionViews(v.expected.Snapshot), v.some(v.moreViews(ctx, v.expected), maxViews)...)
	} else {
		few := v.expected.sample(maxChosen)
		chosen = v.some(append(versionViews(few.Snapshot), v.moreViews(ctx, few)...), maxViewsOfLarge)
		v.result.Sampled = true
	}
	for i, w := range chosen {
		chosen[i] = v.expected.remembering(ctx, w)
	}
	return chosen
}

// sample returns what is expected with as many items as have about that many versions, chosen
// at random, in place of all, and with everything else: of the others, no views are made.
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

// versionViews are each version, and each current one, as Markdown.
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

// moreViews are all other ways to read what is published: every address as data and as
// a page, in each coding, at once and again, by day, by search, and by MCP.
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

// formsOf are the forms of what is at an address.
func formsOf(path string) []view {
	return []view{plain(path, path, anyJSON()), plain(i18n.New("%s as a page", path), path, oneOf(pages))}
}

// codedForms are the forms of an item: each coding is a body of its own.
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

// conditionalViews are the items as programs ask that hold something of them already, or
// want no more than a part.
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
				ask.what, request{path: path, accept: accept, coding: "identity", header: ask.header}, ask.has,
			})
		}
	}
	return all
}

// remembering has a view name the entity tag of what who asks has. To find it takes the
// answer, so it is found for the views that are chosen.
func (e *Expected) remembering(ctx context.Context, w view) view {
	if w.has != "" {
		w.header.value = e.tag(ctx, w.path, w.has)
	}
	return w
}

// tag is the entity tag of what is at a path.
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
	all = codedForms(i18n.New("%s (current)", it.ID()), path)
	for _, e := range it.Entries {
		all = append(all, codedForms(e.Tag(), e.Path())...)
		day := e.PublishedAt.UTC().Format(content.Date)
		all = append(all, plain(i18n.New("%s as of %s", it.ID(), day), path+"?as_of="+day, jsonType))
		all = append(all, plain(i18n.New("%s in force on %s", it.ID(), day), path+"?in_force="+day, jsonType))
	}
	highest := it.Entries[0]
	for _, next := range []string{highest.Version.IncPatch().String(), highest.Version.IncMinor().String(), highest.Version.IncMajor().String()} {
		all = append(all, plain(i18n.New("%s %s, which nobody published", it.ID(), next), path+"/versions/"+next, jsonType))
	}
	if e := it.Current; e != nil {
		title := cmp.Or(e.Body().Text("title"), it.Name)
		all = append(all, plain(
			i18n.New("a search for %s", it.ID()), "/api/v1/search?fields=full&q="+url.QueryEscape(title), jsonType,
		))
	}
	return all
}

// some chooses so many at random, unless all are asked for, and takes no request twice.
func (v *verifier) some(all []view, most int) (chosen []view) {
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
