package site

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/markdown"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/page"
)

// verdicts are the texts of results.
var verdicts = map[string]page.Status{
	citationMatches:    {Code: "ok", Title: "совпадает"},
	citationDiffers:    {Code: "error", Title: "совпадает не всё"},
	citationOther:      {Code: "error", Title: "не совпадает"},
	citationUnknown:    {Code: "held", Title: "сказать нельзя"},
	citationUnverified: {Code: "held", Title: "сказать нельзя"},
	citationRedacted:   {Code: "redacted", Title: "совпадает, но изъята"},
}

// differing has the names of the fields of a citation that can be wrong.
var differing = map[string]string{
	"log_index": "номер в журнале", "published_at": "дата публикации", "canonical_url": "адрес", "title": "название",
	"section_title": "название раздела", "publisher": "издатель",
}

// sectionsNow are the texts for the result of a section.
var sectionsNow = map[string]string{
	sectionMissing: "такого раздела в этой версии нет", sectionSame: "в действующей версии он тот же",
	sectionChanged: "в действующей версии он изменён", sectionGone: "в действующей версии его нет",
}

// sentences describes the result for a citation, in sentences.
func (c checked) sentences(s *Site) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	add("%s", c.explanation())
	if c.other != nil {
		add("Сумма из цитаты принадлежит другой публикации: %s.", c.other.Tag())
	}
	for _, field := range c.differs {
		add("В цитате не сходится %s.", differing[field])
	}
	if slices.Contains(c.differs, "publisher") {
		add("Издатель здесь — «%s».", s.publishers(c.entry)[0])
	}
	if host := c.foreignHost(s); host != "" {
		add("Адрес в цитате ведёт на другой сервер, %s; здесь сверено только содержание.", host)
	}
	if c.entry == nil {
		return lines
	}
	if c.section != "" {
		add("Раздел %s: %s.", c.Section, sectionsNow[c.section])
	}
	return append(append(lines, c.onRequestedDay(s)...), c.currentStatus(s)...)
}

// foreignHost is the host of the cited address, if it is not that of this site.
func (c checked) foreignHost(s *Site) string {
	cited, err := url.Parse(c.Address)
	own, wrong := url.Parse(s.URL(""))
	if err != nil || wrong != nil || strings.EqualFold(cited.Host, own.Host) {
		return ""
	}
	return cited.Host
}

// explanation is the reason for the result.
func (c checked) explanation() string {
	switch c.result {
	case citationMatches:
		return "Под этим номером опубликовано именно это содержание."
	case citationDiffers:
		return "Контрольная сумма — этой версии, но не всё остальное в цитате с ней сходится."
	case citationOther:
		if c.other == nil {
			return "У этой версии другая контрольная сумма, а такой, как в цитате, этот сервер не знает: цитату " +
				"изменили, или она из другого хранилища."
		}
		return "У этой версии другая контрольная сумма."
	case citationRedacted:
		return "Сумма та же, но версию изъяли, и содержания сервис не отдаёт."
	case citationUnverified:
		return c.missingEvidence()
	}
	switch {
	case c.item == nil && c.ID == "":
		return "Такой контрольной суммы этот сервер не знает. Это не значит, что под ней ничего не публиковали."
	case c.item == nil:
		return "Этот сервер не знает такого документа. Это не значит, что его не было: цитата может быть из другого " +
			"хранилища."
	case c.Version == "":
		return "Документ известен, но такой суммы ни у одной его версии здесь нет. Известны версии: " +
			versionsKnown(c.item) + "."
	}
	return "Документ известен, а версии " + c.Version +
		" этот сервер не знает. Это не значит, что её не было: сервер может отставать. Известны: " +
		versionsKnown(c.item) + "."
}

// missingEvidence describes what the citation lacks.
func (c checked) missingEvidence() string {
	switch c.reason {
	case brokenChecksum:
		text := fmt.Sprintf("Контрольная сумма в цитате не целая: %d знаков вместо 64.", len(c.Broken))
		if c.entry != nil && len(c.Broken) < 64 && strings.HasPrefix(c.entry.Checksum, "sha256:"+c.Broken) {
			text += " То, что от неё есть, сходится, но этого мало."
		}
		return text
	case noItem:
		return "В цитате не назван документ."
	case noVersion:
		return "В цитате не названа версия. Известны: " + versionsKnown(c.item) + "."
	}
	return "В цитате нет контрольной суммы: версия есть, а то ли в ней содержание, проверить нельзя."
}

// onRequestedDay describes the version on the requested day.
func (c checked) onRequestedDay(s *Site) (lines []string) {
	if c.At == "" {
		return nil
	}
	at, e := page.DayOf(c.At), c.entry
	when, acts := "В конце дня "+at, "действовала"
	if c.At == s.Snapshot.Date {
		when, acts = "Сегодня, "+at+",", "действует"
	}
	day, ok := c.onDay(s)
	switch {
	case !ok:
		return []string{"День " + at + " ещё не настал: какая версия будет действовать, сказать нельзя."}
	case day.current == e:
		lines = append(lines, when+" "+acts+" эта версия.")
	case day.current == nil:
		lines = append(lines, when+" эта версия не "+acts+": действующей не было.")
	default:
		lines = append(lines, when+" эта версия не "+acts+": "+acts+" "+day.current.Version.String()+".")
	}
	if day.began && day.current != e {
		lines = append(lines, "В начале этого дня действовала ещё эта.")
	}
	switch {
	case day.applied == day.current:
	case day.applied == nil:
		lines = append(lines, "По датам действия в этот день не применялась ни одна версия.")
	default:
		lines = append(lines, "По датам действия в этот день применялась версия "+day.applied.Version.String()+".")
	}
	return lines
}

// currentStatus describes the current status of the version.
func (c checked) currentStatus(s *Site) (lines []string) {
	e := c.entry
	reason := func(text string) string { return strings.TrimSpace(text + " " + e.Reason) }
	switch {
	case e.Status == content.Redacted:
		lines = append(lines, reason("Версия изъята."))
	case e.Status == content.Archived:
		lines = append(lines, reason("Документ в архиве, новых версий не будет."))
	case e.Status == content.ReviewRequired:
		lines = append(lines, reason("Версия действует и ждёт проверки человеком."))
	case c.item.Current == e:
		lines = append(lines, "Это действующая версия.")
	}
	now := c.newer()
	switch {
	case now == nil:
	case !c.compared:
		lines = append(lines, "Действует новее: "+now.Version.String()+". Сравнить их нельзя.")
	default:
		lines = append(lines, "Действует новее: "+now.Version.String()+". Изменение: "+changeClass(c.change).Title+".")
	}
	return lines
}

// checkedPage is the result for a citation on a page.
func (s *Site) checkedPage(c checked) page.Checked {
	p := page.Checked{Verdict: verdicts[c.result], Title: cmp.Or(c.ID, "sha256:"+c.Broken), Lines: c.sentences(s)}
	if c.Checksum != "" && c.ID == "" {
		p.Title = c.Checksum
	}
	e := c.entry
	if e == nil {
		return p
	}
	p.Title, p.Version, p.Status = e.ID(), e.Version.String(), s.config.status(e)
	p.Facts = []page.Statement{{Title: "Контрольная сумма", Value: e.Checksum, Code: true}}
	p.Facts = append(p.Facts, logStatement(s.logOf(e.Source), e.Publication)...)
	p.Facts = append(p.Facts, page.Statement{Title: "Опубликована", Value: page.Day(e.PublishedAt)})
	root := s.frame.Root
	if !isReadable(e) {
		return p
	}
	p.Title = titleOf(e.Publication)
	if c.sectionTitle != "" {
		p.Title += ": " + c.sectionTitle
	}
	href := root + e.Path()
	if c.Section != "" && c.section != sectionMissing {
		href = root + sectionPath(e, c.Section)
	}
	p.Links = []page.Link{{Title: "Открыть эту версию", Href: href}}
	if now := c.newer(); now != nil {
		p.Links = append(p.Links, page.Link{Title: "Открыть действующую", Href: root + e.Kind.ItemPath(e.Name)})
		if c.compared && c.change != change.None {
			p.Links = append(
				p.Links, page.Link{Title: "Сравнить с действующей", Href: comparison(s.frame, c.item, e, now)},
			)
		}
	}
	return p
}

// checkedMarkdown is the results for citations as Markdown.
func (s *Site) checkedMarkdown(all []checked, sent Citations) []byte {
	w := markdown.NewPlain("Проверка цитат", []string{s.Snapshot.Date})
	for _, c := range all {
		w.Heading(strings.TrimSpace(cmp.Or(c.ID, c.Checksum, "Цитата") + " " + c.Version))
		w.Item(verdicts[c.result].Title, strings.Join(c.sentences(s), " "), c.result)
	}
	for _, r := range sent.Calculations {
		result, _ := Replay(s.config.Math, s.Snapshot, r)
		w.Heading(r.ToolID + " " + r.ToolVersion)
		w.Item("", "", result)
	}
	if sent.Left > 0 {
		w.Text(fmt.Sprintf("Не проверено: ещё %d. Разделите текст.", sent.Left))
	}
	return w.Bytes()
}

// citationsPage is the form for checking citations.
func (s *Site) citationsPage() page.Citations {
	return page.Citations{
		Head: page.Head{
			Title: "Проверка цитаты", Path: s.frame.Root + api.CitationsPath, Crumbs: crumbs(s.frame),
			Description: "Та ли это версия, действовала ли она в нужный день и что вышло после неё.",
		},
		Action: s.frame.Root + api.CitationsPath, Most: MaxCitedText,
	}
}

// CitationsForm returns the empty page for checking citations.
func (s *Site) CitationsForm() *Resource {
	return PageOnly(s.frame, func() page.Page { return s.citationsPage() })
}

// CitationsChecked returns the page that answers a form; not ok if an input is invalid.
func (s *Site) CitationsChecked(form url.Values) (p page.Citations, ok bool) {
	p = s.citationsPage()
	p.Text, p.At = strings.TrimSpace(form.Get("text")), strings.TrimSpace(form.Get("at"))
	all, faults := s.readCitations(sentCitations{Text: p.Text, At: dateTyped(p.At)})
	for _, f := range faults {
		p.Faults = append(p.Faults, faultOf(f, p.At))
	}
	if len(faults) > 0 {
		if utf8.RuneCountInString(p.Text) > MaxCitedText {
			p.Text = "" // keeps the page small
		}
		return p, false
	}
	p.Asked, p.Left = true, all.Left
	for _, c := range s.check(all.Versions) {
		p.Checked = append(p.Checked, s.checkedPage(c))
	}
	return p, true
}

// faultOf links the field of the form that is wrong. at is the day that was typed.
func faultOf(f calc.Fault, at string) page.Fault {
	if f.Pointer == "/at" {
		return page.Fault{Name: "c-at", Detail: wrongDay(at)}
	}
	if f.Code == "out_of_range" { // there is one text, so there are too few
		return page.Fault{Name: "c-text", Detail: "Вставьте цитату."}
	}
	return page.Fault{Name: "c-text", Detail: f.Detail, Hint: f.Hint}
}
