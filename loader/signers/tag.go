package signers

import (
	"bytes"
	"errors"
	"fmt"
	"time"
)

// Tag is a parsed annotated tag; fields are parsed like by git.
type Tag struct {
	Object ID
	Kind   string // of the object: commit, tree, blob or tag
	Name   string
	Tagged time.Time // in the tagger's time zone; zero if it has no date
	// Encoding is that of the message, as its header states it. Git's own commands write none.
	Encoding string
	Message  []byte // without the signature

	raw []byte
}

// ReadTag parses an annotated tag as git stores it, or a prefix of one; a signature counts only
// if it is complete. The bytes are retained.
func ReadTag(raw []byte) (Tag, error) {
	head, body := halves(raw)
	t := Tag{Message: body[:signatureIn(body)], raw: raw}
	var err error
	if t.Object, head, err = readID(head, "object"); err != nil {
		return Tag{}, fmt.Errorf("malformed tag: %w", err)
	}
	kind, head, ok := header(head, "type")
	if !ok || !objectKind.Match(kind) {
		return Tag{}, fmt.Errorf("malformed tag: unknown type of object %.60q", kind)
	}
	name, head, ok := header(head, "tag")
	if !ok {
		return Tag{}, errors.New("malformed tag: missing tag header")
	}
	t.Kind, t.Name = string(kind), string(name)
	if by, _, ok := header(head, "tagger"); ok {
		t.Tagged = readDate(by)
	}
	t.Encoding = encodingIn(head)
	return t, nil
}

// beginnings are the first lines of the signatures that git knows (gpg-interface.c).
var beginnings = [][]byte{
	[]byte(beginSSH), []byte(beginPGP), []byte("-----BEGIN PGP MESSAGE-----"), []byte("-----BEGIN SIGNED MESSAGE-----"),
}

// signatureIn returns the offset of the signature of a tag, the end if there is none. It is the
// last one: earlier ones are signed content (git, gpg-interface.c, parse_signed_buffer).
func signatureIn(text []byte) int {
	at, n := len(text), 0
	for line := range bytes.Lines(text) {
		for _, beginning := range beginnings {
			if bytes.HasPrefix(line, beginning) {
				at = n
			}
		}
		n += len(line)
	}
	return at
}

// split separates the signed part of a tag from the signature.
func (t Tag) split() (payload, armored []byte, err error) {
	at := signatureIn(t.raw)
	if at == len(t.raw) {
		return nil, nil, ErrUnsigned
	}
	l := layout{rest: t.raw[:at]}
	l.text()
	l.one("object", hexID.Match)
	l.one("type", objectKind.Match)
	l.one("tag", oneWord.Match)
	l.one("tagger", isPerson)
	l.end()
	if !bytes.HasSuffix(t.raw, []byte("\n")) {
		l.fail("its last line has no end")
	}
	return t.raw[:at], t.raw[at:], l.err
}
