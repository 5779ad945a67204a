package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"strings"

	"rulestore/content"
	"rulestore/content/citation"
	"rulestore/content/document"
	"rulestore/server/api"
	"rulestore/server/page"
)

// maxSectionChoices is the maximum number of sections offered on the page of a citation.
const maxSectionChoices = 200

// Cite returns the citation of a published version or, if section is not "", of the section at
// that address, in every form; of one that cannot be read, what its address answers, which is
// nil if there is nothing. The error is an [UnknownSection] if there is no such section.
func (s *Site) Cite(e *content.Entry, section string) (*Resource, error) {
	if res, yes := s.unreadable(e); yes {
		return res, nil
	}
	c, err := s.citation(e, section)
	if err != nil {
		return nil, err
	}
	return jsonResource(func() Body {
		var o object
		o.value("citation", c)
		o.text("letter", c.Letter())
		o.text("footnote", c.Footnote())
		o.text("markdown", c.Markdown())
		o.fetchedAt()
		return o.end()
	}).withMarkdown(func() []byte { return []byte(c.Markdown() + "\n") }).
		with(s.frame, func() page.Page { return s.citePage(e, c) }), nil
}

func (s *Site) citation(e *content.Entry, section string) (citation.Citation, error) {
	c := citation.Citation{
		ID: e.Item(), Version: e.Version.String(), Checksum: e.Checksum, Title: citedTitle(e),
		Published: stamp(e.PublishedAt), Publisher: s.publisher(e.Source), Address: s.URL(e.Path()),
	}
	if index, ok := s.Logged(e.Publication); ok {
		c.Log = &index
	}
	if section == "" {
		return c, nil
	}
	chosen, err := choose(s.config.tree(e), []string{section})
	if err != nil {
		return c, err
	}
	c.Section, c.SectionTitle = section, line(cmp.Or(sectionTitle(chosen[0].Node), section))
	c.Address = s.URL(sectionPath(e, section))
	return c, nil
}

// publisher is the name in citations of what a repository publishes: with that of the
// repository if there are several, as each has its log.
func (s *Site) publisher(source string) string {
	name := line(s.Snapshot.Settings.Title)
	if source != "" {
		name += " · " + source
	}
	return name
}

// publishers are the names that a citation of a version may have, nil: of an unknown one.
func (s *Site) publishers(e *content.Entry) []string {
	if e != nil {
		return []string{s.publisher(e.Source)}
	}
	all := []string{s.publisher("")}
	for _, source := range s.Snapshot.Sources {
		all = append(all, s.publisher(source.Name))
	}
	return all
}

// citedTitle is the title of a version.
func citedTitle(e *content.Entry) string { return line(titleOf(e.Publication)) }

// sectionPath is the address of a section of a version.
func sectionPath(e *content.Entry, section string) string {
	return e.Path() + "?section=" + page.SectionQuery(section)
}

// citePath is the address of the citation of a version or of a section.
func citePath(e *content.Entry, section string) string {
	path := api.CitePath + e.Item() + "?version=" + url.QueryEscape(e.Version.String())
	if section == "" {
		return path
	}
	return path + "&section=" + page.SectionQuery(section)
}

// citationLinks returns the addresses of the citations of a version's sections as written by
// the author. nil for a draft.
func citationLinks(frame *page.Frame, e *content.Entry) func(section string) string {
	if e.Draft {
		return nil
	}
	return func(section string) string {
		if field, _, _ := strings.Cut(section, "/"); e.Body().Get(field) == nil {
			return ""
		}
		return frame.Root + citePath(e, section)
	}
}

// historyLinks returns the addresses of the histories of an item's sections.
func historyLinks(frame *page.Frame, e *content.Entry) func(section string) string {
	return func(section string) string { return frame.Root + timelinePath(e.Item(), section) }
}

func (s *Site) citePage(e *content.Entry, c citation.Citation) page.Cite {
	frame, path := s.frame, api.CitePath+e.Item()
	query := parameters(map[string]string{"version": c.Version, "section": c.Section})
	p := page.Cite{
		Head: page.Head{
			Title: "Цитата: " + strings.TrimSuffix(c.Title+", "+c.SectionTitle, ", "), Path: frame.Root + path,
			Formats: formats(frame, path, query, api.JSONType, api.MarkdownType),
			Crumbs:  kindCrumbs(frame, e.Kind, page.Link{Title: c.Title, Href: frame.Root + e.Path()}),
		},
		ID: e.ID(), Version: c.Version, Status: s.config.status(e), Action: frame.Root + path,
		Check: frame.Root + api.CitationsPath,
		Forms: []page.Citable{
			{ID: "letter", Title: "Для письма", Text: c.Letter()},
			{ID: "footnote", Title: "Для сноски", Text: c.Footnote()},
			{ID: "json", Title: "JSON", Text: indented(c)}, {ID: "markdown", Title: "Markdown", Text: c.Markdown()},
		},
	}
	p.Sections = append(p.Sections, page.Choice{Title: "весь документ", Chosen: c.Section == ""})
	there := c.Section == ""
	for section := range s.config.tree(e).Sections() {
		if len(p.Sections) == maxSectionChoices {
			break
		}
		chosen := section.Address == c.Section
		there = there || chosen
		p.Sections = append(
			p.Sections, page.Choice{Value: section.Address, Title: choiceTitle(section), Chosen: chosen},
		)
	}
	if !there {
		p.Sections = append(p.Sections, page.Choice{Value: c.Section, Title: c.SectionTitle, Chosen: true})
	}
	distinguish(p.Sections)
	return p
}

// distinguish adds the code of its section to each choice that has the title of another one, as
// limits and guardrails have no titles of their own.
func distinguish(all []page.Choice) {
	count := map[string]int{}
	for _, choice := range all {
		count[choice.Title]++
	}
	for i, choice := range all {
		if code := choice.Value[strings.LastIndexByte(choice.Value, '/')+1:]; count[choice.Title] > 1 && code != "" {
			all[i].Title += " · " + code
		}
	}
}

// choiceTitle is the title of a section in a list of choices, indented by depth.
func choiceTitle(s document.Section) string {
	title := line(cmp.Or(historyTitle(s), s.Address))
	if r := []rune(title); len(r) > 80 {
		title = string(r[:79]) + "…"
	}
	return strings.Repeat("\u00A0\u00A0", s.Level-1) + title
}

// indented is a citation as indented JSON.
func indented(c citation.Citation) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	must(0, enc.Encode(c))
	return strings.TrimSpace(out.String())
}
