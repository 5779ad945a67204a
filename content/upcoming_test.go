package content_test

import (
	"testing"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
)

// What is redacted is not shown ahead of its day either, from the day of the mark on.
func TestUpcomingIsRedacted(t *testing.T) {
	const item = "guidelines/product.one.001"
	ahead := &content.Publication{Kind: content.Guidelines, Name: "product.one.001",
		Version: semver.New(1, 1, 0, "", "")}
	for name, test := range map[string]struct {
		mark  content.Mark
		shown bool
	}{
		"the version": {content.Mark{Item: item, Version: "1.1.0", Status: content.Redacted, Since: "2026-11-25"},
			false},
		"the item":      {content.Mark{Item: item, Status: content.Redacted, Since: "2026-11-25"}, false},
		"from tomorrow": {content.Mark{Item: item, Status: content.Redacted, Since: "2026-11-26"}, true},
		"another version": {content.Mark{Item: item, Version: "1.0.0", Status: content.Redacted, Since: "2026-11-25"},
			true},
		"another status": {content.Mark{Item: item, Status: content.Archived, Since: "2026-11-25"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := content.NewSnapshot(content.Input{
				Source: content.Source{Date: "2026-11-25"}, Upcoming: []*content.Publication{ahead},
				Marks: []content.Mark{test.mark},
			})
			if shown := len(s.Upcoming) == 1; shown != test.shown {
				t.Errorf("it is shown: %t", shown)
			}
		})
	}
}
