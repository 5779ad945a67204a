//go:build slow

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"rulestore/content/check"
)

// SARIF has the form that its schema demands, has nothing that the schema does
// not know, and names only rules that it describes.
func TestSARIF(t *testing.T) {
	out := validated(t, broken(t), "sarif")
	schema := sarifSchema(t)
	valid := func(text string) error {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(value)
	}
	if err := valid(out); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if valid(strings.Replace(out, `"level": "note"`, `"level": "notice"`, 1)) == nil {
		t.Error("the schema allows a level that there is not")
	}
	report, err := sarif.FromString(out)
	if err != nil {
		t.Fatal(err)
	}
	run := report.Runs[0]
	if len(run.Results) < 8 || len(run.Tool.Driver.Rules) != len(check.Rules()) {
		t.Errorf("%d results, %d rules", len(run.Results), len(run.Tool.Driver.Rules))
	}
	levels := map[string]bool{}
	for _, r := range run.Results {
		levels[r.Level] = true
		if *run.Tool.Driver.Rules[r.RuleIndex].ID != *r.RuleID {
			t.Errorf("the rule %s is not at its index", *r.RuleID)
		}
		if uri := *r.Locations[0].PhysicalLocation.ArtifactLocation.URI; strings.ContainsAny(uri, " ") {
			t.Errorf("%q is no address", uri)
		}
	}
	if !levels["error"] || !levels["warning"] || !levels["note"] {
		t.Errorf("levels: %v", levels)
	}
}

// sarifSchema is the schema that OASIS publishes, as go-sarif carries it. That
// library's own validation reads a report into its types first, which hides what
// they do not have.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(strings.TrimSpace(string(dir)), "pkg/report/v210/sarif/schema.go")
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	literal := f.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.BasicLit)
	text, err := strconv.Unquote(literal.Value)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", value); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
