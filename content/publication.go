package content

import (
	"slices"
	"time"

	"github.com/Masterminds/semver/v3"
)

// Publication is one version of an item: facts that never change while git and the seals are
// unchanged. Facts that depend on the other versions, on marks or on the date, such as its
// status, are in [Entry].
type Publication struct {
	Kind    *Kind
	Name    string
	Version *semver.Version
	Draft   bool // not published by a tag; the version is a pseudo-version

	Text     Text // the author's content
	Checksum string

	Sealed      bool
	PublishedAt time.Time
	UpdatedAt   time.Time
	ChangeNote  string
	Trailers    Trailers

	Commit string // the commit that the content was taken from
	Blob   string // the git object id of its file

	SignedBy Signature // zero if signatures are not verified
}

// Text is the author's content of a publication. It may be parsed on first use, concurrently by
// any number of goroutines.
type Text interface {
	// Body is in the order of the schema; nil if the text does not match its seal.
	Body() Object
	// References lists the references to other items.
	References() []Reference
}

// Written is a text that is already parsed.
type Written struct {
	Object Object
	Refers []Reference
}

// Body implements [Text].
func (w Written) Body() Object { return w.Object }

// References implements [Text].
func (w Written) References() []Reference { return w.Refers }

// Body returns the author's content, see [Text].
func (p *Publication) Body() Object {
	if p.Text == nil {
		return nil
	}
	return p.Text.Body()
}

// Sound reports whether the text matches its seal, see [Text].
func (p *Publication) Sound() bool { return p.Text == nil || p.Text.Body() != nil }

// References returns the places at which the author refers to other items.
func (p *Publication) References() []Reference {
	if p.Text == nil {
		return nil
	}
	return p.Text.References()
}

// Signature identifies the signer of a publication.
type Signature struct {
	Signer string `json:"signer"` // the name in the list of trusted signers
	Key    string `json:"key"`    // the fingerprint of the key
	Object string `json:"object"` // the signed object: one of the following
}

// The objects that a trusted signer can sign.
const (
	SignedTag    = "tag"    // the tag that publishes
	SignedCommit = "commit" // the commit that last changed a root file
	SignedSeal   = "seal"   // the commit that added the seal
)

// Tag returns the name of the tag that publishes it.
func (p *Publication) Tag() string { return Tag{p.Kind, p.Name, p.Version}.String() }

// Item returns folder and name, the item's name among all kinds.
func (p *Publication) Item() string { return p.Kind.Folder + "/" + p.Name }

// Path returns the permanent path of this version.
func (p *Publication) Path() string {
	return p.Kind.ItemPath(p.Name) + "/versions/" + VersionText(p.Version)
}

// ID returns the id field of the item, which never changes.
func (p *Publication) ID() string { return p.Body().Text(p.Kind.ID) }

// RecheckAfter returns the day after which the content has to be reviewed, "" if the author set
// none.
func (p *Publication) RecheckAfter() string { return p.Body().Text("recheck_after") }

// Identified returns the item as it is hashed: the author's content, with the version after the
// id and the algorithm at the end.
func Identified(k *Kind, v *semver.Version, body Object) Object {
	item := make(Object, 0, len(body)+2)
	version := Member{k.Version, String(VersionText(v))}
	i := slices.IndexFunc(body, func(m Member) bool { return m.Name == k.ID })
	item = append(item, body[:i+1]...)
	item = append(item, version)
	item = append(item, body[i+1:]...)
	return item.With("checksum_algorithm", String(Algorithm))
}

// Reference is a place at which a publication refers to another item.
type Reference struct {
	Item   string // folder and name of the item referred to
	Line   int
	Column int
}

// Entry is a publication in one snapshot.
type Entry struct {
	*Publication
	Status     Status
	Reason     string    // of archived, review_required or redacted
	Since      string    // the day of the mark; empty if there is none
	ReplacedBy string    // the item, folder and name, that the mark recommends instead
	ModifiedAt time.Time // the last change of anything that is served of it

	Predecessor *Entry // the next lower stable version, nil for the first
	Successor   *Entry // the next higher stable version, nil for the highest
}

// Note is what the version says that it changed, "" once it is redacted: the note may say
// again what was taken away. What is shown of an entry is this, never its ChangeNote.
func (e *Entry) Note() string {
	if e.Status == Redacted {
		return ""
	}
	return e.ChangeNote
}

// Item is an item with all its versions in a snapshot.
type Item struct {
	Kind    *Kind
	Name    string
	Entries []*Entry // highest version first
	Current *Entry   // nil if all versions are withdrawn by marks
}

// ID returns folder and name.
func (i *Item) ID() string { return i.Kind.Folder + "/" + i.Name }

// Version returns the version with a number, nil if there is none.
func (i *Item) Version(number string) *Entry {
	n := slices.IndexFunc(i.Entries, func(e *Entry) bool { return e.Version.String() == number })
	if n < 0 {
		return nil
	}
	return i.Entries[n]
}
