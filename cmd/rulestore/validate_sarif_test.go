package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

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
	if valid(strings.Replace(out, `"level": "warning"`, `"level": "notice"`, 1)) == nil {
		t.Error("the schema allows a level that there is not")
	}
	var report struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID, Level string
				RuleIndex     int
				Locations     []struct {
					PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	run := report.Runs[0]
	if len(run.Results) < 8 || len(run.Tool.Driver.Rules) != len(check.Rules()) {
		t.Errorf("%d results, %d rules", len(run.Results), len(run.Tool.Driver.Rules))
	}
	levels := map[string]bool{}
	for _, r := range run.Results {
		levels[r.Level] = true
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("the rule %s is not at its index", r.RuleID)
		}
		if uri := r.Locations[0].PhysicalLocation.ArtifactLocation.URI; strings.Contains(uri, " ") {
			t.Errorf("%q is no address", uri)
		}
	}
	if !levels["error"] || !levels["warning"] {
		t.Errorf("levels: %v", levels)
	}
}

func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	raw, err := os.ReadFile("testdata/sarif.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := yaml.Unmarshal(raw, &value); err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", value); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
