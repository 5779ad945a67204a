package content_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

// release makes one from a line, tag, day and commit, and a message.
func release(t testing.TB, line, message string) *content.Release {
	t.Helper()
	f := strings.Fields(line)
	tag, err := content.ParseTag(f[0])
	if err != nil {
		t.Fatal(err)
	}
	return &content.Release{Version: tag.Version, Date: at(t, f[1]), Commit: f[2],
		Message: content.ParseMessage(message)}
}

// entry writes down an entry of the changelog.
func entry(c *content.Change) string {
	line := c.Date.Format(content.Date) + " " + c.Tag
	if c.Guideline != "" {
		return line + fmt.Sprintf(" %s %q>%s %s: %s", c.Guideline, c.Old, c.New, c.Criticality, c.Summary)
	}
	return line + fmt.Sprintf(" %s product=%s module=%s scenario=%s %s: %s [%s]",
		c.Version, c.Product, c.ModuleVersion, c.Scenario, c.Type, c.Title, strings.Join(c.Changes, "; "))
}

func entries(changes []*content.Change) (lines []string) {
	for _, c := range changes {
		lines = append(lines, entry(c))
	}
	return lines
}

func TestChangelog(t *testing.T) {
	const g, m = "guidelines/g", "scenarios/m"
	for _, test := range []struct {
		name      string
		published []string
		releases  []*content.Release
		want      []string
	}{{
		name: "a release says what its message says",
		releases: []*content.Release{release(t, "v1.8.0 2026-03-01 c",
			"Комиссии\n\n- one\n- two,\n  wrapped\n\nType: fix\nScenario: math_module\nModule-Version: 2.0.0\n")},
		want: []string{"2026-03-01 v1.8.0 1.8.0 product=1.8 module=2.0.0 scenario=math_module fix: Комиссии " +
			"[one; two, wrapped]"},
	}, {
		name:     "without bullets the subject is the change, and a release is a feature",
		releases: []*content.Release{release(t, "v2.10.3 2026-03-01 c", "Комиссии\n\nMore about it.")},
		want:     []string{"2026-03-01 v2.10.3 2.10.3 product=2.10 module= scenario= feature: Комиссии [Комиссии]"},
	}, {
		name: "guideline changes, newest first; the first has no old version",
		published: []string{
			g + "/v1.0.0 2026-01-01 note=first", g + "/v1.1.0 2026-02-01 note=second criticality=critical",
		},
		want: []string{
			`2026-02-01 guidelines/g/v1.1.0 g "1.0.0">1.1.0 critical: second`,
			`2026-01-01 guidelines/g/v1.0.0 g "">1.0.0 significant: first`,
		},
	}, {
		name:      "the old version of a backport is the one below it",
		published: []string{g + "/v1.0.0 2026-01-01", g + "/v1.1.0 2026-02-01", g + "/v1.0.1 2026-03-01"},
		want: []string{
			`2026-03-01 guidelines/g/v1.0.1 g "1.0.0">1.0.1 significant: `,
			`2026-02-01 guidelines/g/v1.1.0 g "1.0.1">1.1.0 significant: `,
			`2026-01-01 guidelines/g/v1.0.0 g "">1.0.0 significant: `,
		},
	}, {
		name: "a module release has the product version then in force",
		published: []string{m + "/v3.0.0 2026-02-15 note=Contract|| type=fix",
			m + "/v1.0.0 2025-12-31 note=Early||-_a|-_b", m + "/v2.0.0 2026-02-01"},
		releases: []*content.Release{release(t, "v1.6.0 2026-01-01 c1", "six"),
			release(t, "v1.7.0 2026-02-01 c2", "seven"), release(t, "v1.8.0 2026-03-01 c3", "eight")},
		want: []string{
			"2026-03-01 v1.8.0 1.8.0 product=1.8 module= scenario= feature: eight [eight]",
			"2026-02-15 scenarios/m/v3.0.0 3.0.0 product=1.7 module=3.0.0 scenario=m fix: Contract [Contract]",
			"2026-02-01 v1.7.0 1.7.0 product=1.7 module= scenario= feature: seven [seven]",
			"2026-02-01 scenarios/m/v2.0.0 2.0.0 product=1.7 module=2.0.0 scenario=m feature:  []",
			"2026-01-01 v1.6.0 1.6.0 product=1.6 module= scenario= feature: six [six]",
			"2025-12-31 scenarios/m/v1.0.0 1.0.0 product=1.0 module=1.0.0 scenario=m feature: Early [a; b]",
		},
	}, {
		name:      "on a product release's commit it only fills in the module version",
		published: []string{m + "/v3.0.0 2026-03-02 commit=c", m + "/v2.0.0 2026-03-02 commit=c"},
		releases:  []*content.Release{release(t, "v1.8.0 2026-03-01 c", "eight")},
		want:      []string{"2026-03-01 v1.8.0 1.8.0 product=1.8 module=3.0.0 scenario= feature: eight [eight]"},
	}, {
		name:      "of several modules there, of the one that the release names",
		published: []string{"scenarios/a/v1.0.0 2026-03-01 commit=c", m + "/v3.0.0 2026-03-01 commit=c"},
		releases:  []*content.Release{release(t, "v1.8.0 2026-03-01 c", "eight\n\nScenario: m")},
		want:      []string{"2026-03-01 v1.8.0 1.8.0 product=1.8 module=3.0.0 scenario=m feature: eight [eight]"},
	}, {
		name:      "never of one that the release does not name",
		published: []string{"scenarios/a/v1.0.0 2026-03-01 commit=c"},
		releases:  []*content.Release{release(t, "v1.8.0 2026-03-01 c", "eight\n\nScenario: global")},
		want:      []string{"2026-03-01 v1.8.0 1.8.0 product=1.8 module= scenario=global feature: eight [eight]"},
	}, {
		name:      "the trailer is stronger than the tag",
		published: []string{m + "/v3.0.0 2026-03-01 commit=c"},
		releases:  []*content.Release{release(t, "v1.8.0 2026-03-01 c", "eight\n\nModule-Version: 2.9.0")},
		want:      []string{"2026-03-01 v1.8.0 1.8.0 product=1.8 module=2.9.0 scenario= feature: eight [eight]"},
	}, {
		name:      "guideline changes stand beside the release of their commit",
		published: []string{g + "/v1.0.0 2026-03-01 commit=c"},
		releases:  []*content.Release{release(t, "v1.8.0 2026-03-01 c", "eight")},
		want: []string{
			"2026-03-01 v1.8.0 1.8.0 product=1.8 module= scenario= feature: eight [eight]",
			`2026-03-01 guidelines/g/v1.0.0 g "">1.0.0 significant: `,
		},
	}, {
		name: "of one instant, releases come first and then higher versions",
		published: []string{
			g + "/v1.9.0 2026-01-01", g + "/v1.10.0 2026-01-01", "guidelines/a/v1.0.0 2026-01-01",
			m + "/v1.9.0 2026-01-01", m + "/v1.10.0 2026-01-01",
		},
		releases: []*content.Release{release(t, "v1.9.0 2026-01-01 c1", "nine"),
			release(t, "v1.10.0 2026-01-01 c2", "ten")},
		want: []string{
			"2026-01-01 v1.10.0 1.10.0 product=1.10 module= scenario= feature: ten [ten]",
			"2026-01-01 v1.9.0 1.9.0 product=1.9 module= scenario= feature: nine [nine]",
			"2026-01-01 scenarios/m/v1.10.0 1.10.0 product=1.10 module=1.10.0 scenario=m feature:  []",
			"2026-01-01 scenarios/m/v1.9.0 1.9.0 product=1.10 module=1.9.0 scenario=m feature:  []",
			`2026-01-01 guidelines/a/v1.0.0 a "">1.0.0 significant: `,
			`2026-01-01 guidelines/g/v1.10.0 g "1.9.0">1.10.0 significant: `,
			`2026-01-01 guidelines/g/v1.9.0 g "">1.9.0 significant: `,
		},
	}, {
		name: "drafts change nothing yet",
		published: []string{g + "/v0.0.0-20260301000000-abcdef123456 2026-03-01 draft",
			m + "/v0.0.0-20260301000000-abcdef123456 2026-03-01 draft commit=c"},
		releases: []*content.Release{release(t, "v1.8.0 2026-03-01 c", "eight")},
		want:     []string{"2026-03-01 v1.8.0 1.8.0 product=1.8 module= scenario= feature: eight [eight]"},
	}} {
		t.Run(test.name, func(t *testing.T) {
			snapshot := content.NewSnapshot(content.Input{Publications: publications(t, test.published...),
				Releases: test.releases})
			for _, c := range snapshot.Changes {
				if c.Version != "" && (c.Changes == nil || slices.Contains(c.Changes, "")) {
					t.Errorf("%s: the changes are %q", c.Tag, c.Changes)
				}
			}
			got := entries(snapshot.Changes)
			if !slices.Equal(got, test.want) {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			ofProduct := slices.DeleteFunc(got, func(line string) bool { return strings.Contains(line, "/") })
			if products := entries(snapshot.Products); !slices.Equal(products, ofProduct) {
				t.Errorf("product releases:\n%s", strings.Join(products, "\n"))
			}
		})
	}
}
