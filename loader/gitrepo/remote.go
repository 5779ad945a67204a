package gitrepo

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"rulestore/content/i18n"
)

// Remote is a remote repository with its credentials.
type Remote struct {
	Address
	Login      Login  // for https; nil if there is none
	SSHKey     string // a private key file; without it the ssh agent is used
	SSHAgent   string // the socket of the agent
	KnownHosts string // the file of host keys; without it ssh's own is used
	Local      Local  // for file
}

// Local runs git upload-pack in a local folder. The stream that it returns ends with the
// context.
type Local func(ctx context.Context, dir string) (io.ReadWriteCloser, error)

// Login provides user names and passwords for https.
type Login interface {
	// Login returns the credentials for a URL, empty strings if it has none. It is called again
	// after the remote has refused them.
	Login(ctx context.Context, url string, refused bool) (user, password string, err error)
	// Judge reports whether the remote accepted the credentials.
	Judge(ctx context.Context, url, user, password string, accepted bool)
}

// Limits on a remote.
const (
	maxRefs       = 1_000_000
	maxAdvertised = 64 << 20 // bytes of the list of refs
)

// session is a session with a remote: its refs, then a pack of the requested objects.
type session interface {
	AdvertisedReferencesContext(context.Context) (*packp.AdvRefs, error)
	UploadPack(context.Context, *packp.UploadPackRequest) (*packp.UploadPackResponse, error)
	Close() error
}

// open begins a session.
func (r Remote) open(ctx context.Context) (session, error) {
	switch {
	case r.Bundled():
		return openBundle(r.Path)
	case r.Scheme == "ssh":
		return r.dialSSH(ctx)
	case r.Scheme == "file":
		p, err := r.Local(ctx, r.Path)
		if err != nil {
			return nil, err
		}
		return &stream{p}, nil
	}
	return r.signIn(ctx)
}

// advertised is the refs of a remote.
type advertised struct {
	head string // the branch that HEAD names, by full name
	refs []Ref  // branches and tags by full name, sorted
	can  *capability.List
}

// list requests the branches and tags of the remote.
func list(ctx context.Context, s session) (advertised, error) {
	adv, err := s.AdvertisedReferencesContext(ctx)
	if err != nil {
		return advertised{}, err
	}
	switch {
	case len(adv.Shallows) > 0:
		return advertised{}, i18n.Errorf(
			"the repository is shallow: its history is cut, so dates and ancestry would be wrong",
		)
	case len(adv.References) > maxRefs:
		return advertised{}, i18n.Errorf(
			"the repository has %d refs, at most %d are read", len(adv.References), maxRefs,
		)
	}
	return advertised{headOf(adv), branchesAndTags(adv), adv.Capabilities}, nil
}

// branchesAndTags returns the branches and tags, without other refs such as those of pull
// requests and without invalid names.
func branchesAndTags(adv *packp.AdvRefs) []Ref {
	var refs []Ref
	for name, id := range adv.References {
		n := plumbing.ReferenceName(name)
		if (n.IsBranch() || n.IsTag()) && n.Validate() == nil && !id.IsZero() &&
			strings.IndexFunc(name, unicode.IsControl) < 0 {
			refs = append(refs, Ref{name, OID(id)})
		}
	}
	return sortRefs(refs)
}

// headOf returns the branch that HEAD of the remote names. If the server does not state it,
// it is a branch at the same commit, "" if there is none.
func headOf(adv *packp.AdvRefs) string {
	for _, pair := range adv.Capabilities.Get(capability.SymRef) {
		if target, ok := strings.CutPrefix(pair, "HEAD:"); ok && plumbing.ReferenceName(target).Validate() == nil {
			return target
		}
	}
	branches := []string{"refs/heads/main", "refs/heads/master"}
	for _, name := range append(branches, slices.Sorted(maps.Keys(adv.References))...) {
		if adv.Head != nil && adv.References[name] == *adv.Head && plumbing.ReferenceName(name).IsBranch() {
			return name
		}
	}
	return branches[0]
}

// ask requests objects, and states the commits that are complete here.
func ask(ctx context.Context, s session, a advertised, wants, haves []OID) (*packp.UploadPackResponse, error) {
	req := packp.NewUploadPackRequestFromCapabilities(a.can)
	if a.can.Supports(capability.NoProgress) {
		if err := req.Capabilities.Set(capability.NoProgress); err != nil {
			return nil, err
		}
	}
	for _, id := range wants {
		req.Wants = append(req.Wants, plumbing.Hash(id))
	}
	for _, id := range haves {
		req.Haves = append(req.Haves, plumbing.Hash(id))
	}
	return s.UploadPack(ctx, req)
}

// maxSaid is the maximum length of a remote's message in an error, in characters.
const maxSaid = 300

// said makes an error of a remote safe for a log: the remote's message is shortened and has no
// control characters. A hint says what to do.
func (r Remote) said(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		err = cause // otherwise it would be the error of the closed connection
	}
	if request, ok := errors.AsType[*url.Error](err); ok {
		err = request.Err // without the URL, which is in the text already
	}
	text := strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, strings.Trim(err.Error(), ": \t\r\n")) // go-git ends with what a host says, which is left out
	if runes := []rune(text); len(runes) > maxSaid {
		text = string(runes[:maxSaid]) + "…"
	}
	return i18n.Because(r.hint(err, i18n.New("fetch %s: %s", r.Address, text)), err)
}

// hint adds what to do about an error.
func (r Remote) hint(err error, says i18n.Text) i18n.Text {
	_, refused := errors.AsType[refusedLogin](err)
	switch {
	case refused:
		return i18n.New(
			"%s: the host refuses the login that is set: check that the token is valid, has not expired and may read "+
				"the repository",
			says,
		)
	case errors.Is(err, errPage):
		return i18n.New(
			"%s: check that the address is that of the repository, which often ends with .git, and the login: some "+
				"hosts show who is not signed in a page",
			says,
		)
	case errors.Is(err, transport.ErrAuthenticationRequired), errors.Is(err, transport.ErrAuthorizationFailed):
		return i18n.New(
			"%s: set RULESTORE_GIT_USERNAME and RULESTORE_GIT_PASSWORD, name a file with --git-password-file, or "+
				"teach a credential helper of git",
			says,
		)
	case errors.Is(err, transport.ErrRepositoryNotFound):
		return i18n.New("%s: check the address, and whether the login may read there", says)
	case errors.Is(err, transport.ErrEmptyRemoteRepository):
		return i18n.New("%s: push content to it first", says)
	case strings.Contains(err.Error(), "object-format=sha256"):
		return i18n.New("%s: %v", says, sha256Ids())
	}
	return says
}

// IsRefused reports whether an error of [Mirror.Fetch] means that the remote answered that
// there is no such repository, or none for these credentials: a retry does not help.
func IsRefused(err error) bool {
	return errors.Is(err, transport.ErrRepositoryNotFound) || isRefusal(err)
}
