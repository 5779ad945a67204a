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
	a.publish("9.1.0", "Чужое название")
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
