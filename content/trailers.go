package content

import (
	"regexp"
	"strings"
)

// Trailers are the "Key: value" lines of the last paragraph of a message, as
// git interpret-trailers reads them.
type Trailers []Trailer

// Trailer is one of them.
type Trailer struct{ Key, Value string }

// Get returns the value of the first trailer of that name, in any case.
func (t Trailers) Get(key string) string {
	for _, tr := range t {
		if strings.EqualFold(tr.Key, key) {
			return tr.Value
		}
	}
	return ""
}

// Message is the parsed message of a commit or tag.
type Message struct {
	Subject  string
	Body     string // the text after the subject, without trailers
	Trailers Trailers
}

var (
	trailerLine  = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9-]*):[ \t]+(.*)$`)
	signature    = regexp.MustCompile(`(?m)^-----BEGIN (PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----$`)
	endsInSpaces = regexp.MustCompile(`[ \t\r]+\n`)
	folds        = regexp.MustCompile(`\n[ \t]+`)
)

// ParseMessage parses a message. A signature at its end is removed.
func ParseMessage(s string) Message {
	s = endsInSpaces.ReplaceAllString(s, "\n")
	if loc := signature.FindStringIndex(s); loc != nil {
		s = s[:loc[0]]
	}
	s = strings.TrimSpace(s)
	paragraphs := strings.Split(s, "\n\n")
	var m Message
	if last := len(paragraphs) - 1; last > 0 {
		if t, ok := parseTrailers(paragraphs[last]); ok {
			m.Trailers = t
			paragraphs = paragraphs[:last]
		}
	}
	m.Subject = strings.Join(strings.Fields(paragraphs[0]), " ")
	m.Body = strings.TrimSpace(strings.Join(paragraphs[1:], "\n\n"))
	return m
}

// parseTrailers parses a paragraph that has only trailers.
func parseTrailers(paragraph string) (Trailers, bool) {
	var t Trailers
	for line := range strings.SplitSeq(unfold(strings.Trim(paragraph, "\n")), "\n") {
		m := trailerLine.FindStringSubmatch(line)
		if m == nil {
			return nil, false
		}
		t = append(t, Trailer{m[1], strings.TrimSpace(m[2])})
	}
	return t, len(t) > 0
}

// unfold joins continuation lines, which start with a space, to their lines.
func unfold(s string) string { return folds.ReplaceAllString(s, " ") }

// Text returns the message without its trailers: subject and body.
func (m Message) Text() string {
	if m.Body == "" {
		return m.Subject
	}
	return m.Subject + "\n\n" + m.Body
}

// Bullets returns the "- " items of the body, each on one line.
func (m Message) Bullets() []string {
	var items []string
	for line := range strings.SplitSeq(unfold(m.Body), "\n") {
		if text, ok := strings.CutPrefix(line, "- "); ok {
			items = append(items, strings.TrimSpace(text))
		}
	}
	return items
}
