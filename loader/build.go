package loader

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader/gitrepo"
)

// build is the state of one load.
type build struct {
	Config
	memos  *memos
	last   *lastLoad
	memory *memory

	repo       *gitrepo.Repo
	beneath    *content.Beneath // nil without repositories beneath
	refs       gitrepo.Refs
	hash       string // of the refs
	deferring  bool   // see Begin
	unreviewed bool   // see LoadToPlan
	now        time.Time
	zone       *time.Location // of the settings
	today      string         // in this zone
	settings   content.Settings
	settled    []content.Vouched // the versions of settings and marks
	history    *gitrepo.History
	descent    *lineage // see [build.lineage]
	report     content.Report

	checks       *pool
	approved     map[string][]string    // see [build.approvers]
	new          []*ref                 // tags that are new since the last load
	grown        bool                   // the branch only gained commits at its end
	outcomes     []*outcome             // by item
	claims       []*claim               // of items whose outcome has to be computed
	publications []*content.Publication // publications that can be served, including held ones
	upcoming     []*content.Publication // those with a date in the future
	held         []*content.Publication // see [content.Snapshot.Held]
	releases     []*content.Release
	taken        []content.Intent             // publications with a name of an earlier repository
	void         map[string]bool              // tags declared void by marks
	spent        map[string][]*semver.Version // see [content.Snapshot]
	work         *workTree                    // nil without a work tree of the branch, or without drafts
	dirty        string                       // hash of the work tree
}

// run makes the snapshot, step by step.
func (b *build) run(ctx context.Context) (Result, error) {
	if err := b.readHistory(ctx); err != nil {
		return Result{}, err
	}
	marks, fromMarks, err := b.readMarks()
	if err != nil {
		return Result{}, err
	}
	if err := b.publish(ctx, marks); err != nil {
		return Result{}, err
	}
	if b.Drafts {
		if err := b.draft(); err != nil {
			return Result{}, err
		}
	}
	b.leaveTaken()
	served := b.hold()
	if len(served) == 0 && b.beneath == nil { // what builds on others may wait for them, or bear their names
		return Result{}, b.nothing()
	}
	var manuscripts []*content.Manuscript
	if b.Drafts && !b.unreviewed {
		if manuscripts, err = b.tryManuscripts(); err != nil {
			return Result{}, err
		}
	}
	lacking := damage(b.report)
	commit, refs := b.identity()
	snapshot := content.NewSnapshot(content.Input{
		Source: content.Source{
			Name: b.Name, Commit: commit.String(), Branch: b.refs.Branch,
			Refs: refs + b.dirty + b.Signers.ID() + lacking, Date: b.today, Drafts: b.Drafts, Over: b.over(),
		},
		Settings: b.settings, Vouched: append(b.settled, fromMarks...), Publications: served,
		Upcoming: b.upcoming, Held: b.held,
		Releases: b.releases, Marks: marks, Manuscripts: manuscripts, Spent: b.spent,
		Before: b.last.snapshot,
	})
	if err := crash.Do(func() { b.review(snapshot, marks) }); err != nil {
		b.report.Add(b.crashed("", "reviewing what is served", err))
	}
	if err := b.reviewBehind(snapshot); err != nil {
		return Result{}, err
	}
	if f := b.rewritten(); f != nil {
		b.report.Add(*f)
	}
	view, err := b.view()
	if err != nil {
		return Result{}, err
	}
	b.trace()
	b.locate()
	b.report.Sort()
	result := Result{
		Snapshot: snapshot, Report: b.report, Damaged: lacking != "", Log: view,
		Refs: refs, Fixed: b.refs.Fixed, Reaches: reaches(b.history),
		Bundle: b.repo.Bundle(b.refs), Grown: b.memos.seals.ledger.grown(),
	}
	if !result.Damaged { // else the same refs may come to more
		result.State = b.state()
	}
	if b.Vouched != nil {
		return result, b.Vouched(result)
	}
	return result, nil
}

// nothing is the error for an empty snapshot, with both remedies.
func (b *build) nothing() error {
	var why []any
	findings := slices.Clone(b.report.Findings)
	slices.SortStableFunc(findings, func(x, y content.Finding) int { return severe(y) - severe(x) })
	for i, f := range findings {
		if i == 10 {
			why = append(why, i18n.New("\n\t… and %d more", len(findings)-i))
			break
		}
		why = append(why, i18n.New("\n\t%s", f))
	}
	if damage(b.report) != "" {
		return &gitrepo.ReadError{
			What: i18n.New("read what branch %s publishes", b.refs.Branch),
			Err:  i18n.Errorf("nothing is left that could be served: %w%s", gitrepo.ErrDamaged, i18n.Join("", why...)),
		}
	}
	if b.Drafts {
		return i18n.Errorf(
			"%w on branch %s, and there is no draft that could be served: add a file such as guidelines/<guideline_id>.yaml%s",
			ErrNothingPublished, b.refs.Branch, i18n.Join("", why...),
		)
	}
	return i18n.Errorf("%w on branch %s: publish a file with a tag, for example `git tag -a %s -m \"First version\"`, or serve what is not published yet with --drafts%s",
		ErrNothingPublished, b.refs.Branch, b.repo.FullTag("guidelines/<guideline_id>/v1.0.0"), i18n.Join("", why...))
}

func severe(f content.Finding) int {
	if f.Severity == content.Error {
		return 1
	}
	return 0
}

// readHistory reads the tags, the seals and the history of everything that is tagged.
func (b *build) readHistory(ctx context.Context) (err error) {
	if err := b.readTags(); err != nil {
		return err
	}
	b.memos.walker.Visit = b.readAhead(ctx)
	defer func() { b.memos.walker.Visit = nil }() // it holds the repository and all that was read of it
	if b.history, err = b.memos.walker.History(b.repo, b.refs.Commit, nil); err != nil {
		return err
	}
	if b.settings, b.settled, err = b.readSettings(); err != nil {
		return err
	}
	b.turn(b.settings)
	if err := b.readSeals(); err != nil {
		return err
	}
	b.grown = b.history.OnBranch(b.memory.head)
	b.takeStock()
	var beyond []gitrepo.OID // sealed, and tagged where the branch does not reach
	for _, c := range b.claims {
		if c.seal != nil && c.tagged() && !b.history.Contains(c.tag.Commit) {
			beyond = append(beyond, c.tag.Commit)
		}
	}
	if len(beyond) > 0 {
		return b.readBeyond(beyond)
	}
	return nil
}

// readBeyond also reads the history of tagged commits that are not reachable from the branch,
// except those with damaged objects: sealed content may be found elsewhere.
func (b *build) readBeyond(commits []gitrepo.OID) error {
	history, err := b.memos.walker.History(b.repo, b.refs.Commit, commits)
	if gitrepo.IsDamaged(err) {
		commits = slices.DeleteFunc(commits, func(id gitrepo.OID) bool {
			_, err := b.memos.walker.History(b.repo, b.refs.Commit, []gitrepo.OID{id})
			return gitrepo.IsDamaged(err)
		})
		history, err = b.memos.walker.History(b.repo, b.refs.Commit, commits)
	}
	if err == nil {
		b.history = history
	}
	return err
}

// turn determines the current day, in the time zone of the settings.
func (b *build) turn(s content.Settings) {
	b.zone = s.Zone()
	b.today = b.now.In(b.zone).Format(content.Date)
}

// ahead reports whether a date is in the future, by days in the time zone of the settings.
func (b *build) ahead(t time.Time) bool {
	return t.After(b.now) && t.In(b.zone).Format(content.Date) > b.today
}

// identity returns the commit and the hash of the refs that identify the snapshot: for a folder
// of a larger repository, commits outside the folder change neither.
func (b *build) identity() (commit gitrepo.OID, refs string) {
	if b.repo.Folder() == "" {
		return b.refs.Commit, b.hash
	}
	tagged := make([]gitrepo.OID, 0, len(b.memos.tags))
	for _, r := range b.memos.tags {
		tagged = append(tagged, r.tag.Commit)
	}
	own := b.refs
	own.Commit = b.history.Newest(tagged)
	return own.Commit, own.Hash()
}

// reaches returns a function that reports whether a commit is reachable from the branch.
func reaches(h *gitrepo.History) func(commit string) bool {
	return func(commit string) bool {
		id, err := gitrepo.ParseOID(commit)
		return err == nil && h.Contains(id)
	}
}

// state identifies the state that is loaded.
func (b *build) state() string {
	return strings.TrimSpace(b.hash + " " + b.today + " " + b.dirty + " " + b.over())
}
