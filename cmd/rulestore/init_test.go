package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// The manual of a new repository explains the folder of each kind.
func TestFoldersExplained(t *testing.T) {
	files, err := templates()
	if err != nil {
		t.Fatal(err)
	}
	fees := &content.Kind{Folder: "court-fees", Title: "Пошлины", About: "Сколько стоит обратиться в суд."}
	readme := string(withKinds(files["README.md"], append(slices.Clone(content.Kinds), fees)))
	for _, k := range content.Kinds {
		if strings.Count(readme, "`"+k.Folder+"/`") != 1 {
			t.Errorf("%s is not explained once", k.Folder)
		}
	}
	if want := "| `court-fees/` | пошлины: сколько стоит обратиться в суд |\n| `tests/` |"; !strings.Contains(readme,
		want) {
		t.Errorf("without %q:\n%.3000s", want, readme)
	}
}

// Requests, merge queues and pushes to the default branch are checked, whatever that is
// called, and what is checked is checked against what it is merged into.
func TestWorkflowEvents(t *testing.T) {
	raw, err := repositoryFiles.ReadFile("repository/.github/workflows/validate.yml")
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		On struct {
			PullRequest any `yaml:"pull_request"`
			MergeGroup  any `yaml:"merge_group"`
			Push        struct{ Branches []string }
		}
		Jobs map[string]struct{ If string }
	}
	if err := yaml.Unmarshal(raw, &workflow); err != nil {
		t.Fatal(err)
	}
	var events map[string]map[string]any
	_ = yaml.Unmarshal(raw, &events) // other keys are no maps
	for _, event := range []string{"pull_request", "merge_group", "push"} {
		if _, ok := events["on"][event]; !ok {
			t.Errorf("nothing is checked on %s", event)
		}
	}
	if !slices.Equal(workflow.On.Push.Branches, []string{"**"}) ||
		!strings.Contains(workflow.Jobs["validate"].If, "github.event.repository.default_branch") {
		t.Errorf("the default branch is not asked for: %+v", workflow)
	}
	if regexp.MustCompile(`(?m)^[^#]*\b(main|master)\b`).Match(raw) {
		t.Error("the workflow names a branch")
	}
}
