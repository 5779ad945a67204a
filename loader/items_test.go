package loader

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// Of a draft that its author commits again and again, the last state is remembered.
func TestDraftsAreForgotten(t *testing.T) {
	script, err := git.ReadReleases(starter.Files)
	if err != nil {
		t.Fatal(err)
	}
	script = script[:1] // the first release
	path := content.Guidelines.File("product.common.001")
	raw := script[0].Files[path]
	at := &struct{ git.Opener }{}
	l := New(Config{Source: at, Drafts: true, Schemas: schemas.Embedded(), Now: time.Now})
	for n := range 5 {
		last := script[len(script)-1]
		script = append(script, git.ScriptCommit{Date: last.Date.Add(time.Hour), Message: "Edit",
			Files: map[string][]byte{path: append(raw, strings.Repeat("#\n", n+1)...)}})
		if at.Opener, err = git.InMemory(script); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	published := 0
	for _, e := range l.state.snapshot.Item(content.Guidelines, "product.common.001").Entries {
		if !e.Draft {
			published++
		}
	}
	itemFiles := l.cache.files.byItem["guidelines/product.common.001"]
	if n := len(itemFiles.before) + len(itemFiles.now); n != published+1 {
		t.Errorf("%d files are remembered of %d publications and a draft", n, published)
	}
}

// A commit may add very many files, each with a tag. Finding the file of each takes
// a moment, not the square of it.
func TestReadAheadOfManyTags(t *testing.T) {
	const many = 60_000
	c := Config{Schemas: schemas.Embedded()}
	b := &build{Config: c, cache: newCache(c)}
	var added []*ref
	commit, changes := git.OID{1}, make([]git.File, many)
	for i := range changes {
		tag := content.Tag{Kind: content.Guidelines, Name: fmt.Sprintf("test.%06d", i),
			Version: semver.New(1, 0, 0, "", "")}
		r, err := newRef(tag.String())
		if err != nil {
			t.Fatal(err)
		}
		r.tag.Commit = commit
		added = append(added, r)
		changes[many-1-i] = git.File{Path: r.path, Mode: git.Regular,
			OID: git.OID{byte(i), byte(i >> 8), byte(i >> 16)}}
		b.cache.files.byItem[r.item] = &memo[git.OID,
			*itemFile]{before: map[git.OID]*itemFile{changes[many-1-i].OID: {}}}
	}
	source, err := git.InMemory(nil)
	if err != nil {
		t.Fatal(err)
	}
	repo, err := source.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.readAhead(t.Context(), added)(repo, []git.CommitFiles{{Commit: commit, Files: changes}}); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, s := range b.cache.files.byItem {
		found += len(s.now)
	}
	if found != many {
		t.Errorf("%d of %d files were found", found, many)
	}
}
