package loader_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	gitobject "github.com/go-git/go-git/v5/plumbing/object"

	"rulestore/content"
)

// form reports whether the seals of an item stand in a file of their own in a commit, of which
// the number is given.
type form func(commit int, item string) bool

// forms are the forms that a repository may have its seals in.
var forms = map[string]form{
	"files of items": func(int, string) bool { return true },
	"migrated":       func(commit int, _ string) bool { return commit > 10 },
	"to and fro":     func(commit int, item string) bool { return (commit+len(item))%3 == 0 },
}

// The same holds for all that a stranger can do to a branch.
func TestFormsOfFoxtrots(t *testing.T) {
	for _, c := range foxtrots {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rivals(t)
			c.push(r)
			want := contentOf(r.load())
			for name, f := range forms {
				t.Run(name, func(t *testing.T) {
					if got := contentOf(r.inForm(t, f).load()); got != want {
						t.Errorf("in one file:\n%s\nin this form:\n%s", want, got)
					}
				})
			}
		})
	}
}

// inForm returns a repository with the same history, but for the files that seals stand in.
func (r *repo) inForm(t *testing.T, f form) *repo {
	t.Helper()
	next := &repo{T: t, dir: t.TempDir(), now: r.now}
	next.git("init", "-q", "-b", "main")
	objects := filepath.Join(r.dir, ".git", "objects") + "\n"
	if err := os.WriteFile(filepath.Join(next.dir, ".git", "objects", "info", "alternates"),
		[]byte(objects), 0o644); err != nil {
		t.Fatal(err)
	}
	from := history{T: t, Repository: r.open(), marks: map[string]int{}}
	for i, rev := range strings.Fields(r.git("rev-list", "--topo-order", "--reverse", "--all")) {
		from.marks[rev] = i + 1
		from.exportCommit(rev, f)
	}
	fmt.Fprintf(&from.stream, "reset refs/heads/main\nfrom :%d\n\n", from.marks[r.git("rev-parse", "main")])
	for line := range strings.Lines(r.git("for-each-ref", "--format=%(objectname) %(refname)", "refs/tags")) {
		id, ref, _ := strings.Cut(strings.TrimSpace(line), " ")
		from.exportTag(ref, id)
	}
	cmd := exec.Command("git", "fast-import", "--quiet", "--force")
	cmd.Dir, cmd.Stdin = next.dir, &from.stream
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return next
}

// history is what a repository is exported from, and the stream that git fast-import reads.
type history struct {
	*testing.T
	*git.Repository
	marks  map[string]int // of commits
	stream bytes.Buffer
}

// text returns an object as it is stored.
func (h *history) text(id string) (plumbing.ObjectType, string) {
	h.Helper()
	object, err := h.Storer.EncodedObject(plumbing.AnyObject, plumbing.NewHash(id))
	if err != nil {
		h.Fatalf("%s: %v", id, err)
	}
	r, err := object.Reader()
	if err != nil {
		h.Fatal(err)
	}
	defer r.Close()
	raw, err := io.ReadAll(r)
	if err != nil {
		h.Fatal(err)
	}
	return object.Type(), string(raw)
}

func (h *history) exportCommit(rev string, f form) {
	h.Helper()
	_, text := h.text(rev)
	head, message, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	w, mark := &h.stream, h.marks[rev]
	fmt.Fprintf(w, "commit refs/heads/copy%d\nmark :%d\n", mark, mark)
	var parents []string
	for line := range strings.Lines(head + "\n") {
		switch key, value, _ := strings.Cut(line, " "); key {
		case "author", "committer":
			w.WriteString(line)
		case "parent":
			parents = append(parents, strings.TrimSpace(value))
		}
	}
	fmt.Fprintf(w, "data %d\n%s\n", len(message), message)
	for i, p := range parents {
		fmt.Fprintf(w, "%s :%d\n", []string{"from", "merge"}[min(i, 1)], h.marks[p])
	}
	w.WriteString("deleteall\n")
	files := h.files(rev)
	seals, sealed := files[content.SealsFile]
	delete(files, content.SealsFile)
	for path, entry := range files {
		fmt.Fprintf(w, "M %06o %s %s\n", entry.Mode, entry.Hash, path)
	}
	if sealed {
		_, text := h.text(seals.Hash.String())
		for path, text := range sealsIn(text, mark, f) { // in place of files of that name
			fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
		}
	}
	w.WriteString("\n")
}

// files returns the files of a commit by path.
func (h *history) files(rev string) map[string]gitobject.TreeEntry {
	h.Helper()
	commit, err := h.CommitObject(plumbing.NewHash(rev))
	if err != nil {
		h.Fatal(err)
	}
	tree, err := commit.Tree()
	if err != nil {
		h.Fatal(err)
	}
	files, walker := map[string]gitobject.TreeEntry{}, gitobject.NewTreeWalker(tree, true, nil)
	defer walker.Close()
	for {
		path, entry, err := walker.Next()
		if err == io.EOF {
			return files
		} else if err != nil {
			h.Fatal(err)
		}
		if entry.Mode != filemode.Dir {
			files[path] = entry
		}
	}
}

// sealsIn returns the files that the seals of a commit stand in. A file with a line that is
// none stays as it is: nothing in it counts.
func sealsIn(text string, commit int, f form) map[string]string {
	files := map[string]string{content.SealsFile: ""}
	for line := range strings.Lines(text) {
		seal, err := content.ParseSeal(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return map[string]string{content.SealsFile: text}
		}
		path := content.SealsFile
		if f(commit, seal.Item()) {
			path = content.SealsPath(seal.Item())
		}
		files[path] += line
	}
	return files
}

func (h *history) exportTag(ref, id string) {
	h.Helper()
	kind, text := h.text(id)
	if kind == plumbing.CommitObject {
		fmt.Fprintf(&h.stream, "reset %s\nfrom :%d\n\n", ref, h.marks[id])
		return
	}
	head, message, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	lines := strings.Split(head, "\n")
	i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "tagger ") })
	fmt.Fprintf(
		&h.stream, "tag %s\nfrom :%d\n%s\ndata %d\n%s\n",
		strings.TrimPrefix(ref, "refs/tags/"), h.marks[h.commit(text)], lines[i], len(message), message,
	)
}

// commit returns the commit that a tag, or a tag of a tag, is of.
func (h *history) commit(tag string) string {
	h.Helper()
	first, _, _ := strings.Cut(tag, "\n")
	id := strings.TrimPrefix(first, "object ")
	if kind, text := h.text(id); kind == plumbing.TagObject {
		return h.commit(text)
	}
	return id
}
