package api

import (
	"slices"
	"strings"

	"rulestore/content"
)

// The headers of responses.
var (
	kept   = []string{"ETag", "Cache-Control", "Vary", "Content-Language", "X-Snapshot"}
	unkept = []string{"Cache-Control=No-Store", "Content-Language", "X-Snapshot"}
)

// with adds headers to others.
func with(headers []string, others ...string) []string {
	return append(slices.Clone(headers), others...)
}

// keptFor are the headers of what may be kept for another time than content.
func keptFor(time string) []string {
	headers := slices.Clone(kept)
	headers[1] = "Cache-Control=Cache-Control-" + time
	return headers
}

// itemHeaders are those of a version, or of a part of it.
func itemHeaders(k *content.Kind) []string {
	headers := with(
		kept, "Last-Modified=Last-Modified-Unfiltered", "Link", k.Header+"-ID", k.Header+"-Version", k.Header+"-Status",
		"X-Content-Checksum=X-Content-Checksum-Unfiltered", "X-Source-Tag=X-Source-Tag",
		"X-Source-Blob=X-Source-Blob", "X-Schema-Version",
	)
	if k == content.OutputSchemas { // the version of a schema, not of its format
		headers = slices.DeleteFunc(headers, func(h string) bool { return h == "X-Schema-Version" })
		headers = append(headers, "X-Schema-Version=X-Schema-Own-Version")
	}
	return headers
}

// whole are the headers of what is never a part.
func whole(headers []string) []string {
	all := slices.Clone(headers)
	for i, h := range all {
		if name, key, ok := strings.Cut(h, "="); ok && strings.HasSuffix(key, "-Unfiltered") {
			all[i] = name
		}
	}
	return all
}

// unfiltered are headers that there are only without a filter.
func unfiltered(headers []string) []string {
	all := slices.Clone(headers)
	for i, h := range all {
		if !strings.Contains(h, "=") && !slices.Contains(kept, h) {
			all[i] = h + "=" + h + "-Unfiltered"
		}
	}
	return all
}

// kindHeaders describes the headers that name a version of a kind.
func kindHeaders(k *content.Kind, w *kindWords) (all content.Object) {
	statuses := statusOf(k).Values
	for _, h := range []struct {
		name, about, example string
		schema               content.Object
	}{
		{"-ID", "Идентификатор " + w.Of + ".", w.ID, object("type", "string")},
		{"-Version", "Версия " + w.Of + ".", w.Version, object("type", "string", "pattern", versionPattern)},
		{"-Status", "Статус версии " + w.Of + ".", string(content.Current), object("type", "string", "enum", statuses)},
	} {
		name := k.Header + h.name
		if k == content.OutputSchemas && h.name == "-Version" {
			name = k.Header + "-Own-Version"
		}
		described := h.schema
		if h.example != "" {
			described = append(slices.Clone(h.schema), object("examples", []string{h.example})...)
		}
		all = append(all, object(name, object("description", h.about, "required", true, "schema", described))...)
		if k == content.Registries {
			about := h.about + " В ответе с фильтром его нет."
			all = append(all, object(name+"-Unfiltered", object("description", about, "schema", h.schema))...)
		}
	}
	return all
}
