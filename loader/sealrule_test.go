package loader_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

const tagOne = "guidelines/" + one + "/v1.0.0"

// Ordinary work with git never makes a dispute, nor a finding about seals: in all of these the content that was
// published, or merged, is served.
func TestOrdinaryWork(t *testing.T) {
	const (
		prepare = "checkout -b change main; seal one 1.0.0 "
		rewrite = "; empty; seal one 1.0.0 Один; " // as `publish --prepare` again does it
		goOn    = "; checkout main; edit two Два, ещё раз; "
		merge   = "checkout main; merge --no-ff change"
		rivals  = prepare + "Один; checkout -b second main; seal one 1.0.0 Второй; checkout main; "
	)
	for name, c := range map[string]struct{ do, want string }{
		"a pull with a merge": {
			prepare + "Один" + goOn + "checkout change; merge --no-ff main; checkout -B main change", "Один",
		},
		"a pull of what was published": {`
			checkout -b local; edit two Два, у себя; checkout main; seal one 1.0.0 Один; checkout local
			merge --no-ff main; checkout -B main local
		`, "Один"},
		"a merged request": {prepare + "Один; " + merge, "Один"},
		"a squash": {
			prepare + "Черновик" + rewrite + goOn + "merge --squash change; commit Squash", "Один",
		},
		"a rebase": {
			prepare + "Один" + goOn + "checkout change; rebase main; checkout -B main change", "Один",
		},
		"a cherry-pick, and the branch merged after it": {
			prepare + "Один" + goOn + "cherry-pick change; " + merge, "Один",
		},
		"prepared twice": {prepare + "Черновик" + rewrite + goOn + merge, "Один"},
		"prepared twice, where the branch stood still": {prepare + "Черновик" + rewrite + merge, "Один"},
		"prepared twice, brought up to date between": {
			prepare + "Черновик" + goOn + "checkout change; merge --no-ff main" + rewrite + merge, "Один",
		},
		"prepared and withdrawn": {prepare + "Черновик; rm $sums; commit Withdraw" + goOn + merge, ""},
		"two requests for one item": {rivals + `
			merge --no-ff change; checkout second; merge -s ours main; keep main; commit Take the seals of the branch
			checkout main; merge --no-ff second
		`, "Один"},
		"two requests for one item, squashed": {rivals + `
			merge --squash change; commit First; checkout second; merge -s ours main; keep main; seal one 1.1.0 Второй
			checkout main; over second main
		`, "Один"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t).play("edit two Два; publish two 1.0.0; edit three Три")
			got := r.after(c.do)
			if c.want != "" {
				r.expect(got, `1.0.0`, `"`+c.want+`" sealed`)
			} else {
				r.refuse(contentOf(got), one)
			}
			r.refuse(got, "Черновик", "refused", "[seal-", "missing-file")
		})
	}
}

// The log decides before all else: neither an older line that was never logged nor the tag changes what it says.
func TestLogDecidesWhichLineCounts(t *testing.T) {
	for _, tagged := range []string{"", "rival"} {
		for _, parents := range [][]string{{"main", "rival"}, {"rival", "main"}} {
			t.Run(tagged+parents[0], func(t *testing.T) {
				j := newJournal(t)
				j.play("branch start; seal one 2.0.0 Журнал")
				j.sign()
				j.play("checkout -b rival start; seal one 2.0.0 $evil")
				if tagged != "" {
					j.git("tag", "-a", "-m", "Mine", "guidelines/"+one+"/v2.0.0", tagged)
				}
				l := j.repo.loader()
				j.mergeOf("main", []string{"main", "rival"}, parents...)
				for _, got := range []string{j.load(), describe(l.Load(t.Context()))} {
					j.expect(got, `2.0.0 archived "Журнал" sealed`, "[seal-twice]")
				}
				// what stood first, and was never logged, comes too late
				j.play("checkout -B older start~; seal one 2.0.0 Раньше; checkout main")
				j.mergeOf("main", []string{"main", "older"}, "main", "older")
				j.expect(j.load(), `2.0.0 archived "Журнал" sealed`)
			})
		}
	}
}

// plainRule says which content counts for a tag by the words of the rule, without a log: it asks git for every
// commit and every line anew.
type plainRule struct {
	parents map[string][]string
	order   []string                   // children before parents
	lines   map[string]map[string]bool // of the tag, by commit
}

func newPlainRule(r *repo) plainRule {
	p := plainRule{map[string][]string{}, nil, map[string]map[string]bool{}}
	for line := range strings.Lines(r.git("rev-list", "--topo-order", "--parents", "main")) {
		f := strings.Fields(line)
		p.order, p.parents[f[0]], p.lines[f[0]] = append(p.order, f[0]), f[1:], map[string]bool{}
		if r.git("ls-tree", f[0], sums) != "" {
			for line := range strings.Lines(r.git("show", f[0]+":"+sums) + "\n") {
				if strings.HasPrefix(line, tagOne+" ") {
					p.lines[f[0]][line] = true
				}
			}
		}
	}
	return p
}

// from reports whether a commit is one of others or descends from one.
func (p plainRule) from(commit string, others []string) bool {
	return slices.Contains(others, commit) || slices.ContainsFunc(p.parents[commit], func(c string) bool {
		return p.from(c, others)
	})
}

// commits lists those for which a condition holds.
func (p plainRule) commits(holds func(commit string, parents []string) bool) (all []string) {
	for _, c := range p.order {
		if holds(c, p.parents[c]) {
			all = append(all, c)
		}
	}
	return all
}

func (p plainRule) added(line string) []string {
	return p.commits(func(c string, parents []string) bool {
		return p.lines[c][line] && !slices.ContainsFunc(parents, func(q string) bool { return p.lines[q][line] })
	})
}

// takenBack reports whether a line was taken away before it was merged.
func (p plainRule) takenBack(line string) bool {
	taken := p.commits(func(c string, parents []string) bool {
		return !p.lines[c][line] && slices.ContainsFunc(parents, func(q string) bool { return p.lines[q][line] }) &&
			(len(parents) == 1 || len(p.lines[c]) > 0)
	})
	added := p.added(line)
	return !p.lines[p.order[0]][line] && len(p.commits(func(c string, parents []string) bool {
		return slices.ContainsFunc(parents, func(q string) bool { return p.from(q, taken) }) &&
			slices.ContainsFunc(parents, func(q string) bool { return !p.from(q, added) })
	})) > 0
}

// first lists the lines that no other precedes.
func (p plainRule) first(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return slices.ContainsFunc(lines, func(other string) bool {
			return !slices.ContainsFunc(p.added(line), func(c string) bool {
				return !slices.ContainsFunc(p.parents[c], func(q string) bool { return p.from(q, p.added(other)) })
			})
		})
	})
}

func checksumIn(line string) string { return strings.Fields(line)[1] }

// counts returns the checksum that counts; tagged is that of the tag's content, "" without a tag. It is "" if
// nothing counts.
func (p plainRule) counts(tagged string) string {
	var all []string
	for _, lines := range p.lines {
		for line := range lines {
			if !slices.Contains(all, line) {
				all = append(all, line)
			}
		}
	}
	standing := slices.DeleteFunc(slices.Clone(all), p.takenBack)
	first := p.first(standing)
	candidates := slices.Clone(first)
	if len(standing) < len(all) {
		candidates = append(candidates, p.first(all)...)
	}
	sums := map[string]bool{}
	for _, line := range first {
		sums[checksumIn(line)] = true
	}
	switch {
	case tagged != "" && slices.ContainsFunc(candidates, func(l string) bool { return checksumIn(l) == tagged }):
		return tagged
	case len(first) == 0:
		return tagged // not sealed
	case len(sums) == 1:
		return checksumIn(first[0])
	}
	return ""
}

// sealStep does something to a repository with seals of one tag, in git's ways.
func sealStep(r *repo, rng *rand.Rand) {
	branch := func() string { return []string{"main", "left", "right"}[rng.IntN(3)] }
	r.git("checkout", "-q", branch())
	switch n := rng.IntN(12); {
	case n < 4:
		text := guideline(one, fmt.Sprintf("= Текст %d", rng.IntN(4)))
		r.write(content.Guidelines.File(one), text)
		if rng.IntN(2) == 0 {
			r.write(sums, "")
		}
		r.addLine(sealOf(r.T, tagOne, text))
		r.commitAll("Seal", true)
	case n < 6:
		r.write(sums, "")
		r.commitAll("Take away", true)
	case n < 10:
		args := []string{"commit-tree", "-m", "Merge", r.git("rev-parse", branch()+"^{tree}")}
		if other := branch(); other != r.git("rev-parse", "--abbrev-ref", "HEAD") {
			r.git(append(args, "-p", "HEAD", "-p", other)...)
			parents := []string{"HEAD", other}
			if rng.IntN(2) == 0 {
				slices.Reverse(parents)
			}
			r.git("reset", "-q", "--hard", r.git(append(args, "-p", parents[0], "-p", parents[1])...))
		}
	case n == 10:
		r.git("tag", "-f", "-a", "-m", "Tag", tagOne)
	default:
		if r.git("tag", "--list", tagOne) != "" {
			r.git("tag", "-d", tagOne)
		}
	}
}

// What is served of histories at random is what the words of the rule say, for a loader that goes on as for a new
// one.
func TestWhichLineCountsAtRandom(t *testing.T) { linesAtRandom(t, 0, 3) }

func linesAtRandom(t *testing.T, from, to uint64) {
	for seed := from; seed < to; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			r, rng := newRepo(t), rand.New(rand.NewPCG(seed, 3))
			r.play("edit two Два; publish two 1.0.0; edit one Начало; branch left; branch right")
			l := r.loader()
			for range 20 {
				sealStep(r, rng)
				r.git("checkout", "-q", "main")
				tagged := ""
				if r.git("tag", "--list", "--merged=main", tagOne) != "" {
					text := r.git("show", tagOne+"^{}:"+content.Guidelines.File(one)) + "\n"
					tagged = checksumIn(sealOf(t, tagOne, text))
				}
				want, got := newPlainRule(r).counts(tagged), ""
				result, err := l.Load(t.Context())
				must(t, err)
				if it := result.Snapshot.Item(content.Guidelines, one); it != nil {
					got = it.Entries[0].Checksum
				}
				if got != want {
					t.Fatalf("%s is served, expected %s\n%s\n%s", got, want, r.load(), r.git("log", "--graph", "-p",
						"--oneline", "--decorate", "main", "--", sums))
				}
				if again, fresh := describe(result, err), r.load(); contentOf(again) != contentOf(fresh) {
					t.Fatalf("a loader that goes on comes to\n%s\na new one to\n%s", again, fresh)
				}
			}
		})
	}
}

// A change rewrites its seals in a file with thousands of lines: what each commit did is read from what differs.
func TestManySealsOfOneItem(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0")
	var lines strings.Builder
	for i := range 40 {
		r.write(sums, lines.String())
		fmt.Fprintf(&lines, "guidelines/%s/v2.%d.0 sha256:%064d 2026-03-01T10:00:00Z\n", one, i, i)
		r.commitAll("Seal", true)
	}
	r.git("gc", "-q")
	raw, err := os.ReadFile(filepath.Join(r.dir, sums))
	must(t, err)
	r.write(sums, string(raw)+sealOf(t, tagOne, guideline(one, "= Один")))
	r.commit("The last")
	got := r.load()
	r.expect(got, `1.0.0 current "Один" sealed`)
	if n := strings.Count(got, "[seal-lost]"); n != 39 {
		t.Errorf("%d seals are read, expected 39\n%s", n, got)
	}
}
