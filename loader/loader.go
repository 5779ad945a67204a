package loader

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/loader/gitrepo"
	"rulestore/loader/signers"
)

// Config says what to load and how.
type Config struct {
	Source  gitrepo.Source
	Branch  string // "" is the branch that HEAD names
	Drafts  bool   // serve what no tag has published yet
	Schemas content.Schemas
	Signers *signers.Set // whose signatures count; nil: whoever can push is trusted
	Now     func() time.Time
}

// Loader loads a repository again and again. It is used by one goroutine.
type Loader struct {
	Config
	walker   *gitrepo.Walker
	items    *items
	opened   *openedFiles
	tags     map[gitrepo.OID]gitrepo.Tag
	names    map[string]parsed
	seals    sealLog
	verdicts map[gitrepo.OID]verdict // on signatures, of the last load
	known    map[string]made         // publications of the last load, by tag
	memory   memory
}

// New returns a loader that has read nothing yet.
func New(c Config) *Loader {
	return &Loader{
		Config: c,
		walker: gitrepo.NewWalker(followed),
		items:  newItems(),
		opened: newOpenedFiles(c.Schemas),
		tags:   map[gitrepo.OID]gitrepo.Tag{},
		memory: memory{served: map[string]string{}},
	}
}

// followed says which paths matter: the files in the root, the YAML files in
// the folders of the kinds, and whatever else stands where a folder should be.
func followed(path string, m gitrepo.Mode) bool {
	folder, rest, nested := strings.Cut(path, "/")
	switch {
	case !nested && m == gitrepo.Folder:
		return content.KindOf(path) != nil
	case !nested:
		return path == content.SettingsFile || path == content.LifecycleFile || path == content.SealsFile || content.KindOf(path) != nil
	case m == gitrepo.Folder:
		return true
	}
	return content.KindOf(folder) != nil && (strings.HasSuffix(rest, ".yaml") || strings.HasSuffix(rest, ".yml"))
}

// Result is what one load came to.
type Result struct {
	Snapshot *content.Snapshot
	Report   content.Report
}

// ErrNothingPublished is what Load returns for a repository that would serve
// an empty snapshot.
var ErrNothingPublished = errors.New("nothing is published yet")

const (
	attempts = 5
	pause    = 20 * time.Millisecond
)

// Load reads the repository as it is now. An error means that the repository as
// a whole cannot be served. Errors that git's own work may cause, such as a
// pack that a repack has just replaced, are retried with a fresh handle first.
// The result belongs to one state of the refs: if they move while it is made,
// it is made again. When the context ends, so does the load, with the cause.
func (l *Loader) Load(ctx context.Context) (Result, error) { return l.load(ctx, false) }

// Begin is a [Loader.Load] to serve soon: in a large repository it leaves the texts of
// superseded publications for later, see the package's manual. A Load is to follow.
func (l *Loader) Begin(ctx context.Context) (Result, error) { return l.load(ctx, true) }

func (l *Loader) load(ctx context.Context, soon bool) (Result, error) {
	for attempt := 1; ; attempt++ {
		result, settled, err := l.once(ctx, soon)
		switch {
		case err == nil && (settled || attempt == attempts):
			return result, nil
		case err == nil:
			continue
		case !gitrepo.IsTransient(err) || attempt == attempts:
			return Result{}, err
		}
		select {
		case <-ctx.Done():
			return Result{}, context.Cause(ctx)
		case <-time.After(pause << (attempt - 1)):
		}
	}
}

// once loads the repository from one opening of it, and says whether the refs
// stood still meanwhile. Bytes that no git wrote may be more than the library
// below was made for; that is an error like any other.
func (l *Loader) once(ctx context.Context, soon bool) (_ Result, settled bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &gitrepo.ReadError{What: "read the repository", Err: fmt.Errorf("%v", p)}
		}
	}()
	repo, err := l.Source.Open()
	if err != nil {
		return Result{}, false, err
	}
	defer repo.Close()
	refs, err := repo.Refs(l.Branch)
	if err != nil {
		return Result{}, false, err
	}
	b := &build{Loader: l, repo: repo, refs: refs, soon: soon && len(refs.Tags) > fewTags, now: l.Now().UTC(), made: make(map[string]made, len(l.known)), judged: map[gitrepo.OID]verdict{}, checks: newPool()}
	b.today = b.now.Format(content.Date)
	defer b.checks.wait()
	result, err := b.run(ctx)
	if err != nil {
		return Result{}, false, err
	}
	after, err := repo.Refs(l.Branch)
	if err != nil {
		return Result{}, false, err
	}
	if after.Hash() != refs.Hash() {
		return result, false, nil
	}
	l.remember(b, result.Snapshot)
	return result, true, nil
}

// Fingerprint identifies what would be loaded now: the refs, the date and, if
// drafts are served, the work tree. It costs one listing of the refs.
func (l *Loader) Fingerprint() (string, error) {
	repo, err := l.Source.Open()
	if err != nil {
		return "", err
	}
	defer repo.Close()
	refs, err := repo.Refs(l.Branch)
	if err != nil {
		return "", err
	}
	print := refs.Hash() + " " + l.Now().UTC().Format(content.Date)
	if l.Drafts && refs.Head && l.Source.WorkTree() != "" {
		work, err := readWorkTree(l.Source.WorkTree())
		if err != nil {
			return "", err
		}
		print += " " + work.hash()
	}
	return print, nil
}

// build is one load under way.
type build struct {
	*Loader
	repo    *gitrepo.Repo
	refs    gitrepo.Refs
	soon    bool // see Begin
	now     time.Time
	today   string
	history *gitrepo.History
	report  content.Report

	checks       *pool
	tagged       []ref
	sealed       map[string]content.Seal
	sealedFor    map[string]content.Signature // who vouches for a seal, by tag
	judged       map[gitrepo.OID]verdict
	claims       []*claim
	publications []*content.Publication // those that could be served, held ones included
	releases     []*content.Release
	made         map[string]made
	work         *workTree // nil if the branch has none, or drafts are not served
	dirty        string    // hash of it
}

// run makes the snapshot, step by step.
func (b *build) run(ctx context.Context) (Result, error) {
	if err := b.readHistory(ctx); err != nil {
		return Result{}, err
	}
	settings, err := b.readSettings()
	if err != nil {
		return Result{}, err
	}
	marks, err := b.readMarks()
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
	if b.Drafts {
		if manuscripts, err = b.manuscripts(); err != nil {
			return Result{}, err
		}
	}
	snapshot := content.NewSnapshot(content.Input{
		Source: content.Source{
			Commit: b.refs.Commit.String(), Branch: b.refs.Branch,
			Refs: b.refs.Hash() + b.dirty + b.Signers.ID(), Date: b.today, Drafts: b.Drafts,
		},
		Settings: settings, Publications: served, Releases: b.releases, Marks: marks, Manuscripts: manuscripts,
	})
	b.review(snapshot, marks)
	b.recall()
	b.report.Sort()
	return Result{snapshot, b.report}, nil
}

// nothing explains why there is nothing to serve, and names both ways out.
func (b *build) nothing() error {
	var why strings.Builder
	findings := slices.Clone(b.report.Findings)
	slices.SortStableFunc(findings, func(x, y content.Finding) int { return severe(y) - severe(x) })
	for i, f := range findings {
		if i == 10 {
			fmt.Fprintf(&why, "\n\t… and %d more", len(findings)-i)
			break
		}
		fmt.Fprintf(&why, "\n\t%s", f)
	}
	if b.Drafts {
		return fmt.Errorf("%w on branch %s, and there is no draft that could be served: add a file such as guidelines/<guideline_id>.yaml%s", ErrNothingPublished, b.refs.Branch, why.String())
	}
	return fmt.Errorf("%w on branch %s: publish a file with a tag, for example `git tag -a guidelines/<guideline_id>/v1.0.0 -m \"First version\"`, or serve what is not published yet with --drafts%s", ErrNothingPublished, b.refs.Branch, why.String())
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
	if err := b.readSeals(); err != nil {
		return err
	}
	b.makeClaims()
	var beyond []gitrepo.OID // sealed, and tagged where the branch does not reach
	for _, c := range b.claims {
		if c.seal != nil && c.tagged() && !b.history.Contains(c.tag.Commit) {
			beyond = append(beyond, c.tag.Commit)
		}
	}
	if len(beyond) > 0 {
		b.history, err = b.walker.History(b.repo, b.refs.Commit, beyond)
	}
	return err
}

// ahead says whether a date has not come yet: dates turn at midnight, UTC.
func (b *build) ahead(t time.Time) bool {
	return t.After(b.now) && t.UTC().Format(content.Date) > b.today
}

// finding is an error about a file.
func finding(path, rule, message, hint string) content.Finding {
	return content.Finding{Path: path, Rule: rule, Severity: content.Error, Message: message, Hint: hint}
}

// warning is something about a file that takes nothing away.
func warning(path, rule, message, hint string) content.Finding {
	return content.Finding{Path: path, Rule: rule, Severity: content.Warning, Message: message, Hint: hint}
}
