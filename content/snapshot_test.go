package content_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/content"
)

// publication makes one from a line: tag, day of publication, and what else
// there is to say of it, for example
//
//	guidelines/x/v1.0.0 2026-01-01 recheck=2026-06-01 commit=c1 draft note=text
func publication(t testing.TB, line string) *content.Publication {
	t.Helper()
	f := strings.Fields(line)
	tag, err := content.ParseTag(f[0])
	if err != nil {
		t.Fatal(err)
	}
	p := &content.Publication{Kind: tag.Kind, Name: tag.Name, Version: tag.Version, Commit: "commit of " + f[0],
		PublishedAt: at(t, f[1])}
	p.UpdatedAt = p.PublishedAt.AddDate(0, 0, -1)
	for _, extra := range f[2:] {
		describe(t, p, extra)
	}
	return p
}

func describe(t testing.TB, p *content.Publication, extra string) {
	t.Helper()
	what, value, _ := strings.Cut(extra, "=")
	value = strings.ReplaceAll(value, "_", " ")
	switch what {
	case "draft":
		p.Draft, p.PublishedAt, p.UpdatedAt = true, time.Time{}, p.PublishedAt
	case "sealed":
		p.Sealed = true
	case "recheck":
		p.Text = content.Written{Object: content.Object{{Name: "recheck_after", Value: content.String(value)}},
			Refers: p.References()}
	case "commit":
		p.Commit = value
	case "note":
		p.ChangeNote = strings.ReplaceAll(value, "|", "\n")
	case "ref":
		p.Text = content.Written{Object: p.Body(), Refers: append(p.References(),
			content.Reference{Item: value, Line: len(p.References()) + 1, Column: 1})}
	case "type", "criticality":
		p.Trailers = append(p.Trailers, content.Trailer{Key: strings.ToUpper(what[:1]) + what[1:], Value: value})
	default:
		t.Fatalf("what is %q?", extra)
	}
}

func at(t testing.TB, day string) time.Time {
	t.Helper()
	d, err := time.Parse(content.Date, day)
	if err != nil {
		t.Fatal(err)
	}
	return d.Add(12 * time.Hour)
}

func publications(t testing.TB, lines ...string) (all []*content.Publication) {
	t.Helper()
	for _, line := range lines {
		all = append(all, publication(t, line))
	}
	return all
}

// mark makes one from a line: item, version or -, status and the day it counts
// from. Its reason is its status and its item.
func mark(t testing.TB, line string) content.Mark {
	t.Helper()
	f := strings.Fields(line)
	if len(f) != 4 {
		t.Fatalf("expected item, version, status and day: %q", line)
	}
	return content.Mark{Item: f[0], Version: strings.Trim(f[1], "-"), Status: content.Status(f[2]),
		Reason: "since " + f[3], Since: f[3]}
}

// states writes down the versions of an item, highest first: version, status,
// day of the last change, * if it is current, and why it is marked. The time
// of day is left out: publications are made at noon and marks count from
// midnight.
func states(it *content.Item) (lines []string) {
	for _, e := range it.Entries {
		line := fmt.Sprintf("%s %s %s", e.Version, e.Status, e.ModifiedAt.Format(content.Date))
		if e == it.Current {
			line += " *"
		}
		if e.Reason != "" {
			line += " (" + e.Reason + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

func TestStatuses(t *testing.T) {
	const x, s = "guidelines/x", "scenarios/x"
	for _, test := range []struct {
		name      string
		published []string
		marks     []string
		today     string
		drafts    bool
		want      []string // of the first item, by kind and name
	}{{
		name:      "one version is current",
		published: []string{x + "/v1.0.0 2026-01-01"},
		want:      []string{"1.0.0 current 2026-01-01 *"},
	}, {
		name: "a higher version supersedes the lower ones, in whatever order they come",
		published: []string{x + "/v1.1.0 2026-02-01", x + "/v1.10.0 2026-04-01", x + "/v1.0.0 2026-01-01",
			x + "/v1.9.0 2026-03-01"},
		want: []string{
			"1.10.0 current 2026-04-01 *",
			"1.9.0 superseded 2026-04-01",
			"1.1.0 superseded 2026-03-01",
			"1.0.0 superseded 2026-02-01",
		},
	}, {
		name: "a backport is never current and is the successor of what it mends",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.1.0 2026-02-01", x + "/v1.2.0 2026-03-01",
			x + "/v1.1.5 2026-04-01"},
		want: []string{
			"1.2.0 current 2026-03-01 *",
			"1.1.5 superseded 2026-04-01",
			"1.1.0 superseded 2026-04-01",
			"1.0.0 superseded 2026-02-01",
		},
	}, {
		name:      "an archived item is served in its current version",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.1.0 2026-02-01"},
		marks:     []string{x + " - archived 2026-03-01"},
		want: []string{
			"1.1.0 archived 2026-03-01 * (since 2026-03-01)",
			"1.0.0 superseded 2026-02-01",
		},
	}, {
		name:      "an archived version gives way to the one below it, which changed on that day",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.1.0 2026-02-01", x + "/v1.2.0 2026-03-01"},
		marks:     []string{x + " 1.2.0 archived 2026-04-01"},
		want: []string{
			"1.2.0 archived 2026-04-01 (since 2026-04-01)",
			"1.1.0 current 2026-04-01 *",
			"1.0.0 superseded 2026-02-01",
		},
	}, {
		name:      "a mark older than the version counts from its publication",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.1.0 2026-02-01"},
		marks:     []string{x + " 1.1.0 archived 2025-01-01"},
		want: []string{
			"1.1.0 archived 2026-02-01 (since 2025-01-01)",
			"1.0.0 current 2026-02-01 *",
		},
	}, {
		name:      "an archived lower version changes nothing else",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.1.0 2026-02-01"},
		marks:     []string{x + " 1.0.0 archived 2026-03-01"},
		want: []string{
			"1.1.0 current 2026-02-01 *",
			"1.0.0 archived 2026-03-01 (since 2026-03-01)",
		},
	}, {
		name:      "without a version that is not archived there is no current one",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.1.0 2026-02-01"},
		marks:     []string{x + " 1.0.0 archived 2026-03-01", x + " 1.1.0 archived 2026-04-01"},
		want: []string{
			"1.1.0 archived 2026-04-01 (since 2026-04-01)",
			"1.0.0 archived 2026-03-01 (since 2026-03-01)",
		},
	}, {
		name:      "a redacted version gives way too",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.1.0 2026-02-01"},
		marks:     []string{x + " 1.1.0 redacted 2026-03-01"},
		want: []string{
			"1.1.0 redacted 2026-03-01 (since 2026-03-01)",
			"1.0.0 current 2026-03-01 *",
		},
	}, {
		name:      "a redacted item is redacted in every version",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.1.0 2026-02-01"},
		marks:     []string{x + " - redacted 2026-03-01", x + " 1.0.0 archived 2026-02-15"},
		want: []string{
			"1.1.0 redacted 2026-03-01 (since 2026-03-01)",
			"1.0.0 redacted 2026-03-01 (since 2026-03-01)",
		},
	}, {
		name:      "an item under review is so in its current version",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.1.0 2026-02-01"},
		marks:     []string{x + " - review_required 2026-03-01"},
		want: []string{
			"1.1.0 review_required 2026-03-01 * (since 2026-03-01)",
			"1.0.0 superseded 2026-02-01",
		},
	}, {
		name:      "a version under review stays current",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.1.0 2026-02-01"},
		marks:     []string{x + " 1.1.0 review_required 2026-03-01"},
		want: []string{
			"1.1.0 review_required 2026-03-01 * (since 2026-03-01)",
			"1.0.0 superseded 2026-02-01",
		},
	}, {
		name:      "a version that is not current can be under review if the mark names it",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.1.0 2026-02-01"},
		marks:     []string{x + " 1.0.0 review_required 2026-03-01"},
		want: []string{
			"1.1.0 current 2026-02-01 *",
			"1.0.0 review_required 2026-03-01 (since 2026-03-01)",
		},
	}, {
		name:      "scenarios are never under review",
		published: []string{s + "/v1.0.0 2026-01-01", s + "/v1.1.0 2026-02-01 recheck=2026-02-02"},
		marks:     []string{s + " - review_required 2026-03-01", s + " 1.0.0 review_required 2026-03-01"},
		want: []string{
			"1.1.0 current 2026-02-01 *",
			"1.0.0 superseded 2026-02-01",
		},
	}, {
		name:      "on the day of recheck_after all is well",
		published: []string{x + "/v1.0.0 2026-01-01 recheck=2026-06-30"},
		today:     "2026-06-30",
		want:      []string{"1.0.0 current 2026-01-01 *"},
	}, {
		name:      "the day after, it has to be looked at",
		published: []string{x + "/v1.0.0 2026-01-01 recheck=2026-06-30"},
		today:     "2026-07-01",
		want:      []string{"1.0.0 review_required 2026-07-01 *"},
	}, {
		name:      "a superseded version needs no recheck",
		published: []string{x + "/v1.0.0 2026-01-01 recheck=2026-01-15", x + "/v1.1.0 2026-02-01"},
		want: []string{
			"1.1.0 current 2026-02-01 *",
			"1.0.0 superseded 2026-02-01",
		},
	}, {
		name:      "an archived item needs no recheck",
		published: []string{x + "/v1.0.0 2026-01-01 recheck=2026-05-01"},
		marks:     []string{x + " - archived 2026-03-01"},
		want:      []string{"1.0.0 archived 2026-03-01 * (since 2026-03-01)"},
	}, {
		name:      "a mark counts from its day",
		published: []string{x + "/v1.0.0 2026-01-01"},
		marks:     []string{x + " - archived 2026-06-30"},
		today:     "2026-06-30",
		want:      []string{"1.0.0 archived 2026-06-30 * (since 2026-06-30)"},
	}, {
		name:      "and not a day before",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.1.0 2026-02-01"},
		marks:     []string{x + " 1.1.0 redacted 2026-07-01", x + " - archived 2026-07-01"},
		today:     "2026-06-30",
		want: []string{
			"1.1.0 current 2026-02-01 *",
			"1.0.0 superseded 2026-02-01",
		},
	}, {
		name:      "of several marks the one that takes more away counts, wherever it stands",
		published: []string{x + "/v1.0.0 2026-01-01"},
		marks: []string{x + " 1.0.0 redacted 2026-02-01", x + " 1.0.0 archived 2026-03-01",
			x + " - review_required 2026-04-01"},
		want: []string{"1.0.0 redacted 2026-02-01 (since 2026-02-01)"},
	}, {
		name:      "of two marks of the same strength the first counts",
		published: []string{x + "/v1.0.0 2026-01-01"},
		marks:     []string{x + " - archived 2026-03-01", x + " - archived 2026-02-01"},
		want:      []string{"1.0.0 archived 2026-03-01 * (since 2026-03-01)"},
	}, {
		name:      "marks of other items and unknown versions change nothing",
		published: []string{x + "/v1.0.0 2026-01-01"},
		marks: []string{s + " - redacted 2026-03-01", x + " 1.0 redacted 2026-03-01",
			x + " 2.0.0 redacted 2026-03-01"},
		want: []string{"1.0.0 current 2026-01-01 *"},
	}, {
		name:      "a prerelease is never current",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.1.0-rc.1 2026-02-01", x + "/v0.9.0-rc.1 2025-12-01"},
		want: []string{
			"1.1.0-rc.1 superseded 2026-02-01",
			"1.0.0 current 2026-02-01 *",
			"0.9.0-rc.1 superseded 2026-01-01",
		},
	}, {
		name:      "unless drafts are served",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.1.0-rc.1 2026-02-01"},
		drafts:    true,
		want: []string{
			"1.1.0-rc.1 current 2026-02-01 *",
			"1.0.0 superseded 2026-02-01",
		},
	}, {
		name: "a draft is current, from the time it was last changed",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.2.0 2026-02-01",
			x + "/v1.2.1-0.20260301000000-abcdef123456 2026-03-01 draft"},
		drafts: true,
		want: []string{
			"1.2.1-0.20260301000000-abcdef123456 current 2026-03-01 *",
			"1.2.0 superseded 2026-03-01",
			"1.0.0 superseded 2026-02-01",
		},
	}, {
		name:      "an archived version stays away when there is a draft above it",
		published: []string{x + "/v1.0.0 2026-01-01", x + "/v1.0.1-0.20260301000000-abcdef123456 2026-03-01 draft"},
		marks:     []string{x + " 1.0.0 archived 2026-02-01"},
		drafts:    true,
		want: []string{
			"1.0.1-0.20260301000000-abcdef123456 current 2026-03-01 *",
			"1.0.0 archived 2026-03-01 (since 2026-02-01)",
		},
	}} {
		t.Run(test.name, func(t *testing.T) {
			in := content.Input{Publications: publications(t, test.published...)}
			in.Date, in.Drafts = test.today, test.drafts
			if in.Date == "" {
				in.Date = "2026-12-31"
			}
			for _, m := range test.marks {
				in.Marks = append(in.Marks, mark(t, m))
			}
			got := states(content.NewSnapshot(in).Items[0])
			if !slices.Equal(got, test.want) {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func TestNeighboursGoByVersion(t *testing.T) {
	snapshot := content.NewSnapshot(content.Input{Publications: publications(t,
		"guidelines/x/v1.0.0 2026-01-01", "guidelines/x/v1.1.0 2026-02-01", "guidelines/x/v1.2.0 2026-03-01",
		"guidelines/x/v1.1.5 2026-04-01", "guidelines/x/v1.2.0-rc.1 2026-02-15", "guidelines/x/v2.0.0-rc.1 2026-05-01",
	)})
	want := map[string][2]string{
		"2.0.0-rc.1": {"1.2.0", ""},
		"1.2.0":      {"1.1.5", ""},
		"1.2.0-rc.1": {"1.1.5", "1.2.0"},
		"1.1.5":      {"1.1.0", "1.2.0"},
		"1.1.0":      {"1.0.0", "1.1.5"},
		"1.0.0":      {"", "1.1.0"},
	}
	version := func(e *content.Entry) string {
		if e == nil {
			return ""
		}
		return e.Version.String()
	}
	for _, e := range snapshot.Items[0].Entries {
		if got := [2]string{version(e.Predecessor), version(e.Successor)}; got != want[version(e)] {
			t.Errorf("%s lies between %q and %q", e.Version, got[0], got[1])
		}
	}
}

// A mark counts from midnight UTC of its day, and a recheck date until then.
func TestModifiedAtIsTheInstant(t *testing.T) {
	in := content.Input{
		Publications: publications(t, "guidelines/marked/v1.0.0 2026-01-01",
			"guidelines/overdue/v1.0.0 2026-01-01 recheck=2026-02-28"),
		Marks: []content.Mark{mark(t, "guidelines/marked - archived 2026-03-01")},
	}
	in.Date = "2026-12-31"
	want := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, it := range content.NewSnapshot(in).Items {
		if got := it.Current.ModifiedAt; !got.Equal(want) {
			t.Errorf("%s: got %s", it.ID(), got)
		}
	}
}

func TestItemsAreInOrderAndFound(t *testing.T) {
	snapshot := content.NewSnapshot(content.Input{
		Source:   content.Source{Commit: "c", Branch: "main", Refs: "r", Date: "2026-12-31"},
		Settings: content.Settings{Title: "Правила"},
		Publications: publications(t,
			"scenarios/a/v1.0.0 2026-01-01", "guidelines/b/v1.0.0 2026-01-01", "guidelines/a/v1.0.0 2026-01-01",
			"guidelines/a/v1.1.0 2026-01-01"),
	})
	var ids []string
	for _, it := range snapshot.Items {
		ids = append(ids, it.ID())
		if snapshot.Item(it.Kind, it.Name) != it {
			t.Errorf("%s is not found", it.ID())
		}
	}
	if got := strings.Join(ids, " "); got != "guidelines/a guidelines/b scenarios/a" {
		t.Errorf("got %s", got)
	}
	if it := snapshot.Item(content.Scenarios, "b"); it != nil {
		t.Errorf("found %s", it.ID())
	}
	if snapshot.Count() != 4 || snapshot.Commit != "c" || snapshot.Settings.Title != "Правила" {
		t.Errorf("got %d publications, %+v, %+v", snapshot.Count(), snapshot.Source, snapshot.Settings)
	}
}

func TestSnapshotDependsOnItsInputAlone(t *testing.T) {
	in := busyInput(t)
	before := slices.Clone(in.Publications)
	first := content.NewSnapshot(in)
	if !slices.Equal(in.Publications, before) {
		t.Error("the input was put in order")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		random.Shuffle(len(in.Publications), func(i, j int) {
			in.Publications[i], in.Publications[j] = in.Publications[j], in.Publications[i]
		})
		random.Shuffle(len(in.Releases), func(i, j int) {
			in.Releases[i], in.Releases[j] = in.Releases[j], in.Releases[i]
		})
		if again := content.NewSnapshot(in); !reflect.DeepEqual(again, first) {
			t.Fatal("another order of the same input makes another snapshot")
		}
	}
}

// A snapshot that takes items over from the one before is that which is made from
// nothing, and the one before stays what it was.
func TestSnapshotAfterAnother(t *testing.T) {
	all := busyInput(t)
	all.Publications = append(all.Publications, publication(t, "guidelines/b/v3.0.0 2026-01-01 recheck=2026-06-01"))
	random := rand.New(rand.NewPCG(3, 4))
	var in content.Input
	var before, fresh *content.Snapshot // the same, made after another and from nothing
	taken := 0
	for range 500 {
		switch random.IntN(8) {
		case 0:
			in.Date = []string{"2026-01-15", "2026-12-31"}[random.IntN(2)]
		case 1:
			in.Drafts = !in.Drafts
		case 2:
			in.Marks = all.Marks[:random.IntN(3)]
		case 3:
			in.Releases = all.Releases[:random.IntN(5)]
		default:
			for range 1 + random.IntN(3) { // several, so that one may take the place of another
				p := all.Publications[random.IntN(len(all.Publications))]
				if i := slices.Index(in.Publications, p); i >= 0 {
					in.Publications = slices.Delete(in.Publications, i, i+1)
				} else {
					in.Publications = append(in.Publications, p)
				}
			}
			slices.SortFunc(in.Publications, func(p, q *content.Publication) int { // as a loader does
				return cmp.Or(strings.Compare(p.Item(), q.Item()), p.Version.Compare(q.Version))
			})
		}
		in.Before = nil
		want := content.NewSnapshot(in)
		in.Before = before
		got := content.NewSnapshot(in)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%v\nexpected\n%v", entries(got.Changes), entries(want.Changes))
		}
		for _, it := range got.Items {
			if before != nil && before.Item(it.Kind, it.Name) == it {
				taken++
			}
		}
		if !reflect.DeepEqual(before, fresh) {
			t.Fatal("the snapshot before has changed")
		}
		before, fresh = got, want
	}
	if taken < 500 {
		t.Errorf("%d items were taken over", taken)
	}
}

// busyInput has many items, versions, releases and marks, several of them at
// the same instant.
func busyInput(t testing.TB) content.Input {
	in := content.Input{Marks: []content.Mark{mark(t, "guidelines/b 1.1.0 archived 2026-03-01"),
		mark(t, "scenarios/a - archived 2026-03-01")}}
	in.Date = "2026-12-31"
	for _, item := range []string{"guidelines/a", "guidelines/b", "scenarios/a", "scenarios/b"} {
		for _, v := range []string{"/v1.0.0 2026-01-01", "/v1.1.0 2026-02-01", "/v1.9.0 2026-02-01",
			"/v1.10.0 2026-02-01", "/v2.0.0-rc.1 2026-02-01"} {
			in.Publications = append(in.Publications, publication(t, item+v+" commit=c"+v[2:3]))
		}
	}
	for _, r := range []string{"v1.0.0 2026-01-01 c1", "v1.1.0 2026-02-01 c2", "v1.9.0 2026-02-01 c2",
		"v1.10.0 2026-02-01 c3"} {
		in.Releases = append(in.Releases, release(t, r, "Subject"))
	}
	return in
}
