package author

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/git"
)

// Mode selects a part of publishing.
type Mode int

const (
	// Publish writes the seals on the served branch, commits them and tags.
	Publish Mode = iota
	// Prepare writes and commits the seals on another branch, for a pull request.
	Prepare
	// Tag creates the missing tags of seals on the served branch.
	Tag
)

// Options are the options of a plan.
type Options struct {
	Mode    Mode
	Schemas content.Schemas
	Ref     string                // the served branch; "" to detect it
	Items   []string              // the items to publish, in the forms of [Find]; none: all drafts
	Ask     map[string]change.Ask // version requests, by item
	Bump    change.Bump           // the increment for every item without a request in Ask
	Release *semver.Version       // a release of the product to create too, or nil
	Loader  *loader.Loader        // one that has loaded the repository before; may be nil
	Cache   *loader.Cache         // of the content of files; may be nil
	At      time.Time             // time of publication, if it is in the future
	Push    bool
}

// Plan is a planned publication. It can be used for one [Plan.Apply].
type Plan struct {
	Branch string    // for the seals or the tags
	Remote string    // for the push, "" if there is none
	Steps  []TagStep // the tags, in the order of creation
	// Pushed lists existing tags that are pushed too.
	Pushed []string
	// Restored lists the tags whose seals a commit removed, by reverting a pull request for
	// example. They are still in force and are written again.
	Restored []string
	// Unsealed lists tags made by hand that are sealed now.
	Unsealed []string
	// Withdrawn lists the tags whose seals an earlier --prepare wrote on this branch and that
	// are removed, because their files have changed since.
	Withdrawn []string
	// Deferred lists the items that are left out because their date is in the future.
	Deferred []DeferredItem
	// Obstacles are the reasons why nothing can be published now, with remedies. Only a plan of
	// [Repository.Next] has any.
	Obstacles []error
	// Warnings are for the author: sealed publications that cannot be tagged, because their
	// content was not found.
	Warnings []i18n.Text

	repo    *Repository
	base    string            // the commit at the head
	seals   sealFiles         // their planned content
	before  sealFiles         // their content at the head
	places  map[string]string // paths of the files of items at the head
	created []TagStep         // steps whose tags Apply has created
	commit  string            // made by Apply, "" if none
	mode    Mode

	elsewhere map[string]string // the seals of the served branch by tag, if that is not the plan's

	pushes    bool // there is something to push
	branchToo bool // including the branch
}

// TagStep is the creation of one tag, by a plan.
type TagStep struct {
	Tag     string
	Old     *semver.Version // the previous version, nil if this is the first
	Why     i18n.Text       // in one sentence
	Fields  []change.Field  // the differences from the previous version
	Class   change.Class    // of the change; none if only the tag is missing
	Message string
	Notes   []i18n.Text   // for the author: who is affected, and when
	Seal    *content.Seal // to be written; nil if it exists already

	commit string // to tag; "" for the commit of the seals
	was    string // the object of the tag, if it exists on a commit that was left behind
}

// Empty reports whether there is nothing to do.
func (p *Plan) Empty() bool {
	return len(p.Steps)+len(p.Restored)+len(p.Unsealed)+len(p.Withdrawn) == 0 && !p.pushes
}

// Served reports whether a version is sealed on the served branch while the plan is for another
// branch: it is then decided on the served branch.
func (p *Plan) Served(tag string) bool { return p.elsewhere[tag] != "" }

// planner is a plan that is being computed.
type planner struct {
	*Plan
	Options
	r        *Repository
	target   string // the served branch
	now      time.Time
	tags     map[string]tagRef
	merged   map[string]bool   // tags that are reachable from the head
	onRemote *remoteRefs       // refs of the remote repository, if the plan pushes to it
	snapshot *content.Snapshot // with drafts
	report   content.Report
	public   *content.Snapshot // without them; nil if nothing is published yet
	resumed  []content.Seal
	// uncommitted files, if they are an obstacle
	dirt    []string
	preview bool // the plan will not be applied
	// lines of the served branch by tag, as far as this clone has it
	served map[string]string
	// the refs that have these lines, by tag
	servedBy map[string]string
	// seals of this branch alone are written anew
	rewrites bool
	own      map[string]content.Seal                             // such seals at the head, by line
	sealedOn func(*content.Publication) (commit string, ok bool) // see [loader.Loader.SealedOn]
}

// Plan computes what publishing would do, or the reason why it is impossible. It changes
// nothing.
func (r *Repository) Plan(ctx context.Context, o Options) (*Plan, error) {
	return r.plan(ctx, &planner{Plan: &Plan{repo: r, mode: o.Mode}, Options: o, r: r})
}

// Next computes the next publication from a branch, assuming that everything is committed and
// fixed: it is the plan of [Repository.Plan], with the reasons why that is impossible now as
// its obstacles. It cannot be applied.
func (r *Repository) Next(ctx context.Context, o Options) (*Plan, error) {
	return r.plan(ctx, &planner{Plan: &Plan{repo: r, mode: o.Mode}, Options: o, r: r, preview: true})
}

// refuse is the error if the plan cannot be applied.
func (p *planner) refuse(err error) error {
	if p.preview {
		p.Obstacles = append(p.Obstacles, err)
		return nil
	}
	return err
}

func (r *Repository) plan(ctx context.Context, p *planner) (*Plan, error) {
	o := p.Options
	steps := []func(context.Context) error{
		p.checkBranch, p.readTags, p.readSeals, p.readPlaces, p.load, p.resume, p.missingTags, p.review,
	}
	if o.Mode != Tag {
		steps = append(steps, p.draft)
	}
	steps = append(steps, p.release, p.checkTags, p.unpushed)
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return p.Plan, nil
}

// readPlaces reads the paths of the files of items.
func (p *planner) readPlaces(context.Context) (err error) {
	p.places, err = readAt(p.r, p.base, loader.ReadPlaces)
	return err
}

// checkBranch reads the state of the author's branch, and verifies that it is the right one.
func (p *planner) checkBranch(ctx context.Context) (err error) {
	if err := p.readBranch(ctx); err != nil {
		return err
	}
	if p.Remote, err = p.r.remote(ctx, p.Branch); err != nil {
		return err
	}
	if p.Push && p.Remote != "" {
		if p.onRemote, err = p.r.remoteRefs(ctx, p.Remote, p.Branch); err != nil {
			return err
		}
	}
	if p.target, err = p.servedBranch(ctx); err != nil {
		return err
	}
	if p.now, err = p.r.now(ctx); err != nil {
		p.now = time.Now()
		if err = p.refuse(err); err != nil {
			return err
		}
	}
	if err := p.misplaced(); err != nil {
		return p.refuse(err)
	}
	return nil
}

// readBranch reads the author's branch and its head.
func (p *planner) readBranch(ctx context.Context) (err error) {
	if p.base, err = p.r.head(ctx); err != nil {
		if answeredNo(err) {
			return i18n.Errorf("the repository has no commit yet: commit your content first")
		}
		return err
	}
	if p.Branch, err = p.r.branch(ctx); err != nil {
		if err = p.refuse(err); err != nil {
			return err
		}
	}
	if !p.preview || p.Ref == "" || p.Ref == p.Branch {
		return nil
	}
	p.Branch = p.Ref // the plan is for another branch than the current one
	p.base, _, err = p.r.resolve(ctx, "refs/heads/"+p.Ref+"^{commit}")
	return errors.Join(err, p.refuse(i18n.Errorf("branch %s is not checked out: `git switch %[1]s` first", p.Ref)))
}

// servedBranch returns the branch whose tags publish: the requested one, else the one that the remote
// repository's HEAD names, by its own word if the plan pushes, else main if it exists, else the current one.
func (p *planner) servedBranch(ctx context.Context) (string, error) {
	switch {
	case p.Ref != "":
		return p.Ref, nil
	case p.onRemote != nil && p.onRemote.head != "":
		return p.onRemote.head, nil
	case p.Remote != "":
		prefix := "refs/remotes/" + p.Remote + "/"
		out, err := p.r.git(ctx, "symbolic-ref", "--quiet", prefix+"HEAD")
		if err == nil {
			return strings.TrimPrefix(strings.TrimSpace(out), prefix), nil
		}
		if !answeredNo(err) {
			return "", err
		}
	}
	_, found, err := p.r.resolve(ctx, "refs/heads/"+git.Branch)
	if found || err != nil {
		return git.Branch, err
	}
	return p.Branch, nil
}

// misplaced returns why nothing can be published in this way from the author's branch.
func (p *planner) misplaced() error {
	switch {
	case p.Push && p.Remote == "":
		return i18n.Errorf("there is no remote repository to push to: `git remote add origin URL`")
	case p.Mode == Prepare && p.Branch == p.target:
		return i18n.Errorf(
			"%s is the served branch, there is nothing to prepare: publish without --prepare, or `git switch -c "+
				"<branch>` for a pull request",
			p.Branch,
		)
	case p.Mode == Prepare && p.Release != nil:
		return i18n.Errorf(
			"a release is a tag, which belongs to the merged commit: give --release with --tag, after the merge",
		)
	case p.Mode != Prepare && p.Branch != "" && p.Branch != p.target: // "" is refused as such
		err := i18n.Errorf(
			"branch %s is not the served one, %s: merge it first, or write the seals for its pull request with "+
				"--prepare (--ref names another served branch)",
			p.Branch, p.target,
		)
		if p.Ref == "" && p.Remote != "" && p.onRemote == nil {
			err = i18n.Errorf("%w; if the branch was renamed there: `git remote set-head %s -a`", err, p.Remote)
		}
		return err
	}
	return nil
}

// readTags reads the tags, here and, if the plan pushes, in the remote repository.
func (p *planner) readTags(ctx context.Context) (err error) {
	if p.tags, err = p.r.tagRefs(ctx); err != nil || p.onRemote == nil {
		return err
	}
	merged, err := p.r.tagRefs(ctx, "--merged="+p.base)
	if err != nil {
		return err
	}
	p.merged = map[string]bool{}
	for tag := range merged {
		p.merged[tag] = true
	}
	if p.onRemote.branch == "" || p.Mode == Prepare {
		return nil
	}
	known, err := p.r.reaches(ctx, p.base, p.onRemote.branch)
	if err == nil && !known {
		err = i18n.Errorf(
			"%s has commits on %s that you do not have: `git pull --rebase`, then publish again", p.Remote, p.Branch,
		)
	}
	return err
}
