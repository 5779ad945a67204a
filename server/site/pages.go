package site

import (
	"slices"
	"sort"
	"time"

	"rulestore/content"
	"rulestore/server/api"
)

const (
	// manifestFormat is the version of the manifest's own format.
	manifestFormat = "1.0"
)

func changeEntry(c *content.Change) Body {
	if c.Version != "" {
		return release(c, "")
	}
	return guidelineEntry(c)
}

// release is a release in the changelog or, with its title, in the manifest.
func release(c *content.Change, title string) Body {
	var o object
	o.text("version", c.Version)
	o.optional("product_version", c.Product)
	o.optional("module_version", c.ModuleVersion)
	o.time("date", c.Date)
	o.text("type", c.Type)
	o.optional("scenario", c.Scenario)
	o.optional("title", title)
	o.value("changes", c.Changes)
	return o.end()
}

func guidelineEntry(c *content.Change) Body {
	var o object
	o.time("date", c.Date)
	o.text("guideline_id", c.Guideline)
	if c.Old == "" {
		o.value("old_version", nil)
	} else {
		o.text("old_version", c.Old)
	}
	o.text("new_version", c.New)
	o.optional("change_summary", c.Summary)
	o.text("criticality", c.Criticality)
	return o.end()
}

// Changelog returns a page of the changelog: at most limit entries from offset on, optionally
// only those since the beginning of a day, or since an index in the log.
func (s *Site) Changelog(since string, offset, limit int) *Resource {
	if position, ok := parseLogPosition(since); ok {
		return s.changesSince(position, offset, limit)
	}
	all := s.Snapshot.Changes
	if since != "" { // newest first: the older ones are at the end
		all = all[:sort.Search(len(all), func(i int) bool { return s.Snapshot.DayOf(all[i].Date) < since })]
	}
	from := min(offset, len(all))
	entries := all[from:min(from+limit, len(all))]
	return s.changelogPart(ShownChangelog{since, offset, limit, len(all), nil}, func(o *object) []Body {
		return bodies(entries, changeEntry)
	}, func() []Change { return s.changesOf(entries) })
}

// changelogPart makes the resource of a part of the changelog. entries may write members before them.
func (s *Site) changelogPart(
	p ShownChangelog, entries func(*object) []Body, changes func() []Change,
) *Resource {
	r := jsonResource(func() Body {
		var o object
		o.total(p.Total)
		o.value("limit", p.Limit)
		o.value("offset", p.Offset)
		all := entries(&o)
		o.fetchedAt()
		o.elements("entries", all)
		return o.end()
	})
	r.Action = api.ListChanges
	p.Changes = changes
	return r.addText(api.MarkdownType, func() []byte { return s.changelogMarkdown(p) }).with(p)
}

// Checksums lists the publications in the format of files of seals, optionally only those since
// the beginning of a day.
func (s *Site) Checksums(since string) *Resource {
	r := textResource(api.TextType, func() []byte {
		var all []byte
		for _, line := range s.Seals(since) {
			all = append(append(all, line...), '\n')
		}
		return all
	})
	r.Action = api.ListChecksums
	return r
}

// Seals are the lines of that list, sorted.
func (s *Site) Seals(since string) (lines []string) {
	for _, item := range s.Snapshot.Items {
		for _, e := range item.Entries {
			if !e.Draft && s.Snapshot.DayOf(e.PublishedAt) >= since {
				seal := content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt}
				lines = append(lines, seal.String())
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// manifest introduces the service, and links to its descriptions.
func (s *Site) manifest() *Resource {
	r := &Resource{about: fixed(time.Time{}, Header{"Link", []string{
		link(s.URL(api.OpenAPIPath+".json"), "service-desc"),
		link(s.URL(api.LLMsPath), "service-doc"),
		link(s.URL(api.APICatalogPath), "api-catalog"),
	}})}
	r.add(api.JSONType, func() Body {
		in, o := s.Snapshot.Settings, s.introduction()
		o.text("service_version", s.config.Version)
		o.text("schema_version", manifestFormat)
		o.text("canonical_base_url", s.config.BaseURL)
		o.text("default_language", in.DefaultLanguage)
		o.text("checksum_algorithm", content.Algorithm)
		o.text("mcp_transport", MCPTransport)
		o.text("disclaimer", in.Disclaimer)
		o.value("read_only", true)
		o.value("demo", in.Demo)
		o.value("supported_formats", []string{api.JSONType, api.MarkdownType})
		o.value("scenarios", s.AllScenarios())
		o.time("content_updated_at", s.UpdatedAt())
		o.raw("endpoints", s.endpoints())
		o.array("product_releases", bodies(s.Snapshot.Products, func(c *content.Change) Body {
			return release(c, c.Title)
		}))
		return o.end()
	})
	return r.addText(api.MarkdownType, s.llmsText).with(ShownHome{})
}

// introduction begins a document about the service.
func (s *Site) introduction() (o object) {
	in := s.Snapshot.Settings
	o.text("service", in.Service)
	o.text("title", in.Title)
	o.text("description", in.Description)
	o.text("audience", in.Audience)
	return o
}

// AllScenarios lists the published scenarios, and those of rulestore.yaml, which determines the
// order.
func (s *Site) AllScenarios() []string {
	names := slices.Clone(s.Snapshot.Settings.Scenarios)
	for _, p := range s.lists[content.Scenarios] {
		if !slices.Contains(names, p.entry.Name) {
			names = append(names, p.entry.Name)
		}
	}
	return append([]string{}, names...)
}
