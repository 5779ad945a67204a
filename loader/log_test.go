package loader_test

import (
	"crypto/rand"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/loader"
)

const nowhere = "sha256:0000000000000000000000000000000000000000000000000000000000000000 2026-03-01T10:00:00Z\n"

const archivedOne = "schema_version: \"1.0\"\nmarks:\n" +
	"  - {item: guidelines/test.one.001, status: archived, reason: Прошло, since: 2026-03-01}\n"

// journal is a repository with a log, which a job in CI signs.
type journal struct {
	*repo
	key log.Key
}

// newJournal has one sealed publication and a mark, both in the signed log.
func newJournal(t *testing.T) *journal {
	t.Helper()
	text, err := log.NewKey(rand.Reader, "rules.example.org/log")
	must(t, err)
	key, err := log.ParseKey(text)
	must(t, err)
	j := &journal{newRepo(t), key}
	j.verbs = map[string]func(words []string){
		"archive": func(words []string) { j.marks(strings.ReplaceAll(archivedOne, "Прошло", words[0])) },
		"log":     func([]string) { j.sign() },
		"record":  func(words []string) { j.publish(words[0]) },
		"unmark":  func([]string) { j.marks("schema_version: \"1.0\"\nmarks: []\n") },
	}
	j.play("edit one Один; publish one 1.0.0; seal")
	j.marks(archivedOne)
	j.sign()
	return j
}

// publish commits a seal.
func (j *journal) publish(item string) {
	j.write("sealed/guidelines/test."+item+".001.sum", "guidelines/test."+item+".001/v1.0.0 "+nowhere)
	j.commit("Publish " + item)
}

// marks commits lifecycle.yaml.
func (j *journal) marks(text string) {
	j.write(content.LifecycleFile, text)
	j.commit("Marks")
}

// plan is what `rulestore log sign` knows.
func (j *journal) plan() loader.Loaded {
	j.Helper()
	c := j.repo.loader().Config
	c.Branch = j.git("rev-parse", "HEAD")
	result, err := loader.New(c).LoadToPlan(j.Context())
	must(j, err)
	return result
}

// sign does what `rulestore log sign` does.
func (j *journal) sign() {
	j.Helper()
	result := j.plan()
	j.expectNone(result)
	j.append(result.Log.Leaves(), result.Unlogged...)
}

// append signs and commits a log with leaves, whatever they say.
func (j *journal) append(l *log.Log, leaves ...log.Leaf) {
	j.Helper()
	next := l.Extend(leaves...)
	files := next.Files(0)
	signed, err := next.Head(j.key.Name()).Sign(j.key.Log())
	must(j, err)
	files[content.CheckpointFile] = string(signed)
	for _, path := range slices.Sorted(maps.Keys(files)) {
		j.write(path, files[path])
	}
	j.commitAll("Sign", true)
}

// findings are those about the log.
func findings(r loader.Loaded) (found []content.Finding) {
	for _, f := range r.Report.Findings {
		if f.Rule == "log" {
			found = append(found, f)
		}
	}
	return found
}

func (j *journal) expectNone(r loader.Loaded) {
	j.Helper()
	if found := findings(r); len(found) > 0 || r.Log != nil && r.Log.Refused {
		j.Errorf("the log does not stand: %v", found)
	}
}

// words are leaves in short: a seal's item, or a mark's.
func words(leaves []log.Leaf) (all []string) {
	for _, leaf := range leaves {
		kind, _, _ := strings.Cut(string(leaf), " ")
		all = append(all, kind+" "+regexp.MustCompile(`test\.(\w+)`).FindStringSubmatch(string(leaf))[1])
	}
	return all
}

// Whatever authors and hosts do with git, what was signed is the beginning of what is signed next,
// and each fact is appended once.
func TestLogOutlivesGit(t *testing.T) {
	const author = "checkout -b author; record two; checkout main; record three; "
	for name, tt := range map[string]struct {
		do   string // from a branch main that was signed
		want string // what is appended next
	}{
		"a pull as git does it": {author + "log; checkout author; merge --no-edit main", "seal two"},
		"a merge by the host":   {author + "log; merge --no-edit author", "seal two"},
		"squash": {`
			checkout -b author; record two; record three; checkout main; record four; log; merge --squash author
			commit Squashed
		`, "seal three, seal two"},
		"rebase":       {author + "log; checkout author; rebase main", "seal two"},
		"fast-forward": {"checkout -b author; record two; checkout main; merge --ff-only author", "seal two"},
		"octopus": {`
			checkout -b two main; record two; checkout -b three main; record three; checkout main; record four; log
			merge --no-edit two three
		`, "seal three, seal two"},
		"the revert of a publication": {"record two; log; revert --no-edit HEAD~1", ""},
		"the end of a mark":           {"unmark", "end one"},
		"a mark that ended where nobody pulled": {`
			checkout -b author; record two; checkout main; unmark; log; archive Снова; log; unmark; log; archive Прошло
			log; checkout author; merge --no-edit main; unmark
		`, "end one, seal two"},
		"marks that are broken": {"spoil; record two", "seal two"},
		"marks that are gone":   {"rm $marks; commit Gone", ""},
		"seals that are gone":   {"rm $sums; commit Gone", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJournal(t)
			l := j.repo.loader()
			l.Branch = ""
			before, err := l.Load(t.Context())
			if err != nil || before.Log.Size() != 2 {
				t.Fatal(before.Log, before.Report.Findings, err)
			}
			j.play(tt.do)
			plan := j.plan()
			j.expectNone(plan)
			if got := strings.Join(words(plan.Unlogged), ", "); got != tt.want || plan.Longer != nil {
				t.Errorf("%s is to be appended, expected %s", got, tt.want)
			}
			j.sign()
			for _, loader := range []*loader.Loader{l, j.repo.loader()} { // one that goes on, and one that begins
				after, err := loader.Load(t.Context())
				must(t, err)
				j.expectNone(after)
				if !after.Log.Continues(before.Log) || !after.Log.Continues(plan.Log) || len(after.Unlogged) > 0 ||
					after.Log.Size() != plan.Log.Size()+int64(len(plan.Unlogged)) {
					t.Errorf("the log is %q, and lacks %q", after.Log.Since(0), after.Unlogged)
				}
				if leaf, err := loader.Untrue(after.Log.Log); leaf != "" || err != nil {
					t.Errorf("%s is no fact, %v", leaf, err)
				}
			}
		})
	}
}

// A log that somebody else wrote does not stand: the last one that did is served, everything that is
// published is too, and what is advised brings it back.
func TestLogThatDoesNotStand(t *testing.T) {
	const first = "log/entries/000"
	fake, _ := log.ReadSeal(strings.TrimSpace("guidelines/test.two.001/v1.0.0 " + nowhere))
	for name, tt := range map[string]struct {
		do   func(*journal, *log.Log)
		want string // the finding
	}{
		"a line less": {func(j *journal, l *log.Log) {
			j.write(first, string(l.Since(0)[0])+"\n")
		}, "rulestore.checkpoint: error: the checkpoint is of 2 leaves"},
		"a line more": {func(j *journal, l *log.Log) {
			j.write(first, l.Extend(fake).Files(0)[first])
		}, "which has 3 leaves"},
		"another line": {func(j *journal, l *log.Log) {
			j.write(first, strings.Replace(l.Files(0)[first], "archived", "redacted", 1))
		}, "is not the head of the log"},
		"nonsense": {func(j *journal, l *log.Log) {
			j.write(first, l.Files(0)[first]+"nonsense\n")
		}, first + ":3:1: error: this is no leaf"},
		"no end of line": {func(j *journal, l *log.Log) {
			j.write(first, strings.TrimSuffix(l.Files(0)[first], "\n"))
		}, first + ":2:1: error: this is no leaf"},
		"lines of another system": {func(j *journal, l *log.Log) {
			j.write(first, strings.ReplaceAll(l.Files(0)[first], "\n", "\r\n"))
		}, first + ":1:1: error: this is no leaf"},
		"a conflict": {func(j *journal, l *log.Log) {
			j.write(first, "<<<<<<< HEAD\n"+l.Files(0)[first]+"=======\n>>>>>>> main\n")
		}, first + ":1:1: error: a merge conflict is left in the log"},
		"no leaves": {func(j *journal, _ *log.Log) { j.git("rm", "-q", "-r", "log") }, "which has 0 leaves"},
		"a folder": {func(j *journal, _ *log.Log) {
			j.git("rm", "-q", "-r", first)
			j.write(first+"/x", "x")
		}, "which has 0 leaves"},
		"no head": {func(j *journal, _ *log.Log) {
			j.git("rm", "-q", content.CheckpointFile)
		}, "the checkpoint was taken away"},
		"a head that is none": {func(j *journal, _ *log.Log) {
			j.write(content.CheckpointFile, "nonsense\n")
		}, "this is no signed checkpoint"},
		"a head that is too large": {func(j *journal, _ *log.Log) {
			j.write(content.CheckpointFile, strings.Repeat("x\n", log.MaxCheckpoint))
		}, "this is no signed checkpoint"},
		"a seal that nobody wrote": {func(j *journal, l *log.Log) {
			j.append(l, fake)
		}, first + ":3:1: error: nothing in the repository says this: seal guidelines/test.two.001"},
		"a mark that nobody wrote": {func(j *journal, l *log.Log) {
			j.append(l, log.Leaf(strings.Replace(string(l.Since(0)[0]), "archived", "redacted", 1)))
		}, first + ":3:1: error: nothing in the repository says this: mark "},
		"the end of a mark that is in force": {func(j *journal, l *log.Log) {
			j.append(l, l.Since(0)[0].End())
		}, first + ":3:1: error: nothing in the repository says this: end "},
		"a seal twice": {func(j *journal, l *log.Log) {
			j.append(l, l.Since(0)[0])
		}, first + ":3:1: error: this leaf cannot stand here"},
		"a mark twice": {func(j *journal, l *log.Log) {
			j.append(l, l.Since(0)[1])
		}, first + ":3:1: error: this leaf cannot stand here"},
		"another order": {func(j *journal, l *log.Log) {
			j.append(nil, l.Since(0)[1], l.Since(0)[0])
			j.git("rm", "-q", "-r", "log")
		}, "which has 0 leaves"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJournal(t)
			good := j.plan().Log
			tt.do(j, good.Log)
			j.commitAll("Break the log", true)
			broken := j.plan()
			found := findings(broken)
			if len(found) != 1 || !strings.Contains(found[0].String(), tt.want) {
				t.Fatalf("found %v, expected %s", found, tt.want)
			}
			if !broken.Log.Refused || !broken.Log.Continues(good) && name != "another order" {
				t.Errorf("the log is %+v", broken.Log)
			}
			if broken.Snapshot.Count() != 1 {
				t.Error("what is published is not served")
			}
			command := regexp.MustCompile("`git ([^`]*)`").FindStringSubmatch(found[0].Hint)
			if command == nil {
				t.Fatalf("the hint is %q", found[0].Hint)
			}
			j.git(strings.Fields(command[1])...)
			j.commitAll("Bring it back", true)
			if name != "another order" { // of which the newest head is
				j.publish("two")
			}
			j.sign()
			j.expectNone(j.plan())
		})
	}
}

// A log that was taken back stands, but does not go on with the one that was seen, and who signs is told
// what was signed before.
func TestLogTakenBack(t *testing.T) {
	j := newJournal(t)
	j.publish("two")
	j.sign()
	long := j.plan().Log
	j.git("revert", "--no-edit", "HEAD")
	back := j.plan()
	j.expectNone(back)
	if back.Log.Size() != 2 || back.Log.Continues(long) || !back.Longer.Continues(long) || len(back.Unlogged) != 1 {
		t.Errorf("the log is %+v, before it was %+v", back.Log, back.Longer)
	}
	j.git("restore", "--source", back.LongerCommit.String(), "--staged", "--worktree", "log", content.CheckpointFile)
	j.commit("Bring it back")
	if again := j.plan(); !again.Log.Continues(long) || again.Longer != nil {
		t.Errorf("the log is %+v", again.Log)
	}
	var none *log.Served
	if none.Continues(long) || !none.Continues(none) || !long.Continues(none) {
		t.Error("a log that is gone goes on")
	}
}

// Of heads that were signed within a second the one of the longest log is the newest.
func TestLogsOfOneSecond(t *testing.T) {
	j := newJournal(t)
	at := j.now
	for i := range 6 {
		j.publish(fmt.Sprint("more", i))
		j.now = at
		j.sign()
	}
	signed := j.git("log", "-6", "--format=%ct", "--", content.CheckpointFile)
	if seconds := strings.Fields(signed); len(slices.Compact(seconds)) != 1 {
		t.Fatalf("they were signed at %s", signed)
	}
	long := j.plan().Log
	j.write("log/entries/000", long.Files(0)["log/entries/000"]+"nonsense\n")
	j.commit("Break it")
	if got := j.plan().Log; got.Size() != long.Size() {
		t.Errorf("of a log with %d leaves %d are left", long.Size(), got.Size())
	}
}

// A repository without a log has none, and 600 leaves are in three files, of which only the last is
// touched.
func TestLogFiles(t *testing.T) {
	j := newJournal(t)
	var marks strings.Builder
	for i := range 600 {
		marks.WriteString(strings.ReplaceAll(strings.SplitAfter(archivedOne, "marks:\n")[1], "Прошло",
			strings.Repeat("x", i+10)))
	}
	j.marks(archivedOne + marks.String())
	j.sign()
	result := j.plan()
	j.expectNone(result)
	if result.Log.Size() != 602 {
		t.Fatalf("the log has %d leaves", result.Log.Size())
	}
	was := j.git("rev-parse", "HEAD:log/entries/000", "HEAD:log/entries/001")
	j.publish("two")
	j.sign()
	if now := j.git("rev-parse", "HEAD:log/entries/000", "HEAD:log/entries/001"); now != was {
		t.Error("a full file was touched")
	}
	raw, err := os.ReadFile(filepath.Join(j.dir, "log/entries/002"))
	if err != nil || strings.Count(string(raw), "\n") != 603-512 {
		t.Errorf("%v\n%s", err, raw)
	}
	r := newRepo(t).play("edit one Один; publish one 1.0.0; seal")
	result, err = r.loader().Load(t.Context())
	if err != nil || result.Log != nil || len(findings(result)) > 0 {
		t.Errorf("the log is %+v: %v", result.Log, findings(result))
	}
}
