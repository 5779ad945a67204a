package mirror

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"go.yaml.in/yaml/v3"

	"rulestore/loader/git"
)

// errNothing is the error for a remote without branches and tags.
var errNothing = errors.New("the remote repository is empty, or the address is not that of a repository: check it, or " +
	"push content to it first")

// Errors for a shallow remote, and for one of other ids, in git's words.
var (
	errShallow = &git.Error{Says: "shallow roots are not allowed to be updated"}
	errSHA256  = &git.Error{Says: "mismatched algorithms"}
)

// errRefused is in the errors for which [IsRefused] is true.
var errRefused = errors.New("refused")

// IsRefused reports whether an error of [Mirror.Fetch] means that the remote answered that there is no
// such repository, or none for this login, or that git is not here: to wait does not help.
func IsRefused(err error) bool { return errors.Is(err, errRefused) || errors.Is(err, git.ErrNoGit) }

// reply is what git says of a host, and what that means for who runs the server.
type reply struct {
	Says     []string // regular expressions, any of which it matches
	Means    string
	SignedIn string `yaml:"signed_in"` // what it means where a login is set, if that is something else
	Refused  bool   // to wait does not help
}

//go:embed replies.yaml
var repliesFile []byte

// replies are tried in this order.
var replies = sync.OnceValue(func() (all []reply) {
	if err := yaml.Unmarshal(repliesFile, &all); err != nil {
		panic(err) // a test reads it
	}
	return all
})

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
	for _, reply := range replies() {
		if !regexp.MustCompile(strings.Join(reply.Says, "|")).MatchString(failed.Says) {
			continue
		}
		means := reply.Means
		if header, _ := r.authorization(); header != "" {
			means = cmp.Or(reply.SignedIn, means)
		}
		if reply.Refused {
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
