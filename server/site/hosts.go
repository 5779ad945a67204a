package site

import (
	"fmt"
	"slices"
	"strings"

	"rulestore/server/api"
)

// HostHeadersPath is where an export has [HostHeaders].
const HostHeadersPath = "/_headers"

// HostHeaders is the file by which hosts of static sites (Cloudflare Pages, Netlify) are told the
// headers of responses. Hosts join the values of a header that several matching rules set, and
// Cloudflare reads a hundred rules, so rules that overlap set different headers, and are for
// whole folders. Where no rule sets Cache-Control or Content-Type, the host chooses: it
// revalidates, and goes by the extension.
func HostHeaders() *Resource {
	source := api.SourcesRoot + "{" + api.SourceInPath + "}"
	rules := []struct {
		pattern string
		headers []Header
	}{
		{"/*", append(slices.DeleteFunc(slices.Clone(CommonHeaders), isPolicy), PagePolicy, language)},
		{"/assets/*", []Header{immutable}},
		{api.TilesPath + "*", []Header{immutable, typed(api.OctetType)}},
		{source + api.TilesPath + "*", []Header{immutable, typed(api.OctetType)}},
		{api.CheckpointPath, []Header{typed(api.TextType)}},
		{source + api.CheckpointPath, []Header{typed(api.TextType)}},
		{"/api/v1/{kind}/{item}" + api.VersionPattern + api.ProofSuffix, []Header{typed(api.TextType)}},
		{"/api/v1/{item}" + api.VersionPattern + api.ProofSuffix, []Header{typed(api.TextType)}}, // some registries
		{api.FormatsPath + "*", []Header{typed(api.SchemaType)}},
		{api.OpenAPIPath + ".json", []Header{typed(api.OpenAPIType + "+json")}},
		{api.OpenAPIPath + ".yaml", []Header{typed(api.OpenAPIType + "+yaml")}},
		{api.APICatalogPath, []Header{typed(api.LinksetType)}},
	}
	return textResource(api.TextType, func() []byte {
		var out []byte
		for _, r := range rules {
			out = append(out, placeholders.Replace(r.pattern)...)
			for _, h := range r.headers {
				out = fmt.Appendf(out, "\n  %s: %s", h.Name, strings.Join(h.Values, ", "))
			}
			out = append(out, "\n\n"...)
		}
		return out[:len(out)-1]
	})
}

// placeholders writes the parameters of a path as these hosts do.
var placeholders = strings.NewReplacer("{", ":", "}", "")

func isPolicy(h Header) bool { return h.Name == PagePolicy.Name }

// typed is the header of a media type.
func typed(mediaType string) Header { return Header{"Content-Type", []string{ContentType(mediaType)}} }
