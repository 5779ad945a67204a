package loader

import (
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader/git"
)

// build is one load: what it was given, and what steps 1 to 4 read of the repository. The later
// steps look things up in it, are given the results of those before them, and return their own.
// The steps are those of the package documentation; each may add to the report.
type build struct {
	Config
	cache  *cache
	before *state // of the loader, after the last load
	report content.Report

	// Given, see [Loader.newBuild] and [Loader.loadOnce].
	repo      *git.Repo
	refs      git.Refs
	hash      string    // of the refs
	work      *workTree // of the branch, else its commit; nil without drafts
	dirty     string    // hash of the work tree
	deferring bool      // see Begin
	signing   bool      // see LoadToPlan
	now       time.Time
	checks    *errgroup.Group // of files

	// Read by steps 1 to 4.
	tags     []*ref       // by name
	history  *git.History // and that of sealed tags beside the branch, see [build.readBeyond]
	settings content.Settings
	zone     *time.Location // of the settings; of the last load's until they are read
	today    string         // in this zone
	seals    *sealHistory
	logged   LogResult // but for what the next signing appends

}

// run takes the steps of a load. It returns the result, and the outcomes by item.
func (b *build) run(ctx context.Context) (Loaded, []*outcome, error) {
	signedSettings, err := b.read()
	if err != nil {
		return Loaded{}, nil, err
	}
	tagged, releases := b.sortTags()
	if len(tagged)+len(releases) == 0 && len(b.seals.byItem) > 0 {
		b.report.Add(finding("", say("no-tags", "seals", nil)))
	}
	outcomes, claims := b.takeStock(tagged)
	if b.history, err = b.readBeyond(claims); err != nil {
		return Loaded{}, nil, err
	}
	marks, signedMarks, err := b.readMarks()
	if err != nil {
		return Loaded{}, nil, err
	}
	if err := b.publish(ctx, claims, marks); err != nil {
		return Loaded{}, nil, err
	}
	publications, spent := b.collect(outcomes)
	publications = b.withdraw(publications, marks, spent)
	drafts, err := b.readDrafts(publications)
	if err != nil {
		return Loaded{}, nil, err
	}
	b.reviewNotes(publications, releases)
	publications = append(publications, drafts...)
	all := candidates{publications, lost(outcomes)}
	held := all.hold(b.Drafts, b.ahead)
	if b.reportHeld(held); len(held.served) == 0 {
		return Loaded{}, nil, b.nothing()
	}
	lacking := damage(b.report)
	for _, o := range outcomes {
		lacking += o.damage
	}
	commit, refs := b.identity()
	snapshot := content.NewSnapshot(content.Input{
		Source: content.Source{
			Commit: commit.String(), Branch: b.refs.Branch,
			Refs: refs + b.dirty + b.Signers.ID() + lacking, Date: b.today, Drafts: b.Drafts,
		},
		Settings: b.settings, SignedFiles: append(signedSettings, signedMarks...), Publications: held.served,
		Upcoming: held.early, Held: held.waiting,
		Releases: releases, Marks: marks, Spent: spent,
		Before: b.before.snapshot,
	})
	logged, err := b.reviewServed(snapshot, publications, marks)
	if err != nil {
		return Loaded{}, nil, err
	}
	result := Loaded{
		Snapshot: snapshot, Report: b.report, Damaged: lacking != "", LogResult: logged,
		Refs: refs, Fixed: b.refs.Fixed, Reaches: reaches(b.history),
	}
	if !result.Damaged { // else the same refs may come to more
		result.State = b.state()
	}
	return result, outcomes, nil
}

// maxReasons is the maximum number of findings in the error for an empty snapshot.
const maxReasons = 10

// nothing is the error for an empty snapshot, with both remedies.
func (b *build) nothing() error {
	findings := slices.Clone(b.report.Findings)
	slices.SortStableFunc(findings, func(x, y content.Finding) int {
		return strings.Compare(string(x.Severity), string(y.Severity)) // errors first
	})
	var why []any
	for _, f := range findings[:min(len(findings), maxReasons)] {
		why = append(why, i18n.New("\n\t%s", f))
	}
	if more := len(findings) - maxReasons; more > 0 {
		why = append(why, i18n.New("\n\t… and %d more", more))
	}
	if damage(b.report) != "" {
		return &git.ReadError{
			What: i18n.New("read what branch %s publishes", b.refs.Branch),
			Err:  i18n.Errorf("nothing is left that could be served: %w%s", git.ErrDamaged, i18n.Join("", why...)),
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

// read reads tags, history, settings and seals: steps 1 to 4. It returns who signed the settings.
func (b *build) read() (signed []content.SignedFile, err error) {
	if b.tags, err = b.readTags(); err != nil {
		return nil, err
	}
	if b.history, err = b.cache.walker.History(b.repo, b.refs.Commit, nil); err != nil {
		return nil, err
	}
	if b.settings, signed, err = b.readSettings(); err != nil {
		return nil, err
	}
	b.setToday(b.settings)
	if err = b.readSeals(); err != nil {
		return nil, err
	}
	if b.logged, err = b.readLog(); err != nil {
		return nil, err
	}
	return signed, b.settleSeals(b.logged.Log.Leaves())
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

// state identifies the state that is loaded.
func (b *build) state() string {
	return strings.TrimSpace(b.hash + " " + b.today + " " + b.dirty)
}
