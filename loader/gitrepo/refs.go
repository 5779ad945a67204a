package gitrepo

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// OID names an object: its SHA-1.
type OID [20]byte

// String returns the id in hex.
func (id OID) String() string { return hex.EncodeToString(id[:]) }

// IsZero says whether the id names nothing.
func (id OID) IsZero() bool { return id == OID{} }

// Ref is a tag: its name without refs/tags/ and what it points to.
type Ref struct {
	Name string
	OID  OID
}

// Refs is what decides what is served: one branch and all tags.
type Refs struct {
	Branch string // "HEAD" if no branch is checked out
	Commit OID
	Head   bool  // the branch is the one that HEAD names: the work tree belongs to it
	Tags   []Ref // sorted by name
}

// ErrEmpty is what [Repo.Refs] returns for a repository without a commit.
var ErrEmpty = errors.New("the repository has no commit yet")

// Refs lists the refs once. An empty branch means the one that HEAD names.
func (r *Repo) Refs(branch string) (Refs, error) {
	it, err := r.st.IterReferences()
	if errors.Is(err, dotgit.ErrEmptyRefFile) {
		return Refs{}, &ReadError{"list refs", fmt.Errorf("%w: if that stays so, `git for-each-ref` names the file; delete it", err)}
	} else if err != nil {
		return Refs{}, &ReadError{"list refs", err}
	}
	defer it.Close()
	var refs Refs
	var head *plumbing.Reference
	branches := map[string]OID{}
	err = it.ForEach(func(ref *plumbing.Reference) error {
		switch name := ref.Name(); {
		case name == plumbing.HEAD:
			head = ref
		case ref.Type() != plumbing.HashReference:
		case name.IsBranch():
			branches[branchOf(name)] = OID(ref.Hash())
		case name.IsTag():
			refs.Tags = append(refs.Tags, Ref{strings.TrimPrefix(name.String(), "refs/tags/"), OID(ref.Hash())})
		}
		return nil
	})
	if err != nil {
		return Refs{}, &ReadError{"list refs", err}
	}
	sortRefs(refs.Tags)
	if !r.at.IsZero() {
		refs.Branch, refs.Commit = r.at.String()[:12], r.at
		return refs, nil
	}
	refs.Branch, refs.Commit, err = choose(branch, head, branches)
	refs.Head = refs.Branch == "HEAD" || head != nil && branchOf(head.Target()) == refs.Branch
	return refs, err
}

func sortRefs(refs []Ref) {
	slices.SortFunc(refs, func(a, b Ref) int { return cmp.Compare(a.Name, b.Name) })
}

// maxNamed is how many branches an error names.
const maxNamed = 20

// choose finds the branch asked for, or the one that HEAD names.
func choose(branch string, head *plumbing.Reference, branches map[string]OID) (string, OID, error) {
	if branch == "" && head != nil {
		if head.Type() == plumbing.HashReference {
			return "HEAD", OID(head.Hash()), nil
		}
		branch = head.Target().String()
	}
	branch = branchOf(plumbing.ReferenceName(branch))
	if commit, ok := branches[branch]; ok {
		return branch, commit, nil
	}
	if len(branches) == 0 {
		return "", OID{}, fmt.Errorf("%w: commit your content, then publish it with a tag", ErrEmpty)
	}
	var names []string
	for name := range branches {
		names = append(names, name)
	}
	slices.Sort(names)
	if more := len(names) - maxNamed; more > 0 {
		names = append(names[:maxNamed], fmt.Sprintf("and %d more", more))
	}
	return "", OID{}, fmt.Errorf("there is no branch %q: choose one with --ref: %s", branch, strings.Join(names, ", "))
}

// branchOf returns the branch's name; go-git's own way cuts it at exotic spaces.
func branchOf(name plumbing.ReferenceName) string {
	return strings.TrimPrefix(name.String(), "refs/heads/")
}

// Hash identifies the state of the refs: equal hashes, equal content.
func (r Refs) Hash() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s\n", r.Commit, r.Branch)
	var line []byte
	for _, t := range r.Tags { // tens of thousands, at every look
		line = append(hex.AppendEncode(line[:0], t.OID[:]), ' ')
		line = append(append(line, t.Name...), '\n')
		h.Write(line)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// ParseOID reads an id in hex.
func ParseOID(s string) (OID, error) {
	raw, err := hex.DecodeString(s)
	if err != nil || len(raw) != len(OID{}) {
		return OID{}, fmt.Errorf("%q is no object id", s)
	}
	return OID(raw), nil
}

// BlobOID returns the id that git gives a file with this content.
func BlobOID(raw []byte) OID { return OID(plumbing.ComputeHash(plumbing.BlobObject, raw)) }
