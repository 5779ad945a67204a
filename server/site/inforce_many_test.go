package site

import (
	"fmt"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
)

// Who asks what was in force by what was known on each of many days fills no memory: an item
// with many versions has as many timelines, each as long as it has versions.
func TestTimelinesAreBounded(t *testing.T) {
	t.Parallel()
	const versions = 400
	first := time.Date(2020, 1, 1, 9, 0, 0, 0, time.UTC)
	day := func(i int) string { return first.AddDate(0, 0, i).Format(content.Date) }
	var all []*content.Publication
	for i := range versions {
		all = append(all, &content.Publication{
			Kind: content.Guidelines, Name: "a.many.001", Version: semver.New(1, uint64(i), 0, "", ""),
			PublishedAt: first.AddDate(0, 0, i), Checksum: fmt.Sprintf("sha256:%064d", i), Sealed: true,
			Text: content.Written{Object: content.Object{
				{Name: "guideline_id", Value: content.String("a.many.001")},
				{Name: "valid_from", Value: content.String(day(i))},
			}},
		})
	}
	s := Build(nil, content.NewSnapshot(content.Input{
		Source: content.Source{Date: day(2 * versions)}, Settings: lastStarter().Settings, Publications: all,
	}), config)
	item := s.Snapshot.Item(content.Guidelines, "a.many.001")
	most := 0
	for i := range versions {
		r := s.InForce(item, day(i), day(i/2))
		if r == nil {
			t.Fatalf("nothing was known on %s", day(i))
		}
		if at := s.timeline(item, day(i)); at.Timeline[at.At(day(i/2))].Entry.Version.Minor() != uint64(i/2) {
			t.Errorf("on %s, known on %s, was in force %v", day(i/2), day(i),
				at.Timeline[at.At(day(i/2))].Entry.Version)
		}
		kept := 0
		for _, one := range s.timelines.cached {
			kept += len(one.Timeline)
		}
		if most = max(most, kept); kept != s.timelines.stretches {
			t.Fatalf("%d stretches are kept, and %d are counted", kept, s.timelines.stretches)
		}
	}
	if most > maxStretches+4*versions || most < maxStretches/2 {
		t.Errorf("up to %d stretches were kept", most)
	}
}
