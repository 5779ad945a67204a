// Generate makes a large repository of rules, for benchmarks and for trying
// things out:
//
//	go run ./scripts/generate -publications 20000 -files 2000 DIR
//
// DIR becomes a bare, packed repository: each publication is a commit with an
// annotated tag, and the last commit seals them all. With -each every publication is
// sealed as `rulestore publish` does it: by a commit of its own, which is tagged, in the
// file of its item; with -one in rulestore.sum, as it was once. With -areas the files
// stand in so many sub-folders. The same arguments make the same repository, object by
// object.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
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
	one := flag.Bool("one", false, "seal each publication by itself, all in one file")
	flag.Parse()
	if flag.NArg() != 1 || *files < 1 || *publications < *files || *areas < 0 {
		fmt.Fprintln(
			os.Stderr, "usage: generate [-publications N] [-files M] [-areas A] [-each | -one] DIR, with N at least M",
		)
		os.Exit(2)
	}
	if err := generate(flag.Arg(0), history{*publications, *files, *areas, *each, *one}); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// history is what is asked for.
type history struct {
	publications, files, areas int
	each, one                  bool
}

// generate makes the repository in dir, which must not be one yet.
func generate(dir string, h history) error {
	if err := git("", nil, "init", "-q", "--bare", "-b", "main", dir); err != nil {
		return err
	}
	if err := fill(dir, h); err != nil {
		return err
	}
	if err := git(dir, nil, "repack", "-a", "-d", "-q"); err != nil {
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

func (s *stream) commit(message, path, text string) {
	s.print("commit refs/heads/main\ncommitter %s\n", s.who())
	s.data(message)
	s.print("M 100644 inline %s\n", path)
	s.data(text)
	s.at = s.at.Add(time.Minute)
}

func (s *stream) tag(name, message string) {
	s.print("tag %s\nfrom refs/heads/main\ntagger %s\n", name, s.who())
	s.data(message)
}

// write writes the whole history: a version 1.0.0 of every file, then a version
// 1.1.0 of every file, and so on, and the seals of all.
func (h history) write(w io.Writer) error {
	s := &stream{Writer: w, at: time.Date(2025, 1, 1, 9, 0, 0, 0, time.UTC)}
	s.commit("Settings", content.SettingsFile, settings)
	seals := map[string]string{} // by file
	for i := range h.publications {
		id := fmt.Sprintf("test.rule-%05d.001", i%h.files)
		tag, err := content.ParseTag(fmt.Sprintf("guidelines/%s/v1.%d.0", id, i/h.files))
		if err != nil {
			return err
		}
		text, file := guideline(id, i, i/h.files), h.file(id, i%h.files)
		s.commit(fmt.Sprintf("Change %d", i), file, text)
		seal, err := seal(tag, text, s.at)
		if err != nil {
			return err
		}
		path := h.sealsOf(file)
		seals[path] += seal.String() + "\n"
		if h.each || h.one {
			s.commit("Seal "+tag.String(), path, seals[path])
		}
		s.tag(tag.String(), fmt.Sprintf("Version 1.%d.0", i/h.files))
	}
	if !h.each && !h.one {
		lines := slices.Sorted(strings.Lines(seals[content.SealsFile]))
		s.commit("Seals", content.SealsFile, strings.Join(lines, ""))
	}
	return s.err
}

// file returns the path of the nth file.
func (h history) file(id string, n int) string {
	if h.areas == 0 {
		return content.Guidelines.File(id)
	}
	return content.Guidelines.FileIn(fmt.Sprintf("area-%03d", n%h.areas), id)
}

// sealsOf returns the path of the file for the seals of a file's item.
func (h history) sealsOf(file string) string {
	if !h.each {
		return content.SealsFile
	}
	return content.SealsBeside(file)
}

func seal(tag content.Tag, text string, at time.Time) (content.Seal, error) {
	r := check.Item(schemas.Embedded(), tag.Kind, tag.Name, []byte(text))
	if !r.OK() {
		return content.Seal{}, fmt.Errorf("%s is not valid: %v", tag, r.Findings)
	}
	sum, err := content.Checksum(content.Identified(tag.Kind, tag.Version, r.Body))
	return content.Seal{Tag: tag.String(), Checksum: sum, PublishedAt: at}, err
}
