package author

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// facts are what a plan is made of. They are read once, and a plan asks for nothing else.
type facts struct {
	obstacles []Obstacle // found while reading, each with its remedy

	branch   string // the author's; "" if none is checked out
	head     string // its commit
	remote   string // the repository to which it is pushed, "" if there is none
	served   string // the branch whose tags publish
	now      time.Time
	tags     map[string]tagRef
	there    *remoteRefs         // what the remote repository has; nil unless the plan pushes
	unsent   map[string]bool     // commits of the branch that the remote one does not have
	base     *loader.Base        // the served branch; nil if there is none
	seals    sealFiles           // at the head
	dirty    []string            // the files of the content that are not as in the commit
	merging  bool                // one of them is in conflict
	places   map[string]git.File // the files of items at the head, by their paths without areas
	snapshot *content.Snapshot   // with drafts
	report   content.Report
	found    []content.Finding                                   // in the files, by validate; none if the plan tags what is merged
	sealedOn func(*content.Publication) (commit string, ok bool) // see [loader.Loader.SealedOn]
}

// tagRef is a tag: its object and, if it is a release, the commit.
type tagRef struct {
	oid, commit string
	merged      bool // reachable from the head; known if the plan pushes
}

// remoteRefs are the refs of a remote repository: the branch that its HEAD names, "" if that is not known, and
// the objects of branches and tags by name.
type remoteRefs struct {
	head           string
	branches, tags map[string]string
}

// readFacts reads everything for a plan. Unless it is for display, what stands in the way ends that early.
func (r *Repository) readFacts(ctx context.Context, o Options) (*facts, error) {
	f := &facts{}
	repo, err := r.Source().Open() // first: its error for unsupported ids has the remedy
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	for _, read := range []func(context.Context, *git.Repo, *facts, Options) error{
		r.readBranch, r.readRemote, r.readTags, r.readTree, r.readContent,
	} {
		err := read(ctx, repo, f, o)
		if len(f.obstacles) > 0 && o.Mode != show {
			err = f.obstacles[0]
		}
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f *facts) obstacle(err error) {
	if err != nil {
		f.obstacles = append(f.obstacles, Obstacle{err})
	}
}

// readBranch reads the author's branch, its head, and the tags of publications and releases.
func (r *Repository) readBranch(_ context.Context, repo *git.Repo, f *facts, o Options) error {
	isOurs := func(name string) bool {
		_, err := content.ParseTag(name)
		return !errors.Is(err, content.ErrForeignTag)
	}
	refs, err := repo.RefsOf("", isOurs)
	if errors.Is(err, git.ErrEmpty) {
		return i18n.Errorf("the repository has no commit yet: commit your content first")
	} else if err != nil {
		return err
	}
	f.branch, f.head, f.tags = refs.Branch, refs.Commit.String(), make(map[string]tagRef, len(refs.Tags))
	for _, t := range refs.Tags {
		ref := tagRef{oid: t.OID.String()}
		if named, err := content.ParseTag(t.Name); err == nil && named.Kind == nil {
			release, _ := repo.Tag(t.OID) // one that cannot be read is on no commit
			ref.commit = release.Commit.String()
		}
		f.tags[t.Name] = ref
	}
	if f.branch == "HEAD" {
		f.branch = ""
		f.obstacle(i18n.Errorf(
			"no branch is checked out (detached HEAD): `git switch BRANCH` first, and finish a rebase if one " +
				"is under way",
		))
	}
	if o.Mode != show || o.Ref == "" || o.Ref == f.branch {
		return nil
	}
	f.obstacle(i18n.Errorf("branch %s is not checked out: `git switch %[1]s` first", o.Ref))
	head, err := repo.Resolve("refs/heads/" + o.Ref)
	f.branch, f.head = o.Ref, head.String() // the plan is for another branch than the current one
	return err
}

// readRemote reads which repository the branch is pushed to, what that has if the plan pushes, and which
// branch is served. What the remote repository says itself comes before what this clone last heard of it.
func (r *Repository) readRemote(ctx context.Context, repo *git.Repo, f *facts, o Options) (err error) {
	if f.remote, err = r.remote(ctx, f.branch); err != nil {
		return err
	}
	if o.Push && f.remote != "" {
		if f.there, err = r.remoteRefs(ctx, f.remote); err != nil {
			return err
		}
	}
	if f.served, err = r.servedBranch(ctx, repo, f, o); err != nil {
		return err
	}
	if err := r.fetch(ctx, repo, f); err != nil {
		return err
	}
	if f.now, err = r.now(ctx); err != nil {
		f.now = time.Now()
		f.obstacle(err)
	}
	f.obstacle(f.misplaced(o))
	return nil
}

// remote returns the remote repository that a branch is pushed to: the configured one, else the only one or origin;
// "" if there is none.
func (r *Repository) remote(ctx context.Context, branch string) (string, error) {
	out, err := r.git(ctx, "config", "--get", "branch."+branch+".remote")
	if name := strings.TrimSpace(out); err == nil && name != "." {
		return name, nil
	}
	if err != nil && !git.AnsweredNo(err) {
		return "", err
	}
	out, err = r.git(ctx, "remote")
	names := strings.Fields(out)
	if len(names) > 1 {
		names = slices.DeleteFunc(names, func(name string) bool { return name != "origin" })
	}
	return strings.Join(names, ""), err
}

// remoteRefs lists the refs of the remote repository.
func (r *Repository) remoteRefs(ctx context.Context, remote string) (*remoteRefs, error) {
	out, err := r.git(
		ctx, "ls-remote", "--symref", "--end-of-options", remote, "HEAD", "refs/heads/*", "refs/tags/*",
	)
	if err != nil {
		return nil, i18n.Errorf(
			"%s cannot be reached, and nothing was changed; publish without --push, or again when it can be:\n\t%w",
			remote, err,
		)
	}
	refs := &remoteRefs{branches: map[string]string{}, tags: map[string]string{}}
	for line := range strings.Lines(out) {
		value, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if target, symbolic := strings.CutPrefix(value, "ref: "); symbolic {
			if name == "HEAD" {
				refs.head = strings.TrimPrefix(target, "refs/heads/")
			}
		} else if branch, ok := strings.CutPrefix(name, "refs/heads/"); ok {
			refs.branches[branch] = value
		} else if tag, ok := strings.CutPrefix(name, "refs/tags/"); ok && !strings.HasSuffix(tag, "^{}") {
			refs.tags[tag] = value // with ^{} is what a tag points to
		}
	}
	return refs, nil
}

// fetch gets the commits of the author's and of the served branch that the remote repository has and this clone
// has not. It changes no ref.
func (r *Repository) fetch(ctx context.Context, repo *git.Repo, f *facts) error {
	if f.there == nil {
		return nil
	}
	var missing []string
	for _, name := range slices.Compact([]string{f.branch, f.served}) {
		commit := f.there.branches[name]
		if _, err := repo.Resolve(commit); err != nil && commit != "" {
			missing = append(missing, "refs/heads/"+name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	args := []string{
		"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--refmap=", "--end-of-options", f.remote,
	}
	_, err := r.git(ctx, append(args, missing...)...)
	return err
}

// servedBranch returns the branch whose tags publish: the requested one, else the one that the remote
// repository's HEAD names, by its own word if the plan pushes, else main if it exists, else the current one.
func (r *Repository) servedBranch(ctx context.Context, repo *git.Repo, f *facts, o Options) (string, error) {
	switch {
	case o.Ref != "":
		return o.Ref, nil
	case f.there != nil && f.there.head != "":
		return f.there.head, nil
	case f.remote != "":
		prefix := "refs/remotes/" + f.remote + "/"
		out, err := r.git(ctx, "symbolic-ref", "--quiet", prefix+"HEAD")
		if err == nil {
			return strings.TrimPrefix(strings.TrimSpace(out), prefix), nil
		}
		if !git.AnsweredNo(err) {
			return "", err
		}
	}
	if _, err := repo.Resolve("refs/heads/" + git.Branch); err == nil {
		return git.Branch, nil
	}
	return f.branch, nil
}

// now returns the time that git would give a commit now, in the author's zone
// and to the second. It fails if git does not know who the author is.
func (r *Repository) now(ctx context.Context) (time.Time, error) {
	out, err := r.git(ctx, "var", "GIT_COMMITTER_IDENT")
	if err != nil {
		return time.Time{}, err
	}
	_, stamp, _ := strings.Cut(strings.TrimSpace(out), "> ")
	since, offset, _ := strings.Cut(stamp, " ")
	seconds, err := strconv.ParseInt(since, 10, 64)
	zone, wrong := time.Parse("-0700", offset)
	if err := errors.Join(err, wrong); err != nil {
		return time.Time{}, i18n.Errorf("git var: %w", err)
	}
	return time.Unix(seconds, 0).In(zone.Location()), nil
}

// misplaced returns why nothing can be published in this way from the author's branch.
func (f *facts) misplaced(o Options) error {
	switch {
	case o.Push && f.remote == "":
		return i18n.Errorf("there is no remote repository to push to: `git remote add origin URL`")
	case o.Mode == Prepare && f.branch == f.served:
		return i18n.Errorf(
			"%s is the served branch, there is nothing to prepare: publish without --prepare, or `git switch -c "+
				"<branch>` for a pull request",
			f.branch,
		)
	case o.Mode == Prepare && o.Release != nil:
		return i18n.Errorf(
			"a release is a tag, which belongs to the merged commit: give --release with --tag, after the merge",
		)
	case o.Mode != Prepare && f.branch != "" && f.branch != f.served: // "" is refused as such
		err := i18n.Errorf(
			"branch %s is not the served one, %s: merge it first, or write the seals for its pull request with "+
				"--prepare (--ref names another served branch)",
			f.branch, f.served,
		)
		if o.Ref == "" && f.remote != "" && f.there == nil {
			err = i18n.Errorf("%w; if the branch was renamed there: `git remote set-head %s -a`", err, f.remote)
		}
		return err
	}
	return nil
}

// readTags reads, if the plan pushes, which tags are of the branch, and what the remote repository lacks of it.
func (r *Repository) readTags(ctx context.Context, _ *git.Repo, f *facts, o Options) error {
	if f.there == nil {
		return nil
	}
	args := []string{"for-each-ref", "--format=%(refname:strip=2)", "--merged=" + f.head, "refs/tags/v*"}
	for _, k := range content.Kinds { // of others git would read the objects, which may be missing
		args = append(args, "refs/tags/"+k.Folder)
	}
	merged, err := r.git(ctx, args...)
	for name := range strings.FieldsSeq(merged) {
		if tag, ok := f.tags[name]; ok {
			tag.merged = true
			f.tags[name] = tag
		}
	}
	there := f.there.branches[f.branch]
	if err != nil || there == "" || o.Mode == Prepare {
		return err
	}
	out, err := r.git(ctx, "rev-list", "--left-right", f.head+"..."+there)
	if strings.Contains(out, ">") {
		f.obstacle(i18n.Errorf(
			"%s has commits on %s that you do not have: `git pull --rebase`, then publish again", f.remote, f.branch,
		))
	}
	f.unsent = map[string]bool{}
	for commit := range strings.FieldsSeq(out) {
		f.unsent[strings.TrimPrefix(commit, "<")] = true
	}
	return err
}

// readTree reads the seals, at the head and on the served branch, where the items are, and what is not
// committed.
func (r *Repository) readTree(_ context.Context, repo *git.Repo, f *facts, _ Options) error {
	head, err := git.ParseOID(f.head)
	if err != nil {
		return err
	}
	if f.seals, err = sealsAt(repo, head); err != nil {
		return err
	}
	if f.places, err = loader.ReadPlaces(repo, head); err != nil {
		return err
	}
	if f.base, err = readBase(repo, f, head); err != nil || r.place.WorkTree == "" {
		return err
	}
	f.dirty, f.merging, err = r.Tree().Dirty(worktree.IsContent)
	return err
}

// readBase reads the served branch: as the remote repository has it, else as this clone last heard of it; but the
// local one if that has all of it, since what is published here and not pushed yet counts as well.
func readBase(repo *git.Repo, f *facts, head git.OID) (*loader.Base, error) {
	local, _ := repo.Resolve("refs/heads/" + f.served) // none is zero
	from, _ := repo.Resolve("refs/remotes/" + f.remote + "/" + f.served)
	name := f.remote + "/" + f.served
	if f.there != nil && f.there.branches[f.served] != "" {
		there, err := git.ParseOID(f.there.branches[f.served])
		if err != nil {
			return nil, err
		}
		if there != from {
			from, name = there, there.String()[:12]
		}
	}
	if from.IsZero() || !local.IsZero() && has(repo, local, from) {
		from, name = local, f.served
		if _, err := repo.Resolve("refs/tags/" + name); err == nil {
			name = "heads/" + name // else git would take the tag
		}
	}
	if from.IsZero() {
		return nil, nil
	}
	base, err := loader.ReadBase(repo, head, from.String())
	if base != nil {
		base.Name = name
	}
	return base, err
}

// has reports whether a commit has another one in its history.
func has(repo *git.Repo, commit, other git.OID) bool {
	common, ok, err := repo.MergeBase(commit, other)
	return err == nil && ok && common == other
}

// farFuture is after all publications in advance. Readers do not get these yet, but their versions
// are used already.
func farFuture() time.Time { return time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC) }

// readContent reads the branch as the service would, with drafts, and what validate finds at its head.
func (r *Repository) readContent(ctx context.Context, _ *git.Repo, f *facts, o Options) error {
	l := o.Loader
	if l == nil {
		l = loader.New(loader.Config{
			Source: r.Source(), Schemas: o.Schemas, Filters: true, Environ: r.environ, Opened: &loader.Opened{},
		})
		if f.rewrites(o.Mode) {
			l.Rewritable = f.base.Rewritable
		}
	}
	l.Branch, l.Drafts, l.Now = f.branch, true, farFuture
	result, err := l.Begin(ctx) // texts of superseded versions are read when a plan needs them
	f.snapshot, f.report, f.sealedOn = result.Snapshot, result.Report, l.SealedOn
	if err == nil && o.Mode != Tag { // what is tagged was merged: what stands there is not asked about
		f.found, err = l.ReviewDrafts()
	}
	return err
}
