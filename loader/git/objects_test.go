package git

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// gitIn runs git in a folder and returns what it prints.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "maintenance.auto=false", "-c", "user.name=A", "-c",
		"user.email=a@example.org"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func openDisk(t *testing.T, dir string) *Repo {
	t.Helper()
	r, err := OnDisk(dir).Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// random is a repository with a random history: files that change a little, move, and become links, folders and
// submodules; merges; tags of everything.
func random(t *testing.T, seed uint64, commits int) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 2))
	var in strings.Builder
	folders := []string{"", "rules/", "rules/area/", "a/b/c/d/e/f/", "a/b/c/d/e/f/g/", ".git2/"}
	for i := range commits {
		who := fmt.Sprintf("A <a@example.org> %d +0000", 1_770_000_000+i)
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\ncommitter %s\ndata 2\nv\n", i+1, who)
		if i > 5 && rng.IntN(5) == 0 {
			fmt.Fprintf(&in, "merge :%d\n", 1+rng.IntN(i-1))
		}
		for range 1 + rng.IntN(4) {
			at := folders[rng.IntN(len(folders))] + fmt.Sprintf("%d.yaml", rng.IntN(9))
			mode := []string{"100644", "100644", "100644", "100755", "120000"}[rng.IntN(5)]
			switch rng.IntN(8) {
			case 0:
				fmt.Fprintf(&in, "D %s\n", strings.TrimSuffix(folders[1+rng.IntN(len(folders)-1)], "/"))
			case 1:
				fmt.Fprintf(&in, "M 160000 %040x %s\n", rng.Uint64()|1, at)
			case 2:
				at += "/inside.yaml"
				fallthrough
			default:
				text := strings.Repeat("the same in all of them\n", rng.IntN(2000)) + fmt.Sprint(rng.IntN(9))
				fmt.Fprintf(&in, "M %s inline %s\ndata %d\n%s\n", mode, at, len(text), text)
			}
		}
		fmt.Fprintf(&in, "tag v%d\nfrom :%d\ntagger %s\ndata 4\ntag\n", i, i+1, who)
	}
	dir := t.TempDir()
	gitIn(t, dir, "init", "-q", "-b", "main")
	gitFed(t, dir, in.String(), "-c", "fastimport.unpackLimit=100000", "fast-import", "--quiet")
	return dir
}

// gitFed runs git with an input.
func gitFed(t *testing.T, dir, input string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	cmd.Stdin = strings.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
}

// said is what the objects of a repository answer, in short.
func said(o Objects, id OID, limit int64) string {
	got, err := o.Read(id, limit)
	switch {
	case errors.Is(err, errAbsent):
		return "absent"
	case IsDamaged(err):
		return "damaged"
	case err != nil:
		return err.Error()
	case got.Raw == nil:
		return fmt.Sprintf("a %s of %d bytes", got.Kind, got.Size)
	case got.oid() != id || got.Size != int64(len(got.Raw)):
		return "damaged" // [Repo.read] finds that
	}
	return fmt.Sprintf("a %s of %d bytes: %.30q", got.Kind, got.Size, got.Raw)
}

// Both implementations of [Objects] give the same answers, however objects are kept, and whatever happened to some
// of them; the one by git also when it is told what will be read.
func TestObjects(t *testing.T) {
	for seed := range 2 { // loose and packed
		dir := random(t, uint64(seed), 30)
		large := filepath.Join(t.TempDir(), "large")
		if err := os.WriteFile(large, []byte(strings.Repeat("a large file\n", 200_000)), 0o644); err != nil {
			t.Fatal(err)
		}
		gitIn(t, dir, "tag", "large", strings.TrimSpace(gitIn(t, dir, "hash-object", "-w", large)))
		var ids []OID
		names := gitIn(t, dir, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
		for name := range strings.FieldsSeq(names) {
			id, err := ParseOID(name)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		if seed > 0 {
			gitIn(t, dir, "repack", "-qadf", "--depth=50")
		}
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		for round := range 4 {
			if round > 0 {
				harmOne(t, rng, dir)
			}
			ids := append(slices.Clone(ids), OID{1, 2, 3})
			rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
			r := openDisk(t, dir)
			git, ahead := r.objects.(*catFile), openDisk(t, dir).objects
			other := newStored(git.repo.files.commonDir)
			ahead.Ahead(ids)
			for _, id := range ids {
				whole := said(other, id, 64<<20)
				for _, limit := range []int64{64 << 20, 100} {
					want := said(other, id, limit)
					if limit == 100 && (whole == "damaged" || whole == "absent") {
						continue // git reads what it skips
					}
					for what, o := range map[string]Objects{"git": git, "git, ahead": ahead} {
						got := said(o, id, limit)
						if got == "damaged" && seed > 0 && round > 0 {
							continue // go-git does not look at checksums in packs, and takes a wrong header for nothing
						}
						if got != want {
							t.Errorf("seed %d, round %d, %s: by %s %s; by go-git %s", seed, round, id, what, got, want)
						}
					}
				}
			}
			_ = other.Close()
		}
	}
}

// harmOne takes a file with objects away, cuts it off, or changes a byte of it.
func harmOne(t *testing.T, rng *rand.Rand, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, ".git/objects/[0-9a-f][0-9a-f]/*"))
	if err != nil || len(files) < 5 {
		files, err = filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.pack"))
	}
	if err != nil {
		t.Fatal(err)
	}
	file := files[rng.IntN(len(files))]
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	switch packed := strings.HasSuffix(file, ".pack"); {
	case packed || rng.IntN(3) == 0:
		raw[len(raw)/2] ^= 0xff
	case rng.IntN(2) == 0:
		raw = raw[:len(raw)/2]
	default:
		raw = nil
	}
	if err = os.Remove(file); err == nil && raw != nil {
		err = os.WriteFile(file, raw, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// What git says that commits changed is what comparing their trees here comes to, in all of a repository and in a
// folder of it, and where a folder is missing.
func TestChangesByGit(t *testing.T) {
	defer func(few int) { fewCommits = few }(fewCommits)
	for seed := range uint64(6) {
		dir := random(t, seed, 60)
		if seed == 5 {
			id := strings.TrimSpace(gitIn(t, dir, "rev-parse", "HEAD~20^{tree}"))
			if err := os.Remove(filepath.Join(dir, ".git/objects", id[:2], id[2:])); err != nil {
				t.Fatal(err)
			}
		}
		keep := func(path string, _ Mode) bool {
			return !strings.Contains(path, "area") && !strings.Contains(path, "7")
		}
		histories := [2]*History{}
		var errs [2]error
		for i := range histories {
			fewCommits = 1000 * i
			source := OnDisk(dir)
			if seed == 4 {
				source = Checked(source)
			}
			r, err := source.Open()
			if err != nil {
				t.Fatal(err)
			}
			head, err := r.Head()
			if err == nil {
				histories[i], errs[i] = NewWalker(keep).History(r, head, nil)
			}
			if err := errors.Join(err, r.Close()); err != nil {
				t.Fatal(err)
			}
		}
		if fmt.Sprint(errs[0]) != fmt.Sprint(errs[1]) || (errs[0] != nil) != (seed == 5) {
			t.Errorf("seed %d: by git %v, here %v", seed, errs[0], errs[1])
		}
		for i := 0; errs[0] == nil && i < len(histories[1].commits); i++ {
			got, want := histories[0].commits[i], histories[1].commits[i]
			if !slices.Equal(got.changes, want.changes) {
				t.Errorf("seed %d, %s: by git %v, here %v", seed, want.OID, got.changes, want.changes)
			}
		}
	}
}

// A git that ends, hangs or cannot begin is an error that says why, and the next question starts another one.
func TestGitEnds(t *testing.T) {
	dir := random(t, 9, 3)
	r := openDisk(t, dir)
	git := r.objects.(*catFile)
	head, err := r.Head()
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := r.Commit(head); err != nil {
			t.Fatal(err)
		}
		git.git.kill()
	}
	gitIn(t, dir, "repack", "-qad")
	gitIn(t, dir, "prune-packed", "-q")
	if _, err := r.Commit(head); err != nil {
		t.Errorf("after a repack: %v", err)
	}
	t.Run("a pipe in place of an object", func(t *testing.T) {
		defer func(was time.Duration) { patience = was }(patience)
		patience = 200 * time.Millisecond
		id := BlobOID([]byte("nothing"))
		file := filepath.Join(dir, ".git/objects", id.String()[:2], id.String()[2:])
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("mkfifo", file).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if _, err := openDisk(t, dir).Blob(id, 100); err == nil || !IsDamaged(err) {
			t.Error(err)
		}
	})
	config := filepath.Join(dir, ".git/config")
	if err := os.WriteFile(config, []byte("[core]\n\trepositoryformatversion = 99\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = openDisk(t, dir).Commit(head)
	const says = "git cannot read the repository: fatal: Expected git repo"
	if err == nil || IsDamaged(err) || !strings.Contains(err.Error(), says) {
		t.Error(err)
	}
}

// A git that has ended before its first question cannot read the repository, as one that ends with it.
func TestGitEndsAtOnce(t *testing.T) {
	r := openDisk(t, random(t, 9, 3))
	git := &catFile{repo: r}
	var err error
	if git.git, err = r.talkTo("no-such-command"); err != nil {
		t.Fatal(err)
	}
	if _, err := git.git.out.Peek(1 << 10); err != io.EOF { // its end of the pipe of questions is closed then
		t.Fatal(err)
	}
	if err := git.greet(); err == nil || !strings.Contains(err.Error(), "git cannot read the repository: git: 'no-") {
		t.Error(err)
	}
}

// A pre-receive hook is asked about objects that its repository does not have yet.
func TestObjectsOfAPush(t *testing.T) {
	dir := random(t, 7, 3)
	bare := filepath.Join(t.TempDir(), "bare")
	gitIn(t, dir, "clone", "-q", "--bare", ".", bare)
	gitIn(t, dir, "commit", "-q", "--allow-empty", "-m", "pushed")
	pushed := strings.TrimSpace(gitIn(t, dir, "rev-parse", "HEAD"))
	if _, err := openDisk(t, bare).Resolve(pushed); err == nil {
		t.Error("it is known already")
	}
	incoming := filepath.Join(bare, "objects", "incoming")
	if err := os.CopyFS(incoming, os.DirFS(filepath.Join(dir, ".git", "objects"))); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_OBJECT_DIRECTORY", incoming)
	t.Setenv("GIT_ALTERNATE_OBJECT_DIRECTORIES", filepath.Join(bare, "objects"))
	t.Setenv("GIT_QUARANTINE_PATH", incoming)
	r := openDisk(t, bare)
	id, err := r.Resolve(pushed)
	if err == nil {
		_, err = NewWalker(func(string, Mode) bool { return true }).History(r, id, nil)
	}
	if err != nil {
		t.Error(err)
	}
}
