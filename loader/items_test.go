package loader

import (
	"fmt"
	"testing"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

// A commit may add very many files, each with a tag. Finding the file of each takes
// a moment, not the square of it.
func TestReadAheadOfManyTags(t *testing.T) {
	const many = 60_000
	b := &build{Loader: New(Config{Schemas: schemas.Embedded()})}
	commit, changes := gitrepo.OID{1}, make([]gitrepo.File, many)
	for i := range changes {
		tag := content.Tag{Kind: content.Guidelines, Name: fmt.Sprintf("test.%06d", i), Version: semver.New(1, 0, 0, "", "")}
		b.tagged = append(b.tagged, ref{parsed: parsed{Tag: tag, path: tag.Kind.File(tag.Name)}, tag: gitrepo.Tag{Commit: commit}})
		changes[many-1-i] = gitrepo.File{Path: tag.Kind.File(tag.Name), Mode: gitrepo.Regular, OID: gitrepo.OID{byte(i), byte(i >> 8), byte(i >> 16)}}
		b.items.known[fileKey{tag.Kind, tag.Name, changes[many-1-i].OID}] = &item{}
	}
	if err := b.readAhead(t.Context())(nil, commit, changes); err != nil {
		t.Fatal(err)
	}
	if len(b.items.used) != many {
		t.Errorf("%d of %d files were found", len(b.items.used), many)
	}
}
