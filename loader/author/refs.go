package author

import (
	"context"
	"errors"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
)

// tagRef is a tag: its object and, if it is annotated, the target.
type tagRef struct{ oid, commit string }

// tagRefs lists the tags of publications and releases of the content, filtered by options.
func (r *Repository) tagRefs(ctx context.Context, options ...string) (map[string]tagRef, error) {
	args := append([]string{"for-each-ref", "--format=%(refname:strip=2) %(objectname) %(*objectname)"}, options...)
	args = append(args, r.tagRef("v*"))
	for _, k := range content.Kinds { // of others git would read the objects, which may be missing
		args = append(args, r.tagRef(k.Folder))
	}
	out, err := r.git(ctx, args...)
	if err != nil {
		return nil, err
	}
	tags := map[string]tagRef{}
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		f[0] = strings.TrimPrefix(f[0], r.prefix())
		if _, err := content.ParseTag(f[0]); errors.Is(err, content.ErrForeignTag) {
			continue
		}
		tags[f[0]] = tagRef{f[1], f[len(f)-1]}
	}
	return tags, nil
}

// remoteRefs are the refs of a remote repository.
type remoteRefs struct {
	head   string            // the branch that its HEAD names, "" if that is not known
	branch string            // the commit of the branch, "" if it has none
	tags   map[string]string // their objects
}

// remoteRefs lists the refs of the remote repository.
func (r *Repository) remoteRefs(ctx context.Context, remote, branch string) (*remoteRefs, error) {
	ref := "refs/heads/" + branch
	out, err := r.git(ctx, "ls-remote", "--symref", "--end-of-options", remote, "HEAD", ref, r.tagRef("*"))
	if err != nil {
		return nil, i18n.Errorf(
			"%s cannot be reached, and nothing was changed; publish without --push, or again when it can be:\n\t%w",
			remote, err,
		)
	}
	refs := &remoteRefs{tags: map[string]string{}}
	for line := range strings.Lines(out) {
		value, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		tag, isTag := strings.CutPrefix(name, r.tagRef(""))
		target, symbolic := strings.CutPrefix(value, "ref: ")
		switch {
		case symbolic && name == "HEAD":
			refs.head = strings.TrimPrefix(target, "refs/heads/")
		case isTag && !strings.HasSuffix(tag, "^{}"): // the latter is what the tag points to
			refs.tags[tag] = value
		case name == ref:
			refs.branch = value
		}
	}
	return refs, nil
}
