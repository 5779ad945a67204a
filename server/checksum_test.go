package server_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os/exec"
	"strings"
	"testing"
	"time"

	"rulestore/content"
)

// Body, header and checksum agree, and the checksum is what anyone computes
// from the body.
func TestChecksums(t *testing.T) {
	c := ask(t, kindsSite())
	list := string(c.get("/api/v1/checksums").body)
	for _, p := range places(kindsSite()) {
		if p.entry == nil || p.kind != jsonType {
			continue
		}
		r := c.get(p.path)
		item := decode[content.Object](t, r.body)
		sum := must(content.Checksum(item))
		line := p.entry.Tag() + " " + sum + " " + item.Text("published_at") + "\n"
		if item.Text("content_checksum") != sum || r.header.Get("X-Content-Checksum") != sum ||
			!strings.Contains(list, line) {
			t.Errorf("%s: computed %s, body %s, header %s", p.path, sum, item.Text("content_checksum"),
				r.header.Get("X-Content-Checksum"))
		}
		if markdown := c.get(p.path, "Accept", markdownType); !strings.HasSuffix(p.path, ".json") &&
			!bytes.Contains(markdown.body, []byte(sum)) {
			t.Errorf("%s: the Markdown does not name the checksum", p.path)
		}
	}
	if want := kindsSite().Snapshot.Count(); strings.Count(list, "\n") != want {
		t.Errorf("%d versions, and this list:\n%s", want, list)
	}
}

// The recipe of the design, section 5, with the tools that it names.
func TestChecksumsWithJQ(t *testing.T) {
	jq, err := exec.LookPath("jq")
	if err != nil {
		t.Skip("jq is not installed: the published recipe is not tried here")
	}
	c := ask(t, kindsSite())
	var paths, want []string
	var bodies bytes.Buffer // one process reads them all
	for _, p := range places(kindsSite()) {
		if p.entry != nil && strings.Contains(p.path, "/versions/") {
			r := c.get(p.path)
			paths, want = append(paths, p.path), append(want, r.header.Get("X-Content-Checksum"))
			bodies.Write(r.body)
		}
	}
	cmd := exec.CommandContext(
		t.Context(), jq, "-cS", // -j as well, where there is one: no newlines between them
		"del(.status,.published_at,.updated_at,.change_note,.canonical_url,.discovery_urls,.output_schema_url,.total,.content_checksum,.fetched_at)",
	)
	cmd.Stdin = &bodies
	made := bytes.Split(bytes.TrimSuffix(must(cmd.Output()), []byte("\n")), []byte("\n"))
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

// fetched_at is when the answer was written, wherever the specification has it,
// and the only thing that changes from answer to answer.
func TestFetchedAt(t *testing.T) {
	c := ask(t, storeSite())
	for path, times := range map[string]int{
		"/": 0, "/llms.txt": 0, "/api/v1/checksums": 0, "/guidelines/product.deposit.001/current.md": 0,
		deposit: 1, deposit + "/versions": 1, "/guidelines/product.deposit.001/current.json": 1,
		"/api/v1/changelog?limit=1": 1, "/api/v1/health": 1, "/.well-known/service-for-robots.json": 1,
		deposit + "?as_of=2026-03-01": 1, "/api/v1/search?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4": 1,
		"/api/v1/guidelines": 1 + 5, // the list and each of its elements
	} {
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
	}
}

// The ETag is a function of the body without fetched_at: it belongs to one body alone, and is the same
// on every replica and after every restart.
func TestValidators(t *testing.T) {
	again := build(nil, load(sealed(readScript("testdata/kinds.txtar"))).Snapshot)
	if again.ID != kindsSite().ID {
		t.Errorf("the same content is snapshot %s and %s", kindsSite().ID, again.ID)
	}
	one, two, seen := ask(t, kindsSite()), ask(t, again), map[string]string{}
	for _, p := range places(again) {
		if strings.Contains(p.path, "health") {
			continue
		}
		for _, accept := range []string{jsonType, markdownType} {
			a, b := one.get(p.path, "Accept", accept), two.get(p.path, "Accept", accept)
			tag, body := a.header.Get("Etag"), string(a.blanked())
			if tag != b.header.Get("Etag") || accept == jsonType && body != string(b.blanked()) {
				t.Errorf("%s differs from replica to replica", p.path)
			}
			if other, ok := seen[tag]; ok && other != body || a.status == 200 && !strings.HasPrefix(tag, `W/"`) {
				t.Errorf("%s: the ETag %s belongs to two bodies, or is not weak", p.path, tag)
			}
			if a.status == 200 {
				seen[tag] = body
			}
		}
	}
}
