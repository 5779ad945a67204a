package content_test

import (
	"strings"
	"testing"
	"time"

	"rulestore/content"
)

var someSum = "sha256:" + strings.Repeat("0123456789abcdef", 4)

func TestParseSeal(t *testing.T) {
	for line, at := range map[string]time.Time{
		"guidelines/a.b.001/v1.0.0 " + someSum + " 2026-11-20T11:21:00Z": time.Date(2026, 11, 20,
			11, 21, 0, 0, time.UTC),
		"scenarios/a/v1.0.0-rc.1 " + someSum + " 2026-11-20T11:21:00+03:00": time.Date(2026, 11,
			20, 8, 21, 0, 0, time.UTC),
		"guidelines/a.b.001/v1.0.0 " + someSum + " 2028-02-29T23:59:59-11:30": time.Date(2028, 3, 1,
			11, 29, 59, 0, time.UTC),
	} {
		t.Run(line, func(t *testing.T) {
			seal, err := content.ParseSeal(line)
			if err != nil {
				t.Errorf("%s: %v", line, err)
				return
			}
			if seal.String() != line {
				t.Errorf("%s\ncomes back as\n%s", line, seal)
			}
			if !seal.PublishedAt.Equal(at) {
				t.Errorf("%s: got the time %s", line, seal.PublishedAt)
			}
			if seal.Checksum != someSum || seal.Tag != strings.Fields(line)[0] {
				t.Errorf("%s: got the tag %s and the checksum %s", line, seal.Tag, seal.Checksum)
			}
		})
	}
}

func TestParseSealSaysWhatIsWrong(t *testing.T) {
	const tag, at = "guidelines/x/v1.0.0", "2026-11-20T11:21:00Z"
	const fields = "expected three fields with one space between them, <tag> <checksum> <published_at>, found "
	badTime := func(s string) string {
		return `"` + s + `" is no time: expected for example 2026-11-20T11:21:00Z`
	}
	badSum := func(s string) string {
		return `"` + s + `" is no checksum: expected sha256: and 64 lower-case hex digits`
	}
	for line, want := range map[string]string{
		"":                                   fields + "1",
		tag + " " + someSum:                  fields + "2",
		tag + " " + someSum + " " + at + " ": fields + "4",
		tag + "  " + someSum + " " + at:      fields + "4",
		tag + "\t" + someSum + "\t" + at:     fields + "1",
		"v1.8.0 " + someSum + " " + at:       `"v1.8.0" is a product release, only publications are sealed`,
		"x/y/v1.0.0 " + someSum + " " + at:   `"x/y/v1.0.0": not a tag of rulestore`,
		"guidelines/x/v1 " + someSum + " " +
			at: `"guidelines/x/v1": "v1" is not a semantic version of three numbers: write guidelines/x/v1.0.0`,
		tag + " md5:00 " + at:                           badSum("md5:00"),
		tag + " " + strings.ToUpper(someSum) + " " + at: badSum(strings.ToUpper(someSum)),
		tag + " " + someSum[:70] + " " + at:             badSum(someSum[:70]),
		tag + " " + someSum + "0 " + at:                 badSum(someSum + "0"),
		tag + " " + someSum + " 2026-11-20":             badTime("2026-11-20"),
		tag + " " + someSum + " 2026-02-30T00:00:00Z":   badTime("2026-02-30T00:00:00Z"),
		tag + " " + someSum + " 2026-11-20T11:21:00":    badTime("2026-11-20T11:21:00"),
		tag + " " + someSum + " 2026-11-20T11:21:00.5Z": badTime("2026-11-20T11:21:00.5Z"),
		tag + " " + someSum + " " + at + "\r":           badTime(at + `\r`),
	} {
		t.Run(line, func(t *testing.T) {
			_, err := content.ParseSeal(line)
			if err == nil || err.Error() != want {
				t.Errorf("%q:\n got %v\nwant %s", line, err, want)
			}
		})
	}
}

// What is read from a line says the same when it is written again.
func FuzzParseSeal(f *testing.F) {
	f.Add("guidelines/x/v1.0.0 " + someSum + " 2026-11-20T11:21:00Z")
	f.Add("guidelines/x/v1.0.0 " + someSum + " 2026-11-20T1:21:00+03:00")
	f.Add("v1.0.0 " + someSum + " 0000-01-01T00:00:00-23:59")
	f.Fuzz(func(t *testing.T, line string) {
		seal, err := content.ParseSeal(line)
		if err != nil {
			return
		}
		again, err := content.ParseSeal(seal.String())
		if err != nil {
			t.Fatalf("%q comes back as %q: %v", line, seal, err)
		}
		if again.Tag != seal.Tag || again.Checksum != seal.Checksum || !again.PublishedAt.Equal(seal.PublishedAt) {
			t.Errorf("%q comes back as %q", line, again)
		}
	})
}
