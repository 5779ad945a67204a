package gitrepo

import (
	"bufio"
	"fmt"
	"io"
)

// Bundle is what is to be given away of a repository: a branch, and the tags.
type Bundle struct {
	Dir    string // the git directory, where the objects are; empty if nothing can be given
	Branch string // by full name
	Refs   []Ref  // the branch and the tags, by full name, sorted
}

// Bundle returns what is given away of the repository where refs, which [Repo.Refs] found,
// are served. The branch is main where a tag or a commit is served in place of one. Nothing
// can be given of what is in memory, nor where only a folder is served: what others commit
// beside it is not ours to give.
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

// State names what is given away. Who has the same needs nothing.
func (b Bundle) State() string { return StateOf(b.Branch, b.Refs) }

// WriteHeader writes what comes before the pack of a bundle (git help format-bundle). need
// is the commit that it builds on, zero for none.
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
