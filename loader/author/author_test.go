package author

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"

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
	m := content.Mark{Item: "guidelines/a.b.001", Version: "1.0.0", Status: content.Archived,
		Reason: "Ошибка: \"срок\"\n", Since: "2026-05-01"}
	const block = "- {item: guidelines/a.b.001, version: \"1.0.0\", status: archived, reason: \"Ошибка: " +
		"\\\"срок\\\"\\n\", since: 2026-05-01}\n"
	indented := "  " + strings.ReplaceAll(strings.TrimSuffix(block, "\n"), "\n", "\n  ") + "\n"
	tests := []struct{ name, text, want string }{
		{"no file", "", newLifecycleHead + "marks:\n" + indented},
		{"empty list", newLifecycleHead + "marks: []\n", newLifecycleHead + "marks:\n" + indented},
		{"empty list, no line end", newLifecycleHead + "marks: []", newLifecycleHead + "marks:\n" + indented},
		{"empty list with a comment", newLifecycleHead + "marks: [] # ещё нет\n",
			newLifecycleHead + "marks: # ещё нет\n" + indented},
		{"not indented", newLifecycleHead + "marks:\n- item: x\n", newLifecycleHead + "marks:\n- item: x\n" + block},
		{"blank lines after", newLifecycleHead + "marks:\n- item: x\n\n\n",
			newLifecycleHead + "marks:\n- item: x\n" + block},
		{"a long text at the end", newLifecycleHead + "marks:\n  - item: x\n    reason: >-\n      Раз\n\n      два\n",
			newLifecycleHead + "marks:\n  - item: x\n    reason: >-\n      Раз\n\n      два\n" + indented},
		{"list first", "marks:\n- item: x\n" + newLifecycleHead, "marks:\n- item: x\n" + block + newLifecycleHead},
		{"flow", newLifecycleHead + "marks: [{item: x}]\n", ""},
		{"flow over lines", newLifecycleHead + "marks: [\n]\n", ""},
		{"null", newLifecycleHead + "marks:\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := withMark(tt.text, m)
			if tt.want == "" {
				if err == nil || !strings.Contains(err.Error(), "add it yourself:\n  - {item: guidelines/a.b.001,") {
					t.Errorf("%s: %v\n%s", tt.name, err, got)
				}
				return
			}
			if err != nil || got != tt.want {
				t.Errorf("%s: %v\n%s\nexpected\n%s", tt.name, err, got, tt.want)
			}
		})
	}
}

// A version is voided by any name that other marks take.
func TestVoidable(t *testing.T) {
	lost := []*semver.Version{semver.MustParse("1.0.0")}
	s := content.NewSnapshot(content.Input{})
	s.Spent = map[string][]*semver.Version{"guidelines/a.b.001": lost, "scenarios/one": lost, "guidelines/one": lost}
	for name, want := range map[string]string{
		"guidelines/a.b.001": "guidelines/a.b.001", "a.b.001": "guidelines/a.b.001",
		"./guidelines/a.b.001.yaml": "guidelines/a.b.001", "scenarios/one": "scenarios/one", "one": "", "b.001": "",
	} {
		got, err := voidable(s, content.Mark{Item: name, Version: "1.0.0"})
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	if item, err := voidable(s, content.Mark{Item: "a.b.001", Version: "1.0.1"}); err == nil {
		t.Errorf("another version of %s is voided", item)
	}
}

const newLifecycleHead = "schema_version: \"1.0\"\n"

// A refusal of git becomes one line that says what to do.
func TestGitErrors(t *testing.T) {
	for says, want := range map[string]string{
		"fatal: Unable to create '/r/.git/index.lock': File exists.\n\nAnother git process":                         "git add: fatal: Unable to create '/r/.git/index.lock': File exists. (if no git is running, one that was killed left the file: delete it and run the command again)",
		"error: gpg failed to sign the data\nfatal: failed to write commit object":                                  "git add: error: gpg failed to sign the data (mend your signing key",
		"git@example.org: Permission denied (publickey,password).\r\nfatal: Could not read from remote repository.": "git add: git@example.org: Permission denied (publickey,password). (the host does not know your ssh key",
		"Host key verification failed.\nfatal: Could not read from remote repository.":                              "git add: Host key verification failed. (the host's key is not a known one",
		"error: insufficient permission for adding an object to repository database .git/objects":                   "git add: error: insufficient permission for adding an object to repository database .git/objects (make the folder",
		"fatal: Unable to create '/r/.git/index.lock': Permission denied":                                           "git add: fatal: Unable to create '/r/.git/index.lock': Permission denied (make the folder",
		"something\nelse": "git add: something\n\telse",
	} {
		t.Run(says, func(t *testing.T) {
			if got := (&gitError{command: "add", says: says}).Error(); !strings.HasPrefix(got, want) {
				t.Errorf("%q, expected %q", got, want)
			}
		})
	}
}

// slow is a git that ends well after it was told to stop.
const slow = `#!/bin/sh
trap 'echo done; exit 0' TERM
touch "$5" # after the settings
while :; do sleep 0.05; done
`

// What git has done is done, also if it was told to stop meanwhile.
func TestRunEndsWell(t *testing.T) {
	dir := t.TempDir()
	r := &Repository{Dir: dir, program: filepath.Join(dir, "git")}
	if err := os.WriteFile(r.program, []byte(slow), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ready := filepath.Join(dir, "ready")
	go func() {
		defer cancel()
		for _, err := os.Stat(ready); err != nil && t.Context().Err() == nil; _, err = os.Stat(ready) {
			time.Sleep(time.Millisecond)
		}
	}()
	if out, err := r.git(ctx, ready); out != "done\n" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := r.git(ctx, ready); out != "" || err == nil {
		t.Errorf("started after the end: %q, %v", out, err)
	}
}

// Whoever was turned away has sent nothing; whoever lost the connection may have.
func TestTurnedAway(t *testing.T) {
	for says, want := range map[string]bool{
		"remote: Permission to a/b.git denied to c.\nfatal: unable to access 'https://github.com/a/b.git/': The requested URL returned error: 403":                                       true,
		"ERROR: Permission to a/b.git denied to c.\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights":                                true,
		"git@example.org: Permission denied (publickey).\nfatal: Could not read from remote repository.":                                                                                 true,
		"remote: ERROR: You are not allowed to push code to this project.\nfatal: Could not read from remote repository.":                                                                true,
		"remote: HTTP Basic: Access denied\nfatal: Authentication failed for 'https://example.org/a/b.git/'":                                                                             true,
		"fatal: could not read Password for 'https://a@example.org': terminal prompts disabled":                                                                                          true,
		"ssh: connect to host example.org port 22: Connection timed out\nfatal: Could not read from remote repository.":                                                                  false,
		"fatal: unable to access 'https://example.org/a.git/': Could not resolve host: example.org":                                                                                      false,
		"fatal: unable to access 'https://example.org/a.git/': The requested URL returned error: 500":                                                                                    false,
		"remote: post-receive: access denied\nsend-pack: unexpected disconnect while reading sideband packet\nfatal: the remote end hung up unexpectedly":                                false,
		"error: RPC failed; HTTP 504 curl 22 The requested URL returned error: 504\nsend-pack: unexpected disconnect\nfatal: the remote end hung up unexpectedly\nEverything up-to-date": false,
	} {
		t.Run(says, func(t *testing.T) {
			if got := turnedAway.MatchString(says); got != want {
				t.Errorf("%v for\n%s", got, says)
			}
		})
	}
}
