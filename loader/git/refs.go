package git

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"rulestore/content/i18n"
)

// OID is the id of an object: its SHA-1.
type OID [20]byte

// String returns the id in hex.
func (id OID) String() string { return hex.EncodeToString(id[:]) }

// IsZero reports whether the id is zero.
func (id OID) IsZero() bool { return id == OID{} }

// Ref is a tag: its name without refs/tags/ and its target, zero if what it says is no id, as after a
// crash.
type Ref struct {
	Name string
	OID  OID
}

// Refs is the state that determines what is served: one branch and all tags.
type Refs struct {
	Branch string // "HEAD" if no branch is checked out; the tag, or the abbreviated commit, if one was requested
	Commit OID
	Fixed  bool  // a tag or a commit: it does not move with pushes
	Head   bool  // the branch is HEAD's, so that the work tree belongs to it
	Tags   []Ref // sorted by name
}

// ErrEmpty is the error of [Repo.Refs] for a repository without a commit.
var ErrEmpty = i18n.Errorf("the repository has no commit yet")

// Refs lists the refs once. An empty branch is the one that HEAD names; a tag or the id of a
// commit, abbreviated to at least seven digits, can be given instead of a branch.
func (r *Repo) Refs(branch string) (Refs, error) {
	return r.RefsOf(branch, func(string) bool { return true })
}

// RefsOf is [Repo.Refs] with the tags whose names pass a filter. Others are not read, and take no memory.
func (r *Repo) RefsOf(branch string, keep func(tag string) bool) (Refs, error) {
	all := newRefList(branch, keep)
	if err := r.list(all); err != nil {
		return Refs{}, &ReadError{What: i18n.New("list refs"), Err: err}
	}
	all.head = all.named(all.head)
	refs := Refs{Tags: sortRefs(all.tags)}
	if !r.at.IsZero() {
		refs.Branch, refs.Commit, refs.Fixed = cmp.Or(r.branch, r.at.String()[:12]), r.at, true
		return refs, nil
	}
	name, commit, err := all.choose(branch)
	refs.Branch, refs.Commit = name, commit
	if err != nil {
		if name, commit, ok := r.fixed(branch, all.asked); ok {
			refs.Branch, refs.Commit, refs.Fixed = name, commit, true
			return refs, nil
		}
	}
	if errors.Is(err, errBrokenRef) {
		err = &ReadError{What: i18n.New("list refs"), Err: err}
	}
	refs.Head = refs.Branch == "HEAD" || all.head != "" && all.head == refs.Branch
	return refs, err
}

// list lists the refs of any repository, by go-git unless it is on disk.
func (r *Repo) list(l *refList) error {
	if r.files.gitDir != "" {
		return r.files.list(l)
	}
	it, err := r.refs.IterReferences()
	if err != nil {
		return err
	}
	defer it.Close()
	return it.ForEach(func(ref *plumbing.Reference) error {
		l.add(ref.Name().String(), ref.Strings()[1])
		return nil
	})
}

// refList is the refs found.
type refList struct {
	head     string // the branch that HEAD names, "" if it names none
	detached OID    // the commit that HEAD names, zero if it names none
	branches map[string]OID
	symbolic map[string]string // of the branches that name another one, that one
	broken   map[string]error  // why HEAD, or a branch, names nothing
	tags     []Ref             // those that are kept
	asked    OID               // of the tag that was asked for instead of a branch
	loose    map[string]bool   // names of the loose refs

	ask  string // the name of that tag
	keep func(tag string) bool
}

func newRefList(branch string, keep func(tag string) bool) *refList {
	return &refList{
		branches: map[string]OID{}, symbolic: map[string]string{}, broken: map[string]error{}, loose: map[string]bool{},
		ask: strings.TrimPrefix(branch, tagRefs), keep: keep,
	}
}

// wants reports whether a ref is needed.
func (l *refList) wants(name string) bool {
	tag, isTag := strings.CutPrefix(name, tagRefs)
	if !isTag {
		return true
	}
	return tag == l.ask || l.keep(tag)
}

const headRef, branchRefs, tagRefs = "HEAD", "refs/heads/", "refs/tags/"

// errBrokenRef is the error for a ref without a valid id, as after a crash.
var errBrokenRef = i18n.Errorf("is no id of an object")

// add adds a ref with its value in the form of a loose ref. Symbolic tags do not count. A broken ref
// concerns only who needs it.
func (l *refList) add(name, value string) {
	target, symbolic := strings.CutPrefix(value, "ref:")
	target = branchOf(strings.TrimSpace(target))
	id, err := ParseOID(value)
	tag, isTag := strings.CutPrefix(name, tagRefs)
	switch {
	case isTag && !symbolic:
		l.addTag(tag, id)
	case isTag:
	case symbolic && name == headRef:
		l.head = target
	case symbolic:
		l.symbolic[branchOf(name)] = target
	case err != nil || id.IsZero():
		l.broken[branchOf(name)] = i18n.Errorf(
			"what %s says, %.50q, %w; if that stays so, delete the file, or write the id of a commit into it", name,
			value, errBrokenRef,
		)
	case name == headRef:
		l.detached = id
	default:
		l.branches[branchOf(name)] = id
	}
}

func (l *refList) addTag(tag string, id OID) {
	if tag == l.ask {
		l.asked = id
	}
	if l.keep(tag) {
		l.tags = append(l.tags, Ref{tag, id})
	}
}

// maxSymbolic is how many branches in a row may name another one, as in git.
const maxSymbolic = 5

// named returns the branch that a branch names, itself if it is not symbolic.
func (l *refList) named(branch string) string {
	for range maxSymbolic {
		target, symbolic := l.symbolic[branch]
		if !symbolic {
			break
		}
		branch = target
	}
	return branch
}

// sortRefs sorts refs by name, without duplicates.
func sortRefs(refs []Ref) []Ref {
	slices.SortFunc(
		refs, func(a, b Ref) int { return cmp.Or(strings.Compare(a.Name, b.Name), bytes.Compare(a.OID[:], b.OID[:])) },
	)
	return slices.CompactFunc(refs, func(a, b Ref) bool { return a.Name == b.Name })
}

// maxNamed is the maximum number of branches in an error.
const maxNamed = 20

// choose finds the requested branch, or the one that HEAD names.
func (l *refList) choose(branch string) (string, OID, error) {
	if branch == "" && !l.detached.IsZero() {
		return headRef, l.detached, nil
	}
	if branch == "" && l.broken[headRef] != nil {
		return "", OID{}, l.broken[headRef]
	}
	branch = l.named(branchOf(cmp.Or(branch, l.head)))
	if commit, ok := l.branches[branch]; ok {
		return branch, commit, nil
	}
	if err := l.broken[branch]; err != nil {
		return "", OID{}, err
	}
	if len(l.branches) == 0 {
		return "", OID{}, i18n.Errorf(
			"%w, or no branch: commit your content or push the branch, then publish with a tag", ErrEmpty,
		)
	}
	names := slices.Sorted(maps.Keys(l.branches))
	if more := len(names) - maxNamed; more > 0 {
		names = append(names[:maxNamed], fmt.Sprintf("and %d more", more))
	}
	return "", OID{}, i18n.Errorf(
		"there is no branch, tag or commit %q: choose one with --ref: %s; or a tag, or at least 7 digits of a "+
			"commit's id",
		branch, strings.Join(names, ", "),
	)
}

// commitID matches full and abbreviated ids of commits.
var commitID = regexp.MustCompile(`^[0-9a-f]{7,40}$`)

// fixed finds the tag, which is zero if there is none, or the commit of that name.
func (r *Repo) fixed(name string, tag OID) (as string, commit OID, ok bool) {
	name = strings.TrimPrefix(name, tagRefs)
	if !tag.IsZero() {
		tag, err := r.Tag(tag)
		return name, tag.Commit, err == nil
	}
	if !commitID.MatchString(name) {
		return "", OID{}, false
	}
	commit, err := r.Resolve(name)
	if err != nil {
		return "", OID{}, false
	}
	return commit.String()[:12], commit, true
}

// branchOf returns the name of a branch without its prefix.
func branchOf(name string) string { return strings.TrimPrefix(name, branchRefs) }

// Hash identifies the state of the refs: equal hashes, equal content.
func (r Refs) Hash() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s\n", r.Commit, r.Branch)
	var line []byte
	for _, t := range r.Tags { // tens of thousands at every check
		line = append(hex.AppendEncode(line[:0], t.OID[:]), ' ')
		line = append(append(line, t.Name...), '\n')
		h.Write(line)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// ParseOID parses an id in hex.
func ParseOID(s string) (id OID, err error) {
	var digits [2 * len(id)]byte // no allocation: tens of thousands at every check
	if n := copy(digits[:], s); n == len(s) {
		n, err = hex.Decode(id[:], digits[:n])
		if err == nil && n == len(id) {
			return id, nil
		}
	}
	return OID{}, i18n.Errorf("%q is no object id", s)
}

// BlobOID returns the id that git gives a file with this content.
func BlobOID(raw []byte) OID { return OID(plumbing.ComputeHash(plumbing.BlobObject, raw)) }
