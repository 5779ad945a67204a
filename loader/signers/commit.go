package signers

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"time"
)

// Commit is a parsed commit; fields are parsed like by git, and are empty where git finds
// nothing. A signature can count only if git would have written the commit in this form.
type Commit struct {
	Tree      ID
	Parents   []ID
	Committed time.Time // in the committer's time zone; zero if it has no date
	Author    []byte    // name and address; empty if it has none
	Encoding  string    // of author and message, as its header states it
	Message   []byte

	raw []byte
}

// ReadCommit parses a commit as git stores it, or a prefix of one; a signature counts only if
// it is complete. The bytes are retained.
func ReadCommit(raw []byte) (Commit, error) {
	head, body := halves(raw)
	c := Commit{Message: body, raw: raw}
	var err error
	if c.Tree, head, err = readID(head, "tree"); err != nil {
		return Commit{}, fmt.Errorf("malformed commit: %w", err)
	}
	for bytes.HasPrefix(head, []byte("parent ")) {
		var parent ID
		if parent, head, err = readID(head, "parent"); err != nil {
			return Commit{}, fmt.Errorf("malformed commit: %w", err)
		}
		c.Parents = append(c.Parents, parent)
	}
	for line := range bytes.Lines(head) {
		if by, _, ok := header(line, "author"); ok && c.Author == nil {
			c.Author = by[:bytes.LastIndexByte(by, '>')+1]
		}
		if by, _, ok := header(line, "committer"); ok {
			c.Committed = readDate(by)
			break
		}
	}
	c.Encoding = encodingIn(head)
	return c, nil
}

const signatureHeader = "gpgsig"

// signatureLines matches the header with a signature and its continuation lines.
var signatureLines = regexp.MustCompile(`\A` + signatureHeader + ` (.*\n(?: .*\n)*)`)

// split separates the signed part of a commit from the signature (git, commit.c,
// parse_buffer_signed_by_header).
func (c Commit) split() (payload, armored []byte, err error) {
	head, _ := halves(c.raw)
	if !bytes.Contains(head, []byte("\n"+signatureHeader)) {
		return nil, nil, ErrUnsigned
	}
	l := layout{rest: c.raw}
	l.text()
	l.one("tree", hexID.Match)
	for l.optional("parent", hexID.Match) {
	}
	l.one("author", isPerson)
	l.one("committer", isPerson)
	l.optional("encoding", oneWord.Match)
	l.extras()
	at := len(c.raw) - len(l.rest)
	armored = l.signature()
	after := len(c.raw) - len(l.rest)
	l.end()
	return slices.Concat(c.raw[:at], c.raw[after:]), armored, l.err
}

// signature skips the signature and returns it. Signatures by GitHub are followed by an empty
// line, which git ignores.
func (l *layout) signature() []byte {
	m := signatureLines.FindSubmatch(l.rest)
	if m == nil {
		line, _, _ := bytes.Cut(l.rest, []byte("\n"))
		l.fail("where its signature has to be stands %.60q", line)
		return nil
	}
	l.rest = l.rest[len(m[0]):]
	armored := bytes.ReplaceAll(m[1], []byte("\n "), []byte("\n"))
	if bytes.HasSuffix(armored, []byte("\n\n")) {
		armored = armored[:len(armored)-1]
	}
	return armored
}
