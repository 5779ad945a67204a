package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/content"
)

// common is the rule among the six items.
const common = "product.common.001"

// An author with the editor on the left: with --drafts a file is served as it
// is typed, and a mistake leaves what was there.
func TestDraftsAsTyped(t *testing.T) {
	t.Parallel()
	_, a := newYoung(t)
	s := start(t, "--repo", filepath.Join(a.dir, "guidelines"), "--drafts")
	title := func() string {
		var item content.Object
		if err := json.Unmarshal(s.mustGet("/api/v1/guidelines/"+common, "*/*").body, &item); err != nil {
			t.Fatal(err)
		}
		return item.Text("title") + " " + item.Text("guideline_version")
	}
	before := title()
	a.sub(content.Guidelines.File(common), `(?m)^title: .*$`, "title: Набирается")
	s.await("the draft", func() bool {
		return strings.HasPrefix(title(), "Набирается 1.1.1-0.") && strings.HasSuffix(title(), ".dirty")
	})
	a.sub(content.Guidelines.File(common), `(?m)^title: .*$`, "title: [")
	s.await("the mistake", func() bool { return title() == before })
	s.await("the mistake in the log", func() bool { return strings.Contains(s.log.String(), common+".yaml") })
	a.git("checkout", "-q", content.Guidelines.File(common))
	a.retitle(common, "Закоммичено")
	s.await("the commit", func() bool {
		return strings.HasPrefix(title(), "Закоммичено 1.1.1-0.") && !strings.Contains(title(), "dirty")
	})
}

// What is wrong with the repository as a whole keeps what is served.
func TestRepositoryGone(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	s := start(t, "--repo", bare, "--poll", "1s")
	if err := os.Rename(bare, bare+".away"); err != nil {
		t.Fatal(err)
	}
	health := func() string { return string(s.mustGet("/api/v1/health", "*/*").body) }
	s.await("the error", func() bool { return strings.Contains(health(), `"status": "degraded"`) })
	if err := agree(s.mustGet("/api/v1/guidelines/"+common, "*/*")); err != nil {
		t.Error(err)
	}
	if err := os.Rename(bare+".away", bare); err != nil {
		t.Fatal(err)
	}
	s.await("the recovery", func() bool { return strings.Contains(health(), `"status": "ok"`) })
	a.publish("1.2.0", "Снова здесь")
	s.await("the publication", func() bool {
		return s.mustGet("/api/v1/guidelines/"+common+"/versions/1.2.0", "*/*").status == 200
	})
}
