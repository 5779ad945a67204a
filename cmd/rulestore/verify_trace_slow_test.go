//go:build slow

package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/starter"
)

// A trace of use is checked against a repository, as of the time of which it speaks.
func TestVerifyTrace(t *testing.T) {
	t.Parallel()
	_, a := newYoung(t)
	sums, err := starter.Files.ReadFile("rulestore.sum")
	if err != nil {
		t.Fatal(err)
	}
	seal := func(tag string) content.Seal {
		t.Helper()
		for line := range strings.Lines(string(sums)) {
			if s, err := content.ParseSeal(strings.TrimSpace(line)); err == nil && s.Tag == tag {
				return s
			}
		}
		t.Fatalf("%s is not sealed", tag)
		return content.Seal{}
	}
	assistant, rule := seal("instructions/assistant/v1.4.0"), seal("guidelines/"+common+"/v1.0.0")
	version := func(s content.Seal) string { _, v, _ := strings.Cut(s.Tag, "/v"); return v }
	honest := func() map[string]any {
		return map[string]any{
			"instruction_id": "service.assistant.001", "instruction_version": version(assistant),
			"instruction_checksum": assistant.Checksum,
			"accessed_at":          "2099-01-01T10:00:00+03:00", "selected_primary_route": "none",
			"applied_stop_codes": []string{},
			"guidelines_used": []any{map[string]any{
				"guideline_id": common, "guideline_version": version(rule), "content_checksum": rule.Checksum,
			}},
		}
	}
	guideline := func(m map[string]any) map[string]any { return m["guidelines_used"].([]any)[0].(map[string]any) }
	for name, tt := range map[string]struct {
		change func(map[string]any)
		want   string
		fails  bool
	}{
		"honest": {func(map[string]any) {}, "as published, current then and now", false},
		"wrapped": {func(m map[string]any) {
			inner := maps.Clone(m)
			clear(m)
			m["usage_trace"] = inner
		}, "all is as the trace says", false},
		"a status": {func(m map[string]any) { guideline(m)["status"] = "superseded" }, "the status was ", true},
		"another checksum": {func(m map[string]any) {
			guideline(m)["content_checksum"] = assistant.Checksum
		}, "another checksum: " + rule.Checksum, true},
		"another version": {func(m map[string]any) { m["instruction_version"] = "9.9.9" }, "cannot be told", true},
		"before its time": {func(m map[string]any) {
			m["accessed_at"] = "2001-01-01T10:00:00Z"
		}, "not published then: since ", true},
		"a parameter that nobody has": {func(m map[string]any) {
			m["external_parameters_used"] = []any{map[string]any{"parameter_id": "no.such", "version": "1.0.0"}}
		}, "1 of the 3 sources", true},
		"no trace":     {func(m map[string]any) { clear(m) }, "it is no trace of use", true},
		"no time":      {func(m map[string]any) { m["accessed_at"] = "yesterday" }, "it is no trace of use", true},
		"another form": {func(m map[string]any) { m["guidelines_used"] = "all" }, "it is no trace of use", true},
		"a hostile name": {func(m map[string]any) {
			guideline(m)["guideline_id"] = "a\x1b[31m"
		}, "cannot be told", true},
	} {
		t.Run(name, func(t *testing.T) {
			m := honest()
			tt.change(m)
			raw, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "trace.json")
			if err := os.WriteFile(file, raw, 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := rulestoreIn(a.dir, nil, "verify", "--trace", file, "--repo", a.dir)
			if err != nil {
				out += err.Error()
			}
			if (err != nil) != tt.fails || !strings.Contains(out, tt.want) || slices.Contains([]byte(out), 0x1b) {
				t.Errorf("%v\n%s\nexpected %s", err, out, tt.want)
			}
		})
	}
	for _, args := range [][]string{{"verify"}, {"verify", "http://127.0.0.1:1", "--trace", "x"}} {
		if out, err := rulestoreIn(a.dir, nil, args...); err == nil ||
			!strings.Contains(err.Error()+out, "say what to verify") {
			t.Errorf("%q: %v %s", args, err, out)
		}
	}
}
