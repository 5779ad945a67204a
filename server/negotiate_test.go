package server

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rulestore/server/site"
)

// item is a resource in both formats, as every version of an item is.
var item = &site.Resource{Representations: []*site.Representation{{Type: "application/json"}, {Type: "text/markdown"}}}

// element is a well-formed element of an Accept header, with the parameters that
// matter here and none in quotes.
var element = regexp.MustCompile(`^[ \t]*([!#$%&'*+.^_|~0-9A-Za-z-]+)/([!#$%&'*+.^_|~0-9A-Za-z-]+)[ \t]*(?:;[ ` +
	`\t]*[qQ]=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?[ \t]*$`)

// weights is RFC 9110, section 12.5.1, written down once more and differently: every element is filed
// under what it covers, and a type looks under its own name, its main type and everything, in this order.
// at is the place of the element in the header. ok is false for a header with anything malformed in it,
// about which there is nothing to say.
func weights(accept string) (weight func(mediaType string) (q float64, at int), ok bool) {
	type said struct {
		q  float64
		at int
	}
	filed := map[string]said{}
	for at, e := range strings.Split(accept, ",") {
		m := element.FindStringSubmatch(e)
		if m == nil || m[1] == "*" && m[2] != "*" {
			return nil, false
		}
		q := 1.0
		if m[3] != "" {
			q, _ = strconv.ParseFloat(m[3], 64)
		}
		name := strings.ToLower(m[1] + "/" + m[2])
		if before, again := filed[name]; !again || q > before.q {
			filed[name] = said{q, at}
		}
	}
	return func(mediaType string) (float64, int) {
		main, _, _ := strings.Cut(mediaType, "/")
		for _, name := range []string{mediaType, main + "/*", "*/*"} {
			if s, ok := filed[name]; ok {
				return s.q, s.at
			}
		}
		return 0, 0
	}, true
}

// FuzzNegotiate sends any header: choose never crashes, and for a well-formed one
// it takes what the client weighs highest, of equal ones what it names first, JSON before Markdown if one
// range covers both, and nothing that the client excludes.
func FuzzNegotiate(f *testing.F) {
	for _, seed := range []string{
		"", "*/*", "text/*;q=0.5, application/json;q=0.1", "text/markdown;q=0,*/*", "application/json;q=0", "a/b",
		"*/*;q=0, text/markdown;q=0.001", "text/markdown, text/html, */*", "*/*, text/markdown",
		"TEXT/MARKDOWN", "text/markdown;q=0.5,text/markdown;q=0", ",,,", "/", "*/json", "text/markdown;q=NaN",
		"text/markdown;q=\xff", ";q=1", "text/markdown; charset=utf-8;q=.5",
		strings.Repeat("a/b,", 600) + "text/markdown;q=0,*/*",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		got := choose(item, http.Header{"Accept": {accept}})
		weight, ok := weights(accept)
		if !ok {
			return
		}
		json, jsonAt := weight("application/json")
		markdown, markdownAt := weight("text/markdown")
		want := ""
		switch {
		case json > 0 && (json > markdown || json == markdown && jsonAt <= markdownAt):
			want = "application/json"
		case markdown > 0:
			want = "text/markdown"
		}
		if (got == nil) != (want == "") || got != nil && got.Type != want {
			t.Errorf("Accept: %q: got %v, want %q (JSON %v, Markdown %v)", accept, got, want, json, markdown)
		}
	})
}

// tagList is a well-formed If-None-Match with at least one entity tag; empty
// elements are allowed (RFC 9110, section 5.6.1).
var (
	tagList = regexp.MustCompile(`^[ \t,]*(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ ` +
		`\t]*(?:(?:W/)?"[\x21\x23-\x7e\x80-\xff]*")?)*[ \t]*$`)
	oneTag = regexp.MustCompile(`"[^"]*"`)
)

// FuzzIfNoneMatch sends any header: a tag is found in a well-formed list if and
// only if it is there, and a header that does not have it never matches.
func FuzzIfNoneMatch(f *testing.F) {
	const tag = `W/"0123456789abcdef01234567"`
	const opaque = `"0123456789abcdef01234567"`
	for _, seed := range []string{
		"", "*", " * ", "**", "*x", "x*", tag, opaque, `"a", ` + tag, `"a",,` + opaque + `,`, `"a" ` + opaque,
		`w/` + opaque, `W/W/` + opaque, `"a`, `a, ` + opaque,
		`W/`, `"`, `""`, `"," , ` + opaque, `W/"x` + opaque, opaque[:10], strings.Repeat(`"x",`, 1000) + tag,
		`*, "a"`, "\x00", `"a", *`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, list string) {
		got := matches(list, tag)
		switch {
		case strings.Trim(list, " \t") == "*":
			if !got {
				t.Errorf("%q does not match", list)
			}
		case !strings.Contains(list, opaque):
			if got {
				t.Errorf("%q matches", list)
			}
		case tagList.MatchString(list):
			want := false
			for _, o := range oneTag.FindAllString(list, -1) {
				want = want || o == opaque
			}
			if got != want {
				t.Errorf("%q: got %v, want %v", list, got, want)
			}
		}
	})
}
