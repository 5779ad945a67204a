package loader_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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

// It makes no difference in which file a seal stands, nor whether and where lines move: what
// is served is the same, whatever happened in the history.
func TestFormsOfSealsAtRandom(t *testing.T) {
	steps := 60
	if testing.Short() {
		steps = 20
	}
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			c := newChaos(t, seed+100)
			for range steps {
				c.step()
			}
			want := contentOf(c.load())
			for name, f := range forms {
				t.Run(name, func(t *testing.T) {
					r := c.inForm(t, f)
					if got := contentOf(r.load()); got != want {
						t.Errorf("in one file:\n%s\nin this form:\n%s", want, got)
					}
				})
			}
		})
	}
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
	if err := os.WriteFile(filepath.Join(next.dir, ".git", "objects", "info", "alternates"), []byte(objects), 0o644); err != nil {
		t.Fatal(err)
	}
	var stream bytes.Buffer
	marks := map[string]int{}
	for i, rev := range strings.Fields(r.git("rev-list", "--topo-order", "--reverse", "--all")) {
		marks[rev] = i + 1
		r.exportCommit(&stream, marks, rev, f)
	}
	fmt.Fprintf(&stream, "reset refs/heads/main\nfrom :%d\n\n", marks[r.git("rev-parse", "main")])
	for _, tag := range strings.Fields(r.git("for-each-ref", "--format=%(refname)", "refs/tags")) {
		r.exportTag(&stream, marks, tag)
	}
	cmd := exec.Command("git", "fast-import", "--quiet", "--force")
	cmd.Dir, cmd.Stdin = next.dir, &stream
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return next
}

func (r *repo) exportCommit(w *bytes.Buffer, marks map[string]int, rev string, f form) {
	head, message, _ := strings.Cut(r.git("cat-file", "commit", rev), "\n\n")
	fmt.Fprintf(w, "commit refs/heads/copy%d\nmark :%d\n", marks[rev], marks[rev])
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
		fmt.Fprintf(w, "%s :%d\n", []string{"from", "merge"}[min(i, 1)], marks[p])
	}
	w.WriteString("deleteall\n")
	for line := range strings.Lines(r.git("ls-tree", "-r", rev) + "\n") {
		if entry, path, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && path != content.SealsFile {
			fields := strings.Fields(entry)
			fmt.Fprintf(w, "M %s %s %s\n", fields[0], fields[2], path)
		}
	}
	for path, text := range r.sealsIn(marks[rev], rev, f) {
		fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
	}
	w.WriteString("\n")
}

// sealsIn returns the files of seals that a commit has in a form. A file with a line that is
// none stays as it is: nothing in it counts.
func (r *repo) sealsIn(i int, rev string, f form) map[string]string {
	if r.git("ls-tree", rev, content.SealsFile) == "" {
		return nil
	}
	text := r.raw("blob", rev+":"+content.SealsFile)
	files := map[string]string{content.SealsFile: ""}
	for line := range strings.Lines(text) {
		seal, err := content.ParseSeal(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return map[string]string{content.SealsFile: text}
		}
		path := content.SealsFile
		if f(i, seal.Item()) {
			path = content.SealsPath(seal.Item())
		}
		files[path] += line
	}
	return files
}

func (r *repo) exportTag(w *bytes.Buffer, marks map[string]int, ref string) {
	mark := marks[r.git("rev-parse", ref+"^{commit}")]
	if r.git("cat-file", "-t", ref) == "commit" {
		fmt.Fprintf(w, "reset %s\nfrom :%d\n\n", ref, mark)
		return
	}
	head, message, _ := strings.Cut(r.git("cat-file", "tag", ref), "\n\n")
	i := slices.IndexFunc(strings.Split(head, "\n"), func(line string) bool { return strings.HasPrefix(line, "tagger ") })
	fmt.Fprintf(w, "tag %s\nfrom :%d\n%s\ndata %d\n%s\n", strings.TrimPrefix(ref, "refs/tags/"), mark, strings.Split(head, "\n")[i], len(message), message)
}
