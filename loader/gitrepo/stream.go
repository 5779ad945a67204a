package gitrepo

import (
	"context"
	"errors"
	"io"

	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/transport"

	"rulestore/content/i18n"
)

// stream is a session with a git-upload-pack (git, gitprotocol-pack). Blocked calls end when it is
// closed, or with the context in which it was opened.
type stream struct{ io.ReadWriteCloser }

func (s *stream) AdvertisedReferencesContext(context.Context) (*packp.AdvRefs, error) {
	adv := packp.NewAdvRefs()
	err := adv.Decode(io.LimitReader(s, maxAdvertised))
	switch {
	case errors.Is(err, packp.ErrEmptyInput):
		return nil, i18n.Errorf("%w: git's side ended without a word", transport.ErrRepositoryNotFound)
	case errors.Is(err, packp.ErrEmptyAdvRefs), err == nil && adv.IsEmpty():
		return nil, transport.ErrEmptyRemoteRepository
	case err != nil:
		return nil, err
	}
	transport.FilterUnsupportedCapabilities(adv.Capabilities)
	return adv, nil
}

// UploadPack sends the request and reads the response up to the pack.
func (s *stream) UploadPack(_ context.Context, req *packp.UploadPackRequest) (*packp.UploadPackResponse, error) {
	if err := req.UploadRequest.Encode(s); err != nil {
		return nil, i18n.Errorf("ask for objects: %w", err)
	}
	if err := req.UploadHaves.Encode(s, true); err != nil {
		return nil, i18n.Errorf("ask for objects: %w", err)
	}
	if err := pktline.NewEncoder(s).EncodeString("done\n"); err != nil {
		return nil, i18n.Errorf("ask for objects: %w", err)
	}
	res := packp.NewUploadPackResponse(req)
	return res, res.Decode(io.NopCloser(s))
}
