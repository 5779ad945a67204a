package loader

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/content/log"
	"rulestore/loader/gitrepo"
	"rulestore/loader/signers"
)

// Config says what to load and how.
type Config struct {
	Source  gitrepo.Source
	Branch  string // "" is the branch that HEAD names; a tag or a commit will do
	Drafts  bool   // serve what no tag has published yet
	Schemas content.Schemas
	Signers *signers.Set // whose signatures count; nil: whoever can push is trusted
	Now     func() time.Time
	Cache   *Cache // of what was found out before; nil: none, as it is for a server

	// Rewritable reports of a line that it is read as if it were not there, at no commit:
	// a change may rewrite what the branch it goes to does not have. nil: of none.
	Rewritable func(line string) bool

	// Vouched says why what was loaded is not to be served, as if it could not be loaded.
	// nil: all of it may be.
	Vouched func(Result) error

	// Crashed is told of each crash that refuses no more than what it happened to,
	// from any goroutine; nil: nobody is.
	Crashed func(error)
}

// Loader loads a repository again and again. It is used by one goroutine.
type Loader struct {
	Config
	walker   *gitrepo.Walker
	items    *items
	opened   *openedFiles
	tags     []*ref // by name
	seals    sealLog
	stood    lastSeals                            // what stood in files of seals
	verdicts map[gitrepo.OID]verdict              // on signatures, of the last load
	verified map[log.Leaf]string                  // who made approvals, "" nobody who counts
	outcomes map[string]*outcome                  // of the last load, by item
	snapshot *content.Snapshot                    // of the last load
	codes    map[*content.Publication]check.Codes // of what is current
	memory   memory
	history  *gitrepo.History // of the last load
	settings content.Settings // of the last load
	missed   string           // the state at the last load that found objects missing again and again
	torn     bool             // folders could not be read at the last load: more may be known at the next
}

// New returns a loader that has read nothing yet.
func New(c Config) *Loader {
	if c.Signers != nil {
		c.Source = gitrepo.Checked(c.Source) // else whoever writes its packs could change what was signed
	}
	walker := gitrepo.NewWalker(followed)
	walker.Name = content.Plain
	if c.Cache != nil {
		walker.Kept = c.Cache
	}
	return &Loader{
		Config: c,
		walker: walker,
		items:  newItems(),
		opened: newOpenedFiles(c),
		memory: memory{served: map[string]map[string]string{}},
		stood:  newLastSeals(),

		verified: map[log.Leaf]string{},
	}
}

// followed says which paths matter: the files in the root, the YAML files in
// the folders of the kinds, the seals of items, and whatever else stands where a folder
// should be, or could.
func followed(at string, m gitrepo.Mode) bool {
	folder, rest, nested := strings.Cut(at, "/")
	switch {
	case !nested && unopened(m):
		return content.KindOf(at) != nil || at == content.SealsFolder || at == content.ApprovalsFolder
	case !nested:
		return slices.Contains(tops, at) || at == content.CheckpointFile
	case unopened(m):
		return true
	case folder == content.ApprovalsFolder:
		return content.HoldsApprovals(at)
	case m == gitrepo.Symlink || m == gitrepo.Submodule:
		return content.KindOf(folder) != nil || folder == content.SealsFolder
	case folder == content.SealsFolder:
		return content.KindOf(rest) != nil || strings.EqualFold(path.Ext(rest), ".sum")
	}
	return content.KindOf(folder) != nil && (strings.HasSuffix(rest, ".yaml") || strings.HasSuffix(rest, ".yml"))
}

// wanted says which paths of one state matter: those that are followed, and the cases
// that authors keep, which no publication is made from. The head of the log and approvals are
// history's.
func wanted(at string, m gitrepo.Mode) bool {
	folder, rest, nested := strings.Cut(at, "/")
	if folder != content.CasesFolder {
		return followed(at, m) && at != content.CheckpointFile && !inApprovals(at)
	}
	return unopened(m) || nested && (strings.HasSuffix(rest, ".yaml") || strings.HasSuffix(rest, ".yml"))
}

// unopened reports whether there is a folder, of which only that is known where it is listed.
func unopened(m gitrepo.Mode) bool { return m == gitrepo.Folder || m == gitrepo.Unreadable }

// Result is what one load came to.
type Result struct {
	Snapshot *content.Snapshot
	Report   content.Report
	Damaged  bool   // objects that one publication each needs cannot be read: the report says which
	State    string // names what was loaded, for [Loader.Look]; empty if another look may come to more
	Log      *log.View

	Refs    string                   // names the commit and the tags that were loaded, whatever the day and the build
	Fixed   bool                     // a tag or a commit was asked for in place of a branch
	Reaches func(commit string) bool // whether the branch reaches a commit; until the next load

	Bundle gitrepo.Bundle               // what there is to give away of the repository
	Grown  func(size int64) gitrepo.OID // the commit with which the log had so many leaves, or the next fewer
}

// ErrNothingPublished is what Load returns for a repository that would serve
// an empty snapshot.
var ErrNothingPublished = i18n.Errorf("nothing is published yet")

const (
	attempts = 5
	pause    = 20 * time.Millisecond
)

// Load reads the repository as it is now. An error means that the repository as
// a whole cannot be served. Errors that git's own work may cause, such as a
// pack that a repack has just replaced, are retried with a fresh handle first.
// The result belongs to one state of the refs: if they move while it is made,
// it is made again. When the context ends, so does the load, with the cause.
func (l *Loader) Load(ctx context.Context) (Result, error) { return l.load(ctx, options{}) }

// Begin is a [Loader.Load] to serve soon: in a large repository it leaves the texts of
// superseded publications for later, see the package's manual. A Load is to follow.
func (l *Loader) Begin(ctx context.Context) (Result, error) {
	return l.load(ctx, options{deferring: true})
}

// LoadToPlan is a [Loader.Load] for who looks at the files by other means: the snapshot has
// no manuscripts.
func (l *Loader) LoadToPlan(ctx context.Context) (Result, error) {
	return l.load(ctx, options{unreviewed: true})
}

// Look is a [Loader.Load] unless the state is that which a result had: the same refs,
// the same date and, if drafts are served, the same files. Then there is no snapshot,
// and it has cost one listing of the refs. The result of an error has the state that could
// not be loaded, if that is known.
func (l *Loader) Look(ctx context.Context, seen string) (Result, error) {
	return l.load(ctx, options{seen: seen})
}

// options say how to load.
type options struct {
	deferring  bool   // see Begin
	unreviewed bool   // see LoadToPlan
	seen       string // see Look
	last       bool   // the last attempt
}

func (l *Loader) load(ctx context.Context, o options) (Result, error) {
	for attempt := 1; ; attempt++ {
		o.last = attempt == attempts
		result, settled, err := l.once(ctx, o)
		switch {
		case err == nil && (settled || attempt == attempts):
			return result, nil
		case err == nil:
			continue
		case !gitrepo.IsTransient(err) || attempt == attempts:
			return Result{State: result.State}, advise(err)
		}
		select {
		case <-ctx.Done():
			return Result{}, context.Cause(ctx)
		case <-time.After(pause << (attempt - 1)):
		}
	}
}

// once loads the repository from one opening of it, and reports whether the refs
// stood still meanwhile. A crash is an error that says nothing about the repository.
func (l *Loader) once(ctx context.Context, o options) (_ Result, settled bool, err error) {
	defer crash.Rescue(&err)
	repo, err := l.Source.Open()
	if err != nil {
		return Result{}, false, err
	}
	defer repo.Close()
	b, err := l.begin(repo)
	if err != nil || b.state() == o.seen {
		return Result{}, true, err
	}
	l.settle(b, o.last)
	b.deferring = o.deferring && len(b.refs.Tags) > fewTags
	b.unreviewed = o.unreviewed
	b.checks = newPool(b.tell)
	defer b.checks.wait()
	result, err := b.run(ctx)
	if err != nil {
		return Result{State: b.state()}, false, err
	}
	if !result.Damaged {
		l.missed = ""
	}
	after, err := repo.Refs(l.Branch)
	if err != nil || !after.Equal(b.refs) {
		return result, false, err
	}
	l.remember(b, result.Snapshot)
	return result, true, nil
}

// settle takes objects that are missing for lost, and not for what git is about to write
// or has just packed. Where something is served that can go on being served, they have to
// be missing at two loads of the same state.
func (l *Loader) settle(b *build, last bool) {
	if l.missed == b.state() || last && l.snapshot == nil {
		b.repo.Settle()
	}
	if last {
		l.missed = b.state()
	}
}

// begin reads what decides what is loaded.
func (l *Loader) begin(repo *gitrepo.Repo) (b *build, err error) {
	b = &build{Loader: l, repo: repo, now: l.Now().UTC(), judged: map[gitrepo.OID]verdict{}, spent: map[string][]*semver.Version{}}
	b.turn(l.settings)
	if l.torn {
		l.outcomes = nil
	}
	if b.refs, err = repo.Refs(l.Branch); err != nil {
		return nil, err
	}
	b.hash = b.refs.Hash()
	if l.Drafts && b.refs.Head && l.Source.WorkTree() != "" {
		if b.work, err = readCheckout(repo, l.Source.WorkTree()); err != nil {
			return nil, i18n.Errorf("read the work tree: %w", err)
		}
		b.dirty = b.work.hash()
	}
	return b, nil
}

// identity returns the commit and the hash of the refs that name what is served: of a
// folder of a larger repository, what others commit beside it changes nothing.
func (b *build) identity() (commit gitrepo.OID, refs string) {
	if b.repo.Folder() == "" {
		return b.refs.Commit, b.hash
	}
	tagged := make([]gitrepo.OID, 0, len(b.Loader.tags))
	for _, r := range b.Loader.tags {
		tagged = append(tagged, r.tag.Commit)
	}
	own := b.refs
	own.Commit = b.history.Newest(tagged)
	return own.Commit, own.Hash()
}

// reaches returns what reports whether the branch reaches a commit.
func reaches(h *gitrepo.History) func(commit string) bool {
	return func(commit string) bool {
		id, err := gitrepo.ParseOID(commit)
		return err == nil && h.Contains(id)
	}
}

// state names what is loaded.
func (b *build) state() string { return strings.TrimSpace(b.hash + " " + b.today + " " + b.dirty) }

// build is one load under way.
type build struct {
	*Loader
	repo       *gitrepo.Repo
	refs       gitrepo.Refs
	hash       string // of the refs
	deferring  bool   // see Begin
	unreviewed bool   // see LoadToPlan
	now        time.Time
	zone       *time.Location // in which days begin
	today      string         // there
	settings   content.Settings
	settled    []content.Vouched // where these are from
	history    *gitrepo.History
	descent    *lineage // see [build.lineage]
	report     content.Report

	checks       *pool
	judged       map[gitrepo.OID]verdict
	approved     map[string][]string    // see [build.approvers]
	new          []*ref                 // tags that the last load did not know
	grown        bool                   // the branch is what it was, and more at its end
	outcomes     []*outcome             // by item
	claims       []*claim               // of those that have to be found out
	publications []*content.Publication // those that could be served, held ones included
	upcoming     []*content.Publication // those of them whose day has not come
	releases     []*content.Release
	void         map[string]bool              // tags that a mark says are lost for good
	spent        map[string][]*semver.Version // see [content.Snapshot]
	work         *workTree                    // nil if the branch has none, or drafts are not served
	dirty        string                       // hash of it
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
	served := b.hold()
	if len(served) == 0 {
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
			Commit: commit.String(), Branch: b.refs.Branch,
			Refs: refs + b.dirty + b.Signers.ID() + lacking, Date: b.today, Drafts: b.Drafts,
		},
		Settings: b.settings, Vouched: append(b.settled, fromMarks...), Publications: served, Upcoming: b.upcoming, Releases: b.releases, Marks: marks, Manuscripts: manuscripts, Spent: b.spent,
		Before: b.Loader.snapshot,
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
	b.locate()
	b.report.Sort()
	result := Result{
		Snapshot: snapshot, Report: b.report, Damaged: lacking != "", Log: view,
		Refs: refs, Fixed: b.refs.Fixed, Reaches: reaches(b.history),
		Bundle: b.repo.Bundle(b.refs), Grown: b.seals.ledger.grown(),
	}
	if !result.Damaged { // else the same refs may come to more
		result.State = b.state()
	}
	if b.Vouched != nil {
		return result, b.Vouched(result)
	}
	return result, nil
}

// nothing explains why there is nothing to serve, and names both ways out.
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
		return i18n.Errorf("%w on branch %s, and there is no draft that could be served: add a file such as guidelines/<guideline_id>.yaml%s", ErrNothingPublished, b.refs.Branch, i18n.Join("", why...))
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

// readHistory reads the tags, the seals and the history of everything that tags
// publish.
func (b *build) readHistory(ctx context.Context) (err error) {
	if err := b.readTags(); err != nil {
		return err
	}
	b.walker.Visit = b.readAhead(ctx)
	defer func() { b.walker.Visit = nil }() // it holds the repository and all that was read of it
	if b.history, err = b.walker.History(b.repo, b.refs.Commit, nil); err != nil {
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

// readBeyond reads the history of commits that the branch does not reach as well, but
// for those of which objects are damaged: what is sealed may be found elsewhere.
func (b *build) readBeyond(commits []gitrepo.OID) error {
	history, err := b.walker.History(b.repo, b.refs.Commit, commits)
	if gitrepo.IsDamaged(err) {
		commits = slices.DeleteFunc(commits, func(id gitrepo.OID) bool {
			_, err := b.walker.History(b.repo, b.refs.Commit, []gitrepo.OID{id})
			return gitrepo.IsDamaged(err)
		})
		history, err = b.walker.History(b.repo, b.refs.Commit, commits)
	}
	if err == nil {
		b.history = history
	}
	return err
}

// turn says which day it is, by the time zone of the settings.
func (b *build) turn(s content.Settings) {
	b.zone = s.Zone()
	b.today = b.now.In(b.zone).Format(content.Date)
}

// ahead reports whether a date has not come yet: days begin in the time zone of the settings.
func (b *build) ahead(t time.Time) bool {
	return t.After(b.now) && t.In(b.zone).Format(content.Date) > b.today
}
