package site

import (
	"encoding/json"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/page"
)

// stretch is a stretch of an item's timeline.
type stretch struct {
	*timeline
	i int
}

// stretches are those of the filter's day, of the selected items by their versions known on its
// as_of: in which something is in force, and the others.
func (s *Site) stretches(k *content.Kind, f Filter) (in, out []stretch) {
	matches := f.matcher()
	for _, p := range s.candidates(k, Filter{AsOf: f.AsOf}) {
		t := s.timeline(s.Snapshot.Item(k, p.entry.Name), f.AsOf)
		if t == nil {
			continue
		}
		at := stretch{t, t.At(f.InForce)}
		e := t.entry(at.i)
		if !matches(s.entries[e.Publication].listed(s.config)) || f.Status != "" && e.Status != f.Status {
			continue
		}
		if t.Timeline[at.i].Entry == nil {
			out = append(out, at)
		} else {
			in = append(in, at)
		}
	}
	return in, out
}

// listInForce lists what was in force on a day, and what was not, with the nearest days on which
// it was.
func (s *Site) listInForce(k *content.Kind, f Filter) *Resource {
	in, out := s.stretches(k, f)
	return jsonResource(func() Body {
		var o object
		o.total(len(in))
		o.text(InForceParameter, f.InForce)
		if len(in)+len(out) == 0 && f.AsOf != "" {
			o.optional("first_published_at", s.firstPublished(k, f.AsOf))
		}
		o.fetchedAt()
		o.elements(k.Folder, bodies(in, s.config.summaryInForce))
		o.array("not_in_force", bodies(out, s.config.summaryInForce))
		return o.end()
	}).withListMarkdown(len(in), func(from, to int) []byte {
		w := newList(k.Title+": в силе "+page.DayOf(f.InForce), len(in))
		for _, at := range in[from:to] {
			s.listEntry(w, at.entry(at.i))
		}
		if len(out) > 0 {
			w.Heading("Не действовало")
		}
		for _, at := range out {
			s.listEntry(w, at.entry(at.i))
		}
		return w.Bytes()
	}).with(func(s *Site) page.Page { return s.pageInForce(k, f, in, out) })
}

// pageInForce is the page of that list: first what is in force, then the rest.
func (s *Site) pageInForce(k *content.Kind, f Filter, in, out []stretch) page.Page {
	p, all := s.listFrame(k, f, len(in)), slices.Concat(in, out)
	from := min(f.Offset, len(all))
	for _, at := range all[from:min(from+maxEntries, len(all))] {
		e := s.entry(at.entry(at.i), f)
		e.Subject, e.Lines = "", s.stretchWords(k, append(at.around(at.i), at.stated(at.i)...))
		e.Href = address(
			s.frame.Root+k.ItemPath(at.entry(at.i).Name), Filter{AsOf: f.AsOf, InForce: f.InForce}.parameters(0),
		)
		p.Entries = append(p.Entries, e)
	}
	p.Pager = pager(func(n int) string { return address(p.Path, f.parameters(n)) }, maxEntries, from,
		len(p.Entries), len(all))
	return p
}

// summaryInForce is the element of an item in that list: its values and days if it is in force,
// else only the days on which it is.
func (c Config) summaryInForce(at stretch) Body {
	e, value := at.entry(at.i), at.value(at.i)
	var o object
	o.text(e.Kind.ID, e.ID())
	o.text(e.Kind.Version, e.Version.String())
	o.text("status", string(e.Status))
	names := e.Kind.Summary
	if at.Timeline[at.i].Entry == nil {
		names = []string{"title"}
	}
	for _, name := range names {
		own := e.Body().Get(name)
		if v := value.Get(name); v != nil {
			own = v
		}
		if own != nil {
			o.raw(name, own)
		}
	}
	o.members(at.around(at.i))
	o.text("canonical_url", c.url(e.Path()))
	o.text("content_checksum", e.Checksum)
	o.fetchedAt()
	return o.end()
}

// hitInForce is what a search result says about a day. For a record this is its own validity, if
// its registry was in force. With as_of it is based on what was published then; if nothing was, it
// is the date of the first publication.
func (s *Site) hitInForce(f findable, id string, v HitView) (o content.Object) {
	if v.InForce == "" || f.pages == nil || !api.HasPeriods(f.pages.entry.Kind) {
		return nil
	}
	item, pages := s.Snapshot.Item(f.pages.entry.Kind, f.pages.entry.Name), f.pages
	t := s.timeline(item, v.AsOf)
	switch {
	case t == nil && v.AsOf != "":
		if first := s.Snapshot.On(v.AsOf).Later(item); first != "" {
			return o.With("first_published_at", content.String(first))
		}
		return nil
	case t == nil:
		return nil
	case v.AsOf != "":
		pages = s.entries[t.current.Publication]
	}
	i := t.At(v.InForce)
	if f.partial && t.Timeline[i].Entry != nil {
		return s.recordInForce(pages, id, v.InForce)
	}
	return append(t.around(i), t.stated(i)...)
}

// recordInForce is the validity of a record on a day; a record that the version does not have is
// not in force, without days.
func (s *Site) recordInForce(pages *preparedVersion, id, day string) (o content.Object) {
	r := s.config.recordsOf(pages)
	record := r.find(id)
	if record == nil {
		return o.With("not_in_force", content.Object{}.AppendJSON(nil))
	}
	own := &timeline{current: pages.entry}
	own.Timeline = content.NewTimeline([]*content.Entry{pages.entry}, func(*content.Entry) ([]content.Period, bool) {
		return []content.Period{content.Validity(record)}, true
	})
	return own.around(own.At(day))
}

// stretchWords describe a stretch for people: a line for the day, and one each for what was before
// and what comes next.
func (s *Site) stretchWords(k *content.Kind, o content.Object) (lines []string) {
	schema := s.newest(k)
	for _, part := range []struct{ name, title string }{
		{InForceParameter, "В силе"}, {"not_in_force", "Не в силе"}, {"previous", "До этого"}, {"next", "После этого"},
	} {
		raw := o.Get(part.name)
		if raw == nil {
			continue
		}
		own := readObject(raw)
		if part.name == InForceParameter {
			own = own.With("value", orEmptyText(o.Get("value"))).With("unit", orEmptyText(o.Get("unit")))
		}
		days := periodWords(content.Period{From: own.Text("from"), To: own.Text("to")})
		value := valueWords(schema, orEmptyText(own.Get("value")), orEmptyText(own.Get("unit")))
		if value == "" {
			lines = append(lines, strings.TrimSpace(part.title+" "+days))
			continue
		}
		lines = append(lines, part.title+": "+strings.TrimSuffix(value+", "+days, ", "))
	}
	if since := o.Text("first_published_at"); since != "" {
		lines = append(lines, "Впервые опубликовано "+page.DayOf(since))
	}
	return lines
}

func orEmptyText(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage(`""`)
	}
	return raw
}

// periodWords is a period for people, "" if it is all days.
func periodWords(p content.Period) (text string) {
	if p.From != "" && p.From == p.To {
		return page.DayOf(p.From)
	}
	if p.From != "" {
		text = "с\u00A0" + page.DayOf(p.From)
	}
	if p.To != "" {
		text += " по\u00A0" + page.DayOf(p.To)
	}
	return strings.TrimPrefix(text, " ")
}
