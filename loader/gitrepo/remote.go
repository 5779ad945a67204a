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
	Login      Login  // for https; nil: none
	SSHKey     string // a private key file; without it the ssh agent is used
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

// session is what there is to talk about with a remote: what it has, then a
// pack of what is wanted.
type session interface {
	AdvertisedReferencesContext(context.Context) (*packp.AdvRefs, error)
	UploadPack(context.Context, *packp.UploadPackRequest) (*packp.UploadPackResponse, error)
	Close() error
}

// open begins a conversation, for who has what a generation has.
func (r Remote) open(ctx context.Context, have generation) (session, error) {
	if r.Bundled() {
		head, known, _ := have.read() // without any, all is asked for
		return r.openBundle(ctx, head, known)
	}
	switch r.Scheme {
	case "ssh":
		return r.dialSSH(ctx)
	case "file":
		p, err := r.Local(ctx, r.Path)
		if err != nil {
			return nil, err
		}
		return &stream{p}, nil
	}
	return r.signIn(ctx)
}

// advertised is what a remote says that it has.
type advertised struct {
	head string // the branch that HEAD names, by full name
	refs []Ref  // branches and tags by full name, sorted
	can  *capability.List
}

// list asks the remote for its branches and tags.
func list(ctx context.Context, s session) (advertised, error) {
	adv, err := s.AdvertisedReferencesContext(ctx)
	if err != nil {
		return advertised{}, err
	}
	switch {
	case len(adv.Shallows) > 0:
		return advertised{}, i18n.Errorf("the repository is shallow: its history is cut, so dates and ancestry would be wrong")
	case len(adv.References) > maxRefs:
		return advertised{}, i18n.Errorf("the repository has %d refs, at most %d are read", len(adv.References), maxRefs)
	}
	return advertised{headOf(adv), branchesAndTags(adv), adv.Capabilities}, nil
}

// branchesAndTags leaves out what is never served, such as pull requests, and
// names that no git would accept.
func branchesAndTags(adv *packp.AdvRefs) []Ref {
	var refs []Ref
	for name, id := range adv.References {
		n := plumbing.ReferenceName(name)
		if (n.IsBranch() || n.IsTag()) && n.Validate() == nil && !id.IsZero() && strings.IndexFunc(name, unicode.IsControl) < 0 {
			refs = append(refs, Ref{name, OID(id)})
		}
	}
	return sortRefs(refs)
}

// headOf returns what HEAD of the remote says: the branch that it names. Servers
// that do not tell have a branch at the same commit; a HEAD that is at none says
// nothing that could be followed.
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

// ask wants objects, and says which commits are here with all that they reach.
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

// maxSaid is how many characters of what a remote says an error repeats.
const maxSaid = 300

// said makes an error of a remote fit for a log: what a stranger wrote is cut
// short and loses its control characters. A hint says what can be done.
func (r Remote) said(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		err = cause // else it would be the connection that was closed because of it
	}
	if request, ok := errors.AsType[*url.Error](err); ok {
		err = request.Err // the address is named already
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
	return &remoteError{r.hint(err, i18n.New("fetch %s: %s", r.Address, text)), err}
}

// hint adds to what went wrong what can be done.
func (r Remote) hint(err error, says i18n.Text) i18n.Text {
	_, refused := errors.AsType[refusedLogin](err)
	switch {
	case refused:
		return i18n.New("%s: the host refuses the login that is set: check that the token is valid, has not expired and may read the repository", says)
	case errors.Is(err, errPage):
		return i18n.New("%s: check that the address is that of the repository, which often ends with .git, and the login: some hosts show who is not signed in a page", says)
	case errors.Is(err, transport.ErrAuthenticationRequired), errors.Is(err, transport.ErrAuthorizationFailed):
		return i18n.New("%s: set RULESTORE_GIT_USERNAME and RULESTORE_GIT_PASSWORD, name a file with --git-password-file, or teach a credential helper of git", says)
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

// remoteError has a text of its own and the cause that callers match.
type remoteError struct {
	text  i18n.Text
	cause error
}

func (e *remoteError) Error() string { return e.text.String() }

// Localize implements [i18n.Localizable].
func (e *remoteError) Localize() i18n.Text { return e.text }

func (e *remoteError) Unwrap() error { return e.cause }
