package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
)

// running is a server under test: the command itself, on a free port.
type running struct {
	*testing.T
	url  string
	log  fmt.Stringer
	stop func() error // ends the server and returns what the command returned
}

// baseURL is given to servers whose answers are compared.
const baseURL = "https://rules.example.org"

func start(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	log := &lockedBuffer{}
	done := make(chan error, 1)
	go func() {
		err := run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...),
			func(string) string { return "" }, nil, in, log)
		in.Close()
		done <- err
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("serve %s: %v\n%s", strings.Join(args, " "), err, log)
	}
	s := &running{T: t, log: log, stop: sync.OnceValue(func() error {
		client.CloseIdleConnections()
		cancel()
		return <-done
	})}
	t.Cleanup(func() { _ = s.stop() })
	s.url = s.address(line)
	return s
}

var listening = regexp.MustCompile(`listening on (?:127\.0\.0\.1|\[::1\]|0\.0\.0\.0|\[::\]):(\d+)`)

// address finds where the server listens.
func (s *running) address(line string) string {
	s.Helper()
	m := listening.FindStringSubmatch(line)
	if m == nil {
		s.Fatalf("no address in %q", line)
	}
	return "http://127.0.0.1:" + m[1]
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

type reply struct {
	status int
	header http.Header
	body   []byte
}

// client asks for what is served, not for a coding of it: whether one is ready
// depends on the time.
var client = &http.Client{
	Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 8},
	Timeout:       stuck,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (s *running) get(path, accept string) (reply, error) { return s.getWith(path, "Accept", accept) }

// getWith asks with headers, given as names and values in turn.
func (s *running) getWith(path string, headers ...string) (reply, error) {
	req, err := http.NewRequest(http.MethodGet, s.url+path, nil)
	if err != nil {
		return reply{}, err
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return reply{res.StatusCode, res.Header, body}, err
}

func (s *running) mustGet(path, accept string) reply {
	s.Helper()
	a, err := s.get(path, accept)
	if err != nil {
		s.Fatal(err)
	}
	return a
}

// stuck is after how long a test takes something for hanging; it has room for a machine
// that runs a hundred of these processes at once under the race detector.
const stuck = 3 * time.Minute

// await asks until the answer is right.
func (s *running) await(what string, right func() bool) {
	s.Helper()
	for deadline := time.Now().Add(stuck); !right(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.Fatalf("%s: not within %v; the server's log:\n%s", what, stuck, s.log)
		}
	}
}

// clone is a repository whose owner commits, tags and pushes.
type clone struct {
	*testing.T
	dir string
}

// six is a bare repository of six published and sealed items, as loader/author/testdata has it.
var six = sync.OnceValues(func() (string, error) {
	dir, bare := filepath.Join(shared, "six"), filepath.Join(shared, "six.git")
	err := makeSix(dir)
	if err == nil {
		var out []byte
		if out, err = exec.Command("git", "clone", "-q", "--bare", dir, bare).CombinedOutput(); err != nil {
			err = fmt.Errorf("%w\n%s", err, out)
		}
	}
	return bare, err
})

// sixScript is their history.
func sixScript() (git.Script, error) {
	archive, err := txtar.ParseFile(filepath.Join("..", "..", "loader", "author", "testdata", "six.txtar"))
	if err != nil {
		return nil, err
	}
	return gittest.ParseTxtar(archive)
}

// makeSix makes the repository, with a work tree.
func makeSix(dir string) error {
	script, err := sixScript()
	if err == nil {
		err = git.Create(dir, script)
	}
	if err != nil {
		return err
	}
	if out, err := rulestoreIn(dir, []string{"GIT_COMMITTER_DATE=2026-02-02T11:00:00+03:00"}, "publish", "--release",
		"0.1.0"); err != nil {
		return fmt.Errorf("publish: %w\n%s", err, out)
	}
	return nil
}

// newYoung is a copy of the six items for who pushes to them, and the author's clone.
func newYoung(t *testing.T) (bare string, a *clone) {
	t.Helper()
	return served(t, six)
}

// young is the repository that newYoung copies, for tests that only read it.
func young(t *testing.T) string {
	t.Helper()
	bare, err := six()
	if err != nil {
		t.Fatal(err)
	}
	return bare
}

func served(t *testing.T, from func() (string, error)) (bare string, a *clone) {
	t.Helper()
	first, err := from()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	bare = filepath.Join(dir, "rules.git")
	a = &clone{t, filepath.Join(dir, "author")}
	gitIn(t, dir, "clone", "-q", "--bare", first, bare)
	gitIn(t, dir, "clone", "-q", bare, a.dir)
	return bare, a
}

func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_MERGE_AUTOEDIT=no",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A",
		"GIT_COMMITTER_EMAIL=a@example.org")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (a *clone) git(args ...string) string { a.Helper(); return gitIn(a.T, a.dir, args...) }

// retitle changes the title of a rule and commits.
func (a *clone) retitle(id, title string) {
	a.Helper()
	a.sub(content.Guidelines.File(id), `(?m)^title: .*$`, "title: "+title)
	a.git("commit", "-q", "-a", "-m", title)
}

// publish retitles the rule among the six items, tags that and pushes it.
func (a *clone) publish(version, title string) {
	a.Helper()
	a.retitle(common, title)
	a.git("tag", "-a", "-m", title, "guidelines/"+common+"/v"+version)
	a.push()
}

// sub replaces what a pattern finds in a file.
func (a *clone) sub(path, pattern, with string) {
	a.Helper()
	file := filepath.Join(a.dir, path)
	raw, err := os.ReadFile(file)
	if err != nil {
		a.Fatal(err)
	}
	changed := regexp.MustCompile(pattern).ReplaceAll(raw, []byte(with))
	if bytes.Equal(raw, changed) {
		a.Fatalf("nothing in %s matches %s", path, pattern)
	}
	a.write(path, string(changed))
}

func (a *clone) write(path, data string) {
	a.Helper()
	file := filepath.Join(a.dir, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		a.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(data), 0o644); err != nil {
		a.Fatal(err)
	}
}

func (a *clone) read(path string) string {
	a.Helper()
	raw, err := os.ReadFile(filepath.Join(a.dir, path))
	if err != nil {
		a.Fatal(err)
	}
	return string(raw)
}

// push sends the branch and all tags, deleted and moved ones too, at once.
func (a *clone) push() {
	a.Helper()
	a.git("push", "-q", "--force", "--prune", "origin", "refs/heads/main:refs/heads/main", "refs/tags/*:refs/tags/*")
}

// agree looks at one answer: header, body and checksum must agree.
func agree(a reply) error {
	if a.status != http.StatusOK {
		return fmt.Errorf("status %d: %s", a.status, a.body)
	}
	var item content.Object
	if err := json.Unmarshal(a.body, &item); err != nil {
		return err
	}
	sum, err := content.Checksum(item)
	if err != nil {
		return err
	}
	for _, got := range []string{item.Text("content_checksum"), a.header.Get("X-Content-Checksum")} {
		if got != sum {
			return fmt.Errorf("checksum %s, computed %s", got, sum)
		}
	}
	for header, field := range map[string]string{"X-Guideline-Version": "guideline_version",
		"X-Guideline-ID": "guideline_id", "X-Guideline-Status": "status"} {
		if a.header.Get(header) != item.Text(field) {
			return fmt.Errorf("header %s is %q, body says %q", header, a.header.Get(header), item.Text(field))
		}
	}
	return nil
}

// paths lists every address that a server answers with content.
func (s *running) paths() []string {
	s.Helper()
	all := []string{"/", "/llms.txt", "/api/v1/changelog", "/api/v1/changelog?limit=500", "/api/v1/checksums",
		"/api/v1/guidelines?status=superseded", "/api/v1/guidelines?status=archived"}
	for _, k := range content.Kinds {
		all = append(all, k.Path)
	}
	for line := range strings.Lines(string(s.mustGet("/api/v1/checksums", "*/*").body)) {
		name, _, _ := strings.Cut(line, " ")
		tag, err := content.ParseTag(name)
		if err != nil {
			s.Fatal(err)
		}
		item := tag.Kind.Path + "/" + tag.Name
		static := "/" + tag.Kind.Folder + "/" + tag.Name + "/current."
		all = append(all, item, item+"/versions", item+"/versions/"+tag.Version.String(), static+"json", static+"md")
	}
	slices.Sort(all)
	return slices.Compact(all)
}

var fetchedAt = regexp.MustCompile(`"fetched_at":"[^"]*"`)

// everything returns all that a server serves, but for the time of the answer.
func (s *running) everything() map[string]string {
	s.Helper()
	all := map[string]string{}
	for _, path := range s.paths() {
		accepts := []string{"application/json"}
		if strings.HasPrefix(path, content.Guidelines.Path+"/") {
			accepts = append(accepts, "text/markdown")
		}
		for _, accept := range accepts {
			a := s.mustGet(path, accept)
			a.header.Del("Date")
			var b strings.Builder
			fmt.Fprintln(&b, a.status)
			if err := a.header.Write(&b); err != nil {
				s.Fatal(err)
			}
			b.Write(fetchedAt.ReplaceAll(a.body, nil))
			all[accept+" "+path] = b.String()
		}
	}
	return all
}
