package main

import (
	"encoding/json"
	"strings"
	"testing"

	"rulestore/content"
)

// Git shows where each version came from: the object, the tag and the commit that the answers name.
func TestSource(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	a.publish("1.2.0", "Ещё раз")
	s := start(t, "--repo", bare)
	path := content.Guidelines.ItemPath(common)
	res := ask(t, s, path+"/versions", "application/json")
	var list struct {
		Versions []struct {
			URL               string `json:"canonical_url"`
			Checksum          string `json:"content_checksum"`
			Tag, Blob, Commit string
		}
	}
	if err := json.Unmarshal(res.body, &list); err != nil || len(list.Versions) < 2 {
		t.Fatalf("%v %s", err, res.body)
	}
	for _, v := range list.Versions {
		file := content.Guidelines.File(common)
		blob := gitIn(t, bare, "show", v.Blob)
		if gitIn(t, bare, "show", v.Tag+":"+file) != blob || gitIn(t, bare, "show", v.Commit+":"+file) != blob ||
			!strings.Contains(blob, common) {
			t.Errorf("%+v is not what git shows:\n%s", v, blob)
		}
		one := ask(t, s, strings.TrimPrefix(v.URL, s.url), "application/json")
		part := ask(t, s, strings.TrimPrefix(v.URL, s.url)+"?section=title", "application/json")
		for _, header := range []map[string][]string{one.header, part.header} {
			if header["X-Source-Tag"][0] != v.Tag || header["X-Source-Blob"][0] != v.Blob {
				t.Errorf("%+v: its headers are %v", v, header)
			}
		}
	}
}

func ask(t *testing.T, s *running, path, accept string) reply {
	t.Helper()
	a, err := s.get(path, accept)
	if err != nil || a.status != 200 {
		t.Fatalf("%s: %d %v", path, a.status, err)
	}
	return a
}
