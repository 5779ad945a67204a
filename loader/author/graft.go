package author

import (
	"context"
	"errors"
	"strings"

	"rulestore/content/i18n"
	"rulestore/loader/gitrepo"
)

// Graft merges the main branch of another repository, which has files only in a folder that
// does not exist here, into the current branch, and copies its tags, which begin with the
// folder. Nothing existing is overwritten; an error leaves everything unchanged.
func (r *Repository) Graft(ctx context.Context, from, folder, message string) error {
	if _, err := r.branch(ctx); err != nil {
		return err
	}
	tags, err := r.tagsIn(ctx, folder)
	if err == nil && len(tags) > 0 {
		err = i18n.Errorf(
			"there are tags that begin with %s/ already, such as %s: choose another folder", folder, tags[0],
		)
	}
	if err != nil {
		return err
	}
	if _, err := r.git(
		ctx, "fetch", "--quiet", "--no-tags", "--end-of-options", from, "refs/heads/"+gitrepo.Branch,
	); err != nil {
		return err
	}
	commit, _, err := r.resolve(ctx, "FETCH_HEAD")
	if err != nil {
		return err
	}
	_, err = r.git(
		ctx, "fetch", "--quiet", "--atomic", "--no-tags", "--end-of-options", from, "refs/tags/*:refs/tags/*",
	)
	if err == nil {
		err = r.merge(ctx, commit, message)
	}
	if err != nil {
		return errors.Join(err, r.ungraft(context.WithoutCancel(ctx), folder))
	}
	return nil
}

// tagsIn lists the tags that begin with a folder.
func (r *Repository) tagsIn(ctx context.Context, folder string) ([]string, error) {
	out, err := r.git(ctx, "for-each-ref", "--format=%(refname:strip=2)", "refs/tags/"+folder)
	return strings.Fields(out), err
}

// merge merges a commit that has no common ancestor with the current one.
func (r *Repository) merge(ctx context.Context, commit, message string) error {
	how := []string{"--no-ff", "--allow-unrelated-histories", "--message=" + message}
	if _, err := r.head(ctx); answeredNo(err) {
		how = []string{"--ff-only"} // there is nothing to merge it with
	}
	_, err := r.git(ctx, append(append([]string{"merge", "--quiet"}, how...), commit)...)
	return err
}

// ungraft undoes a failed merge, and the tags.
func (r *Repository) ungraft(ctx context.Context, folder string) error {
	_, begun, err := r.resolve(ctx, "MERGE_HEAD")
	if begun {
		_, err = r.git(ctx, "merge", "--abort")
	}
	tags, e := r.tagsIn(ctx, folder)
	if err = errors.Join(err, e); err != nil || len(tags) == 0 {
		return err
	}
	_, err = r.run(ctx, command{
		args:  []string{"update-ref", "--stdin"},
		stdin: "delete refs/tags/" + strings.Join(tags, "\ndelete refs/tags/") + "\n",
	})
	return err
}
