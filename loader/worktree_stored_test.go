package loader_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// What counts of a work tree is what git would store of it: each case is what is done to a
// repository with two published guidelines, and the drafts and errors that there are then.
var storedCases = []struct {
	name, do string
	drafts   string // items and titles
	errors   string // files and rules
}{
	{"nothing", ``, "", ""},
	{"an edit", `sed -i s/Один/Новый/ $A`, "test.a.001 Новый", ""},
	{"an edit that is undone", `sed -i s/Один/Новый/ $A; sed -i s/Новый/Один/ $A`, "", ""},
	{"line ends of an attribute", `echo '*.yaml text eol=lf' >.gitattributes; sed -i 's/$/\r/' $A`, "", ""},
	{"one line end", `echo '*.yaml text eol=lf' >.gitattributes; sed -i '3s/$/\r/' $A`, "", ""},
	{"line ends of a setting", `git config core.autocrlf true; rm $A $B; git checkout $A $B; grep -q "$CR" $A`, "", ""},
	{"line ends of a setting, edited", `git config core.autocrlf true; rm $A; git checkout $A; sed -i s/Один/Новый/ $A`,
		"test.a.001 Новый", ""},
	{"auto and crlf", `echo '* text=auto eol=crlf' >.gitattributes; rm $A; git checkout $A; grep -q "$CR" $A`, "", ""},
	{"core.eol", `echo '* text=auto' >.gitattributes; git config core.eol crlf; rm $A; git checkout $A; grep -q "$CR" $A`,
		"", ""},
	{"line ends that git refuses", `git config core.autocrlf true; git config core.safecrlf true; sed -i s/Один/Новый/ $A`,
		"test.a.001 Новый", ""},
	{"line ends that are stored", `sed -i 's/$/\r/' $A`, "test.a.001 Один", ""},
	{"an encoding", `echo '*.yaml working-tree-encoding=UTF-16' >.gitattributes; rm $A $B; git checkout $A $B`, "", ""},
	{"an encoding, edited", `echo '*.yaml working-tree-encoding=UTF-16' >.gitattributes
sed s/Один/Новый/ $A | iconv -t UTF-16 >t; mv t $A; rm $B; git checkout $B`, "test.a.001 Новый", ""},
	{"an encoding that git cannot read", `echo '*.yaml working-tree-encoding=UTF-16' >.gitattributes
sed -i s/Один/Новый/ $A`, "test.a.001 Новый", ""}, // git add says why it cannot
	{"ident", `echo '*.yaml ident' >.gitattributes; printf '# $Id$\n' >>$A; git add .; git commit -qm Ident
git tag guidelines/test.a.001/v1.0.1; rm $A; git checkout $A; grep -q '$Id: ' $A`, "", ""},
	{"a filter", `echo '*.yaml filter=up' >.gitattributes; git config filter.up.clean 'sed s/Hand/Один/'
git config filter.up.smudge 'sed s/Один/Hand/'; rm $A; git checkout $A; grep -q Hand $A`, "", ""},
	{"a filter, edited", `echo '*.yaml filter=up' >.gitattributes; git config filter.up.clean 'sed s/Hand/Новый/'
sed -i s/Один/Hand/ $A`, "test.a.001 Новый", ""},
	{"a file that is ignored", `echo half.yaml >.gitignore; echo 'title: [' >guidelines/half.yaml`, "", ""},
	{"a folder that is ignored", `echo tmp >.gitignore; mkdir guidelines/tmp; cp $A guidelines/tmp`, "", ""},
	{"a file that is new", `sed s/test.a.001/test.c.001/ $A >guidelines/test.c.001.yaml`, "test.c.001 Один", ""},
	{"a nested clone", `git clone -q . guidelines/tmp; echo 'title: [' >guidelines/tmp/guidelines/test.a.001.yaml`, "", ""},
	{"a nested work tree", `git worktree add -q guidelines/tmp -b other`, "", ""},
	{"a nested repository whose git is elsewhere", `git init -q --separate-git-dir=other.git guidelines/tmp
cp $A guidelines/tmp`, "", ""},
	{"a nested bare repository", `git clone -q --bare . guidelines/tmp.git`, "", ""},
	{"a submodule in place of a file", `git init -q $WORK/sub; git -C $WORK/sub commit -q --allow-empty -m Sub
git -c protocol.file.allow=always submodule --quiet add $WORK/sub guidelines/test.c.001.yaml; git commit -qm Submodule`,
		"", "guidelines/test.c.001.yaml submodule"},
	{"a submodule that is not checked out", `git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),guidelines/test.c.001.yaml
git commit -qm Submodule; mkdir guidelines/test.c.001.yaml; echo 'title: [' >guidelines/test.c.001.yaml/a.yaml`,
		"", "guidelines/test.c.001.yaml submodule"},
	{"a submodule that is staged", `mkdir guidelines/test.c.001.yaml; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),guidelines/test.c.001.yaml`,
		"", "guidelines/test.c.001.yaml submodule"},
	{"assumed to be unchanged", `git update-index --assume-unchanged $A; sed -i s/Один/Новый/ $A`, "", ""},
	{"not to be checked out", `git update-index --skip-worktree $A; rm $A`, "", ""},
	{"a sparse checkout", `git sparse-checkout set --no-cone /rulestore.yaml; test ! -e guidelines`, "", ""},
	{"intent to add", `sed s/test.a.001/test.c.001/ $A >guidelines/test.c.001.yaml; git add -N guidelines/test.c.001.yaml`,
		"test.c.001 Один", ""},
	{"staged", `sed -i s/Один/Новый/ $A; git add $A`, "test.a.001 Новый", ""},
	{"staged and edited again", `sed -i s/Один/Два/ $A; git add $A; sed -i s/Два/Новый/ $A`, "test.a.001 Новый", ""},
	{"staged and undone", `sed -i s/Один/Новый/ $A; git add $A; sed -i s/Новый/Один/ $A`, "", ""},
	{"removed from the index", `git rm -q --cached $A`, "", ""},
	{"a link in place of a file", `mv $A other.yaml; ln -s ../other.yaml $A`, "", "guidelines/test.a.001.yaml symlink"},
	{"a link that is a file", `ln -s x guidelines/test.c.001.yaml; git add .; git commit -qm Link; rm guidelines/test.c.001.yaml
git config core.symlinks false; git checkout -q guidelines/test.c.001.yaml`, "", "guidelines/test.c.001.yaml symlink"},
	{"a link to another folder", `mkdir other; cp $A other; ln -s ../other guidelines/tmp`, "", "guidelines/tmp symlink"},
	{"what editors leave", `ln -s me@host.1 guidelines/.#test.a.001.yaml; cp $A guidelines/test.a.001.yaml~
cp $A guidelines/.a.yaml.swp; cp $A guidelines/#a.yaml#; cp $A guidelines/.a.yaml.new`, "", ""},
	{"letters of two cases", `sed s/test.a.001/test.A.001/ $A >guidelines/test.A.001.yaml`,
		"", "guidelines/test.A.001.yaml name"},
	{"names that cannot be published", `cp $A guidelines/карта.001.yaml; mkdir guidelines/область 'guidelines/a b'
cp $A guidelines/область; cp $A 'guidelines/a b'; cp $A guidelines/x.YAML; cp $A guidelines/x.yml; cp $A guidelines/x.json`,
		"", "guidelines/a b/test.a.001.yaml name, guidelines/x.YAML name, guidelines/x.json name, " +
			"guidelines/x.yml name, guidelines/карта.001.yaml name, guidelines/область/test.a.001.yaml name"},
	{"a conflict", `git checkout -q -b other; sed -i s/Один/Два/ $A; git commit -qam Two; git checkout -q main
sed -i s/Один/Три/ $A; git commit -qam Three; git merge -q other || true`, "", "guidelines/test.a.001.yaml conflict"},
	{"moved to an area", `mkdir guidelines/area; git mv $A guidelines/area/test.a.001.yaml`, "", ""},
	{"no commit yet", `rm -rf .git; git init -q`, "-", ""},
}

func TestWorkTreeAsGitWouldStoreIt(t *testing.T) {
	base := newStored(t)
	for _, c := range storedCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "rules")
			shell(t, base, "cp -a . "+dir)
			shell(t, dir, "git update-index -q --refresh; "+c.do)
			drafts, errors := stored(t, dir)
			if c.drafts != "-" && drafts != c.drafts || errors != c.errors {
				t.Errorf("drafts %q, want %q; errors %q, want %q", drafts, c.drafts, errors, c.errors)
			}
		})
	}
}

// A server runs nothing that the folder that it serves is configured with.
func TestReceivedWorkTreeRunsNothing(t *testing.T) {
	dir := newStored(t)
	shell(t, dir, `echo '*.yaml filter=up filter=a.b' >.gitattributes
for name in clean smudge process; do git config filter.up.$name "touch $PWD/ran"; git config filter.a.b.$name "touch $PWD/ran"; done
git config filter.up.required true
git config core.fsmonitor "touch $PWD/ran"; git config core.hooksPath hooks
mkdir hooks; printf '#!/bin/sh\ntouch ran\n' >hooks/post-index-change; chmod +x hooks/*
git init -q guidelines/sub; git -C guidelines/sub config core.fsmonitor "touch $PWD/ran"
sed -i s/Один/Новый/ $A; touch $B`)
	c := loader.Config{Source: git.OnDisk(dir), Schemas: schemas.Embedded(), Drafts: true, Now: time.Now}
	r, err := loader.New(c).Load(t.Context())
	must(t, err)
	if d := change.DraftOf(r.Snapshot.Items[0]); d == nil || d.Body().Text("title") != "Новый" {
		t.Errorf("the draft is not served: %v", d)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("something of the folder was run")
	}
	shell(t, dir, `git config 'filter.a=b.clean' "touch $PWD/ran"`)
	_, err = loader.New(c).Load(t.Context())
	if err == nil || !strings.Contains(err.Error(), "cannot be switched off") {
		t.Errorf("a filter that no option switches off: %v", err)
	}
}

// newStored makes the repository of the cases.
func newStored(t *testing.T) string {
	t.Helper()
	r := &repo{T: t, dir: t.TempDir()}
	r.write(content.SettingsFile, settings)
	r.write("guidelines/test.a.001.yaml", guideline("test.a.001", "= Один"))
	r.write("guidelines/test.b.001.yaml", guideline("test.b.001", "= Другой"))
	shell(t, r.dir, "git init -q -b main; git add .; git commit -qm One; git tag guidelines/test.a.001/v1.0.0; git tag guidelines/test.b.001/v1.0.0")
	return r.dir
}

func shell(t *testing.T, dir, script string) {
	t.Helper()
	cmd := exec.Command("sh", "-eu", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "A=guidelines/test.a.001.yaml", "B=guidelines/test.b.001.yaml", "CR=\r",
		"WORK="+t.TempDir(),
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A",
		"GIT_COMMITTER_EMAIL=a@example.org")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

// stored describes the drafts of a work tree, and the errors of a review of it.
func stored(t *testing.T, dir string) (drafts, errors string) {
	t.Helper()
	c := loader.Config{
		Source: git.OnDisk(dir), Schemas: schemas.Embedded(), Drafts: true, Filters: true,
		Now: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) },
	}
	var said []string
	if r, err := loader.New(c).LoadToPlan(t.Context()); err == nil {
		for _, it := range r.Snapshot.Items {
			if d := change.DraftOf(it); d != nil {
				said = append(said, it.Name+" "+d.Body().Text("title"))
			}
		}
	}
	repo, err := c.Source.Open()
	must(t, err)
	defer repo.Close()
	tree, err := loader.ReadCheckout(c, repo, dir)
	must(t, err)
	tree.Review(nil)
	var wrong []string
	for _, f := range tree.Findings {
		if f.Severity == content.Error {
			wrong = append(wrong, f.Path+" "+f.Rule)
		}
	}
	slices.Sort(wrong)
	return strings.Join(said, ", "), strings.Join(slices.Compact(wrong), ", ")
}
