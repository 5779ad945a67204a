package author

import (
	"strings"
	"testing"

	"rulestore/content"
)

func TestSorted(t *testing.T) {
	got := sorted([]string{"b 2", "", "a 1", "b 2", "B 0", "б 3"})
	if want := "B 0\na 1\nb 2\nб 3\n"; got != want {
		t.Errorf("%q, expected %q", got, want)
	}
}

// A mark goes where it belongs, whatever the layout, or nowhere.
func TestWithMark(t *testing.T) {
	m := content.Mark{Item: "guidelines/a.b.001", Version: "1.0.0", Status: content.Archived, Reason: "Ошибка: \"срок\"\n", Since: "2026-05-01"}
	const block = "- item: guidelines/a.b.001\n  version: \"1.0.0\"\n  status: archived\n  reason: \"Ошибка: \\\"срок\\\"\\n\"\n  since: 2026-05-01\n"
	indented := "  " + strings.ReplaceAll(strings.TrimSuffix(block, "\n"), "\n", "\n  ") + "\n"
	tests := []struct{ name, text, want string }{
		{"no file", "", newLifecycleHead + "marks:\n" + indented},
		{"empty list", newLifecycleHead + "marks: []\n", newLifecycleHead + "marks:\n" + indented},
		{"empty list, no line end", newLifecycleHead + "marks: []", newLifecycleHead + "marks:\n" + indented},
		{"empty list with a comment", newLifecycleHead + "marks: [] # ещё нет\n", newLifecycleHead + "marks: # ещё нет\n" + indented},
		{"not indented", newLifecycleHead + "marks:\n- item: x\n", newLifecycleHead + "marks:\n- item: x\n" + block},
		{"blank lines after", newLifecycleHead + "marks:\n- item: x\n\n\n", newLifecycleHead + "marks:\n- item: x\n" + block},
		{"a long text at the end", newLifecycleHead + "marks:\n  - item: x\n    reason: >-\n      Раз\n\n      два\n", newLifecycleHead + "marks:\n  - item: x\n    reason: >-\n      Раз\n\n      два\n" + indented},
		{"list first", "marks:\n- item: x\n" + newLifecycleHead, "marks:\n- item: x\n" + block + newLifecycleHead},
		{"flow", newLifecycleHead + "marks: [{item: x}]\n", ""},
		{"flow over lines", newLifecycleHead + "marks: [\n]\n", ""},
		{"null", newLifecycleHead + "marks:\n", ""},
	}
	for _, tt := range tests {
		got, err := withMark(tt.text, m)
		if tt.want == "" {
			if err == nil || !strings.Contains(err.Error(), "add it yourself:\n  - item: guidelines/a.b.001") {
				t.Errorf("%s: %v\n%s", tt.name, err, got)
			}
			continue
		}
		if err != nil || got != tt.want {
			t.Errorf("%s: %v\n%s\nexpected\n%s", tt.name, err, got, tt.want)
		}
	}
}

const newLifecycleHead = "schema_version: \"1.0\"\n"

// A refusal of git becomes one line that says what to do.
func TestGitErrors(t *testing.T) {
	for says, want := range map[string]string{
		"fatal: Unable to create '/r/.git/index.lock': File exists.\n\nAnother git process": "git add: fatal: Unable to create '/r/.git/index.lock': File exists. (if no git is running, one that was killed left the file: delete it and run the command again)",
		"error: gpg failed to sign the data\nfatal: failed to write commit object":          "git add: error: gpg failed to sign the data (mend your signing key",
		"something\nelse": "git add: something\n\telse",
	} {
		if got := (&gitError{command: "add", says: says}).Error(); !strings.HasPrefix(got, want) {
			t.Errorf("%q, expected %q", got, want)
		}
	}
}

// What a hook's git tells its children does not lead this one into another
// repository, and nobody is asked for a password where nobody sits.
func TestEnvironment(t *testing.T) {
	t.Setenv("GIT_DIR", "/elsewhere")
	t.Setenv("GIT_INDEX_FILE", "/elsewhere/index")
	t.Setenv("GIT_AUTHOR_NAME", "Автор")
	env := "\n" + strings.Join(environment(false), "\n") + "\n"
	for _, bad := range []string{"\nGIT_DIR=", "\nGIT_INDEX_FILE="} {
		if strings.Contains(env, bad) {
			t.Errorf("%q is passed on", bad)
		}
	}
	for _, want := range []string{"\nGIT_AUTHOR_NAME=Автор\n", "\nLC_ALL=C\n", "\nGIT_TERMINAL_PROMPT=0\n"} {
		if !strings.Contains(env, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(strings.Join(environment(true), "\n"), "GIT_TERMINAL_PROMPT=0") {
		t.Error("a person at a terminal is not asked")
	}
}
