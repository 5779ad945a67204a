// Package citation writes citations of publications in the forms that people and
// programs use, and parses them back.
//
// # Writing and reading
//
// A [Citation] identifies a version, or a section of one, by immutable properties: the id, the
// version, the checksum, the index in the log, the address. [Citation.Letter] and
// [Citation.Footnote] are texts for people, [Citation.Markdown] is for programs that
// write for people, and the JSON of a Citation is the input of the check of citations.
//
// [Find] reads any of these forms, also several in one text, in their order. It does not parse a
// grammar, since mail programs and editors preserve none: lines are wrapped and
// quoted, spaces become non-breaking, hyphens become dashes, quotation marks are replaced, the end
// is cut off. It looks for values with a distinctive form (addresses, checksums, ids, versions)
// or after a label; a second value of the same type begins the next citation. What a
// text does not contain stays empty; an incomplete checksum is reported as such.
package citation

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Citation is a citation of a version of an item, or of a section of it.
type Citation struct {
	ID       string `json:"id"` // of the item, or folder and name
	Version  string `json:"version"`
	Checksum string `json:"content_checksum"`
	At       string `json:"at,omitempty"` // the day of the citation, 2026-05-01

	Title        string `json:"title,omitempty"`
	Section      string `json:"section,omitempty"` // its address in the item
	SectionTitle string `json:"section_title,omitempty"`
	Published    string `json:"published_at,omitempty"` // RFC 3339
	Log          *int64 `json:"log_index,omitempty"`
	Publisher    string `json:"publisher,omitempty"` // the name of the service
	Address      string `json:"canonical_url,omitempty"`
}

// Day returns the day of the publication in the form 12.05.2026; "" if it is not known.
func (c Citation) Day() string {
	t, err := time.Parse(time.RFC3339, c.Published)
	if err != nil {
		return ""
	}
	return t.Format("02.01.2006")
}

// cited is the title of the item, with that of the section.
func (c Citation) cited(section string) string {
	if c.SectionTitle == "" {
		return c.Title
	}
	return c.Title + section + "раздел «" + c.SectionTitle + "»"
}

// numbered is the version with its day.
func (c Citation) numbered() string {
	if day := c.Day(); day != "" {
		return "версия " + c.Version + " от " + day
	}
	return "версия " + c.Version
}

// Letter returns the citation as lines of a letter.
func (c Citation) Letter() string {
	lines := []string{c.cited(", "), "Документ: " + c.ID + ", " + c.numbered()}
	for _, l := range []struct{ label, value string }{
		{"Адрес раздела", c.Section}, {"Издатель", c.Publisher}, {"Номер в журнале прозрачности", c.log()},
		{"Контрольная сумма", c.Checksum}, {"Адрес", c.Address},
	} {
		if l.value != "" {
			lines = append(lines, l.label+": "+l.value)
		}
	}
	return strings.Join(lines, "\n")
}

// Footnote returns the citation as one line.
func (c Citation) Footnote() string {
	where := c.ID
	if c.Section != "" {
		where += ", адрес раздела: " + c.Section
	}
	parts := []string{c.cited(": ")}
	if c.Publisher != "" {
		parts[0] += " // " + c.Publisher
	}
	numbered := c.numbered()
	parts = append(parts, "В"+strings.TrimPrefix(numbered, "в")+" ("+where+")")
	if c.Log != nil {
		parts = append(parts, "Номер в журнале прозрачности: "+c.log())
	}
	return strings.Join(append(parts, "Контрольная сумма: "+c.Checksum, "URL: "+c.Address), ". ")
}

// Markdown returns the citation as a line of Markdown.
func (c Citation) Markdown() string {
	text := "[" + escaped(c.cited(", ")) + "](" + c.Address + "), " + c.numbered() + ", `" + c.ID + "`"
	if c.Section != "" {
		text += ", адрес раздела: " + code(c.Section)
	}
	if c.Log != nil {
		text += ", номер в журнале прозрачности: " + c.log()
	}
	return text + ", `" + c.Checksum + "`"
}

func (c Citation) log() string {
	if c.Log == nil {
		return ""
	}
	return strconv.FormatInt(*c.Log, 10)
}

// escaped is a text that Markdown takes for nothing but a text.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(s), " ") {
		if strings.ContainsRune("\\`*_[]<>#|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code marks a text as code, between more backticks than it contains.
func code(s string) string {
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if fence == "`" {
		return fence + s + fence
	}
	return fmt.Sprintf("%s %s %s", fence, s, fence)
}
