// Generate makes a large repository of rules, for benchmarks and experiments:
//
//	go run ./scripts/generate -publications 20000 -files 2000 DIR
//
// DIR becomes a bare, packed repository: each publication is a commit with an
// annotated tag, and the last commit seals them all. With -each every publication is
// sealed as `rulestore publish` does it: by a commit of its own, which is tagged, in the
// file of its item. With -areas the files are in that many sub-folders. The same arguments give
// the same repository, object by object.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

func main() {
	publications := flag.Int("publications", 20000, "how many publications")
	files := flag.Int("files", 2000, "over how many files")
	areas := flag.Int("areas", 0, "in how many sub-folders the files stand")
	each := flag.Bool("each", false, "seal each publication by itself")
	flag.Parse()
	if flag.NArg() != 1 || *files < 1 || *publications < *files || *areas < 0 {
		fmt.Fprintln(os.Stderr, "usage: generate [-publications N] [-files M] [-areas A] [-each] DIR, with N at least M")
		os.Exit(2)
	}
	if err := generate(flag.Arg(0), history{*publications, *files, *areas, *each}); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// history is what is asked for.
type history struct {
	publications, files, areas int
	each                       bool
}

// generate makes the repository in dir, which must not be one yet.
func generate(dir string, h history) error {
	if err := git("", nil, "init", "-q", "--bare", "-b", "main", dir); err != nil {
		return err
	}
	if err := fill(dir, h); err != nil {
		return err
	}
	repack := []string{"repack", "-a", "-d", "-q"}
	if h.each { // or git would keep each version of a file of seals whole, as fast-import wrote it
		repack = append(repack, "-f")
	}
	if err := git(dir, nil, repack...); err != nil {
		return err
	}
	return git(dir, nil, "pack-refs", "--all")
}

// fill has git read the history while it is written.
func fill(dir string, h history) error {
	r, w := io.Pipe()
	written := make(chan error, 1)
	go func() {
		buf := bufio.NewWriter(w)
		err := errors.Join(h.write(buf), buf.Flush())
		w.CloseWithError(err)
		written <- err
	}()
	err := git(dir, r, "fast-import", "--quiet")
	r.Close() // whoever writes to a git that is gone, stops
	if err := <-written; err != nil && !errors.Is(err, io.ErrClosedPipe) {
		return err
	}
	return err
}

func git(dir string, in io.Reader, args ...string) error {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, in, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("git %s: %w", args[0], err)
	}
	return nil
}

// stream is what git fast-import reads. The first error stops everything.
type stream struct {
	io.Writer
	at  time.Time // of the next commit
	err error
}

func (s *stream) print(format string, args ...any) {
	if s.err == nil {
		_, s.err = fmt.Fprintf(s, format, args...)
	}
}

func (s *stream) data(text string) { s.print("data %d\n%s\n", len(text), text) }

func (s *stream) who() string {
	return fmt.Sprintf("Author <author@example.org> %d +0000", s.at.Unix())
}

func (s *stream) commit(message string, files map[string]string) {
	s.print("commit refs/heads/main\ncommitter %s\n", s.who())
	s.data(message)
	s.at = s.at.Add(time.Minute)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		s.print("M 100644 inline %s\n", path)
		s.data(files[path])
	}
}

func (s *stream) tag(name, message string) {
	s.print("tag %s\nfrom refs/heads/main\ntagger %s\n", name, s.who())
	s.data(message)
}

// write writes the whole history: a version 1.0.0 of every file, then a version
// 1.1.0 of every file, and so on, and the seals of all.
func (h history) write(w io.Writer) error {
	s := &stream{Writer: w, at: began}
	s.commit("Settings", map[string]string{content.SettingsFile: settings})
	seals := map[string]string{} // by file
	for n := range h.publications {
		p, err := h.publication(n)
		if err != nil {
			return err
		}
		s.commit(fmt.Sprintf("Change %d", n), map[string]string{p.file: p.text})
		path := content.SealsBeside(p.file)
		seals[path] += p.seal.String() + "\n"
		if h.each {
			s.commit("Seal "+p.seal.Tag, map[string]string{path: seals[path]})
		}
		s.tag(p.seal.Tag, fmt.Sprintf("Version 1.%d.0", n/h.files))
	}
	if !h.each {
		s.commit("Seals", seals)
	}
	return s.err
}

// publication is one of the history.
type publication struct {
	file, text string
	seal       content.Seal
}

// began is when the history begins. Commits are a minute apart.
var began = time.Date(2025, 1, 1, 9, 0, 0, 0, time.UTC)

// publication returns the nth.
func (h history) publication(n int) (publication, error) {
	id := fmt.Sprintf("test.rule-%05d.001", n%h.files)
	tag, err := content.ParseTag(fmt.Sprintf("guidelines/%s/v1.%d.0", id, n/h.files))
	if err != nil {
		return publication{}, err
	}
	commits := n + 2 // before its seal: the settings, and the changes so far
	if h.each {
		commits += n
	}
	text := guideline(id, n, n/h.files)
	seal, err := seal(tag, text, began.Add(time.Duration(commits)*time.Minute))
	return publication{h.file(id, n%h.files), text, seal}, err
}

// file returns the path of the nth file.
func (h history) file(id string, n int) string {
	if h.areas == 0 {
		return content.Guidelines.File(id)
	}
	return content.Guidelines.FileIn(fmt.Sprintf("area-%03d", n%h.areas), id)
}

func seal(tag content.Tag, text string, at time.Time) (content.Seal, error) {
	r := check.Item(schemas.Embedded(), tag.Kind, tag.Name, []byte(text))
	if !r.OK() {
		return content.Seal{}, fmt.Errorf("%s is not valid: %v", tag, r.Findings)
	}
	sum, err := content.Checksum(content.Identified(tag.Kind, tag.Version, r.Body))
	return content.Seal{Tag: tag.String(), Checksum: sum, PublishedAt: at}, err
}
