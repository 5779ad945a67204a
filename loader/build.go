package loader

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader/gitrepo"
)

// build is the state of one load: its inputs, and the results of its steps, which are those of
// the package documentation. Every step adds to the report; steps 7 to 10 complete the claims
// and their outcomes.
type build struct {
	Config
	memos  *memos
	last   *lastLoad
	memory *memory
	report content.Report

	// Inputs, see [Loader.newBuild] and [Loader.loadOnce].
	repo       *gitrepo.Repo
	beneath    *content.Beneath // nil without repositories beneath
	refs       gitrepo.Refs
	hash       string    // of the refs
	work       *workTree // nil without a work tree of the branch, or without drafts
	dirty      string    // hash of the work tree
	deferring  bool      // see Begin
	unreviewed bool      // see LoadToPlan
	now        time.Time
	checks     *pool

	// Set by steps 1 to 6: what has to be published.
	newTags      []*ref // since the last load
	history      *gitrepo.History
	knownLineage *lineage // see [build.lineage]
	settings     content.Settings
	zone         *time.Location // of the settings; of the last load's until they are read
	today        string         // in this zone
	extended     bool           // the branch only gained commits at its end
	outcomes     []*outcome     // by item
	claims       []*claim       // of items whose outcome has to be computed
	releases     []*content.Release
	marks        []content.Mark
	void         map[string]bool      // tags declared void by marks
	signedFiles  []content.SignedFile // the versions of settings and marks
	approved     map[string][]string  // see [build.approvers]

	// Set by steps 7 to 12: what is served, and what is not.
	publications []*content.Publication       // that can be served, including held ones
	upcoming     []*content.Publication       // those with a date in the future
	held         []*content.Publication       // see [content.Snapshot.Held]
	taken        []content.Intent             // publications with a name of an earlier repository
	spent        map[string][]*semver.Version // see [content.Snapshot]
}

// run takes the steps of a load, and returns its result.
func (b *build) run(ctx context.Context) (Result, error) {
	if err := b.read(ctx); err != nil {
		return Result{}, err
	}
	if err := b.publish(ctx); err != nil {
		return Result{}, err
	}
	if b.Drafts {
		if err := b.addDrafts(); err != nil {
			return Result{}, err
		}
	}
	b.removeTaken()
	served := b.hold()
	if len(served) == 0 && b.beneath == nil { // else it may wait for the others, or all names are theirs
		return Result{}, b.nothing()
	}
	var manuscripts []*content.Manuscript
	if b.Drafts && !b.unreviewed {
		var err error
		if manuscripts, err = b.tryManuscripts(); err != nil {
			return Result{}, err
		}
	}
	lacking := damage(b.report)
	commit, refs := b.identity()
	snapshot := content.NewSnapshot(content.Input{
		Source: content.Source{
			Name: b.Name, Commit: commit.String(), Branch: b.refs.Branch,
			Refs: refs + b.dirty + b.Signers.ID() + lacking, Date: b.today, Drafts: b.Drafts, Over: b.beneathState(),
		},
		Settings: b.settings, SignedFiles: b.signedFiles, Publications: served,
		Upcoming: b.upcoming, Held: b.held,
		Releases: b.releases, Marks: b.marks, Manuscripts: manuscripts, Spent: b.spent,
		Before: b.last.snapshot,
	})
	view, err := b.reviewServed(snapshot)
	if err != nil {
		return Result{}, err
	}
	result := Result{
		Snapshot: snapshot, Report: b.report, Damaged: lacking != "", Log: view,
		Refs: refs, Fixed: b.refs.Fixed, Reaches: reaches(b.history),
		Bundle: b.repo.Bundle(b.refs), LogCommit: b.memos.seals.log.commitAt(),
	}
	if !result.Damaged { // else the same refs may come to more
		result.State = b.state()
	}
	if b.Accept != nil {
		return result, b.Accept(result)
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
			"%w on branch %s, and there is no draft that could be served: add a file such as "+
				"guidelines/<guideline_id>.yaml%s",
			ErrNothingPublished, b.refs.Branch, i18n.Join("", why...),
		)
	}
	return i18n.Errorf("%w on branch %s: publish a file with a tag, for example `git tag -a %s -m \"First "+
		"version\"`, or serve what is not published yet with --drafts%s",
		ErrNothingPublished, b.refs.Branch, b.repo.FullTag("guidelines/<guideline_id>/v1.0.0"), i18n.Join("", why...))
}

func severe(f content.Finding) int {
	if f.Severity == content.Error {
		return 1
	}
	return 0
}

// read reads tags, history, settings, seals and marks, and determines which tags and seals have
// to be published: steps 1 to 6.
func (b *build) read(ctx context.Context) (err error) {
	if err := b.readTags(); err != nil {
		return err
	}
	if err := b.readHistory(ctx); err != nil {
		return err
	}
	if b.settings, err = b.readSettings(); err != nil {
		return err
	}
	b.setToday(b.settings)
	if err := b.readSeals(); err != nil {
		return err
	}
	b.extended = b.history.OnBranch(b.memory.head)
	b.takeStock()
	if err := b.readBeyond(); err != nil {
		return err
	}
	b.marks, err = b.readMarks()
	b.void = voided(b.marks, b.today)
	return err
}

// readHistory reads the history of the branch, and meanwhile the files of new tags.
func (b *build) readHistory(ctx context.Context) (err error) {
	b.memos.walker.Visit = b.readAhead(ctx)
	defer func() { b.memos.walker.Visit = nil }() // it holds the repository and all that was read of it
	b.history, err = b.memos.walker.History(b.repo, b.refs.Commit, nil)
	return err
}

// readBeyond also reads the history of tagged commits that are not reachable from the branch
// and are sealed, except those with damaged objects: sealed content may be found elsewhere.
func (b *build) readBeyond() error {
	var commits []gitrepo.OID
	for _, c := range b.claims {
		if c.seal != nil && c.tagged() && !b.history.Contains(c.tag.Commit) {
			commits = append(commits, c.tag.Commit)
		}
	}
	if len(commits) == 0 {
		return nil
	}
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

// setToday determines the current day, in the time zone of the settings.
func (b *build) setToday(s content.Settings) {
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
	return strings.TrimSpace(b.hash + " " + b.today + " " + b.dirty + " " + b.beneathState())
}
