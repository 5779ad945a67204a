package loader

import (
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// Of a draft that its author commits again and again, the last state is remembered.
func TestDraftsAreForgotten(t *testing.T) {
	script, err := git.ReadReleases(starter.Files)
	must(t, err)
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
	itemFiles := l.cache.files["guidelines/product.common.001"]
	if n := len(itemFiles.known); n != published+1 {
		t.Errorf("%d files are remembered of %d publications and a draft", n, published)
	}
}
