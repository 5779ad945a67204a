//go:build slow

package main

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// With trusted signers only what they signed is served, and the list of versions
// says who that was; a push by somebody else changes nothing.
func TestTrustedSigners(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	bare, a := newYoung(t)
	key := filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	public, err := os.ReadFile(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "signers")
	if err := os.WriteFile(file, []byte("anna@example.org "+string(public)), 0o644); err != nil {
		t.Fatal(err)
	}
	sign := func(args ...string) {
		a.git(append([]string{"-c", "gpg.format=ssh", "-c", "user.signingKey=" + key}, args...)...)
	}
	for path := range strings.Lines(a.git("ls-files", "*/*.yaml")) { // an item needs those that it refers to
		if item, ok := strings.CutSuffix(strings.TrimSpace(path), ".yaml"); ok {
			sign("tag", "-s", "-m", "Подписано", item+"/v9.0.0")
		}
	}
	a.push()
	s := start(t, "--repo", bare, "--trusted-signers", file)
	versions := func() (list struct {
		Versions []struct {
			Version  string                                `json:"guideline_version"`
			SignedBy *struct{ Signer, Key, Object string } `json:"signed_by"`
		}
	}) {
		t.Helper()
		if err := json.Unmarshal(s.mustGet("/api/v1/guidelines/"+common+"/versions", "*/*").body, &list); err != nil {
			t.Fatal(err)
		}
		return list
	}
	first := versions().Versions
	if len(first) != 1 || first[0].Version != "9.0.0" || first[0].SignedBy == nil ||
		first[0].SignedBy.Signer != "anna@example.org" || !strings.HasPrefix(first[0].SignedBy.Key, "SHA256:") ||
		first[0].SignedBy.Object != "tag" {
		t.Fatalf("%+v", first)
	}
	if err := agree(s.mustGet("/api/v1/guidelines/"+common, "application/json")); err != nil {
		t.Error("the signature changes the checksum: ", err)
	}
	if got := s.mustGet("/api/v1/guidelines/"+common+"/versions/1.0.0", "*/*"); got.status != http.StatusNotFound {
		t.Errorf("what nobody signed is answered with %d", got.status)
	}
	a.retitle(common, "Чужое название")
	a.git("tag", "-a", "-m", "Не подписано", "guidelines/"+common+"/v9.1.0")
	a.push()
	s.await("the refusal", func() bool {
		return strings.Contains(string(s.mustGet("/api/v1/health", "*/*").body), "guidelines/"+common+"/v9.1.0")
	})
	if got := versions().Versions; len(got) != 1 {
		t.Errorf("%+v", got)
	}
	sign("tag", "-f", "-s", "-m", "Подписано", "guidelines/"+common+"/v9.1.0")
	a.push()
	s.await("the signed one", func() bool { return len(versions().Versions) == 2 })
}

// A server with a policy keeps the version before while one is not approved by enough people,
// says who is missing, and serves it when they have.
func TestApprovals(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	bare, a := newYoung(t)
	dir := t.TempDir()
	var people strings.Builder
	for _, name := range []string{"anna", "boris", "vera"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f",
			filepath.Join(dir, name)).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		public, err := os.ReadFile(filepath.Join(dir, name+".pub"))
		if err != nil {
			t.Fatal(err)
		}
		people.WriteString(name + " " + string(public))
	}
	file := filepath.Join(dir, "policy.toml")
	text := "signers = \"\"\"\n" + people.String() + "\"\"\"\nroles = {fraud = [\"anna\", \"boris\", \"vera\"]}\n" +
		"[[require]]\nitems = [\"guidelines/" + common + "\"]\nrole = \"fraud\"\napprovals = 2\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, set := range [][]string{{"gpg.format", "ssh"}, {"user.signingKey", filepath.Join(dir, "anna")},
		{"commit.gpgSign", "true"}, {"tag.gpgSign", "true"}} {
		a.git("config", set[0], set[1])
	}
	for path := range strings.Lines(a.git("ls-files", "*/*.yaml")) {
		if item, ok := strings.CutSuffix(strings.TrimSpace(path), ".yaml"); ok {
			a.git("tag", "-s", "-m", "Подписано", item+"/v9.0.0")
		}
	}
	do := func(args ...string) {
		t.Helper()
		if out, err := rulestoreIn(a.dir, nil, args...); err != nil {
			t.Fatal(err, out)
		}
		a.push()
	}
	approve := func(tag, name string) { t.Helper(); do("approve", tag, "--key", filepath.Join(dir, name)) }
	const first, second = "guidelines/" + common + "/v9.0.0", "guidelines/" + common + "/v9.0.1"
	do("publish", common)
	approve(first, "anna")
	approve(first, "vera")
	p := spawn(t, nil, "--repo", bare, "--trusted-signers", file)
	title := func() string { return string(p.mustGet("/api/v1/guidelines/"+common, "*/*").body) }
	if got := title(); !strings.Contains(got, `"guideline_version":"9.0.0"`) {
		t.Fatal(got)
	}
	a.retitle(common, "Иначе")
	do("publish", common, "--bump", "patch")
	p.await("who is missing", func() bool {
		return strings.Contains(string(p.mustGet("/api/v1/health", "*/*").body),
			"nobody in the role fraud approved it, and 2 of anna, boris, vera have to")
	})
	approve(second, "boris")
	p.await("who is missing still", func() bool {
		return strings.Contains(string(p.mustGet("/api/v1/health", "*/*").body),
			"boris approved it, and 1 more in the role fraud have to, of anna, vera")
	})
	if got := title(); !strings.Contains(got, `"guideline_version":"9.0.0"`) {
		t.Errorf("not approved, and served: %s", got)
	}
	approve(second, "vera")
	p.await("the approved one", func() bool { return strings.Contains(title(), `"guideline_version":"9.0.1"`) })
	if got := string(p.mustGet("/api/v1/health", "*/*").body); strings.Contains(got, "unapproved") {
		t.Error(got)
	}
	versions := func() string { return string(p.mustGet("/api/v1/guidelines/"+common+"/versions", "*/*").body) }
	if got := versions(); !strings.Contains(got, `"approved_by":["boris","vera"]`) ||
		!strings.Contains(got, `"approved_by":["anna","vera"]`) {
		t.Errorf("not who approved each version: %s", got)
	}
	approve(second, "anna") // one more than needed
	p.await("a later approval", func() bool {
		return strings.Contains(versions(), `"approved_by":["boris","vera","anna"]`)
	})
	if got := string(p.mustGet("/api/v1/guidelines/"+common, "text/html").body); !strings.Contains(got,
		"Одобрили: boris, vera, anna") {
		t.Error("the page does not name who approved")
	}
}
