package author

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

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
echo >"$READY"
sleep 60 >/dev/null 2>&1 & wait
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
	r.environ = append(os.Environ(), "READY="+ready)
	if err := exec.Command("mkfifo", ready).Run(); err != nil {
		t.Skip("mkfifo is missing:", err)
	}
	go func() {
		defer cancel()
		_, _ = os.ReadFile(ready)
	}()
	if out, err := r.git(ctx, "version"); out != "done\n" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := r.git(ctx, "version"); out != "" || err == nil {
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
