package content_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

func TestFindingOnOneLine(t *testing.T) {
	for want, f := range map[string]content.Finding{
		"guidelines/x.yaml:3:5: error: wrong [rule] (do this)": {Path: "guidelines/x.yaml", Line: 3, Column: 5,
			Rule: "rule", Severity: content.Error, Message: "wrong", Hint: "do this"},
		"guidelines/x.yaml: warning: wrong [rule]": {Path: "guidelines/x.yaml", Rule: "rule",
			Severity: content.Warning, Message: "wrong"},
		"v1.0.0: error: wrong [tag]": {Tag: "v1.0.0", Rule: "tag",
			Severity: content.Error, Message: "wrong"},
		"t/v1.0.0: t.yaml:1:1: error: wrong [tag]": {Tag: "t/v1.0.0", Path: "t.yaml", Line: 1, Column: 1,
			Rule: "tag", Severity: content.Error, Message: "wrong"},
		"error: wrong [rule]": {Rule: "rule", Severity: content.Error,
			Message: "wrong", Line: 4},
	} {
		t.Run(want, func(t *testing.T) {
			if got := f.String(); got != want {
				t.Errorf("got %s, expected %s", got, want)
			}
		})
	}
}

func TestFindingAsJSON(t *testing.T) {
	raw, err := json.Marshal(content.Finding{Path: "x.yaml", Line: 3, Rule: "rule",
		Severity: content.Error, Message: "wrong"})
	if want := `{"path":"x.yaml","line":3,"rule":"rule","severity":"error","message":"wrong"}`; err != nil ||
		string(raw) != want {
		t.Errorf("got %s, %v", raw, err)
	}
}

func TestReport(t *testing.T) {
	var r content.Report
	why := content.Finding{Path: "x.yaml", Rule: "rule", Severity: content.Error, Message: "wrong"}
	r.Refuse("b/v1.0.0", why, why)
	r.Refuse("a/v1.0.0")
	r.Hold("c/v1.0.0", why)
	r.Add(content.Finding{Severity: content.Warning})
	r.Sort()
	if !slices.Equal(r.Refused, []string{"a/v1.0.0", "b/v1.0.0"}) || !slices.Equal(r.Held, []string{"c/v1.0.0"}) {
		t.Errorf("refused %v, held %v", r.Refused, r.Held)
	}
	if r.Count(content.Error) != 3 || r.Count(content.Warning) != 1 {
		t.Errorf("%d errors, %d warnings", r.Count(content.Error), r.Count(content.Warning))
	}
	var tags []string
	for _, f := range r.Findings {
		tags = append(tags, f.Tag)
	}
	if got := strings.Join(tags, ","); got != ",b/v1.0.0,b/v1.0.0,c/v1.0.0" {
		t.Errorf("the findings are for %s", got)
	}
	if why.Tag != "" {
		t.Error("the finding handed in was changed")
	}
}

// The order is by path, tag, line, column, rule and message; findings that
// differ in none of them stay as they came.
func TestSortIsOneOrder(t *testing.T) {
	sorted := []content.Finding{
		{Tag: "z", Rule: "z"},
		{Path: "a", Line: 9, Column: 9},
		{Path: "a", Tag: "s", Line: 10, Column: 1},
		{Path: "a", Tag: "t", Line: 2, Column: 10},
		{Path: "a", Tag: "t", Line: 10, Column: 2},
		{Path: "a", Tag: "t", Line: 10, Column: 10, Rule: "a", Message: "z"},
		{Path: "a", Tag: "t", Line: 10, Column: 10, Rule: "b", Message: "a"},
		{Path: "a", Tag: "t", Line: 10, Column: 10, Rule: "b", Message: "b"},
		{Path: "b"},
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		r := content.Report{Findings: slices.Clone(sorted)}
		random.Shuffle(len(r.Findings), func(i, j int) { r.Findings[i], r.Findings[j] = r.Findings[j], r.Findings[i] })
		r.Sort()
		if !slices.Equal(r.Findings, sorted) {
			t.Fatalf("got %v", r.Findings)
		}
	}
}

func TestSortKeepsTheOrderOfEquals(t *testing.T) {
	var r content.Report
	for i := range 200 {
		r.Add(content.Finding{Path: string(rune('a' + i%3)), Hint: fmt.Sprintf("%03d", i)})
	}
	r.Sort()
	for i, f := range r.Findings[1:] {
		if before := r.Findings[i]; f.Path == before.Path && f.Hint < before.Hint {
			t.Fatalf("%s comes after %s", f.Hint, before.Hint)
		}
	}
}

func TestFieldOfNothing(t *testing.T) {
	var nothing *content.Field
	if nothing.Field("a").Field("b") != nil {
		t.Error("nothing has a field")
	}
	f := &content.Field{Fields: []*content.Field{{Name: "a"}, {Name: "b"}}}
	if f.Field("b") != f.Fields[1] || f.Field("c") != nil {
		t.Error("a field is not found by its name")
	}
}

// What stands in a file name can neither move a terminal's cursor nor pass for a
// line of its own.
func TestFindingStaysOnOneLine(t *testing.T) {
	f := content.Finding{Path: "guidelines/a\n\x1b[31mb\x7f.yaml", Rule: "name", Severity: content.Warning,
		Message: "no\u202eb\r", Hint: "c\u2028d"}
	const want = `guidelines/a\n\u001b[31mb\u007f.yaml: warning: no\u202eb\u000d [name] (c\u2028d)`
	if got := f.String(); got != want {
		t.Errorf("%q, expected %q", got, want)
	}
}

// Of a report that is too long the errors stay before the warnings, in their order, and all are counted.
func TestReportLimit(t *testing.T) {
	var r content.Report
	add := func(n int, s content.Severity) {
		for i := range n {
			r.Add(content.Finding{Severity: s, Line: i})
		}
	}
	add(content.MaxFindings-10, content.Note)
	add(content.MaxFindings-1, content.Warning)
	add(5, content.Error)
	all := len(r.Findings)
	r.Limit()
	for s, want := range map[content.Severity][2]int{
		content.Error: {5, 5}, content.Warning: {content.MaxFindings - 5, content.MaxFindings - 1},
		content.Note: {0, content.MaxFindings - 10},
	} {
		kept := 0
		for _, f := range r.Findings {
			if f.Severity == s {
				if f.Line != kept {
					t.Fatalf("%s %d comes after %d others", s, f.Line, kept)
				}
				kept++
			}
		}
		if kept != want[0] || r.Count(s) != want[1] {
			t.Errorf("%s: %d are kept of %d, expected %v", s, kept, r.Count(s), want)
		}
	}
	if r.Total() != all || r.Findings[0].Severity != content.Warning {
		t.Errorf("%d of %d, the first is a %s", r.Total(), all, r.Findings[0].Severity)
	}
	r = content.Report{}
	add(content.MaxFindings, content.Error)
	if r.Limit(); r.Total() != content.MaxFindings || r.Count(content.Error) != content.MaxFindings || r.Omitted != nil {
		t.Errorf("%d, %v", r.Total(), r.Omitted)
	}
	var whole content.Report
	for range 2 {
		r = content.Report{}
		add(content.MaxFindings+7, content.Error)
		r.Limit()
		whole.Join(r)
	}
	if whole.Limit(); len(whole.Findings) != content.MaxFindings || whole.Total() != 2*content.MaxFindings+14 ||
		whole.Count(content.Error) != whole.Total() {
		t.Errorf("%d of %d are kept of two reports, %d errors", len(whole.Findings), whole.Total(),
			whole.Count(content.Error))
	}
}
