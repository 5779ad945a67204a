package content

import (
	"slices"
	"time"

	"github.com/Masterminds/semver/v3"
)

// Publication is one version of an item: facts that never change as long as
// git and the seals say the same. What depends on the other versions, on marks
// or on the date (its status, for one) is in [Entry].
type Publication struct {
	Kind    *Kind
	Name    string
	Version *semver.Version
	Draft   bool // no tag published it; the version is a pseudo-version

	Text     Text // what the author wrote
	Checksum string

	Sealed      bool
	PublishedAt time.Time
	UpdatedAt   time.Time
	ChangeNote  string
	Trailers    Trailers

	Source string // the name of the repository, where there are several
	Commit string // the commit that the content was taken from
	Blob   string // the file there

	SignedBy Signature // zero if nobody was asked for
}

// Text is what the author of a publication wrote. It may be read only when it is
// first asked for, by any number of goroutines.
type Text interface {
	// Body is in the order of the schema; nil if the text turns out not to be what
	// was published.
	Body() Object
	// References are to other items.
	References() []Reference
}

// Written is a text that is there.
type Written struct {
	Object Object
	Refers []Reference
}

// Body implements [Text].
func (w Written) Body() Object { return w.Object }

// References implements [Text].
func (w Written) References() []Reference { return w.Refers }

// Body returns what the author wrote, see [Text].
func (p *Publication) Body() Object {
	if p.Text == nil {
		return nil
	}
	return p.Text.Body()
}

// Sound says whether the text is what was published, see [Text].
func (p *Publication) Sound() bool { return p.Text == nil || p.Text.Body() != nil }

// References returns the places where the author names other items.
func (p *Publication) References() []Reference {
	if p.Text == nil {
		return nil
	}
	return p.Text.References()
}

// Signature says who vouches for a publication.
type Signature struct {
	Signer string `json:"signer"` // as the list of trusted signers names them
	Key    string `json:"key"`    // the fingerprint of the key
	Object string `json:"object"` // what is signed: one of the following
}

// What a trusted signer can sign.
const (
	SignedTag    = "tag"    // the tag that publishes
	SignedCommit = "commit" // the commit that made a file of the root what it is
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

// ID returns the id that the item states, which never changes.
func (p *Publication) ID() string { return p.Body().Text(p.Kind.ID) }

// RecheckAfter returns the day after which the content has to be looked at
// again, "" if the author set none.
func (p *Publication) RecheckAfter() string { return p.Body().Text("recheck_after") }

// Identified returns the item as the checksum sees it: what the author wrote,
// with the version after the id and the algorithm at the end.
func Identified(k *Kind, v *semver.Version, body Object) Object {
	item := make(Object, 0, len(body)+2)
	version := Member{k.Version, String(VersionText(v))}
	i := slices.IndexFunc(body, func(m Member) bool { return m.Name == k.ID })
	item = append(item, body[:i+1]...)
	item = append(item, version)
	item = append(item, body[i+1:]...)
	return item.With("checksum_algorithm", String(Algorithm))
}

// Reference is a place where a publication names another item.
type Reference struct {
	Item   string // folder and name of the item referred to
	Line   int
	Column int
}

// Entry is a publication as one snapshot sees it.
type Entry struct {
	*Publication
	Status     Status
	Reason     string    // why it is archived, under review or redacted
	Since      string    // the day since which a mark says so; empty if none does
	ReplacedBy string    // the item, folder and name, that the mark names to be taken instead
	ModifiedAt time.Time // when anything that is served of it last changed

	Predecessor *Entry // the next lower stable version, nil for the first
	Successor   *Entry // the next higher stable version, nil for the highest
}

// Item is an item with all versions that a snapshot knows.
type Item struct {
	Kind    *Kind
	Name    string
	Entries []*Entry // highest version first
	Current *Entry   // nil if every version is marked away
}

// ID returns folder and name.
func (i *Item) ID() string { return i.Kind.Folder + "/" + i.Name }
