package loader

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// review is what a load has to say of what it serves: stage 7.
type review struct {
	*facts
	report content.Report
}

// conclude makes the snapshot, and completes the report.
func (fs *facts) conclude(k *stock, p *published, h held, before *content.Snapshot) (result Loaded, err error) {
	rs := review{fs, fs.report}
	rs.report.Join(k.report)
	rs.report.Join(p.report)
	for _, r := range k.releases {
		rs.report.Add(unreadableNote(content.Tag{Version: r.Version}.String(), fmt.Sprint(r.Message))...)
	}
	if rs.reportHeld(h); len(h.served) == 0 {
		return Loaded{}, rs.nothing()
	}
	lacking := damage(rs.report) + p.damage
	result = Loaded{
		Snapshot: content.NewSnapshot(content.Input{
			Source: content.Source{
				Commit: fs.refs.Commit.String(), Branch: fs.refs.Branch,
				Refs: fs.hash + fs.dirty + fs.Signers.ID() + lacking, Date: fs.today, Drafts: fs.Drafts,
			},
			Settings: fs.settings, SignedFiles: fs.signed, Publications: h.served,
			Upcoming: h.early, Held: h.waiting,
			Releases: k.releases, Marks: fs.marks, Spent: p.spent,
			Before: before,
		}),
		Damaged: lacking != "", Refs: fs.hash, Fixed: fs.refs.Fixed, Reaches: reaches(fs.history),
	}
	if !result.Damaged { // else the same refs may come to more
		result.State = fs.state(fs.today)
	}
	if result.LogResult, err = rs.reviewServed(result.Snapshot, k.outcomes, p.publications); err != nil {
		return Loaded{}, err
	}
	result.Report = rs.report
	return result, nil
}

// maxReasons is the maximum number of findings in the error for an empty snapshot.
const maxReasons = 10

// nothing is the error for an empty snapshot, with both remedies.
func (rs *review) nothing() error {
	findings := slices.Clone(rs.report.Findings)
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
	if damage(rs.report) != "" {
		return &git.ReadError{
			What: i18n.New("read what branch %s publishes", rs.refs.Branch),
			Err:  i18n.Errorf("nothing is left that could be served: %w%s", git.ErrDamaged, i18n.Join("", why...)),
		}
	}
	if rs.Drafts {
		return i18n.Errorf(
			"%w on branch %s, and there is no draft that could be served: add a file such as "+
				"guidelines/<guideline_id>.yaml%s",
			ErrNothingPublished, rs.refs.Branch, i18n.Join("", why...),
		)
	}
	return i18n.Errorf("%w on branch %s: publish a file with a tag, for example `git tag -a %s -m \"First "+
		"version\"`, or serve what is not published yet with --drafts%s",
		ErrNothingPublished, rs.refs.Branch, "guidelines/<guideline_id>/v1.0.0", i18n.Join("", why...))
}

// reviewServed adds the findings that only the snapshot shows, and completes the report. It
// returns the log.
func (rs *review) reviewServed(
	s *content.Snapshot, outcomes []*outcome, publications []*content.Publication,
) (logged LogResult, err error) {
	if err := crash.Do(func() {
		rs.reviewHead(publications)
		rs.reviewMarks(s)
		rs.reviewReferences(s)
		rs.reviewDates(s)
	}); err != nil {
		rs.report.Add(rs.crashFinding("", "reviewing what is served", err))
	}
	if err := rs.reviewBehind(s, outcomes); err != nil {
		return logged, err
	}
	if logged, err = rs.completeLog(); err != nil {
		return logged, err
	}
	rs.addOrigins()
	rs.locatePaths()
	rs.report.Sort()
	rs.report.Limit()
	return logged, nil
}

// An item may stand in sub-folders by area, which its name does not have
// ([content.ItemAt]). Until the end of a load, findings about its file name it as
// [content.Kind].File does, so that nothing that is known of a file has to be found out
// again because it moved.

// locatePaths replaces the paths in findings about items' files by those at the head, or in the
// work tree if drafts are served.
func (rs *review) locatePaths() {
	typed := map[string]string{}
	if rs.work != nil {
		for path := range rs.work.Paths() {
			typed[content.PlainPath(path)] = path
		}
	}
	for i := range rs.report.Findings {
		f := &rs.report.Findings[i]
		if _, ok := worktree.ItemAt(f.Path); !ok || f.Path != content.PlainPath(f.Path) {
			continue
		}
		if path, ok := typed[f.Path]; ok {
			f.Path = path
			continue
		}
		f.Path = rs.history.Where(rs.refs.Commit, f.Path)
	}
}

// reportHeld reports what is not served yet, with the reasons.
func (rs *review) reportHeld(h held) {
	for _, p := range h.early {
		rs.report.Hold(p.Tag(), planned(p))
	}
	for _, p := range h.waiting {
		r := h.why[p]
		f := finding(p.Kind.File(p.Name), say("reference", "unpublished", args{"item": r.Item}))
		f.Line, f.Column = r.Line, r.Column
		rs.report.Hold(p.Tag(), f)
	}
}

// unreadableNote reports a note that nobody can read: it is served with signs of replacement.
func unreadableNote(tag, note string) []content.Finding {
	if utf8.ValidString(note) {
		return nil
	}
	return []content.Finding{
		about(tag, warning("", say("encoding", "note", nil).Advise(say("encoding", "note", nil)))),
	}
}

// reviewDates reports overdue reviews of items that, unlike guidelines and parameters, stay
// current.
func (rs *review) reviewDates(s *content.Snapshot) {
	for _, it := range s.Items {
		if it.Current == nil || it.Kind.Expires {
			continue
		}
		if after := it.Current.RecheckAfter(); after != "" && after < rs.today {
			f := warning(it.Kind.File(it.Name), say("overdue", "current", args{"after": after}))
			rs.report.Add(about(it.Current.Tag(), f))
		}
	}
}

// reviewHead reports published files that are missing at the head, and files that no tag can
// ever publish.
func (rs *review) reviewHead(publications []*content.Publication) {
	for files := range rs.history.Paths(rs.refs.Commit) {
		for i, f := range files {
			rs.report.Add(worktree.MisplacedEntry(f)...)
			if _, ok := worktree.ItemAt(f.Path); ok && i > 0 {
				rs.report.Add(worktree.SecondPlace(f.Path, files[0].Path))
			}
		}
	}
	missing := map[string]bool{}
	for i, p := range publications {
		if q := publications[max(i-1, 0)]; i > 0 && p.Kind == q.Kind && p.Name == q.Name && p.Draft == q.Draft {
			continue // of twenty thousand publications, most are of the item of the one before
		}
		path := p.Kind.File(p.Name)
		if p.Draft || missing[path] || content.Withdrawn(rs.marks, p.Item()) {
			continue
		}
		if _, present := rs.history.At(rs.refs.Commit, path); present {
			continue
		}
		missing[path] = true
		rs.report.Add(removed(path))
	}
}

// removed is the finding about a published file that was removed.
func removed(path string) content.Finding { return warning(path, say("removed", "file", nil)) }

// reviewMarks reports marks without an effect.
func (rs *review) reviewMarks(s *content.Snapshot) {
	var found []content.Finding
	for _, m := range rs.marks {
		found = append(found, whyIneffective(s, m)...)
	}
	rs.report.Add(check.Capped(found)...)
}

// whyIneffective returns the reason why a mark has no effect.
func whyIneffective(s *content.Snapshot, m content.Mark) []content.Finding {
	item := s.ItemByID(m.Item)
	hasVersion := item != nil && (m.Version == "" || slices.ContainsFunc(
		item.Entries, func(e *content.Entry) bool { return e.Version.String() == m.Version },
	))
	var says content.RuleText
	switch {
	case m.Status == content.Void && hasVersion:
		says = say("mark", "void", args{"version": m.Version, "item": m.Item})
	case m.Status == content.Void && s.IsSpent(m.Item, m.Version):
		return nil
	case m.Status == "overridden": // of format 1.2, for stores that served several repositories
		says = say("mark", "overridden", args{"item": m.Item})
	case item == nil:
		says = say("mark", "unserved", args{"status": m.Status, "item": m.Item})
	case !hasVersion:
		says = say("mark", "version", args{"status": m.Status, "version": m.Version, "item": m.Item})
	case m.Status == content.ReviewRequired && !item.Kind.Expires:
		says = say("mark", "review", args{"item": m.Item})
	default:
		return nil
	}
	return []content.Finding{warning(content.LifecycleFile, says)}
}

// reviewReferences checks the references among current versions again: marks may have withdrawn
// their targets.
func (rs *review) reviewReferences(s *content.Snapshot) {
	for _, it := range s.Items {
		if it.Current == nil {
			continue
		}
		for _, r := range it.Current.References() {
			why := say("reference", "unserved", args{"item": r.Item})
			if to := s.ItemByID(r.Item); to != nil && to.Current != nil {
				if to.Current.Status != content.Archived {
					continue
				}
				why = say("reference", "archived", args{"item": r.Item})
			}
			f := warning(it.Kind.File(it.Name), why)
			f.Tag, f.Line, f.Column = it.Current.Tag(), r.Line, r.Column
			rs.report.Add(f)
		}
	}
}

// reviewBehind reports items whose highest publication was sealed before its text was finished:
// the file has other content at the commit that introduced the seal on the branch, so the
// merged text is not what is served. A later publication fixes it.
func (rs *review) reviewBehind(s *content.Snapshot, outcomes []*outcome) (err error) {
	for _, o := range outcomes {
		it := s.ItemByID(o.item)
		if it == nil {
			continue
		}
		i := slices.IndexFunc(
			it.Entries, func(e *content.Entry) bool { return !e.Draft && e.Version.Prerelease() == "" },
		)
		if i < 0 || !it.Entries[i].Sealed || it.Entries[i].Status == content.Redacted ||
			it.Entries[i].Status == content.Archived {
			continue
		}
		e := it.Entries[i]
		if o.reviewed != e.Publication { // else the seal is that of the last load, and so is the commit that brought it
			if o.behind, err = rs.behind(e.Publication); err != nil {
				return err
			}
			o.reviewed = e.Publication
		}
		if o.behind {
			rs.report.Add(about(e.Tag(), finding(
				it.Kind.File(it.Name),
				say("seal-behind", "merged", args{"version": e.Version, "next": e.Version.IncPatch().String()}),
			)))
		}
	}
	return nil
}

// behind reports whether the file does not have the sealed content at the commit that
// introduced the seal on the branch. It need not have it if a tag had published that content
// before.
func (fs *facts) behind(p *content.Publication) (bool, error) {
	line := fs.seals.inForce(p.Tag())
	on, path := line.cameBy(fs.history), p.Kind.File(p.Name)
	at, exists := fs.history.At(on, path)
	if at.Mode == git.Several {
		return false, nil // ambiguous
	}
	if at.OID.String() == p.Blob || line == nil || line.Checksum != p.Checksum || fs.taggedBefore(p, on) {
		return false, nil
	}
	if !exists {
		return true, nil
	}
	tag := content.Tag{Kind: p.Kind, Name: p.Name, Version: p.Version}
	it, err := fs.itemFile(tag, at.File)
	if err != nil || it.parsed().Body == nil {
		return err == nil, err
	}
	sum, err := it.checksum(tag)
	return err != nil || sum != p.Checksum, nil
}

// taggedBefore reports whether a tag had published the same content, with its own date, when a
// commit introduced the seal: later edits are then edits after the publication.
func (fs *facts) taggedBefore(p *content.Publication, on git.OID) bool {
	r := refNamed(fs.tags, p.Tag())
	if r == nil || r.unsigned != nil || r.tag.Commit.String() != p.Commit {
		return false
	}
	tagged, _ := fs.history.Commit(r.tag.Commit)
	came, _ := fs.history.Commit(on)
	return fs.history.Contains(r.tag.Commit) && !r.publishedAt(tagged).After(came.Committed)
}

// addOrigins adds commit, author and lines to publications that are not served, so that their
// authors can be found, as far as they are listed individually. Unreadable data is left out,
// because findings report it already.
func (rs *review) addOrigins() {
	rs.report.Origins = map[string]content.Origin{}
	commits := map[string]git.OID{}
	for _, all := range [][]string{rs.report.Refused, rs.report.Held} {
		all = slices.Sorted(slices.Values(all))
		for _, tag := range all[:min(len(all), content.MaxRejected)] {
			r := refNamed(rs.tags, tag)
			if r == nil {
				continue
			}
			commit, _ := rs.history.Commit(r.tag.Commit)
			author, _ := rs.repo.Author(r.tag.Commit)
			commits[tag] = r.tag.Commit
			rs.report.Origins[tag] = content.Origin{
				Commit: r.tag.Commit.String(), Committed: commit.Committed, Author: author,
			}
		}
	}
	for i := range rs.report.Findings {
		f := &rs.report.Findings[i]
		if commit, known := commits[f.Tag]; known && f.Line > 0 {
			f.Excerpt, _ = content.ExcerptAt(rs.textAt(commit, f.Path), f.Line, f.Column)
		}
	}
}

// textAt reads the file of an item in a commit, nil if that cannot be read.
func (fs *facts) textAt(commit git.OID, path string) []byte {
	at, exists := fs.history.At(commit, path)
	if _, ok := worktree.ItemAt(path); !ok || !exists || at.Mode == git.Absent {
		return nil
	}
	raw, _ := fs.repo.Blob(at.OID, worktree.Limit(path))
	return raw
}
