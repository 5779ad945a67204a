package author_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"rulestore/content/starter"
	"rulestore/loader/author"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// A file that has changed since it was published is a draft: the next publication gives it the version that its change
// needs.
func ExampleRepository_Next() {
	dir, err := os.MkdirTemp("", "rules")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	script, err := git.ReadReleases(starter.Files)
	if err != nil {
		fmt.Println(err)
		return
	}
	const file = "policies/fallback-policy.yaml"
	changed := bytes.Replace(script[0].Files[file], []byte("title: "), []byte("title: Важно. "), 1)
	script = append(script[:1], git.ScriptCommit{
		Date: script[0].Date.AddDate(0, 0, 1), Message: "Title", Files: map[string][]byte{file: changed},
	})
	if err := git.Create(filepath.Join(dir, "rules"), script); err != nil {
		fmt.Println(err)
		return
	}
	repo, err := author.Open(filepath.Join(dir, "rules"), nil, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := repo.Next(context.Background(), author.Options{Schemas: schemas.Embedded()})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range plan.Tags {
		fmt.Println(s.Tag, s.Class, s.Seal != nil)
	}
	fmt.Println(plan.Branch, plan.Obstacles)
	// Output:
	// policies/fallback-policy/v1.0.1 wording true
	// main []
}
