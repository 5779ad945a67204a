package citation

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"rulestore/content"
)

// Found is one citation found in a text.
type Found struct {
	Citation
	// Broken is the text in place of the checksum, if that is incomplete; then the citation has
	// none.
	Broken string
	// Heading is the text up to the end of the title, in forms that begin with a title; "" if
	// there is none.
	Heading string
}

// Headed reports whether the text at the place of the title is that of a citation.
func (f Found) Headed(c Citation) bool {
	return f.Heading == "" || strings.HasSuffix(essence(f.Heading), essence(c.cited(", ")))
}

// Empty reports whether the citation identifies nothing.
func (f Found) Empty() bool {
	return f.ID == "" && f.Version == "" && f.Checksum == "" && f.Broken == "" && f.Address == ""
}

// Most is the maximum number of citations that are read from one text.
const Most = 20

// Find finds the citations in a text, at most [Most]; left is the number of further ones. A
// word without a label is an id if known reports so.
func Find(text string, known func(id string) bool) (all []Found, left int) {
	all = grouped(tokens(plain(text), known))
	for i := range all {
		all[i].complete()
	}
	all = slices.DeleteFunc(all, Found.Empty)
	if slices.ContainsFunc(all, Found.definite) {
		all = slices.DeleteFunc(all, func(f Found) bool { return !f.definite() })
	}
	if len(all) > Most {
		all, left = all[:Most], len(all)-Most
	}
	return all, left
}

// definite reports whether more is named than an item, which texts also do in passing.
func (f Found) definite() bool {
	return f.Version != "" || f.Checksum != "" || f.Broken != ""
}

// slot is a member of a citation that a part of a text states.
type slot int

const (
	idSlot slot = iota
	versionSlot
	checksumSlot
	addressSlot
	sectionSlot
	logSlot
	daySlot
	titleSlot
	sectionTitleSlot
	publisherSlot
	slots
	wordSlot slot = -1 // a word that is a known id, and counts if there is no other id
)

// token is a part of a text that states a member of a citation.
type token struct {
	at, end int
	slot    slot
	value   string

	heading, publisher string // the text before it, for tokens that follow a title
}

// number matches a version.
const number = `(\d{1,9}\.\d{1,9}\.\d{1,9}[0-9A-Za-z]*(?:[-.+][0-9A-Za-z][0-9A-Za-z.+-]*)?)`

// A form is that of a member of a citation.
type form struct {
	slot
	*regexp.Regexp
}

// forms are the forms of the members of a citation, each with its value in the first group. They
// are searched in this order, and matches are not searched again. They are compiled on first use: few
// processes check citations.
var forms = sync.OnceValue(func() []form {
	return []form{
		{addressSlot, regexp.MustCompile("((?:https?://[^\\s\"<>`]*?)?/[^\\s\"<>`()\\[\\]]+)")},
		{
			checksumSlot,
			regexp.MustCompile(
				`(?i)sha-?256["` + "`" + `]?\s*[:=]?\s*["` + "`" + `]?([0-9a-f](?:(?:[ \t]*\n[ \t]*)?[0-9a-f]){0,200})`,
			),
		},
		{checksumSlot, regexp.MustCompile(`\b([0-9a-fA-F]{64})\b`)},
		{sectionTitleSlot, regexp.MustCompile(`(?s)"section_title"\s*:\s*"(.*?)"\s*(?:\}|,\s*"[a-z_]+"\s*:)`)},
		{titleSlot, regexp.MustCompile(`(?s)"title"\s*:\s*"(.*?)"\s*(?:\}|,\s*"[a-z_]+"\s*:)`)},
		{publisherSlot, regexp.MustCompile(`(?s)"publisher"\s*:\s*"(.*?)"\s*(?:\}|,\s*"[a-z_]+"\s*:)`)},
		{
			publisherSlot,
			regexp.MustCompile(
				`(?is)издатель\s*:\s*(\S[^:]*?)\s+(?:номер\s+в\s+журнале|контрольная\s+сумма|адрес)[^:]{0,30}:`,
			),
		},
		{
			sectionSlot,
			regexp.MustCompile(`(?i)(?:адрес\s+раздела\s*:|"section"\s*:)\s*["` + "`" + `]*([^\s"` + "`" + `,;)]+)`),
		},
		{idSlot, regexp.MustCompile(`"id"\s*:\s*"([^"\s]+)"`)},
		{idSlot, regexp.MustCompile(`(?i)документ\s*:\s*["` + "`" + `]?([a-z0-9][a-z0-9._/-]*)`)},
		{idSlot, regexp.MustCompile(`\b((?:` + folders() + `)/[a-z0-9][a-z0-9._/-]*)`)},
		{daySlot, regexp.MustCompile(`(?i)верси[а-яё]*\s+\S+\s+от\s+(\d+[.\-/\s]+(?:\d+|[а-яё]+)[.\-/\s]+\d+)`)},
		{daySlot, regexp.MustCompile(`"published_at"\s*:\s*"([^"]*)"`)},
		{versionSlot, regexp.MustCompile(`(?i)(?:верси[а-яё]*|version)"?\s*:?\s*["` + "`" + `]?v?` + number)},
		{
			logSlot,
			regexp.MustCompile(`(?i)(?:номер\s+в\s+журнале(?:\s+прозрачности)?|"log_index")\s*[:№-]?\s*"?(\d{1,100})`),
		},
		{wordSlot, regexp.MustCompile(`([a-z0-9]+(?:[._/-][a-z0-9]+)+)`)},
	}
})

// maxLabel is how much text before an address is looked at for its label, in bytes: all of it, before
// each of many addresses, would take the square of the time.
const maxLabel = 64

// labelled matches a text before the address of a citation.
var labelled = regexp.MustCompile(`(?i)(?:(?:адрес|url|canonical_url)"?\s*:\s*["<]*|\]\()$`)

// folders are the folders of items, as alternatives.
func folders() string {
	var all []string
	for _, k := range content.Kinds {
		all = append(all, regexp.QuoteMeta(k.Folder))
	}
	return strings.Join(all, "|")
}

// tokens lists the tokens of a text in their order.
func tokens(text string, known func(string) bool) (all []token) {
	rest := []byte(text)
	for _, f := range forms() {
		for _, at := range f.FindAllSubmatchIndex(rest, -1) {
			t := token{at: at[0], end: at[3], slot: f.slot, value: string(rest[at[2]:at[3]])}
			if f.slot == wordSlot && !known(t.value) {
				continue
			}
			if f.slot == addressSlot {
				t.value = strings.TrimRight(t.value, ".,;:!?*_'")
				given := strings.Contains(t.value, versionsPart) &&
					labelled.MatchString(text[max(0, t.at-maxLabel):t.at])
				if !given && item(t.value) == "" {
					continue
				}
			}
			all = append(all, t)
			if f.slot != daySlot { // its match includes the version, which is needed
				blank(rest[t.at:t.end])
			}
		}
	}
	slices.SortStableFunc(all, func(a, b token) int { return a.at - b.at })
	head(all, text)
	return all
}

// titleEnds match the text after a title in a letter, a footnote and Markdown; the first group of
// a footnote is the publisher.
var titleEnds = []*regexp.Regexp{
	regexp.MustCompile(`(?i)документ\s*:`),
	regexp.MustCompile(`(?s)(?:\s//\s([^/]*?))?\.\s+Версия\s+` + number + `(?:\s+от\s+\S+)?\s+\(`),
	regexp.MustCompile(`(?s)\]\s*\([^()]*\),\s+верси`),
}

// maxHeading is above the length of a title with that of a section.
const maxHeading = 4 << 10

// head sets the headings of tokens that follow titles. They may begin with other text, as a letter
// can have anything before a title.
func head(all []token, text string) {
	for _, end := range titleEnds {
		for _, at := range end.FindAllStringSubmatchIndex(text, -1) {
			i := slices.IndexFunc(all, func(t token) bool { return t.end > at[0] })
			if i < 0 || all[i].at >= at[1] {
				continue
			}
			all[i].heading = strings.TrimSpace(strings.ToValidUTF8(text[max(0, at[0]-maxHeading):at[0]], ""))
			if len(at) > 2 && at[2] >= 0 {
				all[i].publisher = text[at[2]:at[3]]
			}
		}
	}
}

// blank overwrites a match, without changing the offsets of others.
func blank(b []byte) {
	for i := range b {
		b[i] = ' '
	}
}

// grouped groups tokens to citations: a member that occurs again begins the next one.
func grouped(all []token) (found []Found) {
	var current Found
	var present [slots]bool
	next := func() {
		found = append(found, current)
		current, present = Found{}, [slots]bool{}
	}
	for _, t := range all {
		if t.slot == wordSlot {
			if current.ID == "" {
				current.ID = t.value
			}
			continue
		}
		switch {
		case !present[t.slot]:
		case t.slot == titleSlot || t.slot == sectionTitleSlot: // sources have titles, too
			continue
		default:
			next()
		}
		present[t.slot] = true
		current.take(t)
	}
	next()
	return found
}

// take sets the member that a token states.
func (f *Found) take(t token) {
	f.Heading, f.Publisher = cmp.Or(f.Heading, t.heading), cmp.Or(f.Publisher, t.publisher)
	switch t.slot {
	case idSlot:
		f.ID = strings.TrimRight(t.value, "./-_")
		if at := tagged.FindStringSubmatchIndex(f.ID); at != nil {
			f.ID, f.Version = f.ID[:at[0]], f.ID[at[2]:at[3]]
		}
	case versionSlot:
		f.Version = strings.TrimRight(t.value, ".-")
	case checksumSlot:
		hex := digits(t.value)
		if f.Checksum = "sha256:" + hex; !content.ValidChecksum(f.Checksum) {
			f.Checksum, f.Broken = "", hex
		}
	case addressSlot:
		f.Address = t.value
	case sectionSlot:
		f.Section = strings.TrimRight(t.value, ".")
	case logSlot:
		n, err := strconv.ParseInt(t.value, 10, 64)
		if err != nil {
			n = -1 // longer than any log
		}
		f.Log = &n
	case daySlot:
		f.Published = moment(t.value)
	case titleSlot:
		f.Title = t.value
	case sectionTitleSlot:
		f.SectionTitle = t.value
	case publisherSlot:
		f.Publisher = t.value
	}
}

// tagged matches the version at the end of a tag.
var tagged = regexp.MustCompile(`/v` + number + `$`)

// digits returns the digits of a checksum: all on one line, and of further lines only as many as
// are needed.
func digits(s string) string {
	const whole = 64
	var hex []byte
	for line := range strings.SplitSeq(strings.ToLower(s), "\n") {
		if len(hex) >= whole {
			break
		}
		hex = append(hex, strings.TrimSpace(line)...)
	}
	return string(hex)
}

// moment normalizes the day or the time of a citation.
func moment(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if t, err := time.Parse("2.1.2006", s); err == nil {
		return t.Format(content.Date)
	}
	return s
}

// complete sets the members that only the address states.
func (f *Found) complete() {
	u, err := url.Parse(f.Address)
	if err != nil || f.Address == "" {
		return
	}
	base, version, _ := strings.Cut(u.Path, versionsPart)
	if f.ID == "" {
		f.ID = item(base)
	}
	if f.Version == "" {
		f.Version = version
	}
	if f.Section == "" {
		f.Section = u.Query().Get("section")
	}
}

const versionsPart = "/versions/"

// item returns folder and name of the item at an address, "" if there can be none. The prefix of
// the service is ignored. Of kinds that share a path it is the first.
func item(address string) string {
	path, _, _ := strings.Cut(address, "?")
	path, _, _ = strings.Cut(path, "#")
	path, _, _ = strings.Cut(path, versionsPart)
	for _, k := range content.Kinds {
		for name, own := range k.Paths {
			if _, after, ok := strings.Cut(path, own); ok && (after == "" || after[0] == '/') {
				return k.Folder + "/" + name
			}
		}
		_, name, ok := strings.Cut(path, k.Path+"/")
		if name = strings.TrimRight(name, "/"); ok && k.ValidName(name) {
			return k.Folder + "/" + name
		}
	}
	return ""
}
