package mirror

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"rulestore/loader/git"
)

// Remote is a remote repository, and what git needs to get at it.
type Remote struct {
	git.Address
	Login      Login       // for https; nil: git asks its own credential helpers
	SSHKey     string      // a private key file; without it the ssh agent is used
	KnownHosts string      // the file of host keys; without it ssh's own is used
	Environ    git.Environ // of git
}

// Login returns the user and the password for https, empty ones to leave them to git's credential
// helpers. It is called for every fetch, as tokens are rotated.
type Login func() (user, password string, err error)

// Limits on a remote.
const (
	patience      = time.Minute      // for the list of refs, and without data from a host
	longest       = 15 * time.Minute // for a fetch
	maxListed     = 64 << 20         // bytes of the list of refs
	maxSent       = 2 << 30          // bytes that a fetch adds to the mirror
	maxRefs       = 1_000_000
	loginVariable = "RULESTORE_GIT_AUTHORIZATION"
)

// call runs git for the remote. Redirects are not followed: a host must not choose whom this machine
// speaks to. A login reaches git through its environment, which no other user can read.
func (r Remote) call(ctx context.Context, dir string, most int64, args ...string) (out, says string, err error) {
	c := git.Command{Dir: dir, MaxOut: most, Patience: longest, Protocols: r.Scheme, Said: &says, Args: []string{
		"-c", "core.askPass=", "-c", "safe.directory=*", // what a folder tells git is replaced by what stands here
		"-c", "http.followRedirects=false", "-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60",
		"-c", "transfer.fsckObjects=true", "-c", "fetch.fsckObjects=true", "-c", "fetch.unpackLimit=1",
		"-c", "gc.autoDetach=false", "-c", "gc.autoPackLimit=50",
		"-c", "core.fsync=committed,-loose-object,-reference", // the folders of [view] have the refs
	}}
	c.Env = []string{"GIT_SSH_VARIANT=ssh", "GIT_SSH_COMMAND=" + r.ssh()}
	if file := r.Environ.Get("SSL_CERT_FILE"); file != "" && r.Environ.Get("GIT_SSL_CAINFO") == "" {
		c.Env = append(c.Env, "GIT_SSL_CAINFO="+file) // not every build of git reads it
	}
	header, err := r.authorization()
	if err != nil {
		return "", "", err
	}
	if header != "" {
		c.Args = append(c.Args, "-c", "credential.helper=", "--config-env=http.extraHeader="+loginVariable)
		c.Env = append(c.Env, loginVariable+"="+header)
	}
	c.Args = append(c.Args, args...)
	out, err = r.Environ.Run(ctx, c)
	return out, says, err
}

// authorization returns the header of the login, empty if there is none.
func (r Remote) authorization() (string, error) {
	if r.Login == nil || r.Scheme != "https" && r.Scheme != "http" {
		return "", nil
	}
	user, password, err := r.Login()
	switch {
	case err != nil:
		return "", err
	case password == "":
		return "", nil
	case r.Plain():
		return "", fmt.Errorf("there is a login for %s, and anybody on the way could read it: use https", r.Host)
	}
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password)), nil
}

// ssh is the command that git runs, in a shell, to reach a host: it asks nobody, trusts known host
// keys only, and does not wait for ever.
func (r Remote) ssh() string {
	words := []string{
		"ssh", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=yes", "-o", "ConnectTimeout=15",
		"-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3",
	}
	if r.SSHKey != "" {
		words = append(words, "-i", r.SSHKey, "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none")
	}
	if r.KnownHosts != "" {
		words = append(words, "-o", `UserKnownHostsFile="`+r.KnownHosts+`"`, "-o", "GlobalKnownHostsFile=/dev/null")
	}
	for i, word := range words {
		words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return strings.Join(words, " ")
}

// refText is the refs of a repository as files of git have them.
type refText struct {
	head string // the branch that HEAD names, by full name
	refs string // a line for each branch and tag: its id and its name, sorted by name
}

// list lists the branches and tags of the remote.
func (r Remote) list(ctx context.Context, url string) (refText, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("nothing came for %s", patience))
	defer cancel()
	out, _, err := r.call(ctx, "", maxListed, "ls-remote", "--symref", url)
	if err != nil {
		return refText{}, err
	}
	return readListed(out)
}

// readListed reads what git ls-remote writes: a line for each ref with its id, and one with what a
// symbolic ref names. Refs of others, such as those of pull requests, and invalid names are left out.
func readListed(out string) (l refText, err error) {
	var head string
	var lines []string
	for line := range strings.Lines(out) {
		value, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		target, symbolic := strings.CutPrefix(value, "ref: ")
		switch id, err := git.ParseOID(value); {
		case symbolic && name == "HEAD" && isOurs(target):
			l.head = target
		case len(value) == 64 && !symbolic:
			return l, errors.New(sha256Ids)
		case err != nil || id.IsZero() || strings.HasSuffix(name, "^{}"):
		case name == "HEAD":
			head = value
		case isOurs(name):
			lines = append(lines, value+" "+name)
		}
	}
	switch {
	case len(lines) == 0:
		return l, errNothing
	case len(lines) > maxRefs:
		return l, fmt.Errorf("the repository has %d refs, at most %d are read", len(lines), maxRefs)
	}
	l.refs = joinRefs(lines)
	if l.head == "" {
		l.head = headOf(head, lines)
	}
	return l, nil
}

// isOurs reports whether a name is that of a branch or a tag, and none that could be part of a line or a
// path: git refuses others too.
func isOurs(name string) bool {
	return (strings.HasPrefix(name, "refs/heads/") || strings.HasPrefix(name, "refs/tags/")) &&
		!strings.ContainsFunc(name, func(c rune) bool { return unicode.IsControl(c) || c == ' ' }) &&
		!strings.Contains(name, "..")
}

// joinRefs sorts lines of an id and a name by name, as packed-refs has them.
func joinRefs(lines []string) string {
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[41:], b[41:]) })
	return strings.Join(append(lines, ""), "\n")
}

// headOf returns the branch at the commit that HEAD names where it is not said which: main or master
// if they are there.
func headOf(id string, lines []string) string {
	branches := []string{"refs/heads/main", "refs/heads/master"}
	for _, line := range lines {
		branches = append(branches, line[41:])
	}
	for _, name := range branches {
		if strings.HasPrefix(name, "refs/heads/") && slices.Contains(lines, id+" "+name) {
			return name
		}
	}
	return branches[0]
}

// url returns the address as git takes it.
func (r Remote) url() string {
	switch {
	case r.Scheme == "file":
		return r.Path
	case r.Scheme == "ssh" && !strings.HasPrefix(r.Path, "/"): // a path from the home of the user there
		return r.User + "@" + r.Host + ":" + r.Path
	}
	a := r.Address
	a.Folder = ""
	if a.Scheme == "ssh" {
		a.User = cmp.Or(a.User, "git")
	}
	return a.String()
}

// arrived lists the refs below a prefix in a repository of ours, without it.
func (r Remote) arrived(ctx context.Context, dir, prefix string) (string, error) {
	out, _, err := r.call(
		ctx, dir, maxListed, "for-each-ref", "--format=%(objectname) refs/%(refname:lstrip=2)", prefix,
	)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return len(line) < 42 || !isOurs(line[41:]) })
	return joinRefs(lines), err
}
