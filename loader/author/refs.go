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
	branch string            // the commit of the branch, "" if it has none
	tags   map[string]string // their objects
}

// remoteRefs lists the refs of the remote repository.
func (r *Repository) remoteRefs(ctx context.Context, remote, branch string) (*remoteRefs, error) {
	ref := "refs/heads/" + branch
	out, err := r.git(ctx, "ls-remote", "--refs", "--end-of-options", remote, ref, r.tagRef("*"))
	if err != nil {
		return nil, i18n.Errorf(
			"%s cannot be reached, and nothing was changed; publish without --push, or again when it can be:\n\t%w",
			remote, err,
		)
	}
	refs := &remoteRefs{tags: map[string]string{}}
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) != 2 {
			continue
		}
		if tag, ok := strings.CutPrefix(f[1], r.tagRef("")); ok {
			refs.tags[tag] = f[0]
		} else if f[1] == ref {
			refs.branch = f[0]
		}
	}
	return refs, nil
}
