package loader_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

var (
	movedFile = regexp.MustCompile(`^(M \d+ \S+ |D )(.*)`)
	movedTag  = regexp.MustCompile(`^(tag |reset refs/tags/)(.*)`)
)

// moved rewrites what fast-export wrote.
func moved(stream []byte, folder string) []byte {
	var out bytes.Buffer
	commits, beside := 0, false
	for len(stream) > 0 {
		line, rest, _ := bytes.Cut(stream, []byte("\n"))
		stream = rest
		text := string(line)
		switch {
		case strings.HasPrefix(text, "data "):
			n, _ := strconv.Atoi(text[len("data "):])
			fmt.Fprintf(&out, "%s\n%s", text, stream[:n])
			stream = stream[n:]
			continue
		case strings.HasPrefix(text, "commit refs/tags/"):
			text = "commit refs/tags/" + folder + "/" + text[len("commit refs/tags/"):]
			commits, beside = commits+1, false
		case strings.HasPrefix(text, "commit "):
			commits, beside = commits+1, false
		case movedTag.MatchString(text):
			text = movedTag.ReplaceAllString(text, "${1}"+folder+"/$2")
		case movedFile.MatchString(text):
			if !beside {
				fmt.Fprintf(&out, "M 100644 inline other/%d.txt\ndata 1\nx\n", commits)
				fmt.Fprintf(&out, "M 100644 inline guidelines/stranger.yaml\ndata 2\nx\n\n")
			}
			beside = true
			text = movedFile.ReplaceAllString(text, "${1}"+folder+"/$2")
		}
		out.WriteString(text + "\n")
	}
	return out.Bytes()
}

var commitID = regexp.MustCompile(`\b[0-9a-f]{12}\b`)

// described says what a load comes to, with all that is served of each version.
func described(t *testing.T, r loader.Loaded, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(commitID.ReplaceAllString(describe(r, nil), "commit"))
	fmt.Fprintln(&b, r.Snapshot.Settings)
	for _, it := range r.Snapshot.Items {
		for _, e := range it.Entries {
			fmt.Fprintln(&b, e.Tag(), e.Checksum, e.ModifiedAt, e.Sealed)
		}
	}
	return b.String()
}

// mono makes a repository with the content of a folder.
func mono(t *testing.T) (r *repo, load func() (loader.Loaded, error)) {
	t.Helper()
	r = newRepo(t)
	r.git("rm", "-q", "--cached", "--ignore-unmatch", content.SettingsFile)
	if err := os.Remove(filepath.Join(r.dir, content.SettingsFile)); err != nil {
		t.Fatal(err)
	}
	r.write("rules/"+content.SettingsFile, settings)
	r.write("rules/"+content.Guidelines.File("test.one.001"), guideline("test.one.001", "= Один"))
	r.commit("First")
	r.git("tag", "-a", "rules/guidelines/test.one.001/v1.0.0", "-m", "First")
	l := r.loaderOf(filepath.Join(r.dir, "rules"))
	return r, func() (loader.Loaded, error) { return l.Load(t.Context()) }
}

func (r *repo) loaderOf(path string) *loader.Loader {
	return loader.New(loader.Config{Source: git.OnDisk(path), Schemas: schemas.Embedded(), Now: r.loader().Now})
}

// What others do beside the folder changes nothing of what is served, by no name either,
// until a tag of the folder needs it.
func TestBesideTheFolder(t *testing.T) {
	r, load := mono(t)
	first, err := load()
	if err != nil {
		t.Fatal(err)
	}
	same := func(t *testing.T) {
		t.Helper()
		for _, l := range []func() (loader.Loaded, error){load, func() (loader.Loaded, error) {
			return r.loaderOf(filepath.Join(r.dir, "rules")).Load(t.Context())
		}} {
			next, err := l()
			if err != nil || next.Snapshot.Source != first.Snapshot.Source ||
				len(next.Report.Findings) != len(first.Report.Findings) {
				t.Errorf("%+v, findings %v, %v, want %+v", next.Snapshot.Source, next.Report.Findings,
					err, first.Snapshot.Source)
			}
		}
	}
	t.Run("files", func(t *testing.T) {
		r.write("code/main.go", "package main\n")
		r.write("rules2/"+content.Guidelines.File("test.one.001"), guideline("test.one.001", "= Чужой"))
		r.write("Rules/"+content.SettingsFile, settings)
		r.commit("Other people's")
		same(t)
	})
	t.Run("tags", func(t *testing.T) {
		for _, tag := range []string{"v9.0.0", "guidelines/test.one.001/v9.0.0",
			"rules2/guidelines/test.one.001/v9.0.0", "Rules/guidelines/test.one.001/v9.0.0", "code/v1.0.0",
			"guideline/test.one.001/v8.0.0"} {
			r.git("tag", "-a", tag, "-m", tag)
		}
		same(t)
	})
	t.Run("a merge", func(t *testing.T) {
		r.git("checkout", "-q", "-b", "side")
		r.write("code/side.go", "package main\n")
		r.commit("Beside")
		r.git("checkout", "-q", "main")
		r.git("merge", "-q", "--no-ff", "side")
		same(t)
	})
	t.Run("a tag before what it is on is merged", func(t *testing.T) {
		r.git("checkout", "-q", "-b", "later")
		r.write("code/later.go", "package main\n")
		r.commit("Later")
		r.git("tag", "-a", "rules/guidelines/test.one.001/v1.1.0", "-m", "Later")
		r.git("checkout", "-q", "main")
		before, err := load()
		if err != nil || before.Snapshot.Count() != 1 || len(before.Report.Refused) != 1 {
			t.Fatal(before.Report, err)
		}
		r.git("merge", "-q", "--no-ff", "later")
		after, err := load()
		if err != nil || after.Snapshot.Count() != 2 || after.Snapshot.Source == before.Snapshot.Source {
			t.Error(after.Snapshot.Source, after.Report, err)
		}
	})
}

// What is no folder of the repository is said to be none.
func TestFolderThatIsNone(t *testing.T) {
	r, _ := mono(t)
	r.write("file", "x\n")
	if err := os.Symlink("rules", filepath.Join(r.dir, "link")); err != nil {
		t.Fatal(err)
	}
	r.git("add", "-A")
	r.git("update-index", "--add", "--cacheinfo", "160000,"+r.git("rev-parse", "HEAD")+",sub")
	r.git("commit", "-q", "-m", "Others")
	bare := filepath.Join(t.TempDir(), "mono.git")
	r.git("clone", "-q", "--bare", r.dir, bare)
	for folder, says := range map[string]string{
		"../rules": "is no folder in a repository", "rules/../rules": "is no folder in a repository",
		"rules/.git": "is no folder in a repository", "a b": "cannot begin the name of a tag",
		"x.lock/y": "cannot begin the name of a tag", "-x": "cannot begin the name of a tag",
		"link": "there is no folder link", "link/guidelines": "there is no folder", "sub": "there is no folder sub",
		"file":  "there is no folder file",
		"RULES": "there is no folder RULES", "rule": "there is no folder rule",
		"rules/guidelines": "has no rules/guidelines/rulestore.yaml", "rules/none": "there is no folder rules/none",
	} {
		t.Run(folder, func(t *testing.T) {
			_, err := r.loaderOf(bare + "//" + folder).Load(t.Context())
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%v, want %q", err, says)
			}
		})
	}
	t.Run("a link in the work tree", func(t *testing.T) {
		_, err := r.loaderOf(filepath.Join(r.dir, "link")).Load(t.Context())
		if err == nil || !strings.Contains(err.Error(), "link is a symbolic link") {
			t.Error(err)
		}
	})
	t.Run("a folder of the content", func(t *testing.T) {
		if result, err := r.loaderOf(filepath.Join(r.dir, "rules", "guidelines")).Load(t.Context()); err != nil ||
			result.Snapshot.Count() != 1 {
			t.Error(err)
		}
	})
}
