package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// hostile is what a stranger writes wherever there is place for a name: escape
// sequences of 7 and 8 bits, what is not seen, what turns text around, bytes that are no
// text, and lines that a workflow obeys.
const hostile = "a\x1b[2J\x1b]0;t\x07\u009b31m\u202ex\u2066\u200b\u061c\ufeff\U000e0041\x7f\r\u2028##[error]x"

// lines are what may have more than one line.
const lines = hostile + "\n::error file=x::y\n \t::set-env name=A::b\n##[add-mask]z\xff\x9b"

// hostileRepository is a repository with that everywhere, in names that git itself
// would refuse too.
func hostileRepository(t *testing.T) *clone {
	t.Helper()
	a := &clone{t, preview(t, nil)}
	git := func(stdin string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stdin = a.dir, strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	quoted, err := json.Marshal(lines)
	if err != nil {
		t.Fatal(err)
	}
	blob := func(text string) string { return git(text, "hash-object", "-w", "--stdin") }
	item := func(id, more string) string {
		return "scenario_id: " + id + "\nschema_version: \"1.0\"\ntitle: " + string(quoted) +
			"\ndescription: |-\n  Раз\n  ::error::x\n  ##[error]y\n" + more
	}
	files := map[string]string{
		"scenarios/published.yaml":       blob(item("published", "")),
		"scenarios/fields.yaml":          blob(item("fields", string(quoted)+": 1\n? "+string(quoted)+"\n: 2\n")),
		"scenarios/raw.yaml":             blob("scenario_id: raw # " + hostile + "\ntitle: [" + hostile + "\n"),
		"scenarios/other.yaml":           blob(item(string(quoted), "")),
		"scenarios/" + lines + ".yaml":   blob(item("x", "")),
		"scenarios/" + lines + "/x.yaml": blob(item("x", "")),
		lines + "/x.yaml":                blob("a: b\n"),
		lines:                            blob("x"),
		"lifecycle.yaml":                 blob("schema_version: \"1.0\"\nmarks:\n  - {item: scenarios/published, version: 1.0.0, status: archived, reason: " + string(quoted) + ", since: 2026-01-01}\n  - {item: " + string(quoted) + ", status: " + string(quoted) + ", reason: x, since: " + string(quoted) + "}\n"),
		"sealed/scenarios/published.sum": blob("scenarios/" + hostile + "/v1.0.0 sha256:0 now\n" + hostile + "\n"),
		"registries/taxonomy.yaml": blob("registry_id: taxonomy\nschema_version: \"1.0\"\n" +
			string(quoted) + ": []\n"),
	}
	base := git("", "rev-parse", "HEAD")
	git("", "read-tree", "HEAD")
	for name, id := range files {
		if id != "" {
			git("100644 "+id+"\t"+name+"\x00", "update-index", "-z", "--index-info")
		}
	}
	tree := git("", "write-tree")
	who := hostile + " <" + strings.ReplaceAll(hostile, "<", "") + "@example.org> 1780000000 +0300"
	commit := func(tree, parent string) string {
		return git("tree "+tree+"\nparent "+parent+"\nauthor "+who+"\ncommitter "+who+"\n\n"+lines+"\n", "hash-object",
			"-t", "commit", "-w", "--stdin", "--literally")
	}
	head := commit(tree, base)
	tag := func(name, target string) {
		t.Helper()
		id := git("object "+target+"\ntype commit\ntag "+name+"\ntagger "+who+"\n\n"+lines+"\n", "hash-object", "-t",
			"tag", "-w", "--stdin", "--literally")
		packed := filepath.Join(a.dir, ".git", "packed-refs")
		raw, _ := os.ReadFile(packed) // there may be none
		if err := os.WriteFile(packed, append(raw, (id+" refs/tags/"+name+"\n")...), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"scenarios/published/v1.1.0", "scenarios/" + hostile + "/v1.0.0",
		"scenarios/fields/v1.0.0", "scenarios/raw/v1.0.0", "scenarios/x/v1.0.0-" + hostile, hostile} {
		tag(name, head)
	}
	branch := "main-\u202e\u009b31m\u200b" // git refuses what is worse
	git("", "update-ref", "refs/heads/"+branch, head)
	git("", "symbolic-ref", "HEAD", "refs/heads/"+branch)
	git("", "reset", "-q", "--hard")
	return a
}

// What a server that follows such a repository logs, and what its health document says,
// is as fit as what commands print.
func TestHostileLog(t *testing.T) {
	a := hostileRepository(t)
	for _, format := range []string{"text", "json"} {
		t.Run(format, func(t *testing.T) {
			s := start(t, "--repo", a.dir, "--drafts", "--log-format", format, "--access-log", "--admin-addr", "off")
			health := s.mustGet("/api/v1/health", "application/json")
			if problem := unfit(string(health.body)); problem != "" ||
				!strings.Contains(string(health.body), `\u001b`) {
				t.Errorf("health: %s\n%s", problem, health.body)
			}
			if err := s.stop(); err != nil {
				t.Fatal(err)
			}
			if log := s.log.String(); unfit(log) != "" || log == "" {
				t.Errorf("the log: %s\n%q", unfit(log), log)
			}
		})
	}
}

// What a remote host says, and what a hook says, is printed as what it is, and so are a
// message and a branch that are published in the end.
func TestHostileHost(t *testing.T) {
	dir := preview(t, nil)
	a := &clone{t, dir}
	gitIn(t, dir, "branch", "-m", "main-\u202e\u009b31m\u200b")
	bare := filepath.Join(t.TempDir(), "bare.git")
	gitIn(t, dir, "clone", "-q", "--bare", dir, bare)
	gitIn(t, dir, "remote", "add", "origin", bare)
	gitIn(t, dir, "fetch", "-q", "origin")
	a.write("scenarios/published.yaml",
		"scenario_id: published\nschema_version: \"1.0\"\ntitle: Новое\ndescription: Есть всегда.\n")
	gitIn(t, dir, "commit", "-q", "-a", "-m", "Новое "+hostile)
	file := filepath.Join(dir, ".git", "said")
	if err := os.WriteFile(file, []byte(lines+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{filepath.Join(bare, "hooks", "pre-receive"),
		filepath.Join(dir, ".git", "hooks", "pre-push"), filepath.Join(dir, ".git", "hooks", "pre-commit")} {
		t.Run(filepath.Base(hook), func(t *testing.T) {
			if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(hook, []byte("#!/bin/sh\ncat "+file+" >&2\nexit 1\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"AUTHOR", "COMMITTER"} {
				t.Setenv("GIT_"+name+"_NAME", "A")
				t.Setenv("GIT_"+name+"_EMAIL", "a@example.org")
			}
			out, log, _ := ran(t, map[string]string{"GITHUB_ACTIONS": "true"}, "publish", "--repo", dir, "--push")
			if problem := unfit(out + log); problem != "" || !strings.Contains(log, `\u001b[2J`) {
				t.Errorf("%s\n%q%q", problem, out, log)
			}
			if err := os.Remove(hook); err != nil {
				t.Fatal(err)
			}
		})
	}
	out, log, _ := ran(t, nil, "publish", "--repo", dir, "--push")
	all := out + log
	if problem := unfit(all); problem != "" || !strings.Contains(all, "published and pushed to origin") ||
		!strings.Contains(all, `\u001b[2J`) {
		t.Errorf("%s\n%q", problem, all)
	}
}

// A server that is verified may say anything.
func TestHostileServer(t *testing.T) {
	header := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '?'
		}
		return r
	}, hostile)
	for name, answer := range map[string]http.HandlerFunc{
		"a list": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, lines) },
		"a tag": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, hostile+"/"+hostile+"/v1.0.0 sha256:0 now\n")
		},
		"a redirect": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://"+header+"/")
			w.WriteHeader(302)
		},
		"an item": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/api/v1/checksums" {
				fmt.Fprintf(w, "scenarios/published/v1.0.0 sha256:%064d 2026-02-02T10:00:00Z\n", 1)
				return
			}
			w.Header().Set("X-Content-Checksum", header)
			raw, _ := json.Marshal(map[string]string{"content_checksum": lines, "scenario_version": lines,
				lines: lines, "published_at": lines})
			_, _ = w.Write(raw)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(answer)
			defer s.Close()
			for _, command := range [][]string{{"verify", s.URL}, {"healthcheck", s.URL}} {
				out, log, _ := ran(t, nil, command...)
				if problem := unfit(out) + unfit(log); problem != "" || out+log == "" {
					t.Errorf("%s in %q %q", problem, out, log)
				}
			}
		})
	}
}
