//go:build slow

package loader_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/content"
)

// chaos is a repository to which everything happens.
type chaos struct {
	*repo
	*rand.Rand
	today time.Time
}

func newChaos(t *testing.T, seed uint64) *chaos {
	c := &chaos{repo: newRepo(t), Rand: rand.New(rand.NewPCG(seed, 5)),
		today: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)}
	c.edit("always.there.001", "= Всегда")
	c.tag("always.there.001", "1.0.0")
	return c
}

func (c *chaos) item() string {
	return []string{"test.one.001", "test.two.001", "test.three.001", "test.four.001"}[c.IntN(4)]
}

// commitOf is one of the newest commits.
func (c *chaos) commitOf() string {
	all := strings.Fields(c.git("rev-list", "--first-parent", "-n", "5", "HEAD"))
	return all[c.IntN(len(all))]
}

// step does something, and says what.
func (c *chaos) step() string {
	all := []struct {
		what  string
		often int
		do    func()
	}{
		{"an edit", 5, c.change},
		{"an edit, tagged", 6, func() { c.change(); c.mark("HEAD") }},
		{"a tag", 6, func() { c.mark(c.commitOf()) }},
		{"a tag less", 2, c.untag},
		{"seals", 3, c.seal},
		{"seals changed", 1, c.breakSeals},
		{"seals moved", 2, c.moveSeals},
		{"a mark", 1, c.archive},
		{"a file less", 1, func() { c.remove(content.Guidelines.File(c.item())) }},
		{"a step back", 1, func() { c.git("reset", "-q", "--hard", c.commitOf()) }},
		{"a merge", 2, c.merge},
		{"a merge of what was tagged", 2, c.mergeTagged},
		{"a swapped merge", 1, c.swap},
		{"a release", 1, func() { c.git("tag", "-f", "-a", fmt.Sprintf("v1.%d.0", c.IntN(3)), "-m", "Release") }},
		{"a week", 1, func() { c.today = c.today.AddDate(0, 0, 7) }},
		{"a collection", 1, func() { c.git("gc", "-q", "--prune=now") }},
		{"nothing", 1, func() {}},
	}
	n := 0
	for _, a := range all {
		n += a.often
	}
	n = c.IntN(n)
	for _, a := range all {
		if n -= a.often; n < 0 {
			a.do()
			return a.what
		}
	}
	return ""
}

// change edits a file; it may break it, or give it the id of another.
func (c *chaos) change() {
	item := c.item()
	text := guideline(item, fmt.Sprintf("= Правка %d", c.IntN(1000)))
	switch c.IntN(8) {
	case 0:
		text = strings.Replace(text, "guideline_id: "+item, "guideline_id: "+c.item(), 1)
	case 1:
		text = fmt.Sprintf("title: [ # %d\n", c.IntN(1000))
	case 2, 3:
		text = guideline(item, fmt.Sprintf("= Ссылка %d\nsee: %s", c.IntN(1000), c.item()))
	}
	c.write(content.Guidelines.File(item), text)
	c.save("Change " + item)
}

// save commits what there is, if there is anything.
func (c *chaos) save(message string) { c.commitAll(message, true) }

// mark tags an item at a commit, in any of git's ways, also with dates to come.
func (c *chaos) mark(commit string) {
	tag := fmt.Sprintf("guidelines/%s/v%d.%d.0%s", c.item(), 1+c.IntN(2), c.IntN(3),
		[]string{"", "", "", "-rc.1"}[c.IntN(4)])
	if c.IntN(3) == 0 {
		c.git("tag", "-f", tag, commit)
		return
	}
	if c.IntN(8) == 0 {
		now := c.now
		c.now = c.today.AddDate(0, 0, 5)
		defer func() { c.now = now }()
	}
	c.git("tag", "-f", "-a", tag, commit, "-m", fmt.Sprintf("Version of %s\n\nCriticality: minor", tag))
}

func (c *chaos) untag() {
	if tags := strings.Fields(c.git("tag", "--list", "guidelines/test.*")); len(tags) > 0 {
		c.git("tag", "-d", tags[c.IntN(len(tags))])
	}
}

// seal seals what a load would have sealed, if it can be loaded.
func (c *chaos) seal() {
	if result, err := c.loader().Load(c.Context()); err == nil &&
		slices.ContainsFunc(result.Report.Findings, func(f content.Finding) bool { return f.Rule == "unsealed" }) {
		c.repo.seal()
	}
}

// breakSeals gives tags another checksum, drops lines or the file, or writes nonsense.
func (c *chaos) breakSeals() {
	path := content.SealsPath("guidelines/" + c.item())
	raw, _ := os.ReadFile(filepath.Join(c.dir, path))
	lines := slices.Collect(strings.Lines(string(raw)))
	switch {
	case c.IntN(4) == 0:
		c.remove(path)
		return
	case c.IntN(3) == 0 || len(lines) == 0:
		lines = append(lines, fmt.Sprintf("guidelines/%s/v1.%d.0 sha256:%064d 2026-03-01T10:00:00Z\n", c.item(),
			c.IntN(3), c.IntN(1000)))
	case c.IntN(2) == 0:
		lines = slices.Delete(lines, 0, 1)
	default:
		lines = append(lines, "nonsense\n")
	}
	c.write(path, strings.Join(lines, ""))
	c.save("Seals")
}

// moveSeals moves the seals of an item into an area, or back.
func (c *chaos) moveSeals() {
	item := c.item()
	from, to := content.SealsPath("guidelines/"+item), content.SealsPath("guidelines/area/"+item)
	if raw, err := os.ReadFile(filepath.Join(c.dir, from)); err == nil {
		c.write(to, string(raw))
		c.remove(from)
	} else if raw, err := os.ReadFile(filepath.Join(c.dir, to)); err == nil {
		c.write(from, string(raw))
		c.remove(to)
	}
}

func (c *chaos) archive() {
	c.write(content.LifecycleFile,
		fmt.Sprintf("schema_version: \"1.0\"\nmarks:\n  - item: guidelines/%s\n    status: archived\n"+
			"    reason: Испытание\n    since: %s\n",
			c.item(), c.today.AddDate(0, 0, c.IntN(10)).Format(content.Date)))
	c.save("Mark")
}

func (c *chaos) remove(path string) {
	if err := os.RemoveAll(filepath.Join(c.dir, path)); err != nil {
		c.Fatal(err)
	}
	c.save("Remove " + path)
}

// merge brings what happened beside the branch, tagged there or not.
func (c *chaos) merge() {
	c.git("checkout", "-q", "-B", "side", c.commitOf())
	c.change()
	if c.IntN(2) == 0 {
		c.mark("HEAD")
	}
	c.git("checkout", "-q", "main")
	switch c.IntN(3) {
	case 0: // it stays beside
	case 1:
		c.git("merge", "-q", "--no-ff", "-s", "ours", "side")
	default:
		c.git("merge", "-q", "--no-ff", "--no-commit", "-s", "ours", "side")
		c.git("checkout", "side", "--", "guidelines")
		c.git("commit", "-q", "--allow-empty", "-m", "Merge")
	}
}

// mergeTagged makes a tag's commit part of the branch, if it was not.
func (c *chaos) mergeTagged() {
	if tags := strings.Fields(c.git("tag", "--list", "guidelines/*")); len(tags) > 0 {
		c.git("merge", "-q", "--no-ff", "-s", "ours", "-m", "Merge", tags[c.IntN(len(tags))])
	}
}

// swap makes what was the branch a side of it: its line of first parents is another.
func (c *chaos) swap() {
	before := c.git("rev-parse", "HEAD")
	c.git("checkout", "-q", "-B", "side", c.commitOf())
	c.change()
	c.git("merge", "-q", "--no-ff", "-s", "ours", before)
	c.git("checkout", "-q", "-B", "main")
}
