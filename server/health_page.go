package server

import (
	"fmt"
	"strconv"
	"time"

	"rulestore/content/check"
	"rulestore/server/page"
	"rulestore/server/site"
)

var healthTitles = map[string]string{
	"ok": "всё в порядке", "degraded": "работает, но есть ошибки", "unavailable": "не принимает запросы",
}

var unavailableTitles = map[string]string{
	"draining": "Процесс останавливается.", "stale": "Содержание давно не сверялось с репозиторием.",
}

var remoteTitles = map[RemoteState]string{
	RemoteFollowed: "совпадает с ним", RemoteAway: "до него не достучаться",
	RemoteDamaged: "повреждена и будет сделана заново",
	RemoteUnfit:   "новое состояние нельзя отдать, отдаётся прежнее",
	RemoteHeld:    "новое состояние придержано до решения администратора, отдаётся прежнее",
	RemotePinned:  "закреплена администратором",
	RemoteWaiting: "новое состояние ждёт своего срока, отдаётся прежнее",
}

// page is the health document as a page for who runs the service.
func (d health) page(s *site.Site) page.Health {
	root := s.Frame().Root
	p := page.Health{
		Head: page.Head{
			Title: "Состояние сервиса", Path: root + "/api/v1/health", Crumbs: []page.Link{{Title: "Главная", Href: root + "/"}},
			Formats: []page.Format{{Title: "JSON", Type: "application/json", Href: root + "/api/v1/health?" + site.FormatParameter + "=json"}},
		},
		Status: page.Status{Code: d.Status, Title: healthTitles[d.Status]}, Reason: unavailableTitles[d.Reason],
		LoadFailed: d.LastError != nil, FetchFailed: d.Remote != nil && d.Remote.LastError != nil,
		Facts: d.facts(), Total: d.FindingsTotal, Findings: pageFindings(d.Findings),
	}
	p.Rejected = []page.Rejected{
		rejectedPage("refused", "Отклонено", "Эти публикации не отдаются: их нельзя прочесть или они не подходят под формат. Прежние версии остались на месте.", d.Counts.Refused, d.Refused),
		rejectedPage("held", "Ожидает", "Эти публикации ссылаются на то, чего ещё нет, и ждут его.", d.Counts.Held, d.Held),
	}
	return p
}

func (d health) facts() []page.Statement {
	all := []page.Statement{
		{Title: "Снимок", Value: d.Snapshot, Code: true},
		{Title: "Коммит", Value: d.Commit, Code: true},
		{Title: "Ветка", Value: d.Branch, Code: true},
		{Title: "На дату", Value: d.Date},
		{Title: "Загружено", Value: d.LoadedAt + ", " + ago(d.AgeSeconds)},
		{Title: "Сверено с репозиторием", Value: d.CheckedAt},
		{Title: "Как замечаются изменения", Value: d.WatchMode, Code: true},
		{Title: "Публикаций", Value: strconv.Itoa(d.Counts.Publications)},
	}
	if d.Remote != nil {
		all = append(all, page.Statement{Title: "Копия репозитория", Value: remoteTitles[d.Remote.State]})
	}
	for _, v := range d.Vouched {
		all = append(all, page.Statement{Title: v.File, Value: "из коммита " + v.Commit + ", подписал " + v.SignedBy.Signer})
	}
	if d.Starter {
		all = append(all, page.Statement{Title: "Содержание", Value: "встроенное, для знакомства: репозиторий не задан"})
	}
	if d.Pinned != "" {
		all = append(all, page.Statement{Title: "Закреплено", Value: d.Pinned, Code: true})
	}
	all = append(all, d.Rollout.facts()...)
	all = append(all, d.HeldBack.facts()...)
	if d.Drafts {
		all = append(all, page.Statement{Title: "Черновики", Value: "показываются"})
	}
	return all
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

func rejectedPage(id, title, about string, count int, all []rejected) page.Rejected {
	p := page.Rejected{ID: id, Title: title, About: about, Count: count}
	for _, r := range all {
		p.Tags = append(p.Tags, page.RejectedTag{Tag: r.Tag, Causes: pageFindings(r.Causes)})
	}
	return p
}

// pageFindings are findings as a page shows them.
func pageFindings(findings []told) (all []page.Finding) {
	for _, f := range findings {
		place := f.Path
		if f.Path != "" && f.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d", f.Path, f.Line, f.Column)
		}
		if f.Tag != "" {
			place = f.Tag + " " + place
		}
		message, hint := check.Russian(f.Finding)
		all = append(all, page.Finding{Severity: string(f.Severity), Message: message + " [" + f.Rule + "]", Place: place, Hint: hint})
	}
	return all
}
