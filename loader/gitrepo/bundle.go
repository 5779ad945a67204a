package gitrepo

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"rulestore/content"
	"rulestore/content/i18n"
)

// BundleType is the media type of a bundle, and BundleName its name on a server that offers
// one.
const (
	BundleType = "application/x-git-bundle"
	BundleName = "rules.bundle"
)

// HaveParameter is the parameter with the newest commit that a client has.
const HaveParameter = "have"

// maxBundleLine is the maximum length of a line of a bundle's header, an id and a name, in
// bytes.
const maxBundleLine = 64 << 10

// isBundlePath reports whether a text is the path of a bundle on this machine.
func isBundlePath(s string) bool {
	repo, _ := CutFolder(s)
	if !strings.HasSuffix(repo, ".bundle") || strings.Contains(repo, "://") {
		return false
	}
	info, err := os.Stat(repo)
	return err != nil || !info.IsDir()
}

// Bundled reports whether the address is that of a bundle (git help bundle), a file or one
// offered by a server, and not of a repository.
func (a Address) Bundled() bool {
	if !strings.HasSuffix(a.Path, ".bundle") {
		return false
	}
	if a.Scheme != "file" {
		return a.Scheme == "https" || a.Scheme == "http"
	}
	return isBundlePath(a.Path)
}

// bundle is a session with a bundle: a list of refs and a pack. A bundle with prerequisite
// commits lists the refs that have changed since them, or all refs if it was made for a client
// with these commits.
type bundle struct {
	io.ReadCloser // the pack, after the header
	refs          *packp.AdvRefs
	needs         []OID // prerequisite commits
	whole         bool  // all refs are listed
}

// openBundle opens the bundle at the address, for a client that has the known refs.
func (r Remote) openBundle(ctx context.Context, head string, known []Ref) (session, error) {
	if r.Scheme == "file" {
		f, err := openFile(filepath.FromSlash(r.Path))
		if err != nil {
			return nil, err
		}
		return readBundle(f, OID{})
	}
	have, _ := tip(head, known)
	body, err := r.download(ctx, have, StateOf(head, known))
	if err != nil {
		return nil, err
	}
	if body == nil { // no changes
		return &bundle{io.NopCloser(strings.NewReader("")), advertise(head, known), nil, true}, nil
	}
	return readBundle(body, have)
}

// tip returns the commit of the branch that HEAD names.
func tip(head string, refs []Ref) (OID, bool) {
	for _, r := range refs {
		if r.Name == head {
			return r.OID, true
		}
	}
	return OID{}, false
}

// StateOf identifies the state of HEAD and the refs: clients with the same state need no
// bundle. It is the entity tag of a bundle that is offered.
func StateOf(head string, refs []Ref) string {
	h := sha256.New()
	fmt.Fprintln(h, head)
	for _, r := range refs {
		fmt.Fprintln(h, r.OID, r.Name)
	}
	return `"` + hex.EncodeToString(h.Sum(nil))[:32] + `"`
}

// download requests a bundle of the changes since a commit from a server; nil if there are
// none.
func (r Remote) download(ctx context.Context, have OID, state string) (io.ReadCloser, error) {
	u := url.URL{Scheme: r.Scheme, Host: r.hostPort(), Path: r.Path}
	if have != (OID{}) {
		u.RawQuery = url.Values{HaveParameter: {have.String()}}.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	if have != (OID{}) {
		req.Header.Set("If-None-Match", state)
	}
	login, err := r.login(ctx, false)
	if err != nil {
		return nil, err
	}
	if login != nil {
		login.SetAuth(req)
	}
	res, err := (&http.Client{Transport: anchored{connections}}).Do(req)
	if err != nil {
		return nil, err
	}
	switch res.StatusCode {
	case http.StatusOK:
		return &boundedBody{res.Body, maxPack + maxAdvertised}, nil
	case http.StatusNotModified:
		return nil, res.Body.Close()
	}
	_ = res.Body.Close()
	switch res.StatusCode {
	case http.StatusUnauthorized:
		return nil, transport.ErrAuthenticationRequired
	case http.StatusForbidden:
		return nil, transport.ErrAuthorizationFailed
	case http.StatusNotFound:
		return nil, i18n.Errorf(
			"%w: a rulestore server offers a bundle with --offer-bundle", transport.ErrRepositoryNotFound,
		)
	}
	return nil, i18n.Errorf("the server answers with status %d", res.StatusCode)
}

// readBundle parses the header of a bundle (git help format-bundle). have is the requested
// prerequisite.
func readBundle(from io.ReadCloser, have OID) (session, error) {
	r := bufio.NewReader(from)
	b := &bundle{ReadCloser: struct {
		io.Reader
		io.Closer
	}{r, from}}
	if err := b.readHeader(r); err != nil {
		_ = from.Close() // only read
		return nil, err
	}
	b.whole = len(b.needs) == 0 || len(b.needs) == 1 && b.needs[0] == have
	return b, nil
}

var errBundleHeader = i18n.Errorf("the header of the bundle is cut off or malformed: %w", ErrDamaged)

func (b *bundle) readHeader(r *bufio.Reader) error {
	line, err := bundleLine(r)
	if err != nil || line != "# v2 git bundle" && line != "# v3 git bundle" {
		return i18n.Errorf("this is no git bundle: `git bundle create` and `rulestore bundle` make them")
	}
	b.refs = packp.NewAdvRefs()
	for size := 0; ; size += len(line) {
		switch line, err = bundleLine(r); {
		case err != nil:
			return errBundleHeader
		case size > maxAdvertised:
			return errTooMuch
		case line == "" && len(b.refs.References) == 0:
			return transport.ErrEmptyRemoteRepository
		case line == "":
			return nil
		}
		if err := b.take(line); err != nil {
			return err
		}
	}
}

// take parses a line of the header: a capability, a prerequisite, or a ref.
func (b *bundle) take(line string) error {
	if capability, ok := strings.CutPrefix(line, "@"); ok {
		if capability != "object-format=sha1" {
			return i18n.Errorf("the bundle needs what is not read here: %s", content.Printable(capability))
		}
		return nil
	}
	line, needed := strings.CutPrefix(line, "-")
	text, name, _ := strings.Cut(line, " ")
	id, err := ParseOID(text)
	switch {
	case err != nil || !needed && name == "":
		return errBundleHeader
	case needed:
		b.needs = append(b.needs, id)
	case name == headRef:
		b.refs.Head = (*plumbing.Hash)(&id)
	default:
		b.refs.References[name] = plumbing.Hash(id)
	}
	return nil
}

func bundleLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxBundleLine:
			return "", errTooMuch
		case err == bufio.ErrBufferFull:
			continue
		case err != nil:
			return "", err
		}
		return string(line[:len(line)-1]), nil
	}
}

// advertise converts refs to the advertisement of a remote.
func advertise(head string, refs []Ref) *packp.AdvRefs {
	adv := packp.NewAdvRefs()
	for _, r := range refs {
		adv.References[r.Name] = plumbing.Hash(r.OID)
	}
	if id, ok := tip(head, refs); ok {
		adv.Head = (*plumbing.Hash)(&id)
	}
	return adv
}

func (b *bundle) AdvertisedReferencesContext(context.Context) (*packp.AdvRefs, error) {
	return b.refs, nil
}

// UploadPack returns the pack, which does not depend on the request.
func (b *bundle) UploadPack(_ context.Context, req *packp.UploadPackRequest) (*packp.UploadPackResponse, error) {
	return packp.NewUploadPackResponseWithPackfile(req, io.NopCloser(b)), nil
}

// onto completes the advertised refs with those of the previous generation, as a bundle with
// prerequisites lists changed refs only.
func (b *bundle) onto(g generation, a advertised) (advertised, error) {
	if b.whole {
		return a, nil
	}
	head, known, err := g.read()
	if err == nil {
		_, err = g.lacks(b.needs)
	}
	if err != nil {
		return a, i18n.Errorf(
			"the bundle builds on commits that are not here (%s …): follow one that has everything first", b.needs[0],
		)
	}
	now := map[string]OID{}
	for _, r := range append(known, a.refs...) {
		now[r.Name] = r.OID
	}
	a.refs = nil
	for name, id := range now {
		a.refs = append(a.refs, Ref{name, id})
	}
	a.refs, a.head = sortRefs(a.refs), head
	return a, nil
}
