package signers

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// ID is the id of an object: its SHA-1.
type ID [20]byte

// ErrLayout means that git would not have written the object in this form: programs that parse
// it differently could trust unsigned data.
var ErrLayout = errors.New("it is not laid out as git lays it out, so its signature does not count")

// halves splits an object at its first empty line into headers, each with its line end, and body.
func halves(raw []byte) (head, body []byte) {
	if i := bytes.Index(raw, []byte("\n\n")); i >= 0 {
		return raw[:i+1], raw[i+2:]
	}
	return raw, nil
}

// header returns the value of the first line if it has a name, and the rest after the line.
func header(head []byte, name string) (value, rest []byte, ok bool) {
	value, ok = bytes.CutPrefix(head, []byte(name+" "))
	if !ok {
		return nil, head, false
	}
	value, rest, _ = bytes.Cut(value, []byte("\n"))
	return value, rest, true
}

// encodingIn returns the encoding that a header states, "" if it states none.
func encodingIn(head []byte) string {
	for line := range bytes.Lines(head) {
		if name, _, ok := header(line, "encoding"); ok {
			return string(name)
		}
	}
	return ""
}

// readID reads the id in the first line, which has a name.
func readID(head []byte, name string) (id ID, rest []byte, err error) {
	value, rest, ok := header(head, name)
	switch {
	case !ok:
		return id, rest, fmt.Errorf("missing %s header", name)
	case len(value) != hex.EncodedLen(len(id)):
		return id, rest, fmt.Errorf("malformed %s header", name)
	}
	if _, err := hex.Decode(id[:], value); err != nil {
		return id, rest, fmt.Errorf("malformed %s header: %w", name, err)
	}
	return id, rest, nil
}

// readDate reads the date at the end of a line about a person, as git does: a number of seconds
// and a time zone after the last >. It is zero if there is none.
func readDate(person []byte) time.Time {
	fields := bytes.Fields(person[bytes.LastIndexByte(person, '>')+1:])
	if len(fields) == 0 {
		return time.Time{}
	}
	seconds, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil {
		return time.Time{}
	}
	offset := 0
	if len(fields) > 1 {
		n, _ := strconv.Atoi(string(fields[1])) // ±hhmm, else UTC
		offset = (n/100*60 + n%100) * 60
	}
	return time.Unix(seconds, 0).In(time.FixedZone("", offset))
}

// personLine matches a line about a person: a name, an address, a date and a time zone (git,
// fsck.c, fsck_ident).
var personLine = regexp.MustCompile(`\A[^<>\n]* <[^<>\n]*> (0|[1-9][0-9]{0,11}) [+-][0-9]{4}\z`)

// maxDate is the first second that no signed object has: in any time zone, years have four digits.
var maxDate = time.Date(9998, 1, 1, 0, 0, 0, 0, time.UTC)

func isPerson(value []byte) bool { return personLine.Match(value) && readDate(value).Before(maxDate) }

var (
	hexID      = regexp.MustCompile(`\A[0-9a-f]{40}\z`)
	oneWord    = regexp.MustCompile(`\A[^\x00-\x20\x7f]+\z`)
	objectKind = regexp.MustCompile(`\A(blob|tree|commit|tag)\z`)
)

// layout verifies the lines of an object, each of which has to be the one that git writes at its
// place. The first fault is kept.
type layout struct {
	rest []byte
	err  error
}

func (l *layout) fail(format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf("%w: %s", ErrLayout, fmt.Sprintf(format, args...))
	}
}

// text verifies the object as a whole.
func (l *layout) text() {
	if bytes.IndexByte(l.rest, 0) >= 0 {
		l.fail("it has a NUL byte")
	}
}

// optional reports whether the next line has a name, and skips it then. It must be valid.
func (l *layout) optional(name string, valid func([]byte) bool) (exists bool) {
	value, rest, exists := header(l.rest, name)
	switch {
	case l.err != nil || !exists:
		return false
	case !valid(value):
		l.fail("its %s header is %.60q", name, value)
	}
	l.rest = rest
	return exists
}

// one skips a mandatory line.
func (l *layout) one(name string, valid func([]byte) bool) {
	if !l.optional(name, valid) {
		l.fail("there is no %s header where one has to be", name)
	}
}

// extraHeader matches a header that git keeps and does not know, with its continuation lines.
var extraHeader = regexp.MustCompile(`\A([A-Za-z][A-Za-z0-9:_-]*) .*\n(?: .*\n)*`)

// isReserved reports whether a header has a meaning, and thus a fixed place.
func isReserved(name string) bool {
	switch name {
	case "tree", "parent", "author", "committer", "encoding", "object", "type", "tag", "tagger":
		return true
	}
	return strings.HasPrefix(name, signatureHeader)
}

// extras skips headers that git does not know, each once, and those with merged tags.
func (l *layout) extras() {
	seen := map[string]bool{}
	for l.err == nil {
		m := extraHeader.FindSubmatch(l.rest)
		if m == nil {
			return
		}
		name := string(m[1])
		if isReserved(name) {
			return
		}
		if seen[name] && name != "mergetag" {
			l.fail("it has two %.60s headers", name)
		}
		seen[name], l.rest = true, l.rest[len(m[0]):]
	}
}

// end skips the empty line after the headers.
func (l *layout) end() {
	if !bytes.HasPrefix(l.rest, []byte("\n")) {
		line, _, _ := bytes.Cut(l.rest, []byte("\n"))
		l.fail("where its headers have to end stands %.60q", line)
		return
	}
	l.rest = l.rest[1:]
}
