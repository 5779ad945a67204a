package gitrepo

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Signed is a commit or an annotated tag with the signature that it carries.
type Signed struct {
	Payload   []byte    // the object without the signature, which is what is signed
	Signature []byte    // armored; empty if there is none
	Made      time.Time // when the object says that it was made: the committer's time, or the tagger's
	Tag       string    // the name that a tag says it has; it is signed too, unlike the ref's
}

// maxSigned is how many bytes a commit or tag may have to be judged.
const maxSigned = 1 << 20

// Signed reads a commit or an annotated tag for its signature.
func (r *Repo) Signed(id OID) (Signed, error) {
	o, err := r.object(plumbing.AnyObject, id)
	if err != nil {
		return Signed{}, unreadable("object", id, err)
	}
	if o.Size() > maxSigned {
		return Signed{}, fmt.Errorf("%w: it has %d bytes, at most %d are allowed", ErrTooLarge, o.Size(), maxSigned)
	}
	s, err := signed(o)
	if err != nil {
		return Signed{}, unreadable("object", id, err)
	}
	return s, nil
}

func signed(o plumbing.EncodedObject) (Signed, error) {
	payload := &plumbing.MemoryObject{}
	var s Signed
	switch o.Type() {
	case plumbing.CommitObject:
		var c object.Commit
		if err := errors.Join(c.Decode(o), c.EncodeWithoutSignature(payload)); err != nil {
			return Signed{}, err
		}
		s = Signed{Signature: []byte(c.PGPSignature), Made: c.Committer.When}
	case plumbing.TagObject:
		var t object.Tag
		if err := errors.Join(t.Decode(o), t.EncodeWithoutSignature(payload)); err != nil {
			return Signed{}, err
		}
		s = Signed{Signature: []byte(t.PGPSignature), Made: t.Tagger.When, Tag: t.Name}
	default:
		return Signed{}, fmt.Errorf("a %s carries no signature", o.Type())
	}
	r, err := payload.Reader()
	if err != nil {
		return Signed{}, err
	}
	s.Payload, err = io.ReadAll(r)
	return s, err
}
