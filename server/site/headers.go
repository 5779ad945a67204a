package site

import (
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
)

// CommonHeaders are the headers that every response carries, unless it has its own, as slices that are
// assigned and never changed (design, section 12).
var CommonHeaders = []Header{
	{"Access-Control-Allow-Origin", []string{"*"}},
	{"Access-Control-Expose-Headers", []string{exposed()}},
	{"Content-Security-Policy", []string{"default-src 'none'; frame-ancestors 'none'"}},
	{"Referrer-Policy", []string{"no-referrer"}},
	{"X-Content-Type-Options", []string{"nosniff"}},
}

// exposed lists the response headers that scripts of other origins may read.
func exposed() string {
	names := []string{
		"ETag", "Link", "Last-Modified", "Deprecation", "Retry-After", "X-Request-Id", "X-Snapshot",
		"X-Content-Checksum", "X-Source-Tag", "X-Source-Blob", "X-Log-Index", "X-Schema-Version",
	}
	for _, k := range content.Kinds {
		for _, part := range []string{"-ID", "-Version", "-Status"} {
			if name := k.Header + part; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, ", ")
}

// immutable is the header of what never changes under its address.
var immutable = Header{"Cache-Control", []string{"public, max-age=31536000, immutable"}}

// language is the header of everything that is in Russian.
var language = Header{"Content-Language", []string{api.Language}}
