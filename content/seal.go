package content

import (
	"fmt"
	"strings"
	"time"
)

// Seal is a line of rulestore.sum: it fixes a publication for good.
type Seal struct {
	Tag         string
	Checksum    string
	PublishedAt time.Time
}

// String returns the line: <tag> <checksum> <published_at>.
func (s Seal) String() string {
	return s.Tag + " " + s.Checksum + " " + s.PublishedAt.Format(time.RFC3339)
}

// ParseSeal reads one line of rulestore.sum, without its line end.
func ParseSeal(line string) (Seal, error) {
	f := strings.Split(line, " ")
	if len(f) != 3 {
		return Seal{}, fmt.Errorf("expected three fields with one space between them, <tag> <checksum> <published_at>, found %d", len(f))
	}
	tag, err := ParseTag(f[0])
	if err != nil {
		return Seal{}, fmt.Errorf("%q: %w", f[0], err)
	}
	if tag.Kind == nil {
		return Seal{}, fmt.Errorf("%q is a product release, only publications are sealed", f[0])
	}
	if !ValidChecksum(f[1]) {
		return Seal{}, fmt.Errorf("%q is no checksum: expected sha256: and 64 lower-case hex digits", f[1])
	}
	at, err := time.Parse(time.RFC3339, f[2])
	if err != nil || at.Nanosecond() != 0 {
		return Seal{}, fmt.Errorf("%q is no time: expected for example 2026-11-20T11:21:00Z", f[2])
	}
	return Seal{Tag: f[0], Checksum: f[1], PublishedAt: at}, nil
}
