package server

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/i18n"
	"rulestore/server/api"
	"rulestore/server/html"
	"rulestore/server/site"
)

var healthTitles = map[string]string{
	"ok": "всё в порядке", "degraded": "работает, но есть ошибки", "unavailable": "не принимает запросы",
}

var unavailableTitles = map[string]string{
	"draining": "Процесс останавливается.", "stale": "Содержание давно не сверялось с репозиторием.",
}

var remoteTitles = map[RemoteState]string{
	RemoteFollowing:  "следует за ним",
	RemoteUnreadable: "не читается и будет сделана заново",
	RemoteHeld:       "новое состояние придержано до решения администратора, отдаётся прежнее",
}

// page is the health document as a page for who runs the service, with all that the document
// says. What is said of a publication that is not served stands with it, and nowhere else.
// Other pages are below root.
func (d health) page(s *site.Site, r content.Report, root string) html.Health {
	p := html.Health{
		Head: html.Head{
			Title: "Состояние сервиса", Path: root + api.HealthPath,
			Crumbs: []html.Link{{Title: "Главная", Href: root + "/"}},
			Formats: []html.Format{{
				Title: "JSON", Type: api.JSONType,
				Href: root + "/api/v1/health?" + site.FormatParameter + "=json",
			}},
		},
		Status: html.Status{Code: d.Status, Title: healthTitles[d.Status]}, Reason: unavailableTitles[d.Reason],
		LoadFailed: d.LastError != nil, FetchFailed: d.Remote != nil && d.Remote.LastError != nil,
		Numbers: d.numbers(s, root), Facts: d.facts(), Kinds: d.kinds(s),
	}
	if d.operators && p.LoadFailed {
		p.LoadError = *d.LastError
	}
	if d.operators && p.FetchFailed {
		p.FetchError = *d.Remote.LastError
	}
	refused := rejectedPage(s, root, d.Refused)
	refused.ID, refused.Title, refused.Count = "refused", "Отклонено", d.Counts.Refused
	refused.About = "Эти публикации не отдаются: их нельзя прочесть или они не подходят под формат. Прежние версии " +
		"остались на месте."
	held := rejectedPage(s, root, withoutUpcoming(d.Held, s.Snapshot.Upcoming))
	held.ID, held.Title, held.Count = "held", "Ждут", d.Counts.Held-len(s.Snapshot.Upcoming)
	held.About = "Эти публикации ссылаются на то, чего ещё нет, и появятся вместе с ним."
	p.Rejected = []html.Rejected{refused, held}
	isRejected := func(tag string) bool {
		_, refused := slices.BinarySearch(r.Refused, tag)
		_, held := slices.BinarySearch(r.Held, tag)
		return refused || held
	}
	for _, f := range r.Findings {
		if isRejected(f.Tag) {
			continue
		}
		if p.Total++; len(p.Findings) < maxShown {
			p.Findings = append(p.Findings, pageFinding(d.report(f), true))
		}
	}
	return p
}

// withoutUpcoming leaves out what waits for its day alone.
func withoutUpcoming(held []rejected, upcoming []*content.Publication) (all []rejected) {
	ahead := map[string]bool{}
	for _, p := range upcoming {
		ahead[p.Tag()] = true
	}
	for _, r := range held {
		if !ahead[r.Tag] {
			all = append(all, r)
		}
	}
	return all
}

// numbers are what is counted, each leading to where it is listed.
func (d health) numbers(s *site.Site, root string) []html.Tally {
	items, upcoming := 0, len(s.Snapshot.Upcoming)
	for _, n := range d.Counts.Items {
		items += n
	}
	return []html.Tally{
		{
			Title: i18n.Plural(d.Counts.Publications, "публикация", "публикации", "публикаций"),
			Value: d.Counts.Publications, Href: "#kinds",
		},
		{Title: i18n.Plural(items, "элемент", "элемента", "элементов"), Value: items, Href: "#kinds"},
		{Title: "отклонено", Value: d.Counts.Refused, Href: "#refused", Bad: true},
		{Title: "ждут", Value: d.Counts.Held - upcoming, Href: "#held", Bad: true},
		{Title: "предстоит", Value: upcoming, Href: root + api.UpcomingPath},
		{
			Title: i18n.Plural(d.Counts.Errors, "ошибка", "ошибки", "ошибок"), Value: d.Counts.Errors,
			Href: "#findings", Bad: true,
		},
		{
			Title: i18n.Plural(d.Counts.Warnings, "предупреждение", "предупреждения", "предупреждений"),
			Value: d.Counts.Warnings, Href: "#findings",
		},
	}
}

// kinds says how many items there are of each kind, and how many of these no list has.
func (d health) kinds(s *site.Site) (all []html.Statement) {
	unlisted := map[*content.Kind]int{}
	for _, item := range s.Snapshot.Items {
		if item.Current == nil || item.Current.Status == content.Archived {
			unlisted[item.Kind]++
		}
	}
	for _, k := range content.Kinds {
		n := d.Counts.Items[k.Folder]
		if n == 0 {
			continue
		}
		words := strconv.Itoa(n)
		if unlisted[k] > 0 {
			words += ", из них нет в списке: " + strconv.Itoa(unlisted[k])
		}
		all = append(all, html.Statement{Title: k.Title, Value: words})
	}
	return all
}

func (d health) facts() []html.Statement {
	said := func(is bool, what string) string { return map[bool]string{true: what}[is] }
	copied := cmp.Or(d.Remote, &remote{})
	all := []html.Statement{
		{Title: "Снимок", Value: d.Snapshot, Code: true},
		{Title: "Коммит", Value: d.Commit, Code: true},
		{Title: "Ветка", Value: d.Branch, Code: true},
		{Title: "На дату", Value: displayTime(content.Date, d.Date)},
		{Title: "Загружено", Value: displayTime(site.TimeFormat, d.LoadedAt) + ", " + ago(d.AgeSeconds)},
		{Title: "Сверено с репозиторием", Value: displayTime(site.TimeFormat, d.CheckedAt)},
		{Title: "Как замечаются изменения", Value: watchModeTitle(d.WatchMode)},
		{Title: "Копия репозитория", Value: remoteTitles[copied.State]},
	}
	for _, v := range d.Vouched {
		all = append(
			all, html.Statement{Title: v.File, Value: "из коммита " + v.Commit + ", подписал " + v.SignedBy.Signer},
		)
	}
	all = append(all, []html.Statement{
		{Title: "Репозиторий", Value: d.Repository, Code: true},
		{Title: "Где лежит копия", Value: copied.Mirror, Code: true},
		{Title: "Содержание", Value: said(d.Starter, "встроенное, для знакомства: репозиторий не задан")},
		{Title: "Закреплено", Value: d.Pinned, Code: true},
		{Title: "Придержано", Value: d.HeldBack.words()},
		{Title: "Черновики", Value: said(d.Drafts, "показываются")},
	}...)
	return html.Stated(all...)
}

// ago says how long something has been, roughly.
func ago(seconds int) string {
	switch d := time.Duration(seconds) * time.Second; {
	case d < time.Minute:
		return "меньше минуты назад"
	case d < time.Hour:
		return fmt.Sprintf("%d мин назад", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d ч назад", int(d.Hours()))
	default:
		return fmt.Sprintf("%d дн. назад", int(d.Hours()/24))
	}
}

// displayTime writes a time or a day as people do.
func displayTime(layout, text string) string {
	t, err := time.Parse(layout, text)
	switch {
	case err != nil:
		return text
	case layout == content.Date:
		return i18n.Day(t)
	}
	return i18n.Day(t) + t.Format(", 15:04:05 UTC")
}

// watchTitles say how changes are noticed, in Russian.
var watchTitles = map[string]string{
	"none": "никак, содержание не меняется", "watch": "по событиям в папке", "poll": "проверкой через равное время",
	"fetch": "обращением к репозиторию через равное время", "webhook": "по вызову от него",
}

// watchModeTitle says how changes are noticed: in several ways, which a plus joins.
func watchModeTitle(mode string) string {
	ways := strings.Split(mode, "+")
	for i, way := range ways {
		ways[i] = cmp.Or(watchTitles[way], way)
	}
	return strings.Join(ways, " и ")
}

// maxShown is the maximum number of elements in each list of the page.
const maxShown = 50

// rejectedPage are publications that are not served, as many as there is room for.
func rejectedPage(s *site.Site, root string, all []rejected) (shown html.Rejected) {
	for _, r := range all[:min(len(all), maxShown)] {
		p := html.RejectedTag{Tag: r.Tag, Commit: r.Commit, Author: r.Author}
		if r.CommittedAt != nil {
			p.Since = *r.CommittedAt
		}
		if t, err := content.ParseTag(r.Tag); err == nil && t.Kind != nil && s.Snapshot.Item(t.Kind, t.Name) != nil {
			p.Href = root + t.Kind.ItemPath(t.Name)
		}
		for _, f := range slices.SortedStableFunc(slices.Values(r.Causes), compareSeverity) {
			p.Causes = append(p.Causes, pageFinding(f, false))
		}
		shown.Tags = append(shown.Tags, p)
	}
	return shown
}

// compareSeverity puts errors before what keeps nothing from being served.
func compareSeverity(a, b reportedFinding) int {
	rank := []content.Severity{content.Error, content.Warning, content.Note}
	return slices.Index(rank, a.Severity) - slices.Index(rank, b.Severity)
}

// pageFinding is a finding as a page shows it, with its tag where that does not stand above it.
func pageFinding(f reportedFinding, tagged bool) html.Finding {
	place := f.Path
	if f.Path != "" && f.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", f.Path, f.Line, f.Column)
	}
	if tagged && f.Tag != "" {
		place = f.Tag + " " + place
	}
	message, hint := check.Russian(f.Finding)
	if f.Detail != "" {
		message += ": " + f.Detail
	}
	p := html.Finding{Severity: string(f.Severity), Message: message + " [" + f.Rule + "]", Place: place, Hint: hint}
	if e := f.Finding.Excerpt; f.Excerpt != "" {
		p.Excerpt = &html.Excerpt{Line: f.Line, Text: e.Text, Caret: e.Caret}
	}
	return p
}
