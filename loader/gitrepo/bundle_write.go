package gitrepo

import (
	"bufio"
	"fmt"
	"io"
)

// Bundle is the content of a bundle: a branch, and the tags.
type Bundle struct {
	Dir    string // the git directory with the objects; empty if no bundle can be made
	Branch string // full name
	Refs   []Ref  // the branch and the tags, by full name, sorted
}

// Bundle returns the content of a bundle for refs, which [Repo.Refs] returned. The branch is
// main if a tag or a commit is served instead of one. No bundle can be made of a repository in
// memory, nor if only a folder is served, because commits outside it must not be published.
func (r *Repo) Bundle(refs Refs) Bundle {
	if r.folder != "" {
		return Bundle{}
	}
	branch := refs.Branch
	if refs.Fixed || branch == headRef {
		branch = Branch
	}
	b := Bundle{Dir: r.files.gitDir, Branch: branchRefs + branch}
	b.Refs = append(b.Refs, Ref{b.Branch, refs.Commit})
	for _, t := range refs.Tags {
		b.Refs = append(b.Refs, Ref{tagRefs + r.FullTag(t.Name), t.OID})
	}
	sortRefs(b.Refs)
	return b
}

// State identifies the content: clients with the same state need no bundle.
func (b Bundle) State() string { return StateOf(b.Branch, b.Refs) }

// WriteHeader writes the header of a bundle, which precedes the pack (git help format-bundle).
// need is the prerequisite commit, zero for none.
func (b Bundle) WriteHeader(w io.Writer, need OID) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "# v2 git bundle")
	if !need.IsZero() {
		fmt.Fprintf(out, "-%s \n", need)
	}
	if head, ok := tip(b.Branch, b.Refs); ok {
		fmt.Fprintf(out, "%s HEAD\n", head)
	}
	for _, r := range b.Refs {
		fmt.Fprintf(out, "%s %s\n", r.OID, r.Name)
	}
	fmt.Fprintln(out)
	return out.Flush()
}
