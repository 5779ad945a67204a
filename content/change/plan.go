package change

import (
	"maps"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/i18n"
)

// PlannedTag is one step of a plan: a tag to create, with the reason for its version.
type PlannedTag struct {
	Tag     content.Tag
	Draft   *content.Publication // the content to be published
	Old     *semver.Version      // the previous version, nil if this is the first
	Class   Class
	Fields  []Field // the differences from the previous version
	Least   *semver.Version
	Why     i18n.Text // in one sentence: the class and the change that determined it
	Message string    // for the tag, from the commits since the last publication

	Checksum string // of the content under the version of the tag
}

// Ask is an author's request for the version of a publication. The zero value requests nothing.
type Ask struct {
	Bump    Bump            // an increment of the version
	Version *semver.Version // or the version itself
}

// Plan returns the publications for the drafts of a snapshot, by kind and name. The snapshot is
// loaded with drafts. An item without a draft is left out, unless the stable version of a
// prerelease is requested ([Candidate]), and so is one whose draft equals what is published.
// ask has the requests by item, folder and name; one that cannot be fulfilled is an error that
// names it, and so is a request for an item that has nothing to publish.
func Plan(schemas content.Schemas, s *content.Snapshot, ask map[string]Ask) ([]PlannedTag, error) {
	var plan []PlannedTag
	open := maps.Clone(ask)
	for _, it := range s.Items {
		draft := toPublish(it, ask[it.ID()])
		if draft == nil {
			continue
		}
		p, err := Publish(schemas, it, draft, ask[it.ID()], s.Spent[it.ID()])
		if err != nil {
			return nil, i18n.Errorf("%s: %w", it.ID(), err)
		}
		if p.Class != None {
			plan = append(plan, p)
			delete(open, it.ID())
		}
	}
	for _, item := range slices.Sorted(maps.Keys(open)) {
		return nil, i18n.Errorf("%s: there is nothing to publish: its file says what is published", item)
	}
	return plan, nil
}

// DraftOf returns the unpublished content of an item, nil if there is none.
func DraftOf(it *content.Item) *content.Publication {
	i := slices.IndexFunc(it.Entries, func(e *content.Entry) bool { return e.Draft })
	if i < 0 {
		return nil
	}
	return it.Entries[i].Publication
}

// Candidate returns the prerelease that can be released as a stable version: the last
// publication of the item, if it is a prerelease and the item has no draft, else nil.
func Candidate(it *content.Item) *content.Publication {
	if DraftOf(it) != nil || len(it.Entries) == 0 {
		return nil
	}
	if e := it.Entries[0]; e.Version.Prerelease() != "" && e.Status != content.Redacted {
		return e.Publication
	}
	return nil
}

// toPublish returns what is to be published of an item by a request, nil if there is nothing.
func toPublish(it *content.Item, ask Ask) *content.Publication {
	if draft := DraftOf(it); draft != nil {
		return draft
	}
	if ask.Version != nil && ask.Version.Prerelease() == "" {
		return Candidate(it)
	}
	return nil
}

// Published returns the highest publication of an item, nil if there is none; optionally of
// stable ones only.
func Published(it *content.Item, stable bool) *content.Publication {
	for _, e := range it.Entries {
		if !e.Draft && (!stable || e.Version.Prerelease() == "") {
			return e.Publication
		}
	}
	return nil
}

// Publish returns the publication for one draft of an item; the item may have no versions yet.
// Spent versions are skipped. A draft that equals what is published has the class None.
func Publish(
	schemas content.Schemas, it *content.Item, draft *content.Publication, ask Ask, spent []*semver.Version,
) (PlannedTag, error) {
	p := PlannedTag{Draft: draft, Message: Message(draft.ChangeNote)}
	if !draft.Draft {
		p.Message = candidates(it)
	}
	var body content.Object
	if before := Published(it, true); before != nil {
		p.Old, body = before.Version, before.Body()
	}
	p.Fields, p.Class = Of(schemas, it.Kind, it.Name, body, draft.Body())
	highest := Published(it, false)
	p.Least, p.Why = nextStable(p.Old, highest, p.Class), reason(p)
	v, err := ask.version(p)
	if err != nil {
		return p, err
	}
	taken := func(w *semver.Version) bool { return w.Equal(v) }
	for slices.ContainsFunc(spent, taken) {
		if ask.Version != nil {
			return p, i18n.Errorf("version %s is sealed and its content is lost: the number is spent", v)
		}
		next := v.IncPatch()
		v = &next
	}
	if highest != nil && !v.GreaterThan(highest.Version) {
		return p, i18n.Errorf("version %s is not higher than %s, which is published", v, highest.Version)
	}
	p.Tag = content.Tag{Kind: it.Kind, Name: it.Name, Version: v}
	p.Checksum, err = content.Checksum(content.Identified(it.Kind, v, draft.Body()))
	return p, err
}

// nextStable returns the stable version for a change of the class if no higher one is requested. A
// prerelease above the last stable version leads to its own release, if that is high enough for
// the change.
func nextStable(old *semver.Version, highest *content.Publication, c Class) *semver.Version {
	if highest != nil && highest.Version.Prerelease() != "" {
		v := highest.Version
		if release := semver.New(v.Major(), v.Minor(), v.Patch(), "", ""); Enough(old, release, c) {
			return release
		}
	}
	return Next(old, c)
}

// version returns the requested version, or an error if it is too low.
func (a Ask) version(p PlannedTag) (*semver.Version, error) {
	v := p.Least
	switch {
	case a.Version != nil:
		v = a.Version
	case a.Bump != "":
		v = a.Bump.From(p.Old)
	}
	if p.Class != None && !Enough(p.Old, v, p.Class) {
		least := p.Least
		if p.Old == nil {
			least = lowest()
		}
		return nil, i18n.Errorf(
			"version %s is too small a step: the change is %s, it needs at least %s", v, p.Why, least,
		)
	}
	return v, nil
}

// candidates composes the message of a release from those of its prereleases.
func candidates(it *content.Item) string {
	var subjects []string
	for _, e := range slices.Backward(it.Entries) {
		if e.Version.Prerelease() == "" {
			subjects = nil // they are in the message of that version
			continue
		}
		for line := range strings.Lines(e.ChangeNote) {
			if line = strings.TrimPrefix(strings.TrimSpace(line), "- "); !slices.Contains(subjects, line) {
				subjects = append(subjects, line)
			}
		}
	}
	return Message(strings.Join(subjects, "\n"))
}

// reason is the change that determined the class, in one sentence.
func reason(p PlannedTag) i18n.Text {
	if p.Old == nil {
		return i18n.New("the first publication")
	}
	for _, f := range p.Fields {
		if f.Class == p.Class {
			return i18n.New("%s: %s %s", p.Class, f.Path, f.What)
		}
	}
	return p.Class.Localize()
}

// Message composes a tag's message from the subjects of commits, one per line, oldest first: a
// single subject is the message; several become the first with a list of the others.
func Message(subjects string) string {
	lines := slices.DeleteFunc(strings.Split(subjects, "\n"), func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(lines) < 2 {
		return strings.Join(lines, "")
	}
	return lines[0] + "\n\n- " + strings.Join(lines[1:], "\n- ")
}
