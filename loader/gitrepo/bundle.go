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

// maxBundleLine is how long a line of a bundle's header may be: an id, and a name.
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

// bundle is a session with a bundle: it lists its refs, and has one pack for everybody.
// A bundle that builds on commits lists the refs that have changed since then and no
// others, unless it was made for who has just these: then it lists all.
type bundle struct {
	io.ReadCloser // what follows the header is the pack
	refs          *packp.AdvRefs
	needs         []OID // commits that it builds on
	whole         bool  // all refs are listed
}

// openBundle opens the bundle at the address, for who has known already.
func (r Remote) openBundle(ctx context.Context, head string, known []Ref) (session, error) {
	if r.Scheme == "file" {
		f, err := os.Open(filepath.FromSlash(r.Path))
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
	if body == nil { // nothing has changed
		return &bundle{io.NopCloser(strings.NewReader("")), advertise(head, known), nil, true}, nil
	}
	return readBundle(body, have)
}

// tip returns where the branch is that HEAD names.
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

// download asks a server for a bundle of what came after a commit; nil if there is nothing
// new.
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
		return nil, i18n.Errorf("%w: a rulestore server offers a bundle with --offer-bundle", transport.ErrRepositoryNotFound)
	}
	return nil, i18n.Errorf("the server answers with status %d", res.StatusCode)
}

// readBundle reads the header of a bundle (git help format-bundle). have is what it was
// asked to build on.
func readBundle(from io.ReadCloser, have OID) (session, error) {
	r := bufio.NewReader(from)
	b := &bundle{ReadCloser: struct {
		io.Reader
		io.Closer
	}{r, from}}
	if err := b.readHeader(r); err != nil {
		_ = from.Close() // nothing was written
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

// take reads a line: what the bundle takes to be read, a commit that it needs, or a ref.
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

// advertise makes of refs what a remote would say.
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

// UploadPack returns the pack, whatever is wanted.
func (b *bundle) UploadPack(_ context.Context, req *packp.UploadPackRequest) (*packp.UploadPackResponse, error) {
	return packp.NewUploadPackResponseWithPackfile(req, io.NopCloser(b)), nil
}

// onto completes what is advertised by what the generation has that the bundle is fetched
// into: a bundle that builds on commits says nothing of refs that it does not change.
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
