//go:build slow

package server_test

import (
	"strings"
	"testing"
)

// A brief of anything is at most 4 KB, in both forms, and each section that it names can
// be read; together they are all that there is.
func TestBriefOfEverything(t *testing.T) {
	s := starterSite()
	c := ask(t, s)
	for _, it := range s.Snapshot.Items {
		for _, e := range it.Entries {
			t.Run(e.Tag(), func(t *testing.T) {
				c := client{TB: t, url: c.url}
				p, r := c.part(e.Path() + "?view=brief")
				if p.View != "brief" || p.Status != string(e.Status) || p.Checksum != e.Checksum || p.Own != "" ||
					!strings.HasSuffix(p.URL, e.Path()) {
					t.Errorf("it is not said what it is of: %s", r.body)
				}
				text := c.get(e.Path()+"?view=brief", "Accept", markdownType)
				if len(r.body) > 4096 || len(text.body) > 4096 || p.Left > 0 {
					t.Errorf("%d and %d bytes, %d sections left", len(r.body), len(text.body), p.Left)
				}
				c.sections(e, p)
			})
		}
	}
}
