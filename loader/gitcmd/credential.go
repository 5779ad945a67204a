package gitcmd

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Credentials are those of the user's git: only its credential helpers are asked. A server that
// follows a remote repository authenticates as the user it runs as.
type Credentials struct{ Environ Environ }

// helperPatience is how long a credential helper may take.
const helperPatience = 30 * time.Second

// Fill returns a user and a password for a URL, empty if git has none or is not installed.
func (c Credentials) Fill(ctx context.Context, url string) (user, password string) {
	out, err := c.run(ctx, "fill", "url="+url)
	if err != nil {
		return "", ""
	}
	for line := range strings.Lines(out) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "=")
		switch key {
		case "username":
			user = value
		case "password":
			password = value
		}
	}
	return user, password
}

// Judge reports to the helpers whether the credentials were accepted, so that they store or
// erase them. Errors of helpers are ignored.
func (c Credentials) Judge(ctx context.Context, url, user, password string, accepted bool) {
	verdict := "reject"
	if accepted {
		verdict = "approve"
	}
	_, _ = c.run(ctx, verdict, "url="+url, "username="+user, "password="+password)
}

// run runs git credential. It runs outside any repository, whose
// configuration would not be the user's, and secrets pass through pipes only.
func (c Credentials) run(ctx context.Context, action string, lines ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, helperPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", "-c", "core.askPass=", "credential", action)
	cmd.Dir = string(filepath.Separator)
	cmd.Env = c.Environ.outside()
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n\n")
	cmd.WaitDelay = time.Second // a helper may leave something running that holds the pipe
	out, err := cmd.Output()
	return string(out), err
}
