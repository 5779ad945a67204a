package site

import (
	"testing"

	"rulestore/content"
)

// Who asks what was in force by what was known on each of many days fills no memory: of the
// timelines of an item, as many as its versions, some are kept.
func TestTimelinesAreBounded(t *testing.T) {
	const publications, length = 10, 3_000
	k := timelines{cached: map[timelineKey]*timeline{}}
	for i := range 100 {
		k.keep(&timeline{key: timelineKey{byte(i)}, Timeline: make(content.Timeline, length)}, publications)
		if n := length * len(k.cached); n == 0 || n != k.stretches || n > maxStretches+4*publications {
			t.Fatalf("%d stretches are kept, and %d are counted", n, k.stretches)
		}
	}
	room := maxStretches + 4*publications - k.stretches
	last := &timeline{key: timelineKey{200}, Timeline: make(content.Timeline, room)}
	if k.keep(last, publications); len(k.cached) == 1 {
		t.Error("what just fits drives out the others")
	}
}
