package loader_test

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/log"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

// leavesByHand are the leaves that git's history shows: commit by commit along first parents,
// all lines of all files of seals and all marks, sorted, without those that were there before.
func (r *repo) leavesByHand(head string) (leaves []log.Leaf) {
	r.Helper()
	h := history{T: r.T, Repository: r.open()}
	for commit := range strings.FieldsSeq(r.git("rev-list", "--first-parent", "--reverse", head)) {
		var came []log.Leaf
		for path, entry := range h.files(commit) {
			switch {
			case path == content.LifecycleFile:
				_, text := h.text(entry.Hash.String())
				for _, m := range check.MarksIn([]byte(text)) {
					if leaf, ok := log.MarkOf(m); ok {
						came = append(came, leaf)
					}
				}
			case strings.HasSuffix(path, ".sum"):
				_, text := h.text(entry.Hash.String())
				for line := range strings.SplitSeq(text, "\n") {
					if leaf, ok := log.ReadSeal(line); ok {
						came = append(came, leaf)
					}
				}
			}
		}
		slices.Sort(came)
		for _, leaf := range slices.Compact(came) {
			if !slices.Contains(leaves, leaf) {
				leaves = append(leaves, leaf)
			}
		}
	}
	return leaves
}

// leaves are those that a new loader hands over of a state.
func (r *repo) leaves(head string) []log.Leaf {
	r.Helper()
	c := r.loader().Config
	c.Branch = r.git("rev-parse", head)
	result, err := loader.New(c).Load(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	return result.Log.Since(0)
}

// Whatever happens to a repository, merges and rewritten seals among it, the log of each
// state of the branch is what git itself shows, and a beginning of that of each later one.
func TestLogAtRandom(t *testing.T) {
	steps := 60
	if testing.Short() {
		steps = 25
	}
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			c := newChaos(t, 100+seed)
			for range steps {
				c.step()
			}
			c.seal()
			whole := c.leaves("HEAD")
			if want := c.leavesByHand("HEAD"); !slices.Equal(whole, want) {
				t.Fatalf("the leaves are\n%q\nand git shows\n%q", whole, want)
			}
			for commit := range strings.FieldsSeq(c.git("rev-list", "--first-parent", "--reverse", "HEAD")) {
				if c.IntN(4) > 0 {
					continue
				}
				result, err := loader.New(loader.Config{
					Source: gitrepo.OnDisk(c.dir), Schemas: schemas.Embedded(), Branch: commit,
					Now: func() time.Time { return c.today },
				}).Load(t.Context())
				if err != nil {
					continue // nothing was published yet
				}
				if part := result.Log.Since(0); len(part) > len(whole) || !slices.Equal(part, whole[:len(part)]) {
					t.Errorf("at %s the leaves are\n%q\nat the end\n%q", commit, part, whole)
				}
			}
		})
	}
}

// published is a repository with one sealed publication.
func published(t *testing.T) *repo {
	r := newRepo(t)
	r.edit("test.one.001", "= Один")
	r.tag("test.one.001", "1.0.0")
	r.seal()
	return r
}

const nowhere = "sha256:0000000000000000000000000000000000000000000000000000000000000000 2026-03-01T10:00:00Z\n"

// What the log takes down, and what it does not.
func TestLog(t *testing.T) {
	r := published(t)
	first := r.leaves("HEAD")
	if len(first) != 1 || !strings.HasPrefix(string(first[0]), "seal guidelines/test.one.001/v1.0.0 sha256:") {
		t.Fatalf("the leaves are %q", first)
	}
	r.write(content.SealsFile, "guidelines/test.two.001/v1.0.0 "+nowhere+"not a line\nto-come/x/v1.0.0 "+nowhere)
	r.write("sealed/to-come/y.sum", "to-come/y/v1.0.0 "+nowhere)
	r.write("sealed/guidelines/test.three.001.sum", "guidelines/test.four.001/v1.0.0 "+nowhere)
	r.write(content.LifecycleFile, `marks:
  - {item: guidelines/test.one.001, status: of another build, reason: "a\nb", since: 2026-05-01, by: {x: y}}
  - {item: guidelines/test.one.001, version: [1], status: archived}
  - not a mark
`)
	r.commit("Facts of all sorts")
	want := slices.Concat(first, []log.Leaf{
		`mark {"item":"guidelines/test.one.001","reason":"a\nb","replaced_by":"","since":"2026-05-01","status":"of ` +
			`another build","version":""}`,
		log.Leaf("seal guidelines/test.four.001/v1.0.0 " + strings.TrimSpace(nowhere)),
		log.Leaf("seal guidelines/test.two.001/v1.0.0 " + strings.TrimSpace(nowhere)),
		log.Leaf("seal to-come/x/v1.0.0 " + strings.TrimSpace(nowhere)),
		log.Leaf("seal to-come/y/v1.0.0 " + strings.TrimSpace(nowhere)),
	})
	if got := r.leaves("HEAD"); !slices.Equal(got, want) {
		t.Errorf("the leaves are\n%q\nwant\n%q", got, want)
	}
	r.git("rm", "-q", "-r", "sealed", content.SealsFile, content.LifecycleFile)
	r.commit("Take all of it away")
	if got := r.leaves("HEAD"); !slices.Equal(got, want) {
		t.Errorf("what was taken away is not in the log any more:\n%q", got)
	}
}

// A merge brings its facts where it stands, whatever their commits' dates are; a merge the
// other way round is another history.
func TestLogOfMerges(t *testing.T) {
	r := published(t)
	r.git("checkout", "-q", "-b", "side")
	r.write("sealed/guidelines/test.a.001.sum", "guidelines/test.a.001/v1.0.0 "+nowhere)
	r.commit("A")
	r.git("checkout", "-q", "main")
	r.write("sealed/guidelines/test.b.001.sum", "guidelines/test.b.001/v1.0.0 "+nowhere)
	r.commit("B")
	before := r.leaves("HEAD")
	r.git("merge", "-q", "--no-ff", "side")
	if got := r.leaves("HEAD"); len(got) != 3 || !slices.Equal(got[:2], before) ||
		!strings.Contains(string(got[2]), "test.a.001") {
		t.Errorf("the leaves are %q", got)
	}
	r.git("checkout", "-q", "side")
	r.git("reset", "-q", "--hard", "HEAD")
	r.git("merge", "-q", "--no-ff", "main~1")
	swapped := r.leaves("HEAD")
	if slices.Equal(swapped[:2], before) {
		t.Errorf("the leaves are %q", swapped)
	}
}

// A log goes on while the branch grows, and is another one when the branch is rewritten.
func TestLogGoesOn(t *testing.T) {
	r := published(t)
	l := r.loader()
	load := func() *log.View {
		result, err := l.Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return result.Log
	}
	first := load()
	r.write("sealed/guidelines/test.b.001.sum", "guidelines/test.b.001/v1.0.0 "+nowhere)
	r.commit("B")
	second := load()
	if !second.Extends(first.Log) || second.Size() != 2 {
		t.Errorf("the log of %d leaves does not go on", second.Size())
	}
	r.git("reset", "-q", "--hard", "HEAD~1")
	r.write("sealed/guidelines/test.c.001.sum", "guidelines/test.c.001/v1.0.0 "+nowhere)
	r.commit("C")
	if third := load(); third.Extends(second.Log) || third.Size() != 2 || third.Head("x") == second.Head("x") {
		t.Error("a log that was rewritten goes on")
	}
}

// A checkpoint counts while it agrees with the log, whatever else stands in its place later.
func TestCheckpointOfTheBranch(t *testing.T) {
	r := published(t)
	text, err := log.NewKey(rand.Reader, "rules.example.org/log")
	if err != nil {
		t.Fatal(err)
	}
	key, err := log.ParseKey(text)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(c log.Checkpoint) string {
		signed, err := c.Sign(key.Log())
		if err != nil {
			t.Fatal(err)
		}
		r.write(content.CheckpointFile, string(signed))
		r.commit("Sign")
		return string(signed)
	}
	load := func() (*log.View, string) {
		result, err := r.loader().Load(t.Context())
		return result.Log, describe(result, err)
	}
	head := func() log.Checkpoint {
		v, _ := load()
		return v.Head(key.Name())
	}
	if v, got := load(); v.Checkpoint != nil || v.Refused || strings.Contains(got, "[log]") {
		t.Errorf("without a checkpoint: %+v %s", v, got)
	}
	good := sign(head())
	r.write("sealed/guidelines/test.b.001.sum", "guidelines/test.b.001/v1.0.0 "+nowhere)
	r.commit("B")
	if v, got := load(); string(v.Checkpoint) != good || v.Refused || strings.Contains(got, "[log]") {
		t.Errorf("a checkpoint of a beginning does not count: %s", got)
	}
	later := head()
	for name, wrong := range map[string]func(){
		"another root":   func() { c := later; c.Root[5]++; sign(c) },
		"a size to come": func() { c := later; c.Size++; sign(c) },
		"nonsense":       func() { r.write(content.CheckpointFile, "nonsense\n"); r.commit("Nonsense") },
		"too large": func() {
			r.write(content.CheckpointFile, good+strings.Repeat("— a AAAAAAAA\n", 10_000))
			r.commit("Large")
		},
		"nothing": func() { r.git("rm", "-q", content.CheckpointFile); r.commit("Nothing") },
	} {
		t.Run(name, func(t *testing.T) {
			at := r.git("rev-parse", "HEAD")
			wrong()
			v, got := load()
			if string(v.Checkpoint) != good || !v.Refused {
				t.Errorf("%s: the checkpoint is %q", name, v.Checkpoint)
			}
			r.expect(got, "finding rulestore.checkpoint: error: ", "[log]", `1.0.0 current "Один"`)
			r.git("reset", "-q", "--hard", at)
		})
	}
	r.git("reset", "-q", "--hard", "HEAD~2") // to before it was signed
	r.write("sealed/guidelines/test.z.001.sum", "guidelines/test.z.001/v1.0.0 "+nowhere)
	r.write(content.CheckpointFile, good)
	r.commit("Sign what was rewritten")
	if v, _ := load(); string(v.Checkpoint) != good {
		t.Error("what was signed is a beginning still")
	}
}

// Facts of the first commit are at that commit, like those of any other.
func TestLogOfTheFirstCommit(t *testing.T) {
	r := newRepo(t)
	r.edit(one, "= Один")
	r.tag(one, "1.0.0")
	r.seal()
	r.git("checkout", "-q", "--orphan", "fresh")
	r.git("commit", "-q", "-m", "All at once")
	r.edit(two, "= Два")
	result, err := r.loader().Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if at, want := result.LogCommit(1).String(), r.git("rev-parse", "HEAD~1"); at != want {
		t.Errorf("the log has its first leaf at %s, expected %s", at, want)
	}
}
