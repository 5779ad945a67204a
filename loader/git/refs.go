package git

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
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

	list *refList // as which they were listed
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
	all := newList(strings.TrimPrefix(branch, tagRefs), keep)
	if err := r.list(all); err != nil {
		return Refs{}, &ReadError{What: i18n.New("list refs"), Err: err}
	}
	refs := Refs{Tags: sortRefs(all.tags), list: all}
	if !r.at.IsZero() {
		refs.Branch, refs.Commit, refs.Fixed = r.at.String()[:12], r.at, true
		return refs, nil
	}
	var err error
	if refs.Branch, refs.Commit, err = all.choose(branch); err != nil {
		if name, commit, ok := r.fixed(branch, all.asked); ok {
			return Refs{Branch: name, Commit: commit, Fixed: true, Tags: refs.Tags, list: all}, nil
		}
	}
	if errors.Is(err, errBrokenRef) {
		err = &ReadError{What: i18n.New("list refs"), Err: err}
	}
	head, _, _ := all.follow(headRef)
	refs.Head = refs.Branch != "" && refs.Branch == branchOf(head)
	return refs, err
}

// Still reports whether the refs are those that [Repo.RefsOf] has listed with the same arguments.
func (r *Repo) Still(listed Refs, branch string, keep func(tag string) bool) (bool, error) {
	if r.untouched(listed.list) {
		return true, nil
	}
	now, err := r.RefsOf(branch, keep)
	return err == nil && now.Hash() == listed.Hash(), err
}

// untouched reports whether the files are those that were listed: loose refs say the same, and git has put no other
// file in the place of the packed ones.
func (r *Repo) untouched(before *refList) bool {
	if r.files.gitDir == "" || before.packed == nil {
		return false
	}
	now := newList(before.ask, before.keep)
	path, err := r.files.listLoose(now)
	info, e := os.Stat(path)
	return err == nil && e == nil && maps.Equal(now.loose, before.loose) && os.SameFile(info, before.packed) &&
		info.Size() == before.packed.Size() && info.ModTime().Equal(before.packed.ModTime())
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
	says  map[string]string // of HEAD and the branches: an id, or the name of another ref
	tags  []Ref             // those that are kept
	asked OID               // of the tag that was asked for instead of a branch
	loose map[string]string // the values of the loose refs

	packed fs.FileInfo // of the file of the packed refs; nil if there is none

	ask  string // the name of that tag
	keep func(tag string) bool
}

func newList(ask string, keep func(tag string) bool) *refList {
	return &refList{says: map[string]string{}, loose: map[string]string{}, ask: ask, keep: keep}
}

// wants reports whether a ref is needed.
func (l *refList) wants(name string) bool {
	tag, isTag := strings.CutPrefix(name, tagRefs)
	return !isTag || tag == l.ask || l.keep(tag)
}

const headRef, branchRefs, tagRefs = "HEAD", "refs/heads/", "refs/tags/"

// errBrokenRef is the error for a ref without a valid id, as after a crash.
var errBrokenRef = i18n.Errorf("is no id of an object")

// add adds a ref with its value in the form of a loose ref. Symbolic tags do not count.
func (l *refList) add(name, value string) {
	tag, isTag := strings.CutPrefix(name, tagRefs)
	if !isTag {
		l.says[name] = value
		return
	}
	if strings.HasPrefix(value, symbolic) {
		return
	}
	id, _ := ParseOID(value)
	if tag == l.ask {
		l.asked = id
	}
	if l.keep(tag) {
		l.tags = append(l.tags, Ref{tag, id})
	}
}

// symbolic is how the value of a ref begins that names another one, and maxSymbolic how many may do so in a row, as in
// git.
const symbolic, maxSymbolic = "ref:", 6

// follow returns the last of the refs that name one another, and its commit: none if it does not exist. A broken ref
// concerns only who needs it.
func (l *refList) follow(name string) (last string, commit OID, err error) {
	for range maxSymbolic {
		value, exists := l.says[name]
		target, isName := strings.CutPrefix(value, symbolic)
		if isName {
			name = strings.TrimSpace(target)
			continue
		}
		if commit, err = ParseOID(value); exists && (err != nil || commit.IsZero()) {
			return name, OID{}, i18n.Errorf(
				"what %s says, %.50q, %w; if that stays so, delete the file, or write the id of a commit into it", name,
				value, errBrokenRef,
			)
		}
		break
	}
	return name, commit, nil
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
	ref := headRef
	if branch != "" {
		ref = branchRefs + branchOf(branch)
	}
	ref, commit, err := l.follow(ref)
	if err != nil {
		return "", OID{}, err
	}
	if branch = branchOf(ref); !commit.IsZero() {
		return branch, commit, nil
	}
	var names []string
	for ref, value := range l.says {
		if _, err := ParseOID(value); err == nil && ref != headRef {
			names = append(names, branchOf(ref))
		}
	}
	if len(names) == 0 {
		return "", OID{}, i18n.Errorf(
			"%w, or no branch: commit your content or push the branch, then publish with a tag", ErrEmpty,
		)
	}
	slices.Sort(names)
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
	raw, err := hex.DecodeString(s)
	if err != nil || len(raw) != len(id) {
		return OID{}, i18n.Errorf("%q is no object id", s)
	}
	return OID(raw), nil
}

// BlobOID returns the id that git gives a file with this content.
func BlobOID(raw []byte) OID { return OID(plumbing.ComputeHash(plumbing.BlobObject, raw)) }
