package mirror

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"rulestore/loader/git"
)

// errNothing is the error for a remote without branches and tags.
var errNothing = errors.New("the remote repository is empty, or the address is not that of a repository: check it, or " +
	"push content to it first")

// errShallow is the error for a shallow remote, in git's words.
var errShallow = &git.Error{Says: "shallow roots are not allowed to be updated"}

// errRefused is in the errors for which [IsRefused] is true.
var errRefused = errors.New("refused")

// IsRefused reports whether an error of [Mirror.Fetch] means that the remote answered that there is no
// such repository, or none for this login, or that git is not here: to wait does not help.
func IsRefused(err error) bool { return errors.Is(err, errRefused) || errors.Is(err, git.ErrNoGit) }

// reply is what git says of a host, and what that means for who runs the server.
type reply struct {
	says    string // a regular expression
	means   string
	refused bool // to wait does not help
}

const sha256Ids = "the repository uses sha256 object ids, which cannot be read yet: convert a copy to sha1"

// ownDamage matches what git says of the files that it finds in the mirror.
const ownDamage = `packed-refs|bad object refs/|broken (ref|name)|object file .* is empty|loose object|bad config|` +
	`not a git repository`

// replies are tried in this order.
var replies = []reply{
	{
		says: `returned error: 30[12378]`,
		means: "the remote redirects to another address, and redirects are not followed: configure the address " +
			"that it leads to; often only .git is missing at the end",
	},
	{
		says:  `Authentication failed|could not read (Username|Password)|requested URL returned error: 40[13]`,
		means: noLogin, refused: true,
	},
	{says: `unknown option`, means: "git is too old: install version 2.31 or later", refused: true},
	{
		says: `returned error: 429`,
		means: "the host has had enough requests for now (429): fetch less often, with a longer --poll, " +
			"or with a login",
	},
	{
		says:  `returned error: 5\d\d`,
		means: "the host has a fault of its own: if that stays so, ask whoever runs it",
	},
	{
		says: `repository '.*' not found|[Rr]epository not found|does not appear to be a git repository|` +
			`returned error: 404|returned error: 410`,
		means:   "repository not found: check the address, and whether the login may read there",
		refused: true,
	},
	{says: `unexpected disconnect|body are still expected`, means: brokeOff},
	{
		says: `not valid: is this a git repository|invalid server response|unexpected flush packet|` +
			`expected 'version|expected flush after|bad line length|protocol error`,
		means: "the host answers with a web page, not with a repository: check that the address is that of the " +
			"repository, which often ends with .git, and the login: some hosts show who is not signed in a page",
	},
	{
		says: `Could not resolve host|Failed to connect|Couldn't connect|Connection refused|` +
			`[Cc]onnection timed out|No route to host`,
		means: "nobody answers there: check the address, and whether this machine knows the name and may connect to it",
	},
	{
		says: `certificate|SSL|TLS`,
		means: "there is no trusted connection to the host: its certificate has to be one that this machine " +
			"trusts (http.sslCAInfo in git's configuration names others)",
	},
	{
		says: `Host key verification failed|host key is known`,
		means: "the host key is not a known one: check it against what the host's owner publishes, then add it " +
			"to the file of --known-hosts",
	},
	{
		says: `Permission denied \(`,
		means: "the host refuses the ssh key: check that it may read the repository; a key with a passphrase has " +
			"to be in an ssh agent, without --ssh-key",
		refused: true,
	},
	{
		says:    `cannot run ssh|ssh: (not found|command not found)|unable to fork`,
		means:   "git needs the program ssh for this address: install OpenSSH's client",
		refused: true,
	},
	{says: `mismatched algorithms`, means: sha256Ids},
	{
		says: `shallow`,
		means: "the repository is shallow: its history is cut, so dates and ancestry would be wrong: run " +
			"`git fetch --unshallow --tags` there",
	},
	{
		says:  `No space left|write error|Disk quota`,
		means: "the disk is full: make room, or choose another folder with --cache-dir",
	},
	{
		says:  `Read-only file system|Permission denied|insufficient permission`,
		means: "the mirror cannot be written: choose another folder with --cache-dir",
	},
	{
		says:  `dubious ownership`,
		means: "git does not read a repository of another user: name it in safe.directory of git's configuration",
	},
	{says: ownDamage, means: "the files of the mirror are damaged: everything is fetched again"},
	{
		says: `not our ref`,
		means: "the host lists what it does not have, as while its copies do not agree: it is tried again; if that " +
			"stays so, run `git fsck` in the repository there",
	},
	{
		says: `fsck|index-pack|unpack-objects|bad object|remote did not send|missing (blob|tree|commit)|` +
			`inflate|delta|pack`,
		means: "objects are refused as broken or incomplete: run `git fsck` in the repository there",
	},
	{says: `hung up|early EOF|Operation too slow|transfer closed|RPC failed|reset by peer`, means: brokeOff},
}

const brokeOff = "the host broke off: it is tried again"

const noLogin = "authentication required: set RULESTORE_GIT_USERNAME and RULESTORE_GIT_PASSWORD, name a file with " +
	"--git-password-file, or teach a credential helper of git"

// maxSaid is the maximum length of a message of git in an error, in characters.
const maxSaid = 300

// said makes an error of a fetch one for people: what happened and what to do in our words, then git's,
// which may be those of the host, shortened and without control characters.
func (r Remote) said(err error) error {
	failed, ok := errors.AsType[*git.Error](err)
	switch {
	case errors.Is(err, git.ErrNoGit):
		return fmt.Errorf("fetch %s: %w: a repository elsewhere is followed by git: install it, version 2.31 or later",
			r.Address, err)
	case !ok:
		return fmt.Errorf("fetch %s: %w", r.Address, err)
	}
	for _, reply := range replies {
		if !regexp.MustCompile(reply.says).MatchString(failed.Says) {
			continue
		}
		means := reply.means
		if header, _ := r.authorization(); header != "" && means == noLogin {
			means = "the host refuses the login that is set: check that the token is valid, has not expired and may " +
				"read the repository"
		}
		if reply.refused {
			err = errors.Join(errRefused, err)
		}
		return &saidError{fmt.Sprintf("fetch %s: %s (git says: %s)", r.Address, means, shortened(failed.Says)), err}
	}
	return &saidError{fmt.Sprintf("fetch %s: git says: %s", r.Address, shortened(failed.Says)), err}
}

// saidError is an error with a text in place of that of its cause.
type saidError struct {
	text  string
	cause error
}

func (e *saidError) Error() string { return e.text }

func (e *saidError) Unwrap() error { return e.cause }

// says reports whether git itself, and not the host, says what a regular expression matches.
func says(err error, what string) bool {
	failed, ok := errors.AsType[*git.Error](err)
	return ok && regexp.MustCompile(what).MatchString(hostsOwn.ReplaceAllString(failed.Says, ""))
}

// hostsOwn matches the lines with which git repeats what a host writes for people.
var hostsOwn = regexp.MustCompile(`(?m)^remote:.*$`)

// shortened is what git says for a log, without what hosts say.
func shortened(says string) string {
	says = hostsOwn.ReplaceAllString(says, "")
	text := strings.Join(strings.FieldsFunc(says, unicode.IsControl), " ")
	if runes := []rune(text); len(runes) > maxSaid {
		text = string(runes[:maxSaid]) + "…"
	}
	return text
}
