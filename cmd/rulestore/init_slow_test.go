//go:build slow

package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/schemas"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// initiated is a repository as init makes it, and a clone of it on another branch
// with a commit that breaks a rule.
func initiated(t *testing.T) *clone {
	t.Helper()
	a := newWorkplace(t)
	a.git("switch", "-q", "-c", "feature")
	a.sub("guidelines/"+common+".yaml", `scenario: \S+`, "scenario: product_analisys")
	a.git("commit", "-q", "-a", "-m", "Опечатка")
	return a
}

// workflows are the steps of GitHub's jobs, and what GitLab runs before and as its own.
type workflows struct {
	jobs           map[string]struct{ Steps []struct{ Run string } }
	before, script []string
	install        string // how GitHub's jobs get the program
}

func (a *clone) workflows() (w workflows) {
	a.Helper()
	github := struct {
		Jobs *map[string]struct{ Steps []struct{ Run string } }
		Env  struct {
			Install string `yaml:"INSTALL"`
		}
	}{Jobs: &w.jobs}
	var gitlab struct {
		Default struct {
			Before []string `yaml:"before_script"`
		}
		Validate struct{ Script []string }
	}
	if err := errors.Join(yaml.Unmarshal([]byte(a.read(".github/workflows/validate.yml")), &github),
		yaml.Unmarshal([]byte(a.read(".gitlab-ci.yml")), &gitlab)); err != nil {
		a.Fatal(err)
	}
	w.install = github.Env.Install
	w.before, w.script = gitlab.Default.Before, gitlab.Validate.Script
	return w
}

// bash runs a step as both hosts do.
func (a *clone) bash(script string, env ...string) (string, error) {
	a.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		a.Skip("needs bash, which runs the steps of workflows")
	}
	cmd := exec.Command(bash, "-e", "-o", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = a.dir, append(os.Environ(), append(env, "GIT_CONFIG_GLOBAL=/dev/null")...)
	said, err := cmd.CombinedOutput()
	return string(said), err
}

// The steps of the workflows do what they are for: on a request with a mistake
// they fail, name its line and write a summary; without one they pass.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	a, out := initiated(t), t.TempDir()
	w, summary := a.workflows(), filepath.Join(out, "summary.md")
	check, base := w.jobs["validate"].Steps[2].Run, a.git("rev-parse", "main")
	said, err := a.bash(check, "BASE="+base, "GITHUB_STEP_SUMMARY="+summary)
	if err == nil || !regexp.MustCompile(`(?m)^::error file=guidelines/product\.common\.001\.yaml,`+
		`line=\d+,col=\d+,title=\S+::.*product_analisys`).MatchString(said) {
		t.Errorf("GitHub: %v\n%s", err, said)
	}
	if raw := string(readFile(t, summary)); !strings.Contains(raw, "guidelines/product.common.001") {
		t.Errorf("GitHub's summary:\n%s", raw)
	}
	for name, job := range w.jobs {
		said, err := a.bash(job.Steps[1].Run, "INSTALL="+w.install, "URL=", "SHA256=", "RUNNER_TEMP="+out,
			"GITHUB_PATH="+out+"/path")
		if err == nil || !strings.Contains(said, "::error title=rulestore::") ||
			!strings.Contains(said, "RULESTORE_URL") || strings.Contains(said, "curl") {
			t.Errorf("GitHub, job %s, without an address: %v\n%s", name, err, said)
		}
	}
	if said, err := a.bash(w.before[0]); err == nil || !strings.Contains(said, "RULESTORE_URL") {
		t.Errorf("GitLab, without an address: %v\n%s", err, said)
	}
	if _, err := exec.LookPath("jq"); err == nil {
		said, err := a.bash(strings.Join(w.script, "\n"), "CI_MERGE_REQUEST_DIFF_BASE_SHA="+base)
		if err == nil || !strings.Contains(said, "guidelines/product.common.001") {
			t.Errorf("GitLab: %v\n%s", err, said)
		}
		codeQuality(t, a.read("gl-code-quality-report.json"))
	} else {
		t.Log("GitLab's steps are not run: they need jq")
	}
	a.git("revert", "--no-edit", "HEAD")
	if said, err := a.bash(check, "GITHUB_STEP_SUMMARY="+summary); err != nil || strings.Contains(said, "::error") {
		t.Errorf("GitHub, mended: %v\n%s", err, said)
	}
}

// What a merge ref has, and a merge train, is checked against the branch that it is merged
// into: what others changed there meanwhile is not of the request.
func TestWorkflowsOnMergeRefs(t *testing.T) {
	t.Parallel()
	a := newWorkplace(t)
	began := a.git("rev-parse", "HEAD")
	a.git("switch", "-q", "-c", "request")
	a.scenario("mine", "Название")
	a.git("switch", "-q", "main")
	a.scenario("theirs", "Название")
	into := a.git("rev-parse", "HEAD")
	a.git("switch", "-q", "--detach")
	a.git("merge", "-q", "--no-ff", "-m", "Merge", "request")
	w, summary := a.workflows(), filepath.Join(t.TempDir(), "summary.md")
	said, err := a.bash(w.jobs["validate"].Steps[2].Run, "BASE="+into, "GITHUB_STEP_SUMMARY="+summary)
	lab, err2 := a.bash(strings.Join(w.script[:3], "\n"), "CI_MERGE_REQUEST_TARGET_BRANCH_SHA="+into,
		"CI_MERGE_REQUEST_DIFF_BASE_SHA="+began)
	if err != nil || err2 != nil {
		t.Fatal(err, said, err2, lab)
	}
	for host, raw := range map[string]string{"GitHub": string(readFile(t, summary)), "GitLab": lab} {
		if !strings.Contains(raw, "scenarios/mine") || strings.Contains(raw, "scenarios/theirs") {
			t.Errorf("%s:\n%s", host, raw)
		}
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
		if r.Description == "" || r.CheckName == "" || r.Location.Path == "" || r.Location.Lines.Begin < 1 ||
			r.Fingerprint == "" || seen[r.Fingerprint] ||
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

// Every file of the content has one format in the editor, and it is the one that
// the service checks it against.
func TestEditorSettings(t *testing.T) {
	t.Parallel()
	a := newWorkplace(t)
	var settings struct {
		Schemas map[string][]string `json:"yaml.schemas"`
	}
	if err := json.Unmarshal([]byte(a.read(editorSettings)), &settings); err != nil {
		t.Fatal(err)
	}
	set := schemas.Embedded()
	for path := range strings.SplitSeq(a.git("ls-files", "*.yaml"), "\n") {
		folder, name, nested := strings.Cut(strings.TrimSuffix(path, ".yaml"), "/")
		if k := content.KindOf(folder); nested && k != nil { // cases are of no kind
			folder = content.FormatsOf(set, k, name)
		}
		want := "./.rulestore/schemas/" + folder + "/1.0.json"
		if len(set.Formats(folder)) > 1 {
			want = "./.rulestore/schemas/" + folder + ".json"
		}
		if got := formatsFor(settings.Schemas, path); !slices.Equal(got, []string{want}) {
			t.Errorf("%s has the formats %v, expected %s", path, got, want)
		}
		for _, format := range set.Formats(folder) {
			name := folder + "/" + format
			if a.read(".rulestore/schemas/"+name+".json") != string(set.Documents()[name]())+"\n" {
				t.Errorf("%s is not the format that is served", name)
			}
		}
	}
}

// In an editor a file is checked against the format that it names.
func TestEditorFormats(t *testing.T) {
	t.Parallel()
	a := newWorkplace(t)
	c := jsonschema.NewCompiler()
	schema, err := c.Compile(filepath.Join(a.dir, ".rulestore/schemas/lifecycle.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"the first format", `{"schema_version": "1.0", "marks": []}`, true},
		{"the newest", `{"schema_version": "1.1", "marks": [{"item": "scenarios/a", "version": "1.0.0", "status": ` +
			`"void", "reason": "Потеряна", "since": "2026-05-01"}]}`, true},
		{"what only the newest has", `{"schema_version": "1.0", "marks": [{"item": "scenarios/a", "version": ` +
			`"1.0.0", "status": "void", "reason": "Потеряна", "since": "2026-05-01"}]}`, false},
		{"a format that there is not", `{"schema_version": "9.0", "marks": []}`, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(value); (err == nil) != test.want {
				t.Error(err)
			}
		})
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
