package site

import (
	"net/url"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/server/api"
	"rulestore/server/page"
)

// allLogs are the logs of all sources, in order.
func (s *Site) allLogs() []*log.View {
	if s.logs == nil {
		return []*log.View{s.log}
	}
	return s.logs
}

// logOf is the log of a source, nil if there is none.
func (s *Site) logOf(source string) *log.View {
	for i, part := range s.Snapshot.Sources {
		if part.Name == source && i < len(s.logs) {
			return s.logs[i]
		}
	}
	return s.log
}

// LogSignedOf is [Site.LogSigned] of a source, by its index.
func (s *Site) LogSignedOf(i int) (size, signed int64, refused bool) {
	if i >= len(s.logs) {
		return 0, 0, false
	}
	return signedOf(s.logs[i])
}

// logRoot is the prefix of the log of a source, by index.
func (s *Site) logRoot(i int) string {
	if i == 0 {
		return api.LogRoot
	}
	return api.SourcesRoot + s.Snapshot.Sources[i].Name + api.LogRoot
}

// addSources adds the resources about several repositories, none if there is only one.
func (s *Site) addSources() {
	for i, part := range s.Snapshot.Sources {
		if i > 0 && i < len(s.logs) && s.logs[i] != nil {
			r := logResource(s.logs[i], s.URL(s.logRoot(i)+"checkpoint"))
			r.Action = api.Closed
			s.resources[api.SourcesPath+"/"+part.Name+"/log"] = r
		}
	}
	if len(s.Snapshot.Sources) > 0 {
		s.countSources()
		s.resources[api.SourcesPath] = s.sources()
		s.resources[api.SourcesPath].Action = api.Closed
	}
}

// sources lists the repositories in their order.
func (s *Site) sources() *Resource {
	return jsonResource(func() Body {
		var all []Body
		for i, part := range s.Snapshot.Sources {
			var o object
			o.text("source", part.Name)
			o.text("commit", part.Commit)
			o.text("branch", part.Branch)
			o.text("date", part.Date)
			o.value("publications", s.Published(part.Name))
			if _, size, _ := s.LogSignedOf(i); size > 0 {
				o.value("log_size", size)
				o.value("log_signed", size)
				o.text("log_url", s.URL(s.logRoot(i)))
			}
			all = append(all, o.end())
		}
		var o object
		o.value("total", len(all))
		o.fetchedAt()
		o.array("sources", all)
		return o.end()
	})
}

// Published returns the number of served publications of a source, if there are several.
func (s *Site) Published(source string) int { return s.perSource[source] }

// countSources counts the publications by source once, since health is requested often.
func (s *Site) countSources() {
	s.perSource = map[string]int{}
	for _, it := range s.Snapshot.Items {
		s.perSource[it.Entries[0].Source] += it.Publications()
	}
}

// SourceLog returns a part of the log of a source after the first, by its path below
// [api.SourcesRoot]: its signed head, or a tile. If there is none, code and why are the reason, in
// Russian.
func (s *Site) SourceLog(path string) (r *Resource, code, why string) {
	name, rest, ok := strings.Cut(path, api.LogRoot)
	i := slices.IndexFunc(s.Snapshot.Sources, func(part content.Source) bool { return part.Name == name })
	switch {
	case len(s.Snapshot.Sources) == 0:
		return nil, "source_not_found", "Здесь отдаётся одно хранилище, его журнал: " + s.URL(api.LogPath)
	case !ok || i < 1 || i >= len(s.logs):
		return nil, "source_not_found", "Такого хранилища здесь нет. Все хранилища: " + s.URL(api.SourcesPath)
	case rest == "checkpoint":
		return signedHead(s.logs[i]), "no_checkpoint", noCheckpoint(s.logs[i])
	}
	return tileOf(s.logs[i], rest), "tile_not_found", s.NoTile(api.SourcesPath + "/" + name + "/log")
}

// NoTile says that a log does not have a tile, and where its size is, in Russian.
func (s *Site) NoTile(path string) string {
	return "Такой плитки у журнала нет. Сколько в нём листьев, говорит " + s.URL(path)
}

// SourceLogs lists the paths of the logs of the sources after the first: their signed heads and
// the tiles for verification.
func (s *Site) SourceLogs() (paths []string) {
	for i, l := range s.logs {
		if i == 0 || l == nil {
			continue
		}
		if l.Checkpoint != nil {
			paths = append(paths, s.logRoot(i)+"checkpoint")
		}
		for _, t := range tilesOf(l) {
			paths = append(paths, s.logRoot(i)+t.Path())
		}
	}
	return paths
}

// override is what overrides an item, and what it overrides; zero if nothing.
type override struct {
	by        content.Override
	overrides string // items by folder and name, separated by spaces
}

// readOverrides returns the overrides by item. Equal ones are taken over from the previous site,
// which makes them comparable by pointer.
func (s *Site) readOverrides(prev *Site) map[string]*override {
	all := map[string]*override{}
	at := func(item string) *override {
		if all[item] == nil {
			all[item] = &override{}
		}
		return all[item]
	}
	for _, o := range s.Snapshot.AllOverrides() {
		at(o.Item).by = o
		at(o.By).overrides = strings.TrimSpace(at(o.By).overrides + " " + o.Item)
	}
	for item, o := range all {
		if prev != nil && prev.overrides[item] != nil && *prev.overrides[item] == *o {
			all[item] = prev.overrides[item]
		}
	}
	return all
}

// overrideOf is the override of an item, zero if there is none.
func (s *Site) overrideOf(item string) override { return s.overrides[item].orZero() }

// orZero is the override, zero if it is nil.
func (o *override) orZero() override {
	if o == nil {
		return override{}
	}
	return *o
}

// pathOf is the path of an item by folder and name.
func pathOf(item string) string {
	folder, name, _ := strings.Cut(item, "/")
	return content.KindOf(folder).ItemPath(name)
}

// overriding describes the item that overrides another.
func (c Config) overriding(by content.Override) []byte {
	var o object
	o.text("item", by.By)
	o.text("source", by.Source)
	o.text("reason", by.Reason)
	o.text("since", by.Since)
	o.text("url", c.url(pathOf(by.By)))
	return o.end().Bytes
}

// sourceFields writes the source and the overrides of an item; nothing if there is only one
// repository.
func (c Config) sourceFields(o *object, e *content.Entry, own override) {
	o.optional("source", e.Source)
	if own.by.By != "" {
		o.raw("overridden_by", c.overriding(own.by))
	}
	o.texts("overrides", strings.Fields(own.overrides))
}

// SourceMeta returns the same values as fields, by name.
func (s *Site) SourceMeta(e *content.Entry) map[string]any {
	if e.Source == "" {
		return nil
	}
	meta, own := map[string]any{"source": e.Source}, s.overrideOf(e.Item())
	if own.by.By != "" {
		meta["overridden_by"] = map[string]any{
			"item": own.by.By, "source": own.by.Source, "reason": own.by.Reason, "since": own.by.Since,
			"url": s.URL(pathOf(own.by.By)),
		}
	}
	if own.overrides != "" {
		meta["overrides"] = strings.Fields(own.overrides)
	}
	return meta
}

// sourceHeaders name the source of a version if there are several repositories.
func sourceHeaders(e *content.Entry) []Header {
	if e.Source == "" {
		return nil
	}
	return []Header{{"X-Source", []string{e.Source}}}
}

// The link relations between an overriding and an overridden item (RFC 8288, section 2.1.2).
const (
	relOverriddenBy = "urn:rulestore:overridden-by"
	relOverrides    = "urn:rulestore:overrides"
)

// overrideLinks link to what overrides an item, with the reason, and to what it overrides.
func (c Config) overrideLinks(own override) (links []string) {
	if own.by.By != "" {
		links = append(
			links, link(c.url(pathOf(own.by.By)), relOverriddenBy)+"; title*=UTF-8''"+url.PathEscape(own.by.Reason),
		)
	}
	for item := range strings.FieldsSeq(own.overrides) {
		links = append(links, link(c.url(pathOf(item)), relOverrides))
	}
	return links
}

// fromSource adds the source to the title of a version's kind if there are several repositories.
func fromSource(kind string, e *content.Entry) string {
	if e.Source == "" {
		return kind
	}
	return kind + " · " + e.Source
}

// addTo adds the override to a notice.
func (o override) addTo(n *page.Notice, frame *page.Frame) {
	if o.by.By != "" {
		text := "В хранилище " + o.by.Source + " вместо этого документа действует другой." + reasonSentence(o.by.Reason)
		n.Text = strings.TrimSpace(n.Text + " " + text)
		n.Links = append(n.Links, page.Link{Title: "Вместо него: " + o.by.By, Href: frame.Root + pathOf(o.by.By)})
	}
	for item := range strings.FieldsSeq(o.overrides) {
		n.Links = append(n.Links, page.Link{Title: "Действует вместо: " + item, Href: frame.Root + pathOf(item)})
	}
}
