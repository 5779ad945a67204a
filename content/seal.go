package content

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"
)

// Seal is a line of a seal file: it fixes a publication permanently.
type Seal struct {
	Tag         string
	Checksum    string
	PublishedAt time.Time
}

// Named is the tag of a seal that [ParseSeal] has read, which is that of a publication.
func (s Seal) Named() Tag {
	t, _ := ParseTag(s.Tag)
	return t
}

// String returns the line: <tag> <checksum> <published_at>.
func (s Seal) String() string {
	return s.Tag + " " + s.Checksum + " " + s.PublishedAt.Format(time.RFC3339)
}

// SealError is the reason why a line is not a seal.
type SealError struct {
	Problem string   // in English
	Text    RuleText // the same for a finding
	err     error
}

func (e *SealError) Error() string { return e.Problem }
func (e *SealError) Unwrap() error { return e.err }

// ParseSeal parses one line of a seal file, without its line end.
func ParseSeal(line string) (Seal, error) {
	f := strings.Split(line, " ")
	if len(f) != 3 {
		return Seal{}, &SealError{
			Problem: fmt.Sprintf(
				"expected three fields with one space between them, <tag> <checksum> <published_at>, found %d", len(f),
			),
			Text: Say("seal", "fields", Args{"found": len(f)}),
		}
	}
	tag, err := ParseTag(f[0])
	if err != nil {
		return Seal{}, sealedTag(f[0], err)
	}
	if tag.Kind == nil {
		return Seal{}, &SealError{
			Problem: fmt.Sprintf("%q is a product release, only publications are sealed", f[0]),
			Text:    Say("seal", "release", Args{"tag": f[0]}),
		}
	}
	if !ValidChecksum(f[1]) {
		return Seal{}, &SealError{
			Problem: fmt.Sprintf("%q is no checksum: expected sha256: and 64 lower-case hex digits", f[1]),
			Text:    Say("seal", "checksum", Args{"checksum": f[1]}),
		}
	}
	at, err := time.Parse(time.RFC3339, f[2])
	if err != nil || at.Nanosecond() != 0 {
		return Seal{}, &SealError{
			Problem: fmt.Sprintf("%q is no time: expected for example 2026-11-20T11:21:00Z", f[2]),
			Text:    Say("seal", "time", Args{"time": f[2]}),
		}
	}
	return Seal{Tag: f[0], Checksum: f[1], PublishedAt: at}, nil
}

// sealedTag is the error for the name of a tag that cannot be sealed.
func sealedTag(name string, err error) error {
	e := &SealError{Problem: fmt.Sprintf("%q: %s", name, err), err: err}
	switch wrong, ok := errors.AsType[*TagError](err); {
	case !ok:
		e.Text = Say("seal", "tag", Args{"tag": name, "problem": err.Error()})
	case wrong.Form == "":
		e.Text = Say("seal", "tag", Args{"tag": name, "problem": wrong.Text})
	default:
		e.Text = Say("seal", "form", Args{"tag": name, "problem": wrong.Text, "form": wrong.Form})
	}
	return e
}

// SealsFolder has a seal file for each item, so that two changes conflict only if they publish
// the same item.
const SealsFolder = "sealed"

// sealsSuffix is the extension of these files.
const sealsSuffix = ".sum"

// SealsPath returns the path of the seal file of an item, folder and name.
func SealsPath(item string) string { return SealsFolder + "/" + item + sealsSuffix }

// SealedItem returns the item, folder and name, of a seal file at a path, in any area
// ([ItemAt]); it is not ok for other paths.
func SealedItem(path string) (item string, ok bool) {
	rest, sealed := strings.CutPrefix(path, SealsFolder+"/")
	k, area, name, ok := splitPath(rest, sealsSuffix)
	if !sealed || !ok || !k.ValidName(name) || !validArea(area) {
		return "", false
	}
	return k.Folder + "/" + name, true
}

// HoldsSeals reports whether a path is [SealsFolder], or in it.
func HoldsSeals(path string) bool {
	return path == SealsFolder || strings.HasPrefix(path, SealsFolder+"/")
}

// Item returns the sealed item, folder and name.
func (s Seal) Item() string { return s.Tag[:max(0, strings.LastIndexByte(s.Tag, '/'))] }

// SealTag returns the tag in a line of a seal file, which may be malformed.
func SealTag(line string) string {
	tag, _, _ := strings.Cut(line, " ")
	return tag
}

// Lines yields the lines of a file with their numbers.
func Lines(raw []byte) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		n := 0
		for line := range bytes.Lines(raw) {
			n++
			if !yield(n, string(bytes.TrimSuffix(line, []byte("\n")))) {
				return
			}
		}
	}
}

// HasLine reports whether a text has a line.
func HasLine(raw []byte, line string) bool {
	for at := 0; ; at += len(line) {
		i := bytes.Index(raw[at:], []byte(line))
		if i < 0 {
			return false
		}
		at += i
		end := at + len(line)
		if (at == 0 || raw[at-1] == '\n') && (end == len(raw) || raw[end] == '\n') {
			return true
		}
	}
}
