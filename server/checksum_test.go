package server_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"rulestore/content"
)

// Body, header and checksum agree, and the checksum is what anyone computes
// from the body.
func TestChecksums(t *testing.T) {
	c := ask(t, starterSite())
	list := string(c.get("/api/v1/checksums").body)
	count := 0
	for _, p := range places(starterSite()) {
		if p.entry == nil || p.kind != jsonType {
			continue
		}
		r := c.get(p.path)
		item := decode[content.Object](t, r.body)
		sum, err := content.Checksum(item)
		if err != nil {
			t.Fatal(err)
		}
		line := p.entry.Tag() + " " + sum + " " + item.Text("published_at") + "\n"
		if item.Text("content_checksum") != sum || r.header.Get("X-Content-Checksum") != sum ||
			!strings.Contains(list, line) {
			t.Errorf(
				"%s: computed %s, body %s, header %s", p.path, sum, item.Text("content_checksum"),
				r.header.Get("X-Content-Checksum"),
			)
		}
		if markdown := c.get(p.path, "Accept", markdownType); !strings.HasSuffix(p.path, ".json") &&
			!bytes.Contains(markdown.body, []byte(sum)) {
			t.Errorf("%s: the Markdown does not name the checksum", p.path)
		}
		count++
	}
	if want := starterSite().Snapshot.Count(); strings.Count(list, "\n") != want || count < want {
		t.Errorf("%d versions, %d looked at, and this list:\n%s", want, count, list)
	}
}

// fetched_at is when the answer was written, wherever the specification has it,
// and the only thing that changes from answer to answer.
func TestFetchedAt(t *testing.T) {
	c, rules := ask(t, starterSite()), currentItems(starterSite(), content.Guidelines)
	superseded := 0 // rules with an older version
	for _, item := range starterSite().Snapshot.Items {
		if item.Kind == content.Guidelines && len(item.Entries) > 1 {
			superseded++
		}
	}
	for path, times := range map[string]int{
		"/":         0,
		"/llms.txt": 0, "/api/v1/checksums": 0, "/healthz": 0,
		"/api/v1/guidelines/product.common.001":                1,
		"/api/v1/guidelines/product.common.001/versions":       1,
		"/api/v1/guidelines/product.common.001/versions/1.0.0": 1,
		"/guidelines/product.common.001/current.json":          1,
		"/guidelines/product.common.001/current.md":            0,
		"/api/v1/scenarios/fraud_risk":                         1,
		"/api/v1/changelog":                                    1,
		"/api/v1/changelog?limit=1":                            1,
		"/api/v1/health":                                       1,
		"/api/v1/guidelines":                                   1 + rules, // the list and each of its elements
		"/api/v1/guidelines?scenario=fraud_risk":               1 + 4,
		"/api/v1/guidelines?status=superseded":                 1 + superseded,
		"/api/v1/external-parameters":                          1 + currentItems(starterSite(), content.Parameters),
		"/api/v1/instructions/assistant":                       1,
		"/api/v1/instructions/assistant?as_of=2026-03-01":      1,
		"/instructions/assistant.md":                           0,
		"/api/v1/fraud/signals":                                1,
		"/api/v1/fraud/signals?severity=info":                  1,
		"/api/v1/fraud/signals/APK_INSTALLATION_REQUESTED":     1,
		"/api/v1/search?signal=APK_INSTALLATION_REQUESTED":     1,
		"/.well-known/service-for-robots.json":                 1,
		"/.well-known/api-catalog":                             0,
		"/schemas/guidelines/1.0.json":                         0,
	} {
		t.Run(path, func(t *testing.T) {
			before := time.Now().Truncate(time.Second)
			r := c.get(path)
			after := time.Now()
			found := fetchedAt.FindAll(r.body, -1)
			if len(found) != times {
				t.Errorf("%s: %d times fetched_at, want %d", path, len(found), times)
			}
			for _, field := range found {
				_, value, _ := strings.Cut(string(field), ":")
				at, err := time.Parse(`"2006-01-02T15:04:05Z"`, strings.TrimSpace(value))
				if err != nil || at.Before(before) || at.After(after) {
					t.Errorf("%s: %s, but the answer came between %v and %v (%v)", path, field, before, after, err)
				}
			}
		})
	}
}
