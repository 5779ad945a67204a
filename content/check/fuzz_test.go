package check_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

// FuzzItem takes any bytes for the file of a scenario. Whatever is accepted
// has the same checksum when it is written as JSON, which is YAML, and read
// again.
func FuzzItem(f *testing.F) {
	for _, raw := range corpus(f) {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := check.Item(schemas.Embedded(), content.Scenarios, "x", raw)
		inPlace(t, raw, r.Findings)
		if r.OK() {
			stable(t, r.Body, func(text []byte) (content.Object, []content.Finding) {
				again := check.Item(schemas.Embedded(), content.Scenarios, "x", text)
				return again.Body, again.Findings
			})
		}
	})
}

// FuzzParse does the same without a schema, which refuses most of what is
// strange.
func FuzzParse(f *testing.F) {
	for _, raw := range corpus(f) {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		doc, findings := check.Parse("x.yaml", raw)
		inPlace(t, raw, findings)
		if doc == nil && len(findings) == 0 {
			t.Fatal("no document and no findings")
		}
		if len(findings) == 0 && !hasLongName(doc.Body.AppendJSON(nil)) {
			stable(t, doc.Body, func(text []byte) (content.Object, []content.Finding) {
				again, findings := check.Parse("x.yaml", text)
				if again == nil {
					return nil, findings
				}
				return again.Body, findings
			})
		}
	})
}

// hasLongName says whether a text may hold a name that YAML takes for a name
// only after a question mark.
func hasLongName(text []byte) bool { return len(text) > 1000 }

// inPlace checks that findings point into the file.
func inPlace(t *testing.T, raw []byte, findings []content.Finding) {
	t.Helper()
	breaks := strings.Count(string(raw), "\n") + strings.Count(string(raw), "\r")
	for _, f := range findings {
		if f.Line < 1 && f.Rule != "size" || f.Line > breaks+1 || f.Column < 1 && f.Rule != "size" {
			t.Errorf("%s is not in the file", f)
		}
		if f.Message == "" || f.Rule == "" || f.Severity != content.Error {
			t.Errorf("an incomplete finding: %+v", f)
		}
	}
}

// stable checks that a body survives being written as JSON and read as YAML.
func stable(t *testing.T, body content.Object, read func([]byte) (content.Object, []content.Finding)) {
	t.Helper()
	text := body.AppendJSON(nil)
	again, findings := read(text)
	if len(findings) > 0 {
		t.Fatalf("%s is accepted as YAML and refused as JSON: %v", text, findings)
	}
	before, err := content.Checksum(body)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if after, err := content.Checksum(again); after != before || err != nil {
		t.Errorf("%s\nbecame\n%s", text, again.AppendJSON(nil))
	}
}

// corpus is the files that the other tests are about.
func corpus(f *testing.F) (all [][]byte) {
	f.Helper()
	files, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatal("no testdata", err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		_, raw := unquoted(f, a.Files[0])
		all = append(all, raw)
	}
	return all
}
