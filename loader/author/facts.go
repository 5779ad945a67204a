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
)

// facts are what a plan is made of. They are read once, and a plan asks for nothing else.
type facts struct {
	next      bool    // the plan is for display: see [Repository.Next]
	obstacles []error // found while reading, each with its remedy

	branch   string // the author's; "" if none is checked out
	head     string // its commit
	remote   string // the repository to which it is pushed, "" if there is none
	served   string // the branch whose tags publish
	now      time.Time
	tags     map[string]tagRef
	there    *remoteRefs         // what the remote repository has; nil unless the plan pushes
	unsent   map[string]bool     // commits of the branch that the remote one does not have
	base     *loader.Base        // the served branch as this clone knows it; nil if there is none
	seals    sealFiles           // at the head
	written  sealFiles           // in the work tree
	dirty    []string            // the files of the content that are not as in the commit
	merging  bool                // one of them is in conflict
	places   map[string]git.File // the files of items at the head, by their paths without areas
	snapshot *content.Snapshot   // with drafts
	report   content.Report
	found    []content.Finding                                   // in the files, by validate; none if the plan tags what is merged
	sealedOn func(*content.Publication) (commit string, ok bool) // see [loader.Loader.SealedOn]
}

// tagRef is a tag: its object and, if it is annotated, the target.
type tagRef struct {
	oid, commit string
	merged      bool // reachable from the head; known if the plan pushes
}

// remoteRefs are the refs of a remote repository.
type remoteRefs struct {
	head   string            // the branch that its HEAD names, "" if that is not known
	branch string            // the commit of the author's branch, "" if it has none
	tags   map[string]string // their objects
}

// readFacts reads everything for a plan. Unless it is for display, what stands in the way ends that early.
func (r *Repository) readFacts(ctx context.Context, o Options, next bool) (*facts, error) {
	f := &facts{next: next}
	for _, read := range []func(context.Context, *facts, Options) error{
		r.readBranch, r.readRemote, r.readTags, r.readSeals, r.readContent,
	} {
		err := read(ctx, f, o)
		if len(f.obstacles) > 0 && !next {
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
		f.obstacles = append(f.obstacles, err)
	}
}

// readBranch reads the author's branch and its head.
func (r *Repository) readBranch(ctx context.Context, f *facts, o Options) (err error) {
	if f.head, err = r.head(ctx); answeredNo(err) {
		return i18n.Errorf("the repository has no commit yet: commit your content first")
	} else if err != nil {
		return err
	}
	out, err := r.git(ctx, "symbolic-ref", "--quiet", "HEAD")
	if f.branch = strings.TrimPrefix(strings.TrimSpace(out), "refs/heads/"); answeredNo(err) {
		err = i18n.Errorf(
			"no branch is checked out (detached HEAD): `git switch BRANCH` first, and finish a rebase if one " +
				"is under way",
		)
	}
	f.obstacle(err)
	if !f.next || o.Ref == "" || o.Ref == f.branch {
		return nil
	}
	f.obstacle(i18n.Errorf("branch %s is not checked out: `git switch %[1]s` first", o.Ref))
	f.branch = o.Ref // the plan is for another branch than the current one
	f.head, _, err = r.resolve(ctx, "refs/heads/"+o.Ref+"^{commit}")
	return err
}

// readRemote reads which repository the branch is pushed to, what that has if the plan pushes, and which
// branch is served.
func (r *Repository) readRemote(ctx context.Context, f *facts, o Options) (err error) {
	if f.remote, err = r.remote(ctx, f.branch); err != nil {
		return err
	}
	if o.Push && f.remote != "" {
		if f.there, err = r.remoteRefs(ctx, f.remote, f.branch); err != nil {
			return err
		}
	}
	if f.served, err = r.servedBranch(ctx, f, o); err != nil {
		return err
	}
	if f.now, err = r.now(ctx); err != nil {
		f.now = time.Now()
		f.obstacle(err)
	}
	f.obstacle(f.misplaced(o))
	return nil
}

// remote returns the remote repository that a branch is pushed to, "" if there is none.
func (r *Repository) remote(ctx context.Context, branch string) (string, error) {
	out, err := r.git(ctx, "config", "--get", "branch."+branch+".remote")
	if name := strings.TrimSpace(out); err == nil && name != "." {
		return name, nil
	}
	if err != nil && !answeredNo(err) {
		return "", err
	}
	out, err = r.git(ctx, "remote")
	names := strings.Fields(out)
	switch {
	case len(names) == 1:
		return names[0], err
	case slices.Contains(names, "origin"):
		return "origin", nil
	}
	return "", err
}

// remoteRefs lists the refs of the remote repository.
func (r *Repository) remoteRefs(ctx context.Context, remote, branch string) (*remoteRefs, error) {
	ref := "refs/heads/" + branch
	out, err := r.git(ctx, "ls-remote", "--symref", "--end-of-options", remote, "HEAD", ref, "refs/tags/*")
	if err != nil {
		return nil, i18n.Errorf(
			"%s cannot be reached, and nothing was changed; publish without --push, or again when it can be:\n\t%w",
			remote, err,
		)
	}
	refs := &remoteRefs{tags: map[string]string{}}
	for line := range strings.Lines(out) {
		value, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		tag, isTag := strings.CutPrefix(name, "refs/tags/")
		target, symbolic := strings.CutPrefix(value, "ref: ")
		switch {
		case symbolic && name == "HEAD":
			refs.head = strings.TrimPrefix(target, "refs/heads/")
		case isTag && !strings.HasSuffix(tag, "^{}"): // the latter is what the tag points to
			refs.tags[tag] = value
		case name == ref:
			refs.branch = value
		}
	}
	return refs, nil
}

// servedBranch returns the branch whose tags publish: the requested one, else the one that the remote
// repository's HEAD names, by its own word if the plan pushes, else main if it exists, else the current one.
func (r *Repository) servedBranch(ctx context.Context, f *facts, o Options) (string, error) {
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
		if !answeredNo(err) {
			return "", err
		}
	}
	_, found, err := r.resolve(ctx, "refs/heads/"+git.Branch)
	if found || err != nil {
		return git.Branch, err
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
	f := strings.Fields(out)
	if len(f) < 2 {
		return time.Time{}, i18n.Errorf("git var: no time in %q", out)
	}
	seconds, err := strconv.ParseInt(f[len(f)-2], 10, 64)
	zone, wrong := time.Parse("-0700", f[len(f)-1])
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

// readTags reads the tags and, if the plan pushes, what the remote repository lacks of the branch.
func (r *Repository) readTags(ctx context.Context, f *facts, o Options) (err error) {
	if f.tags, err = r.tagRefs(ctx); err != nil || f.there == nil {
		return err
	}
	merged, err := r.tagRefs(ctx, "--merged="+f.head)
	for name, tag := range merged {
		tag.merged = true
		f.tags[name] = tag
	}
	if err != nil || f.there.branch == "" || o.Mode == Prepare {
		return err
	}
	_, known, err := r.resolve(ctx, f.there.branch+"^{commit}")
	if err != nil {
		return err
	}
	out := ">"
	if known {
		if out, err = r.git(ctx, "rev-list", "--left-right", f.head+"..."+f.there.branch); err != nil {
			return err
		}
	}
	if strings.Contains(out, ">") {
		f.obstacle(i18n.Errorf(
			"%s has commits on %s that you do not have: `git pull --rebase`, then publish again", f.remote, f.branch,
		))
	}
	f.unsent = map[string]bool{}
	for commit := range strings.FieldsSeq(out) {
		f.unsent[strings.TrimPrefix(commit, "<")] = true
	}
	return nil
}

// tagRefs lists the tags of publications and releases of the content, filtered by options.
func (r *Repository) tagRefs(ctx context.Context, options ...string) (map[string]tagRef, error) {
	args := append([]string{"for-each-ref", "--format=%(refname:strip=2) %(objectname) %(*objectname)"}, options...)
	args = append(args, "refs/tags/v*")
	for _, k := range content.Kinds { // of others git would read the objects, which may be missing
		args = append(args, "refs/tags/"+k.Folder)
	}
	out, err := r.git(ctx, args...)
	tags := map[string]tagRef{}
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		name := fields[0]
		if _, err := content.ParseTag(name); !errors.Is(err, content.ErrForeignTag) {
			tags[name] = tagRef{oid: fields[1], commit: fields[len(fields)-1]}
		}
	}
	return tags, err
}

// readSeals reads the seals, at the head and on the served branch, where the items are, and what is not
// committed.
func (r *Repository) readSeals(ctx context.Context, f *facts, _ Options) error {
	ref, name, err := r.baseRef(ctx, f)
	if err != nil {
		return err
	}
	err = r.readAt(f.head, func(repo *git.Repo, head git.OID) (err error) {
		if f.seals, err = sealsAt(repo, head); err != nil {
			return err
		}
		if f.places, err = loader.ReadPlaces(repo, head); err != nil {
			return err
		}
		if f.base, err = loader.ReadBase(repo, head, ref); f.base != nil {
			f.base.Name = name
		}
		return err
	})
	if err != nil || r.bare {
		return err
	}
	if f.dirty, f.merging, err = r.tree().Dirty(loader.IsContent); err != nil {
		return err
	}
	f.written, err = r.workSeals(f.seals, f.dirty)
	return err
}

// baseRef returns the ref of the served branch and its short name: the local branch if it has all that the remote
// one had, else the word of the remote repository.
func (r *Repository) baseRef(ctx context.Context, f *facts) (ref, name string, err error) {
	out, err := r.git(
		ctx, "for-each-ref", "--format=%(refname) %(refname:short)", "refs/heads/"+f.served,
		"refs/remotes/"+f.remote+"/"+f.served,
	)
	fields := strings.Fields(out) // of none, one or two
	if len(fields) == 4 {
		_, err := r.git(ctx, "merge-base", "--is-ancestor", fields[2], fields[0])
		if err != nil && !answeredNo(err) {
			return "", "", err
		}
		if err != nil {
			fields = fields[2:]
		}
	}
	if len(fields) == 0 {
		return "", "", err
	}
	return fields[0], fields[1], err
}

// farFuture is after all publications in advance. Readers do not get these yet, but their versions
// are used already.
func farFuture() time.Time { return time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC) }

// readContent reads the branch as the service would, with drafts, and what validate finds at its head.
func (r *Repository) readContent(ctx context.Context, f *facts, o Options) error {
	l := o.Loader
	if l == nil {
		l = loader.New(loader.Config{
			Source: r.Source(), Schemas: o.Schemas, Filters: true, Environ: r.environ,
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

// readAt reads a commit of the repository.
func (r *Repository) readAt(commit string, read func(*git.Repo, git.OID) error) error {
	repo, err := r.Source().Open() // first: its error for unsupported ids has the remedy
	if err != nil {
		return err
	}
	defer repo.Close()
	id, err := git.ParseOID(commit)
	if err != nil {
		return err
	}
	return read(repo, id)
}
