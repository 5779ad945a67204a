package author

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
	"rulestore/loader"
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

	show // see [Repository.Next]
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
	At      time.Time             // time of publication, if it is in the future
	Push    bool
}

// Plan is a planned publication.
type Plan struct {
	Branch string   // for the seals or the tags
	Remote string   // for the push, "" if there is none
	Tags   []NewTag // in the order of creation; of a preparation those to create after the merge
	Others []Other  // earlier publications to which something happens, too
	// Deferred lists the items that are left out: their date is in the future, they have mistakes, or they are not
	// committed.
	Deferred []DeferredItem
	// Obstacles are the reasons why nothing can be published now, with remedies. Only a plan of
	// [Repository.Next] has any.
	Obstacles []Obstacle
	// Warnings are for the author: sealed publications that cannot be tagged, because their
	// content was not found.
	Warnings []i18n.Text
	// Steps are what [Repository.Apply] does.
	Steps []Step

	elsewhere map[string]string // the seals of the served branch by tag, if that is not the plan's
	after     sealFiles         // the planned content of the files of seals
	gone      []string          // lines that are taken out of them
}

// Other is the tag of a publication that was made before, and what a plan does about it.
type Other struct {
	Tag  string
	What Touch
}

// Touch is what a plan does about a publication that was made before.
type Touch int

const (
	// Restored is a seal that a commit removed, by reverting a pull request for example. It is still in force and
	// is written again.
	Restored Touch = iota
	// Sealed is a tag made by hand that is sealed now.
	Sealed
	// Withdrawn is a seal that an earlier --prepare wrote on this branch and that is removed, because its file
	// has changed since.
	Withdrawn
	// Pushed is an existing tag that is pushed too.
	Pushed
)

// touches say it.
var touches = map[Touch]i18n.Text{
	Restored:  i18n.New("its seal is in force and missing, to be written again"),
	Sealed:    i18n.New("tagged by hand, to be sealed"),
	Withdrawn: i18n.New("the seal that this branch prepared is to be taken back, what it seals is not there any more"),
	Pushed:    i18n.New("made already, to be pushed"),
}

// Localize implements [i18n.Localizable].
func (o Other) Localize() i18n.Text {
	return i18n.New("%s: %s", content.Printable(o.Tag), touches[o.What])
}

// String returns what happens to it in English.
func (o Other) String() string { return o.Localize().String() }

// those returns the tags to which something happens.
func (p *Plan) those(what Touch) (tags []string) {
	for _, o := range p.Others {
		if o.What == what {
			tags = append(tags, o.Tag)
		}
	}
	return tags
}

func (p *Plan) touch(what Touch, tag string) { p.Others = append(p.Others, Other{tag, what}) }

// NewTag is a tag of a plan: of a publication or of a release.
type NewTag struct {
	Tag     string          `json:"tag"`
	Old     *semver.Version `json:"old,omitempty"` // the previous version, nil if this is the first
	Class   change.Class    `json:"class"`         // of the change; none if only the tag is missing
	Why     i18n.Text       `json:"why"`           // in one sentence
	Message string          `json:"message"`
	Fields  []change.Field  `json:"-"` // the differences from the previous version
	Notes   []i18n.Text     `json:"-"` // for the author: who is affected, and when
	Seal    *content.Seal   `json:"-"` // to be written; nil if it exists already

	commit string // to tag; "" for the commit of the seals
	was    string // the object of the tag, if it exists on a commit that was left behind
	since  string // the commit of the publication before it
}

// DeferredItem is an item that is left out, with the reason.
type DeferredItem struct {
	Item string   `json:"item"`
	Why  Obstacle `json:"why"`
}

// Obstacle is why something cannot be published, with the remedy. It is English in JSON.
type Obstacle struct{ Reason error }

// Error implements error.
func (o Obstacle) Error() string { return o.Reason.Error() }

// Unwrap returns the reason.
func (o Obstacle) Unwrap() error { return o.Reason }

// MarshalText writes what the error says.
func (o Obstacle) MarshalText() ([]byte, error) { return []byte(o.Error()), nil }

// Empty reports whether there is nothing to do.
func (p *Plan) Empty() bool { return len(p.Steps) == 0 }

// Served reports whether a version is sealed on the served branch while the plan is for another
// branch: it is then decided on the served branch.
func (p *Plan) Served(tag string) bool { return p.elsewhere[tag] != "" }

// Plan computes what publishing would do, or the reason why it is impossible. It changes
// nothing.
func (r *Repository) Plan(ctx context.Context, o Options) (*Plan, error) {
	f, err := r.readFacts(ctx, o)
	if err != nil {
		return nil, err
	}
	p := f.plan(o)
	if len(p.Obstacles) > 0 && o.Mode != show {
		return nil, p.Obstacles[0]
	}
	for i := range p.Tags {
		if err := r.addTrailer(ctx, f, &p.Tags[i]); err != nil {
			return nil, err
		}
	}
	for _, line := range p.gone {
		if err := r.warnOfRebase(ctx, f, p, line); err != nil {
			return nil, err
		}
	}
	p.Steps = p.steps(f, o)
	return p, nil
}

// Next computes the next publication from a branch, assuming that everything is committed and
// fixed: it is the plan of [Repository.Plan], with the reasons why that is impossible now as
// its obstacles. It cannot be applied.
func (r *Repository) Next(ctx context.Context, o Options) (*Plan, error) {
	o.Mode = show
	return r.Plan(ctx, o)
}

// planner is a plan that is being computed.
type planner struct {
	*Plan
	*facts
	Options
	dirt bool                    // what has to be committed first is not seals alone
	own  map[string]content.Seal // seals at the head that only this branch has, by line: they are written anew

	// unfinished are the items that were not asked for by name and are left out: they have mistakes, or are not
	// committed.
	unfinished map[string]bool
	leftOut    error // what there is to say if nothing is left
}

func (p *planner) warn(text i18n.Text) { p.Warnings = append(p.Warnings, text) }

// plan makes a plan of facts alone.
func (f *facts) plan(o Options) *Plan {
	p := &planner{facts: f, Options: o, unfinished: map[string]bool{}, Plan: &Plan{
		Branch: f.branch, Remote: f.remote, after: f.seals,
	}}
	if f.branch != f.served && f.base != nil {
		p.elsewhere = f.base.Seals
	}
	if err := p.named(); err != nil {
		p.Obstacles = append(f.obstacles, Obstacle{err})
		return p.Plan
	}
	p.ownSeals()
	before := len(f.obstacles)
	p.missingTags()
	p.review()
	p.putAside()
	p.dirt = slices.ContainsFunc(p.uncommitted(), func(path string) bool { return !content.HoldsSeals(path) })
	if o.Mode != Tag {
		p.obstacle(p.draft())
	}
	if err := p.refusal(p.uncommitted()); err != nil && !p.goesOnWithout(p.uncommitted()) {
		f.obstacles = slices.Insert(f.obstacles, before, Obstacle{err}) // what is seen first
	}
	if p.leftOut != nil && len(p.Tags) == 0 {
		p.obstacle(p.leftOut)
	}
	p.obstacle(p.release())
	p.checkTags()
	p.unpushed()
	p.Obstacles = f.obstacles
	return p.Plan
}

// rewrites reports whether seals that the served branch does not have are written anew.
func (f *facts) rewrites(m Mode) bool {
	return f.base != nil && (m == Prepare || m == show && f.branch != f.served)
}

// trailers are the lines of a tag's message that the changelog reads, by kind.
var trailers = map[*content.Kind]string{content.Guidelines: "Criticality", content.Scenarios: "Type"}

// addTrailer adds to the message of a tag the trailer of the newest commit that has one.
func (r *Repository) addTrailer(ctx context.Context, f *facts, n *NewTag) error {
	t, _ := content.ParseTag(n.Tag) // planned
	key, ok := trailers[t.Kind]
	if !ok {
		return nil
	}
	commits := f.commitOf(*n)
	if n.since != "" {
		commits = n.since + ".." + commits
	}
	file := t.Kind.File(t.Name)
	if !t.Kind.Folders { // moving it between areas does not change the item
		file = ":(glob)" + t.Kind.Folder + "/**/" + t.Name + ".yaml"
	}
	out, err := r.git(
		ctx, "log", "--format=%(trailers:key="+key+",valueonly)", "--end-of-options", commits, "--", file,
	)
	if value, _, _ := strings.Cut(strings.TrimSpace(out), "\n"); value != "" {
		n.Message += "\n\n" + key + ": " + strings.TrimSpace(value)
	}
	return err
}

// warnOfRebase names the author's commit that would bring an obsolete seal to the served branch if
// commits were added to it one by one.
func (r *Repository) warnOfRebase(ctx context.Context, f *facts, p *Plan, line string) error {
	out, err := r.git(
		ctx, "log", "--reverse", "--format=%H", "-S"+line, f.head, "^"+f.base.Tip.String(), "--", content.SealsFolder,
	)
	if commit, _, _ := strings.Cut(out, "\n"); commit != "" {
		p.Warnings = append(p.Warnings, i18n.New(
			"%s is sealed otherwise in your commit %s: merge the request as one commit or with a merge commit; "+
				"to merge it by rebasing, take that commit out first: git rebase --onto %[2]s~1 %[2]s",
			content.SealTag(line), commit[:12],
		))
	}
	return err
}
