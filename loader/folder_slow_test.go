//go:build slow

package loader_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// movedInto makes a bare repository with the history of another one in a folder, among
// files of other people in every commit, and with its tags as those of the folder.
func movedInto(t *testing.T, dir, folder string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "mono.git")
	stream := gitOutput(t, dir, nil, "fast-export", "--all", "--signed-tags=strip",
		"--tag-of-filtered-object=drop", "--reencode=no")
	gitOutput(t, "", nil, "init", "-q", "--bare", "-b", "main", out)
	gitOutput(t, out, moved(stream, folder), "fast-import", "--quiet")
	return out
}

func gitOutput(t *testing.T, dir string, in []byte, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(in)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return out
}

// content of the same history comes to the same snapshot in a folder of a larger
// repository: versions, checksums, dates, notes, releases and findings.
func TestFolderIsLikeARepository(t *testing.T) {
	for name, c := range map[string]struct {
		folders []string
		build   func(t *testing.T) *repo
	}{
		"the starter content": {[]string{"a/b/rules"}, func(t *testing.T) *repo {
			script, err := git.ReadReleases(starter.Files)
			r := &repo{T: t, dir: filepath.Join(t.TempDir(), "rules")}
			if err != nil || git.Create(r.dir, script) != nil {
				t.Fatal(err)
			}
			return r
		}},
		"merges, seals, marks and wrong tags": {[]string{"rules", "a/b/rules", "guidelines"}, func(t *testing.T) *repo {
			r := newRepo(t)
			r.edit("test.one.001", "= Один")
			r.edit("test.two.001", "= Два\nsee: test.one.001")
			r.tag("test.one.001", "1.0.0")
			r.tag("test.two.001", "1.0.0")
			r.seal()
			r.git("checkout", "-q", "-b", "side")
			r.edit("test.one.001", "= Один, сбоку")
			r.tag("test.one.001", "1.1.0")
			r.git("checkout", "-q", "main")
			r.edit("test.two.001", "= Два, прямо")
			r.git("merge", "-q", "--no-ff", "side")
			r.tag("test.two.001", "2.0.0")
			r.git("tag", "guidelines/test.one.001/v3")
			r.git("tag", "-a", "v1.0.0", "-m", "Release\n\n- one")
			r.write(content.LifecycleFile,
				"marks:\n  - {item: guidelines/test.one.001, version: 1.0.0, status: archived, reason: Ошибка}\n")
			r.commit("Marks")
			r.git("checkout", "-q", "--orphan", "lost")
			r.edit("test.one.001", "= Один, не слит")
			r.tag("test.one.001", "4.0.0")
			r.git("checkout", "-q", "main")
			r.git("rm", "-q", "guidelines/test.two.001.yaml")
			r.git("commit", "-q", "-m", "Удалено")
			return r
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := c.build(t)
			own, err := r.loader().Load(t.Context())
			want := described(t, own, err)
			for _, folder := range c.folders {
				t.Run("in "+folder, func(t *testing.T) {
					mono := movedInto(t, r.dir, folder)
					beside := loader.New(loader.Config{Source: git.OnDisk(mono + "//" + folder),
						Schemas: schemas.Embedded(), Now: r.loader().Now})
					inside, err := beside.Load(t.Context())
					got := described(t, inside, err)
					if !strings.Contains(got, "origin "+folder+"/") && strings.Contains(want, "git push origin ") {
						t.Error("the commands are not about the tags as git knows them")
					}
					bare := func(s string) string { return strings.ReplaceAll(s, folder+"/", "") } // of commands
					if got, want := bare(got), bare(want); got != want {
						t.Errorf("in the folder:\n%s\nby itself:\n%s", got, want)
					}
				})
			}
		})
	}
}
