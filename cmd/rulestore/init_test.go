package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
	"rulestore/schemas"
)

// initiated is a repository as init makes it, and a clone of it on another branch
// with a commit that breaks a rule.
func initiated(t *testing.T) *clone {
	t.Helper()
	_, a := newServed(t)
	a.git("switch", "-q", "-c", "feature")
	a.sub("guidelines/"+common+".yaml", `scenario: \S+`, "scenario: product_analisys")
	a.git("commit", "-q", "-a", "-m", "Опечатка")
	return a
}

// Every file of the content has one format in the editor, and it is the one that
// the service holds it against.
func TestEditorSettings(t *testing.T) {
	_, a := newServed(t)
	var settings struct {
		Schemas map[string][]string `json:"yaml.schemas"`
	}
	if err := json.Unmarshal([]byte(a.read(editorSettings)), &settings); err != nil {
		t.Fatal(err)
	}
	set := schemas.Embedded()
	for path := range strings.SplitSeq(a.git("ls-files", "*.yaml"), "\n") {
		folder, name, nested := strings.Cut(strings.TrimSuffix(path, ".yaml"), "/")
		if k := content.KindOf(folder); nested {
			folder = content.FormatsOf(set, k, name)
		}
		want := "./.rulestore/schemas/" + folder + "/1.0.json"
		if got := formatsFor(settings.Schemas, path); !slices.Equal(got, []string{want}) {
			t.Errorf("%s has the formats %v, expected %s", path, got, want)
		}
		raw := a.read(strings.TrimPrefix(want, "./"))
		if raw != string(set.Documents()[folder+"/1.0"])+"\n" {
			t.Errorf("%s is not the format that is served", want)
		}
	}
}

// formatsFor lists the formats whose patterns match a path, as the YAML language
// server matches them.
func formatsFor(mapping map[string][]string, path string) (found []string) {
	for format, patterns := range mapping {
		for _, p := range patterns {
			p = strings.NewReplacer(`\*\*/`, "(.*/)?", `\*`, "[^/]*").Replace(regexp.QuoteMeta(p))
			if regexp.MustCompile("^" + p + "$").MatchString(path) {
				found = append(found, format)
			}
		}
	}
	return found
}

// The steps of the workflows do what they are for: on a request with a mistake
// they fail, name its line and write a summary; without one they pass.
func TestWorkflows(t *testing.T) {
	manyProcesses(t)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash, which runs the steps of workflows")
	}
	a := initiated(t)
	out := t.TempDir()
	step := func(script string, env ...string) (string, error) {
		cmd := exec.Command(bash, "-e", "-o", "pipefail", "-c", script)
		cmd.Dir = a.dir
		cmd.Env = append(os.Environ(), append(env, "GIT_CONFIG_GLOBAL=/dev/null")...)
		said, err := cmd.CombinedOutput()
		return string(said), err
	}

	var github struct {
		Jobs map[string]struct {
			Steps []struct{ Name, Run string }
		}
	}
	if err := yaml.Unmarshal([]byte(a.read(".github/workflows/validate.yml")), &github); err != nil {
		t.Fatal(err)
	}
	check := github.Jobs["validate"].Steps[2].Run
	summary := filepath.Join(out, "summary.md")
	said, err := step(check, "GITHUB_BASE_REF=main", "GITHUB_STEP_SUMMARY="+summary)
	if err == nil || !regexp.MustCompile(`(?m)^::error file=guidelines/product\.common\.001\.yaml,line=\d+,col=\d+,title=\S+::.*product_analisys`).MatchString(said) {
		t.Errorf("GitHub: %v\n%s", err, said)
	}
	if raw, err := os.ReadFile(summary); err != nil || !strings.Contains(string(raw), "guidelines/product.common.001") {
		t.Errorf("GitHub's summary: %v\n%s", err, raw)
	}

	var gitlab struct {
		Validate struct{ Script []string }
	}
	if err := yaml.Unmarshal([]byte(a.read(".gitlab-ci.yml")), &gitlab); err != nil {
		t.Fatal(err)
	}
	lab := strings.Join(gitlab.Validate.Script, "\n")
	if _, err := exec.LookPath("jq"); err == nil {
		said, err := step(lab, "CI_MERGE_REQUEST_DIFF_BASE_SHA="+a.git("rev-parse", "main"))
		if err == nil || !strings.Contains(said, "guidelines/product.common.001") {
			t.Errorf("GitLab: %v\n%s", err, said)
		}
		codeQuality(t, a.read("gl-code-quality-report.json"))
	} else {
		t.Log("GitLab's steps are not run: they need jq")
	}

	a.git("revert", "--no-edit", "HEAD")
	if said, err := step(check, "GITHUB_STEP_SUMMARY="+summary); err != nil || strings.Contains(said, "::error") {
		t.Errorf("GitHub, mended: %v\n%s", err, said)
	}
}

// codeQuality checks a report by what GitLab asks of it: these fields in every
// entry, no fingerprint twice, a severity that it knows.
func codeQuality(t *testing.T, raw string) {
	t.Helper()
	var report []struct {
		Description, Fingerprint, Severity string
		CheckName                          string `json:"check_name"`
		Location                           struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	if err := json.Unmarshal([]byte(raw), &report); err != nil {
		t.Fatal(err)
	}
	seen, mistake := map[string]bool{}, false
	for _, r := range report {
		if r.Description == "" || r.CheckName == "" || r.Location.Path == "" || r.Location.Lines.Begin < 1 || r.Fingerprint == "" || seen[r.Fingerprint] ||
			!slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, r.Severity) {
			t.Errorf("an entry that GitLab would not take: %+v", r)
		}
		seen[r.Fingerprint] = true
		mistake = mistake || r.Severity == "major" && strings.Contains(r.Description, "product_analisys")
	}
	if !mistake {
		t.Errorf("the mistake is not in the report: %s", raw)
	}
}
