package gitrepo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
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

// The maximum size of a commit or tag that is read, in bytes: far more than a message written
// by a person.
const (
	maxHeader  = 1 << 20 // of all of it
	maxMessage = 64 << 10
	maxAuthor  = 200 // characters
)

// beginning reads a commit or a tag, of a large one only the first bytes, which must not be
// modified. Of other objects it returns only the type.
func (r *Repo) beginning(t plumbing.ObjectType, id OID) (plumbing.ObjectType, []byte, error) {
	if o, ok := r.packed(t, id, maxHeader); ok && hasHeader(o.kind) {
		return o.kind, o.content, nil // already checked, and whole
	}
	o, err := r.object(t, id)
	if err != nil {
		return t, nil, err
	}
	if t = o.kind; !hasHeader(t) {
		return t, nil, nil
	}
	raw, err := o.start(id, maxHeader, r.checked)
	if err == nil && o.size > maxHeader && !bytes.Contains(raw, []byte("\n\n")) {
		err = i18n.Errorf("%w: it has more than %d bytes before its message", ErrTooLarge, maxHeader)
	}
	return t, raw, err
}

// hasHeader reports whether objects of a type begin with a header.
func hasHeader(t plumbing.ObjectType) bool {
	return t == plumbing.CommitObject || t == plumbing.TagObject
}

// start reads the first bytes of an object. If it is to be checked against its id, it reads the rest
// as well.
func (o lazyObject) start(id OID, limit int64, check bool) (raw []byte, err error) {
	defer rescued(&err)
	if check && o.size > maxVerified {
		return nil, ErrDamaged
	}
	rd, err := o.open()
	if err != nil {
		return nil, inObject(err)
	}
	defer rd.Close()
	raw = make([]byte, min(o.size, limit))
	if _, err := io.ReadFull(rd, raw); err != nil {
		return nil, inObject(err)
	}
	if !check {
		return raw, nil
	}
	h := plumbing.NewHasher(o.kind, o.size)
	_, _ = h.Write(raw) // never fails
	if _, err := io.Copy(h, io.LimitReader(rd, maxVerified)); err != nil {
		return nil, err
	}
	if OID(h.Sum()) != id {
		return nil, ErrDamaged
	}
	return raw, nil
}

// cut shortens a message that is too long.
func cut(message []byte) string {
	if len(message) <= maxMessage {
		return string(message)
	}
	end := maxMessage
	for end > maxMessage-utf8.UTFMax && !utf8.RuneStart(message[end]) {
		end--
	}
	return string(message[:end])
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
	_, raw, err := r.beginning(plumbing.CommitObject, id)
	if err == nil {
		c, err = signers.ReadCommit(raw)
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
		kind, raw, err := r.beginning(plumbing.AnyObject, id)
		switch {
		case errors.Is(err, ErrTooLarge):
			return Tag{}, cmp.Or(r.verify(kind, id), i18n.Errorf("%w: %w", ErrNotCommit, err))
		case err != nil:
			return Tag{}, unreadable("tag", id, err)
		case said != "" && said != kind.String():
			return Tag{}, i18n.Errorf("%w: %s is a %s, and the tag says that it is a %s", ErrNotCommit, id, kind, said)
		}
		switch kind {
		case plumbing.CommitObject:
			tag.Commit = id
			return tag, nil
		case plumbing.TagObject:
			t, err := signers.ReadTag(raw)
			if err != nil {
				return Tag{}, i18n.Errorf("%w: %w", ErrNotCommit, err)
			}
			if !tag.Annotated {
				tag = Tag{Annotated: true, Tagged: sane(t.Tagged), Message: decoded(t.Message, t.Encoding)}
			}
			id, said = OID(t.Object), t.Kind
		default:
			return Tag{}, i18n.Errorf("%w but to a %s", ErrNotCommit, kind)
		}
	}
	return Tag{}, i18n.Errorf("%w: more than %d tags point to one another", ErrNotCommit, maxNested)
}

// ErrTooLarge is the error of [Repo.Blob] for a file over the limit.
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
	raw, err := r.raw(plumbing.BlobObject, id, limit)
	if err != nil && !errors.Is(err, ErrTooLarge) {
		err = unreadable("file", id, err)
	}
	return raw, err
}

// raw reads an object. Its bytes must not be modified.
func (r *Repo) raw(t plumbing.ObjectType, id OID, limit int64) ([]byte, error) {
	_, raw, err := r.read(t, id, limit)
	return raw, err
}

// read is raw for an object of any type, which is returned.
func (r *Repo) read(t plumbing.ObjectType, id OID, limit int64) (plumbing.ObjectType, []byte, error) {
	if o, ok := r.packed(t, id, limit); ok {
		return o.kind, o.content, nil
	}
	o, err := r.unpacked(t, id)
	if err != nil {
		return t, nil, err
	}
	if err := within(limit, o.size); err != nil {
		return t, nil, err
	}
	raw, err := o.start(id, limit, r.checked)
	return o.kind, raw, err
}

func within(limit, size int64) error {
	if size <= limit {
		return nil
	}
	return &SizeError{size, limit}
}

// maxVerified is the maximum size in bytes of an object that is read only to verify it.
const maxVerified = 1 << 30

// verify checks an object that is too large to be used against its id.
func (r *Repo) verify(t plumbing.ObjectType, id OID) error {
	o, err := r.object(t, id)
	if err == nil {
		_, err = o.start(id, 0, true)
	}
	if err == nil || errors.Is(err, ErrTooLarge) { // verifying it would take too much
		return nil
	}
	return unreadable(t.String(), id, err)
}

// object finds an object in the repository or in those that it borrows from.
func (r *Repo) object(t plumbing.ObjectType, id OID) (lazyObject, error) {
	if o, ok := r.packed(t, id, maxPacked); ok {
		return o.lazy(), nil
	}
	return r.unpacked(t, id)
}

// packed finds an ordinary object of at most limit bytes in the packs.
func (r *Repo) packed(t plumbing.ObjectType, id OID, limit int64) (o packed, ok bool) {
	defer func() {
		if recover() != nil { // unpacked finds it as well, and returns the error
			o, ok = packed{}, false
		}
	}()
	for _, p := range r.packs {
		if o, ok := p.find(id, limit); ok && (t == plumbing.AnyObject || t == o.kind) {
			return o, true
		}
	}
	return packed{}, false
}

// unpacked finds any object, in or outside packs; of several copies the first that is not damaged.
func (r *Repo) unpacked(t plumbing.ObjectType, id OID) (lazyObject, error) {
	missing := errAbsent
	if r.settled {
		missing = errMissing
	}
	for _, find := range r.finders() {
		o, err := found(find, id)
		if err == nil && t != plumbing.AnyObject && t != o.kind {
			err = damaged(fmt.Sprintf("it is a %s where there has to be a %s", o.kind, t))
		}
		switch {
		case err == nil:
			return o, nil
		case IsDamaged(err):
			missing = err
		case !errors.Is(err, errAbsent):
			return lazyObject{}, err
		}
	}
	return lazyObject{}, missing
}

// finder finds an object in one of the stores of a repository.
type finder func(OID) (lazyObject, error)

// finders are those of the loose objects and of the packs, or that of a repository in memory.
func (r *Repo) finders() (all []finder) {
	if r.memory != nil {
		return []finder{r.inMemory}
	}
	for _, l := range r.loose {
		all = append(all, l.find)
	}
	for _, p := range r.packs {
		all = append(all, p.object)
	}
	return all
}

func found(find finder, id OID) (o lazyObject, err error) {
	defer rescued(&err)
	o, err = find(id)
	return o, inObject(err)
}

// inMemory finds an object of a repository in memory.
func (r *Repo) inMemory(id OID) (lazyObject, error) {
	o, err := r.memory.EncodedObject(plumbing.AnyObject, plumbing.Hash(id))
	if err != nil {
		return lazyObject{}, err
	}
	return lazyObject{o.Type(), o.Size(), o.Reader}, nil
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

	// Unreadable is a folder whose object is damaged, so that its content is unknown.
	Unreadable Mode = maxMode + 1

	// Several is the mode of a file that exists at several paths at once, so that it is
	// ambiguous ([Walker].Name). Its path is the first of them, and its id is not that of an
	// object.
	Several Mode = maxMode + 2
)

// maxMode is far above the modes that git writes.
const maxMode Mode = 1<<24 - 1

// IsFile reports whether the entry is a file with content.
func (m Mode) IsFile() bool {
	return m == Mode(filemode.Regular) || m == Mode(filemode.Executable) || m == Mode(filemode.Deprecated)
}
