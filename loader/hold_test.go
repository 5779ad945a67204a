package loader

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
)

// What becomes of publications, each given as name@version, commit and what it refers to.
func TestHold(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	publication := func(text string) *content.Publication {
		words := strings.Fields(text)
		name, version, _ := strings.Cut(words[0], "@")
		p := &content.Publication{
			Kind: content.Guidelines, Name: name, Version: semver.MustParse(version), Commit: words[1], PublishedAt: now,
		}
		var refers []content.Reference
		for _, w := range words[2:] {
			switch w {
			case "draft":
				p.Draft = true
			case "sealed":
				p.Sealed = true
			case "early":
				p.PublishedAt = now.AddDate(0, 0, 1)
			default:
				refers = append(refers, content.Reference{Item: "guidelines/" + w})
			}
		}
		p.Text = content.Written{Refers: refers}
		return p
	}
	for name, c := range map[string]struct {
		given                  []string
		lost                   string // an item whose publication on the commit c was refused
		drafts                 bool
		served, waiting, early string
	}{
		"alone":                      {given: []string{"a@1.0.0 c"}, served: "a@1.0.0"},
		"a reference to nothing":     {given: []string{"a@1.0.0 c b"}, waiting: "a@1.0.0"},
		"a sealed one":               {given: []string{"a@1.0.0 c b sealed"}, served: "a@1.0.0"},
		"both on one commit":         {given: []string{"a@1.0.0 c b", "b@1.0.0 c a"}, served: "a@1.0.0 b@1.0.0"},
		"refers to what waits":       {given: []string{"a@1.0.0 c b", "b@1.0.0 d x"}, waiting: "a@1.0.0 b@1.0.0"},
		"refers to what comes later": {given: []string{"a@1.0.0 c b", "b@1.0.0 c early"}, waiting: "a@1.0.0", early: "b@1.0.0"},
		"beside what was refused": {
			given: []string{"a@1.0.0 c b", "b@1.0.0 d"}, lost: "b", served: "b@1.0.0", waiting: "a@1.0.0",
		},
		"what nobody asked for": {given: []string{"a@1.0.0 c", "a@1.1.0-rc.1 c", "b@0.0.1 c draft"}, served: "a@1.0.0"},
		"with drafts": {
			given: []string{"a@1.1.0-rc.1 c early", "b@0.0.1 c draft"}, drafts: true, served: "a@1.1.0-rc.1 b@0.0.1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var all published
			for _, text := range c.given {
				all.publications = append(all.publications, publication(text))
			}
			if c.lost != "" {
				all.lost = []content.Intent{{Item: "guidelines/" + c.lost, Commit: "c"}}
			}
			h := all.hold(c.drafts, func(d time.Time) bool { return d.After(now) })
			for _, list := range []struct {
				got  []*content.Publication
				want string
			}{{h.served, c.served}, {h.waiting, c.waiting}, {h.early, c.early}} {
				var got []string
				for _, p := range list.got {
					got = append(got, p.Name+"@"+p.Version.String())
				}
				if slices.Sort(got); strings.Join(got, " ") != list.want {
					t.Errorf("%v, expected %s", got, list.want)
				}
			}
			for _, p := range h.waiting {
				if h.why[p].Item == "" {
					t.Errorf("%s waits for nothing", p.Name)
				}
			}
		})
	}
}
