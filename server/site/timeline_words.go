package site

import (
	"cmp"
	"fmt"
	"strings"

	"rulestore/content/change"
	"rulestore/content/log"
	"rulestore/content/markdown"
	"rulestore/server/page"
)

// timelineMarkdown is the timeline as Markdown.
func (s *Site) timelineMarkdown(t *timelineAnswer) []byte {
	facts := []string{"`" + t.item.ID() + "`"}
	if t.Section != "" {
		facts = append(facts, "`"+t.Section+"`")
	}
	w := markdown.NewPlain("История: "+t.heading(), facts)
	text := strings.Trim(t.applied.version()+". "+t.applied.none, ". ")
	w.Text(t.applied.words(t.TimelineOf) + ": " + text + ".")
	if a := t.applied; a.section != nil {
		w.Value("Текст", a.section, "")
	}
	w.Heading("Как менялось")
	for _, e := range t.history.events(t.of) {
		w.Item(e.Version.String()+": "+e.description(s.logOf(e.Source)), line(e.Note()), e.Tag())
	}
	if t.history.left > 0 {
		w.Text(t.history.leftWords())
	}
	if len(t.within) == 0 {
		return w.Bytes()
	}
	w.Heading("Разделы")
	from := min(t.Offset, len(t.within))
	to := min(from+maxSections, len(t.within))
	for _, p := range t.within[from:to] {
		w.Item(cmp.Or(p.title, p.address), p.description(), p.address)
	}
	if to < len(t.within) {
		w.Text(fmt.Sprintf("Показаны не все разделы: дальше — offset=%d.", to))
	}
	return w.Bytes()
}

// heading is the title of the item or section.
func (t *timelineAnswer) heading() string {
	if t.Section == "" {
		return t.title
	}
	return cmp.Or(t.of.title, t.Section)
}

// leftWords say how many older versions were not compared.
func (p *itemHistory) leftWords() string {
	return "Более ранних версий, которые здесь не сравнивались: " + fmt.Sprint(p.left) + "."
}

// description is what a version changed, when, and the evidence for it.
func (e event) description(l *log.View) string {
	words := []string{e.word()}
	if e.class != change.None {
		words[0] += ", " + russian().Sprint(e.class)
	}
	if !e.PublishedAt.IsZero() {
		words = append(words, "опубликована "+page.Day(e.PublishedAt))
	}
	for _, s := range e.evidence(l) {
		words = append(words, strings.ToLower(s.Title)+" "+s.Value)
	}
	return strings.Join(words, ", ")
}

// evidence is since when a version is in force, who signed it, and its index in the log.
func (e event) evidence(l *log.View) (all []page.Statement) {
	if e.what == redacted {
		all = append(all, page.Statement{Title: "Причина", Value: cmp.Or(e.Reason, "не названа")})
	} else if from := e.Body().Text("valid_from"); from != "" {
		all = append(all, page.Statement{Title: "Действует с", Value: page.DayOf(from)})
	}
	if signer := e.SignedBy.Signer; signer != "" {
		all = append(all, page.Statement{Title: "Подписал", Value: signer})
	}
	return append(all, logStatement(l, e.Publication)...)
}

// description is the history of a section in words.
func (p *sectionHistory) description() string {
	added, last, removed := p.milestones()
	words := "с версии " + added.Version.String()
	if added.what == present {
		words = "с версии " + added.Version.String() + " или раньше"
	}
	if last != nil {
		words += ", изменён в " + last.Version.String()
	}
	if removed != nil {
		words += ", убран в " + removed.Version.String()
	}
	return words
}
