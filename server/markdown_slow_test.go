//go:build slow

package server_test

import (
	"testing"
)

// What is true of the Markdown of every version ever published: it was written
// for people, in Russian, and nothing of the JSON below shows through.
func TestMarkdownOfEveryPublication(t *testing.T) {
	s := starterSite()
	c := ask(t, s)
	pages := 0
	for _, item := range s.Snapshot.Items {
		for _, e := range item.Entries {
			pages++
			page := string(c.get(e.Path(), "Accept", "text/markdown").body)
			for _, complaint := range complaints(page, e) {
				t.Errorf("%s: %s", e.Tag(), complaint)
			}
		}
	}
	if pages < 96 {
		t.Errorf("only %d publications", pages)
	}
}
