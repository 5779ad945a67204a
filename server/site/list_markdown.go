package site

import (
	"cmp"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/content/markdown"
	"rulestore/content/search"
)

// newList begins a list as Markdown.
func newList(title string, total int) *markdown.Plain {
	return markdown.NewPlain(title, []string{"всего " + strconv.Itoa(total)})
}

// listEntry lists a version, with its title, id, number and summary.
func (s *Site) listEntry(w *markdown.Plain, e *content.Entry) {
	w.Entry(cmp.Or(e.Body().Text("title"), e.ID()), s.URL(e.Path()), About(e), e.ID(), e.Version.String())
}

// versionsMarkdown lists some versions of an item.
func (c Config) versionsMarkdown(item *content.Item, some []*content.Entry) []byte {
	w := newList("Версии: "+c.titleOf(item), len(item.Entries))
	for _, e := range some {
		text := string(e.Status)
		if !e.PublishedAt.IsZero() {
			text += ", " + i18n.Day(e.PublishedAt)
		}
		if note := e.Note(); note != "" {
			text += " — " + note
		}
		w.Entry(e.Version.String(), c.url(e.Path()), text)
	}
	w.Text("Элемент: " + item.Entries[0].ID() + ".")
	return w.Bytes()
}

// titleOf is the title of an item by its newest version that may be read.
func (c Config) titleOf(item *content.Item) string {
	for _, e := range item.Entries {
		if isReadable(e) {
			return cmp.Or(e.Body().Text("title"), item.ID())
		}
	}
	return item.ID()
}

// searchMarkdown is the answer to a search.
func (s *Site) searchMarkdown(x index, q search.Query, found search.Result) []byte {
	w := newList("Поиск: "+cmp.Or(q.Text, "по отбору"), found.Total)
	switch note := Unfit(found); {
	case note != "":
		w.Text(note)
	case found.Total == 0:
		w.Text("По этому запросу ничего не найдено.")
	}
	for _, h := range found.Hits {
		d, f := h.Entry.Document(), x.found[h.Entry]
		var text strings.Builder
		for _, segment := range h.Snippet.Segments {
			text.WriteString(segment.Text)
		}
		w.Entry(d.Title, s.URL(f.path), text.String(), d.Kind, d.ID)
	}
	if next := q.Offset + len(found.Hits); len(found.Hits) > 0 && next < found.Total {
		w.Text("Показаны не все: дальше — offset=" + strconv.Itoa(next) + ".")
	}
	return w.Bytes()
}

// changelogMarkdown is a part of the changelog.
func (s *Site) changelogMarkdown(p ShownChangelog) []byte {
	w, changes := newList("Журнал изменений", p.Total), p.Changes()
	for _, c := range changes {
		text := strings.TrimSpace(strings.Join(append([]string{c.Text}, c.Points...), " "))
		if c.Path == "" {
			w.Item(i18n.Day(c.Date)+", "+c.Title, text, c.Version)
			continue
		}
		w.Entry(i18n.Day(c.Date)+", "+c.Title, s.URL(c.Path), text, c.Version)
	}
	if next := p.Offset + len(changes); len(changes) > 0 && next < p.Total {
		w.Text("Показаны не все: дальше — offset=" + strconv.Itoa(next) + ".")
	}
	return w.Bytes()
}

// upcomingMarkdown lists some of what is published ahead.
func (s *Site) upcomingMarkdown(from, to int) []byte {
	w := newList("Что будет опубликовано", len(s.Snapshot.Upcoming))
	for _, p := range s.Snapshot.Upcoming[from:to] {
		w.Item(i18n.DayOf(s.Snapshot.DayOf(p.PublishedAt)), cmp.Or(p.Body().Text("title"), p.ID()), p.Tag())
	}
	return w.Bytes()
}
