package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"rulestore/content"
)

const (
	// DefaultLimit is how many entries a page has if nobody says otherwise.
	DefaultLimit = 50
	// MaxLimit is how many it may have.
	MaxLimit = 500

	// manifestFormat is the version of the manifest's own format.
	manifestFormat = "1.0"
)

func changeEntry(c content.Change) Body {
	if c.Version != "" {
		return releaseEntry(c)
	}
	return guidelineEntry(c)
}

func releaseEntry(c content.Change) Body {
	var o object
	o.text("version", c.Version)
	o.text("product_version", c.Product)
	o.optional("module_version", c.ModuleVersion)
	o.time("date", c.Date)
	o.text("type", c.Type)
	o.optional("scenario", c.Scenario)
	o.value("changes", c.Changes)
	return o.end()
}

func guidelineEntry(c content.Change) Body {
	var o object
	o.time("date", c.Date)
	o.text("guideline_id", c.Guideline)
	if c.Old == "" {
		o.value("old_version", nil)
	} else {
		o.text("old_version", c.Old)
	}
	o.text("new_version", c.New)
	o.text("change_summary", c.Summary)
	o.text("criticality", c.Criticality)
	return o.end()
}

// Changelog makes a page of the changelog: at most limit entries from offset on.
func (s *Site) Changelog(offset, limit int) *Resource {
	all := s.Snapshot.Changes
	from := min(offset, len(all))
	page := all[from:min(from+limit, len(all))]
	r := jsonResource(func() Body {
		var entries []Body
		for _, c := range page {
			entries = append(entries, changeEntry(c))
		}
		var o object
		o.value("total", len(all))
		o.value("limit", limit)
		o.value("offset", offset)
		o.fetchedAt()
		o.array("entries", entries)
		return o.end()
	})
	r.Query = true
	return r
}

// checksums lists the publications in the format of rulestore.sum.
func (s *Site) checksums() *Resource {
	return textResource(textType, func() []byte {
		var lines []string
		for _, item := range s.Snapshot.Items {
			for _, e := range item.Entries {
				if !e.Draft {
					lines = append(lines, content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt}.String()+"\n")
				}
			}
		}
		slices.Sort(lines)
		return []byte(strings.Join(lines, ""))
	})
}

func textResource(mediaType string, body func() []byte) *Resource {
	return &Resource{Static: true, Representations: []*Representation{
		represent(mediaType, time.Time{}, nil, func() Body { return Body{Bytes: body()} }),
	}}
}

// Endpoints lists the addresses of the interface by name, in the order in which
// people expect them.
func Endpoints() []struct{ Name, Path string } {
	list := []struct{ Name, Path string }{{"manifest", "/"}}
	for _, k := range content.Kinds {
		list = append(list,
			struct{ Name, Path string }{k.Folder, k.Path},
			struct{ Name, Path string }{k.Name, k.Path + "/{" + k.ID + "}"},
			struct{ Name, Path string }{k.Name + "_versions", k.Path + "/{" + k.ID + "}/versions"},
			struct{ Name, Path string }{k.Name + "_version", k.Path + "/{" + k.ID + "}/versions/{version}"},
		)
	}
	return append(list, []struct{ Name, Path string }{
		{"changelog", "/api/v1/changelog"},
		{"checksums", "/api/v1/checksums"},
		{"health", "/api/v1/health"},
		{"llms", "/llms.txt"},
	}...)
}

// manifest introduces the service.
func (s *Site) manifest() *Resource {
	return jsonResource(func() Body {
		in := s.Snapshot.Settings
		var o object
		o.text("service", in.Service)
		o.text("title", in.Title)
		o.text("description", in.Description)
		o.text("audience", in.Audience)
		o.text("service_version", s.config.Version)
		o.text("schema_version", manifestFormat)
		o.text("canonical_base_url", s.config.BaseURL)
		o.text("default_language", in.DefaultLanguage)
		o.text("checksum_algorithm", content.Algorithm)
		o.text("disclaimer", in.Disclaimer)
		o.value("read_only", true)
		o.value("demo", in.Demo)
		o.value("supported_formats", []string{jsonType, markdownType})
		o.value("scenarios", s.scenarios())
		o.time("content_updated_at", s.updatedAt())
		o.raw("endpoints", s.endpoints())
		var releases []Body
		for _, c := range s.Snapshot.Products {
			releases = append(releases, productRelease(c))
		}
		o.array("product_releases", releases)
		return o.end()
	})
}

func (s *Site) endpoints() []byte {
	var o object
	for _, e := range Endpoints() {
		o.text(e.Name, s.URL(e.Path))
	}
	return o.end().Bytes
}

// scenarios are those that rulestore.yaml lists, else those published.
func (s *Site) scenarios() []string {
	if listed := s.Snapshot.Settings.Scenarios; listed != nil {
		return listed
	}
	names := []string{}
	for _, p := range s.lists[content.Scenarios] {
		names = append(names, p.entry.Name)
	}
	return names
}

func productRelease(c content.Change) Body {
	var o object
	o.text("version", c.Version)
	o.text("product_version", c.Product)
	o.optional("module_version", c.ModuleVersion)
	o.time("date", c.Date)
	o.text("type", c.Type)
	o.optional("scenario", c.Scenario)
	o.text("title", c.Title)
	o.value("changes", c.Changes)
	return o.end()
}

// updatedAt is the newest date of publication.
func (s *Site) updatedAt() time.Time {
	var newest time.Time
	for _, item := range s.Snapshot.Items {
		for _, e := range item.Entries {
			if e.PublishedAt.After(newest) {
				newest = e.PublishedAt
			}
		}
	}
	return newest
}

// llms is the short text for language models (llmstxt.org): a title, a summary
// and links.
func (s *Site) llms() *Resource {
	return textResource(textType, func() []byte {
		var b strings.Builder
		in := s.Snapshot.Settings
		fmt.Fprintf(&b, "# %s\n\n> %s\n\n%s\n", line(in.Title), line(in.Description), line(in.Disclaimer))
		for _, k := range content.Kinds {
			if len(s.lists[k]) == 0 {
				continue
			}
			fmt.Fprintf(&b, "\n## %s\n\n", k.Title)
			for _, p := range s.lists[k] {
				e := p.entry
				about := cmp.Or(e.Body.Text("summary"), e.Body.Text("description"))
				fmt.Fprintf(&b, "- [%s](%s): %s\n", line(e.Body.Text("title")), s.URL("/"+k.Folder+"/"+e.Name+"/current.md"), line(about))
			}
		}
		fmt.Fprintf(&b, "\n## Optional\n\n")
		for _, l := range []struct{ title, path, about string }{
			{"Манифест", "/", "что есть в сервисе и где"},
			{"Список правил", content.Guidelines.Path, "действующие версии с контрольными суммами"},
			{"Журнал изменений", "/api/v1/changelog", "выпуски и новые версии правил"},
			{"Контрольные суммы", "/api/v1/checksums", "все публикации"},
		} {
			fmt.Fprintf(&b, "- [%s](%s): %s\n", l.title, s.URL(l.path), l.about)
		}
		return []byte(b.String())
	})
}

// line puts text on one line.
func line(s string) string { return strings.Join(strings.Fields(s), " ") }
