package change_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"
	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/schemas"
)

var update = flag.Bool("update", false, "write the expectations anew")

// Each file of testdata/bumps is a file of an item before and after a change, and what
// the change means: the version after 1.2.3, and each place with its class, its reason
// and what a person should look at.
func TestBumps(t *testing.T) {
	files, err := filepath.Glob("testdata/bumps/*.txtar")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil || len(a.Files) < 2 {
				t.Fatal("expected two files", err)
			}
			want := string(txtar.Format(a))
			a.Files = append(a.Files[:2:2], txtar.File{Name: "want", Data: []byte(bumped(t, a.Files[0], a.Files[1]))})
			got := string(txtar.Format(a))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func bumped(t *testing.T, before, after txtar.File) string {
	t.Helper()
	folder, rest, _ := strings.Cut(strings.TrimPrefix(before.Name, "before/"), "/")
	k, name := content.KindOf(folder), strings.TrimSuffix(rest, ".yaml")
	was, is := body(t, k, name, string(before.Data)), body(t, k, name, string(after.Data))
	fields, class := change.Of(schemas.Embedded(), k, name, was, is)
	var b strings.Builder
	fmt.Fprintf(&b, "%s: 1.2.3 → %s\n", class, change.Next(semver.MustParse("1.2.3"), class))
	for _, f := range fields {
		fmt.Fprintf(&b, "%s %s: %s, %s\n", f.Path, f.What, f.Class, f.Why)
		if f.Look.Doubt != "" {
			fmt.Fprintf(&b, "\tlook: %s\n", f.Look)
		}
	}
	return b.String()
}
