package loader_test

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// The rules that many has, and the versions of each.
const rules, versions = 8, 20

func ruleName(rule int) string { return fmt.Sprintf("test.r%02d.001", rule) }

func ruleTag(rule, version int) string {
	return fmt.Sprintf("%s/%s/v1.%d.0", content.Guidelines.Folder, ruleName(rule), version)
}

// many is a repository of these rules, a commit for each version, and the seals at
// the end. at says which commit a tag points to.
func many(t *testing.T, seals string, at func(rule, version int) int) git.Opener {
	t.Helper()
	script := make(git.Script, versions)
	for v := range script {
		script[v] = git.ScriptCommit{Date: time.Date(2026, 1, 1+v, 10, 0, 0, 0, time.UTC), Message: "Publish",
			Files: map[string][]byte{}}
		for r := range rules {
			script[v].Files[content.Guidelines.File(ruleName(r))] = []byte(guideline(ruleName(r),
				fmt.Sprintf("= Правило %d, версия %d", r, v)))
		}
	}
	script[0].Files[content.SettingsFile] = []byte(settings)
	for r := range rules {
		for v := range versions {
			step := &script[at(r, v)]
			step.Tags = append(step.Tags, git.NewTag{Name: ruleTag(r, v), Message: "Publish"})
		}
	}
	script = append(script, git.ScriptCommit{Date: script[versions-1].Date.Add(time.Hour), Message: "Seal",
		Files: sealFiles(seals)})
	source, err := git.InMemory(script)
	must(t, err)
	return source
}

// sealFiles returns the files of items for lines.
func sealFiles(lines string) map[string][]byte {
	files := map[string][]byte{}
	for line := range strings.Lines(lines) {
		tag, _, _ := strings.Cut(line, " ")
		path := content.SealsPath(content.Seal{Tag: tag}.Item())
		files[path] = append(files[path], line...)
	}
	return files
}

func ownCommit(_, version int) int { return version }

func manyLoader(source git.Opener) *loader.Loader {
	return loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: func() time.Time {
		return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	}})
}

// sealsOf seals what a repository without seals publishes.
func sealsOf(t *testing.T, source git.Opener) map[string]content.Seal {
	t.Helper()
	result, err := manyLoader(source).Load(t.Context())
	must(t, err)
	seals := map[string]content.Seal{}
	for _, it := range result.Snapshot.Items {
		for _, e := range it.Entries {
			seals[e.Tag()] = content.Seal{Tag: e.Tag(), Checksum: e.Checksum, PublishedAt: e.PublishedAt}
		}
	}
	return seals
}

func sealLines(seals map[string]content.Seal) string {
	var b strings.Builder
	for s := range maps.Values(seals) {
		b.WriteString(s.String() + "\n")
	}
	return b.String()
}

// entries are all publications of a load by tag.
func entries(t *testing.T, r loader.Loaded, err error) map[string]*content.Entry {
	t.Helper()
	must(t, err)
	all := map[string]*content.Entry{}
	for _, it := range r.Snapshot.Items {
		for _, e := range it.Entries {
			all[e.Tag()] = e
		}
	}
	return all
}

// checks counts the validations of files.
type checks struct {
	content.Schemas
	done atomic.Int32
}

// Schema implements [content.Schemas]: each file asks for its format once.
func (c *checks) Schema(folder, format string) content.Schema {
	if folder == content.Guidelines.Folder {
		c.done.Add(1)
	}
	return c.Schemas.Schema(folder, format)
}

// A load that is to serve soon reads one text of each item.
func TestBeginDefers(t *testing.T) {
	source := many(t, sealLines(sealsOf(t, many(t, "", ownCommit))), ownCommit)
	count := &checks{Schemas: schemas.Embedded()}
	l := loader.New(loader.Config{Source: source, Schemas: count, Now: time.Now})
	if _, err := l.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	begun := count.done.Swap(0)
	if _, err := l.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if later := count.done.Load(); begun*(versions-1) != later {
		t.Errorf("%d lookups for %d versions at first, %d later", begun, rules, later)
	}
}

// What a load that is to serve soon leaves for later says, when somebody asks, what
// a whole load says; and the next load comes to what a new one does, whatever was
// asked for meanwhile.
func TestBegin(t *testing.T) {
	seals := sealsOf(t, many(t, "", ownCommit))
	source := many(t, sealLines(seals), ownCommit)
	l := manyLoader(source)
	begun, err := l.Begin(t.Context())
	first := entries(t, begun, err)
	loaded, err := manyLoader(source).Load(t.Context())
	whole := entries(t, loaded, err)
	sameLines(t, describe(begun, nil), describe(loaded, nil))
	same := func(tag string) {
		e, want := first[tag], whole[tag]
		if e == nil || !e.Sound() || string(e.Body().AppendJSON(nil)) != string(want.Body().AppendJSON(nil)) ||
			e.ID() != want.ID() || e.ChangeNote != want.ChangeNote || !e.UpdatedAt.Equal(want.UpdatedAt) {
			t.Errorf("%s is %v, expected %v", tag, e, want)
		}
	}
	for tag := range whole {
		if strings.HasSuffix(tag, "5.0") {
			same(tag)
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for tag := range whole {
			same(tag)
		}
	})
	again, err := l.Load(t.Context())
	second := entries(t, again, err)
	wg.Wait()
	sameLines(t, describe(again, nil), describe(loaded, nil))
	for tag, e := range second {
		if e.Publication != first[tag].Publication {
			t.Errorf("%s is made anew, and so are its pages", tag)
		}
	}
}

// Nothing is shown that a whole load refuses because of the id that the first seal gave the item, whether it
// is read at once or later.
func TestBeginWithIDs(t *testing.T) {
	const file = "instructions/work.yaml"
	for name, ids := range map[string][]string{
		"the highest differs":      {"service.work.001", "service.other.001"},
		"one between differs":      {"service.work.001", "service.other.001", "service.work.001"},
		"the first says otherwise": {"service.other.001", "service.work.001", "service.work.001"},
		"all are the same":         {"service.work.001", "service.work.001", "service.work.001"},
	} {
		t.Run(name, func(t *testing.T) {
			var script git.Script
			seals := ""
			for i, id := range ids {
				tag := fmt.Sprintf("instructions/work/v1.%d.0", i)
				seals += sealOf(t, tag, instruction(id))
				script = append(script, git.ScriptCommit{
					Date: time.Date(2026, 1, 1+i, 10, 0, 0, 0, time.UTC), Message: "Publish",
					Tags: []git.NewTag{{Name: tag, Message: "Publish"}},
					Files: map[string][]byte{file: []byte(instruction(id)),
						"sealed/instructions/work.sum": []byte(seals),
						content.SettingsFile:           []byte(settings)},
				})
			}
			source, err := git.InMemory(script)
			must(t, err)
			l := manyLoader(source)
			begun, err := l.Begin(t.Context())
			first := entries(t, begun, err)
			loaded, err := l.Load(t.Context())
			whole := entries(t, loaded, err)
			for i, id := range ids {
				tag := fmt.Sprintf("instructions/work/v1.%d.0", i)
				e, w := first[tag], whole[tag]
				if (w != nil) != (id == ids[0]) || (w != nil) != (e != nil && e.Sound()) {
					t.Errorf("%s with the id %s: at first %v, then %v", tag, id, e, w)
				}
			}
		})
	}
}

// sameLines compares long texts and shows where they differ.
func sameLines(t *testing.T, got, want string) {
	t.Helper()
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("line %d is %s, expected %s", i+1, a[i], b[i])
			return
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d lines, expected %d", len(a), len(b))
	}
}

// What turns out not to be what was sealed is never shown, the tag of a sealed one that was moved is looked into at
// once, and the next load says what a new one does.
func TestBeginWhatIsNotSealed(t *testing.T) {
	right := sealsOf(t, many(t, "", ownCommit))
	seals := maps.Clone(right)
	wrong := func(rule, version int) {
		s := seals[ruleTag(rule, version)]
		s.Checksum = "sha256:" + strings.Repeat("0", 64)
		seals[s.Tag] = s
	}
	wrong(3, 5)                  // nobody has it
	wrong(4, versions-1)         // the highest: the one below is current
	wrong(4, versions-2)         // nor that
	moved := ruleTag(5, 7)       // the content is elsewhere
	delete(seals, ruleTag(6, 2)) // no seal: it cannot wait
	source := many(t, sealLines(seals), func(rule, version int) int {
		if ruleTag(rule, version) == moved {
			return version + 1
		}
		return version
	})
	l := manyLoader(source)
	begun, err := l.Begin(t.Context())
	first := entries(t, begun, err)
	for tag, e := range first {
		if lost := tag == ruleTag(3, 5); e.Sound() == lost || lost && e.Body() != nil {
			t.Errorf("%s: sound %t", tag, e.Sound())
		}
	}
	for _, version := range []int{versions - 1, versions - 2} {
		if first[ruleTag(4, version)] != nil {
			t.Errorf("%s is served", ruleTag(4, version))
		}
	}
	if e := first[ruleTag(4, versions-3)]; e.Status != content.Current {
		t.Errorf("%s is %s", e.Tag(), e.Status)
	}
	loaded, err := manyLoader(source).Load(t.Context())
	whole := entries(t, loaded, err)
	if e, w := first[moved], whole[moved]; string(e.Body().AppendJSON(nil)) != string(w.Body().AppendJSON(nil)) ||
		e.ChangeNote != w.ChangeNote || e.Commit != w.Commit {
		t.Errorf("%s is %v, expected %v", moved, e, w)
	}
	again, err := l.Load(t.Context())
	second := entries(t, again, err)
	sameLines(t, describe(again, nil), describe(loaded, nil))
	if second[ruleTag(3, 5)] != nil {
		t.Errorf("%s is still served", ruleTag(3, 5))
	}
}
