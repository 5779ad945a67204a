package author

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rulestore/content"
)

// brokenPush is a push of which nobody knows whether it arrived.
type brokenPush struct{ err error }

func (e brokenPush) Unwrap() error { return e.err }

func (e brokenPush) Error() string {
	return fmt.Sprintf("the push broke off: %v\nwhat was made here is kept; once the network is back, run the same command again and it goes on", e.err)
}

// unpushed plans what the remote repository lacks of earlier publications, and
// makes sure that it has the commits that are to be tagged.
func (p *planner) unpushed(ctx context.Context) error {
	if p.there == nil {
		return nil
	}
	p.branchToo = p.Mode != Tag && (p.there.branch != p.base || p.seals != p.before)
	if p.Mode != Prepare {
		sealed := tagsOf(p.before)
		for tag := range p.tags {
			t, err := content.ParseTag(tag)
			if err == nil && !p.there.tags[tag] && p.merged[tag] && (t.Kind == nil || slices.Contains(sealed, tag)) {
				p.Pushed = append(p.Pushed, tag)
			}
		}
		slices.Sort(p.Pushed)
	}
	p.pushes = len(p.Pushed)+len(p.Steps)+len(p.Restored) > 0 || p.Mode == Prepare && p.branchToo
	if p.Mode != Tag {
		return nil
	}
	for _, s := range p.Steps {
		commit := s.commit
		if commit == "" {
			commit = p.base
		}
		there, err := p.r.reaches(ctx, p.there.branch, commit)
		if err != nil {
			return err
		}
		if !there {
			return fmt.Errorf("commit %s is not part of %s on %s yet: merge it there, `git pull`, then tag", commit[:12], p.Branch, p.Remote)
		}
	}
	return nil
}

// push sends everything at once: either all of it arrives, or nothing.
func (p *Plan) push(ctx context.Context) error {
	args := []string{"push", "--atomic", "--porcelain", "--end-of-options", p.Remote}
	if p.branchToo {
		args = append(args, "HEAD:refs/heads/"+p.Branch)
	}
	for _, tag := range slices.Concat(p.made, p.Pushed) {
		args = append(args, "refs/tags/"+tag)
	}
	out, err := p.repo.git(ctx, args...)
	if err == nil {
		return nil
	}
	var refused []string
	for line := range strings.Lines(out) {
		if rest, ok := strings.CutPrefix(line, "!\t"); ok {
			refused = append(refused, strings.TrimSpace(rest))
		}
	}
	if len(refused) == 0 && !strings.Contains(err.Error(), "does not support --atomic") {
		return brokenPush{err}
	}
	return fmt.Errorf("%s refuses the push:\n\t%s\n%w\nif the branch is protected, publish with --prepare in a pull request and with --tag after its merge; if somebody else was faster, `git pull --rebase` and publish again",
		p.Remote, strings.Join(refused, "\n\t"), err)
}
