package gitrepo

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"rulestore/content"
	"rulestore/content/i18n"
)

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

// Bundled reports whether the address is that of a bundle file (git help bundle), and not of a
// repository.
func (a Address) Bundled() bool { return a.Scheme == "file" && isBundlePath(a.Path) }

// bundle is a session with a bundle: a list of refs and a pack.
type bundle struct {
	io.ReadCloser // the pack, after the header
	refs          *packp.AdvRefs
}

// openBundle opens a bundle and parses its header (git help format-bundle).
func openBundle(path string) (session, error) {
	f, err := openFile(filepath.FromSlash(path))
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(f)
	b := &bundle{ReadCloser: struct {
		io.Reader
		io.Closer
	}{r, f}}
	if err := b.readHeader(r); err != nil {
		_ = f.Close() // only read
		return nil, err
	}
	return b, nil
}

var errBundleHeader = i18n.Errorf("the header of the bundle is cut off or malformed: %w", ErrDamaged)

func (b *bundle) readHeader(r *bufio.Reader) error {
	line, err := bundleLine(r)
	if err != nil || line != "# v2 git bundle" && line != "# v3 git bundle" {
		return i18n.Errorf("this is no git bundle: `git bundle create` makes them")
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

// take parses a line of the header: a capability or a ref. A bundle with prerequisites is no repository.
func (b *bundle) take(line string) error {
	if capability, ok := strings.CutPrefix(line, "@"); ok {
		if capability != "object-format=sha1" {
			return i18n.Errorf("the bundle needs what is not read here: %s", content.Printable(capability))
		}
		return nil
	}
	if strings.HasPrefix(line, "-") {
		return i18n.Errorf(
			"the bundle builds on commits that it does not have: make one of everything, with `git bundle create FILE --all`",
		)
	}
	text, name, _ := strings.Cut(line, " ")
	id, err := ParseOID(text)
	switch {
	case err != nil || name == "":
		return errBundleHeader
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

func (b *bundle) AdvertisedReferencesContext(context.Context) (*packp.AdvRefs, error) {
	return b.refs, nil
}

// UploadPack returns the pack, which does not depend on the request.
func (b *bundle) UploadPack(_ context.Context, req *packp.UploadPackRequest) (*packp.UploadPackResponse, error) {
	return packp.NewUploadPackResponseWithPackfile(req, io.NopCloser(b)), nil
}
