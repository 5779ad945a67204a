package mirror

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

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
	loginVariable = "RULESTORE_GIT_AUTHORIZATION"

	hangs = "the host, or what is between, hangs or is slow; it is tried again"
)

// call runs git for the remote. Redirects are not followed: a host must not choose whom this machine
// speaks to. A login reaches git through its environment, which no other user can read.
func (r Remote) call(ctx context.Context, dir string, most int64, args ...string) (out, says string, err error) {
	c := git.Command{Dir: dir, MaxOut: most, Patience: longest, Protocols: r.Scheme, Said: &says, Args: []string{
		"-c", "core.askPass=", "-c", "safe.directory=*", // what a folder tells git is replaced by what stands here
		"-c", "http.followRedirects=false", "-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60",
		"-c", "transfer.fsckObjects=true", "-c", "fetch.fsckObjects=true", "-c", "fetch.unpackLimit=1",
		"-c", "gc.autoDetach=false", "-c", "gc.autoPackLimit=50",
		"-c", "core.fsync=committed,-loose-object,-reference", // the lists have the refs
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

// list lists the branches and tags of the remote, as git ls-remote writes them.
func (r Remote) list(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("nothing came for %s: %s", patience, hangs))
	defer cancel()
	out, _, err := r.call(ctx, "", maxListed, "ls-remote", "--symref", r.url(), "HEAD", "refs/heads/*", "refs/tags/*")
	switch id, _, _ := strings.Cut(out[strings.LastIndexByte(strings.TrimSuffix(out, "\n"), '\n')+1:], "\t"); {
	case err != nil:
		return "", err
	case out == "":
		return "", errNothing
	case len(id) == 2*sha256.Size:
		return "", errSHA256
	}
	return out, nil
}

// headOf returns the first line of a list of refs: the branch that HEAD of the remote names, or main.
func headOf(listed string) string {
	head, _, named := strings.Cut(listed, "\tHEAD\n")
	head, isBranch := strings.CutPrefix(head, "ref: refs/heads/")
	if !named || !isBranch {
		head = "main"
	}
	return "ref:refs/heads/" + head + " HEAD\n"
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
	if a.Scheme == "ssh" {
		a.User = cmp.Or(a.User, "git")
	}
	return a.String()
}
