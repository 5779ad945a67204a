//go:build slow

package server_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

// Every ETag belongs to one body alone, and to that body for good.
func TestValidatorsTellBodiesApart(t *testing.T) {
	c := ask(t, starterSite())
	seen := map[string]string{}
	for _, p := range places(starterSite()) {
		for _, accept := range []string{jsonType, markdownType} {
			r := c.get(p.path, "Accept", accept)
			tag := r.header.Get("Etag")
			if r.status != http.StatusOK || tag == "" && strings.Contains(p.path, "health") {
				continue
			}
			if !strings.HasPrefix(tag, `W/"`) {
				t.Errorf("%s: the ETag %s is not weak", p.path, tag)
			}
			body := string(r.blanked())
			if other, ok := seen[tag]; ok && other != body {
				t.Errorf("%s: the ETag %s belongs to two bodies", p.path, tag)
			}
			seen[tag] = body
		}
	}
	if len(seen) < 2*starterSite().Snapshot.Count() {
		t.Errorf("%d ETags for %d versions in two formats", len(seen), starterSite().Snapshot.Count())
	}
}

// The ETag is the same in every second, on every replica and after every
// restart: it is a function of the body without fetched_at.
func TestValidatorsLast(t *testing.T) {
	t.Parallel()
	again := build(nil, load(starterScript()).Snapshot)
	if again.ID != starterSite().ID {
		t.Errorf("the same content is snapshot %s and %s", starterSite().ID, again.ID)
	}
	one, two := ask(t, starterSite()), ask(t, again)
	for _, p := range places(again) {
		a, b := one.get(p.path), two.get(p.path)
		if a.header.Get("Etag") != b.header.Get("Etag") ||
			!bytes.Equal(a.blanked(), b.blanked()) && !strings.Contains(p.path, "health") {
			t.Errorf("%s differs from replica to replica", p.path)
		}
	}
}

// The recipe of the design, section 5, with the tools that it names.
func TestChecksumsWithJQ(t *testing.T) {
	t.Parallel()
	jq, err := exec.LookPath("jq")
	if err != nil {
		t.Skip("jq is not installed: the published recipe is not tried here")
	}
	c := ask(t, starterSite())
	var paths, want []string
	var bodies bytes.Buffer // one process reads them all
	for _, p := range places(starterSite()) {
		if p.entry == nil || !strings.Contains(p.path, "/versions/") {
			continue
		}
		r := c.get(p.path)
		paths, want = append(paths, p.path), append(want, r.header.Get("X-Content-Checksum"))
		bodies.Write(r.body)
	}
	cmd := exec.CommandContext(
		t.Context(), jq, "-cS", // -j as well, where there is one: no newlines between them
		"del(.status,.published_at,.updated_at,.change_note,.canonical_url,.discovery_urls,.output_schema_url,.total,.content_checksum,.fetched_at)",
	)
	cmd.Stdin = &bodies
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	made := bytes.Split(bytes.TrimSuffix(out, []byte("\n")), []byte("\n"))
	if len(made) != len(paths) || len(paths) == 0 {
		t.Fatalf("jq made %d of %d", len(made), len(paths))
	}
	for i, text := range made {
		sum := sha256.Sum256(text)
		if got := "sha256:" + hex.EncodeToString(sum[:]); got != want[i] {
			t.Errorf("%s: jq says %s, the service %s", paths[i], got, want[i])
		}
	}
}
