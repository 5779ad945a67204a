package git

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"golang.org/x/text/encoding/htmlindex"

	"rulestore/content/i18n"
	"rulestore/loader/signers"
)

// ReadError means that the repository is corrupt: an object is missing or damaged, or the refs
// cannot be listed. It is never caused by valid content.
type ReadError struct {
	What i18n.Text // the item that could not be read
	Err  error

	Kind   string // type of the object: commit, tree, file, tag, object; "" if no object is concerned
	Object OID
}

func (e *ReadError) Error() string { return e.Localize().String() }
func (e *ReadError) Unwrap() error { return e.Err }

// Localize implements [i18n.Localizable].
func (e *ReadError) Localize() i18n.Text { return i18n.New("%s: %v", e.What, e.Err) }

func unreadable(what string, id OID, err error) error {
	return &ReadError{What: i18n.New("read %s %s", what, id), Err: err, Kind: what, Object: id}
}

// Commit has the fields of a commit.
type Commit struct {
	OID       OID
	Tree      OID
	Parents   []OID
	Committed time.Time // in the committer's time zone
	Message   string    // decoded; a long one is cut off
}

// What is kept of the texts of a commit or tag: far more than a person writes.
const (
	maxMessage = 64 << 10 // bytes
	maxAuthor  = 200      // characters
)

// cut shortens a message that is too long.
func cut(message []byte) string {
	if len(message) <= maxMessage {
		return string(message)
	}
	return strings.ToValidUTF8(string(message[:maxMessage]), "")
}

// decoded is a text of a commit or a tag in UTF-8, shortened if it is too long. What is UTF-8 already
// stays: the author's git states an encoding without asking whether the text has it. Text in an
// unknown encoding, or with bytes that are not of its encoding, stays as it is.
func decoded(raw []byte, encoding string) string {
	isASCII := !bytes.ContainsFunc(raw, func(c rune) bool { return c >= utf8.RuneSelf })
	named, err := htmlindex.Get(encoding)
	if err != nil || utf8.Valid(raw) && !isASCII {
		return cut(raw)
	}
	text, err := io.ReadAll(io.LimitReader(named.NewDecoder().Reader(bytes.NewReader(raw)), maxMessage+utf8.UTFMax))
	if err != nil || bytes.ContainsRune(text, utf8.RuneError) {
		return cut(raw)
	}
	return cut(text)
}

// sane limits a time to years of four digits and zones of less than a day, as git accepts any
// number for both.
func sane(t time.Time) time.Time {
	if _, offset := t.Zone(); offset <= -24*60*60 || offset >= 24*60*60 {
		t = t.UTC()
	}
	switch {
	case t.Year() < 1:
		return time.Unix(0, 0).UTC()
	case t.Year() > 9998:
		return time.Date(9998, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	return t
}

// Commit reads a commit.
func (r *Repo) Commit(id OID) (Commit, error) {
	c, err := r.readCommit(id)
	if err != nil {
		return Commit{}, err
	}
	out := Commit{OID: id, Tree: OID(c.Tree), Committed: sane(c.Committed), Message: decoded(c.Message, c.Encoding)}
	for _, p := range c.Parents {
		out.Parents = append(out.Parents, OID(p))
	}
	return out, nil
}

func (r *Repo) readCommit(id OID) (c signers.Commit, err error) {
	o, err := r.read(aCommit, id, maxTree)
	if err == nil {
		c, err = signers.ReadCommit(o.Raw)
	}
	if err != nil {
		return c, unreadable("commit", id, err)
	}
	return c, nil
}

// Tag is the peeled target of a tag ref.
type Tag struct {
	Commit    OID
	Annotated bool
	Tagged    time.Time // of the outermost tag object
	Message   string    // of the outermost tag object, decoded; a long one is cut off
}

// Author returns name and address of a commit's author, as the commit states it; "" if it has
// none.
func (r *Repo) Author(id OID) (string, error) {
	c, err := r.readCommit(id)
	if err != nil {
		return "", err
	}
	author := []rune(strings.ToValidUTF8(decoded(c.Author, c.Encoding), "\uFFFD"))
	return string(author[:min(len(author), maxAuthor)]), nil
}

// ErrNotCommit is the error of [Repo.Tag] for a tag of a file or a folder, and for one in a
// form that git does not write.
var ErrNotCommit = i18n.Errorf("the tag does not point to a commit")

// maxNested is the maximum number of tags of tags.
const maxNested = 8

// Tag peels a tag, through tags of tags, to its commit. Each target must have the type that the
// tag states.
func (r *Repo) Tag(id OID) (Tag, error) {
	var tag Tag
	said := ""
	for range maxNested {
		o, err := r.read("", id, maxTree)
		switch {
		case errors.Is(err, ErrTooLarge):
			return Tag{}, i18n.Errorf("%w: %w", ErrNotCommit, err)
		case err != nil:
			return Tag{}, unreadable("tag", id, err)
		case said != "" && said != o.Kind:
			return Tag{}, i18n.Errorf(
				"%w: %s is a %s, and the tag says that it is a %s", ErrNotCommit, id, o.Kind, said,
			)
		}
		switch o.Kind {
		case aCommit:
			tag.Commit = id
			return tag, nil
		case aTag:
			t, err := signers.ReadTag(o.Raw)
			if err != nil {
				return Tag{}, i18n.Errorf("%w: %w", ErrNotCommit, err)
			}
			if !tag.Annotated {
				tag = Tag{Annotated: true, Tagged: sane(t.Tagged), Message: decoded(t.Message, t.Encoding)}
			}
			id, said = OID(t.Object), t.Kind
		default:
			return Tag{}, i18n.Errorf("%w but to a %s", ErrNotCommit, o.Kind)
		}
	}
	return Tag{}, i18n.Errorf("%w: more than %d tags point to one another", ErrNotCommit, maxNested)
}

// ErrTooLarge is the error of [Repo.Blob] for a file over the limit, and the cause of those for a commit and a history
// that are.
var ErrTooLarge = i18n.Errorf("the file is too large")

// SizeError is an [ErrTooLarge] with the size of the file, in bytes.
type SizeError struct{ Size, Limit int64 }

func (e *SizeError) Error() string { return e.Localize().String() }

// Localize implements [i18n.Localizable].
func (e *SizeError) Localize() i18n.Text {
	return i18n.New("%v: it has %d bytes, at most %d are allowed", ErrTooLarge, e.Size, e.Limit)
}

// Is reports whether the target is [ErrTooLarge].
func (e *SizeError) Is(target error) bool { return target == ErrTooLarge }

// Blob reads a file of at most limit bytes. A larger one is not read.
func (r *Repo) Blob(id OID, limit int64) ([]byte, error) {
	o, err := r.read(aBlob, id, limit)
	switch {
	case errors.Is(err, ErrTooLarge):
		return nil, err
	case err != nil:
		return nil, unreadable("file", id, err)
	}
	return o.Raw, nil
}

// Mode is the type of a tree entry.
type Mode uint32

// The modes.
const (
	Absent    Mode = 0
	Folder    Mode = Mode(filemode.Dir)
	Regular   Mode = Mode(filemode.Regular)
	Symlink   Mode = Mode(filemode.Symlink)
	Submodule Mode = Mode(filemode.Submodule)

	// Several is the mode of a file that exists at several paths at once, so that it is
	// ambiguous ([Walker].Name). Its path is the first of them, and its id is not that of an
	// object.
	Several Mode = maxMode + 1
)

// maxMode is far above the modes that git writes.
const maxMode Mode = 1<<24 - 1

// IsFile reports whether the entry is a file with content.
func (m Mode) IsFile() bool {
	return m == Regular || m == Mode(filemode.Executable)
}

// canonical returns the mode that git takes a mode of a tree for.
func (m Mode) canonical() Mode {
	const kinds, executable = 0o170000, 0o100
	switch kind := m & kinds; {
	case kind == Folder || kind == Symlink:
		return kind
	case kind != Regular&kinds:
		return Submodule
	case m&executable != 0:
		return Mode(filemode.Executable)
	}
	return Regular
}
