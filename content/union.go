package content

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// Union joins the snapshots of several repositories, each building on those before it, into one
// snapshot that is served like that of a single repository. A single snapshot is returned as it
// is. Content of an earlier repository never changes: a later one adds, refers and overrides,
// and its marks do not apply to items of another. The loader of a later repository refuses
// items with names of an earlier one and reports them ([Beneath.Taken]); if there is still one,
// because that repository could not be loaded again, it is dropped here and listed for each
// part, by folder and name. The settings, the product releases, the date and the time zone are
// those of the first; its Refs identify all of them.
func Union(parts []*Snapshot) (joined *Snapshot, dropped [][]string) {
	b, dropped := join(parts)
	if joined = b.Snapshot; len(parts) == 1 && joined.Name != "" { // the only one of several that can be read
		own := *joined
		own.Sources, joined = []Source{own.Source}, &own
	}
	return joined, dropped
}

// Beneath is the joined content of the repositories that a later one builds on.
type Beneath struct {
	*Snapshot
	names map[string]NameOwner
}

// NameOwner is the owner of a name: an item, folder and name, and its repository.
type NameOwner struct{ Item, Source string }

// NewBeneath joins the snapshots that a repository builds on; nil if there are none.
func NewBeneath(parts []*Snapshot) *Beneath {
	if len(parts) == 0 {
		return nil
	}
	b, _ := join(parts)
	return b
}

func join(parts []*Snapshot) (b *Beneath, dropped [][]string) {
	b, dropped = &Beneath{parts[0], map[string]NameOwner{}}, make([][]string, len(parts))
	b.hold(parts[0], func(string) bool { return true })
	if len(parts) == 1 {
		return b, dropped
	}
	s := *parts[0]
	s.Sources, s.byID = []Source{s.Source}, maps.Clone(s.byID)
	s.Items, s.Upcoming = slices.Clone(s.Items), slices.Clone(s.Upcoming)
	s.marks = slices.DeleteFunc(slices.Clone(s.marks), func(m Mark) bool { return !parts[0].knows(m.Item) })
	s.Changes = changesOf(parts[0], func(*Change) bool { return true })
	s.Spent, s.overridden = maps.Clone(s.Spent), map[string]Override{}
	if s.Spent == nil {
		s.Spent = map[string][]*semver.Version{}
	}
	b.Snapshot = &s
	s.Manuscripts = manuscriptsOf(parts[0], func(string) bool { return true })
	for i, part := range parts[1:] {
		dropped[i+1] = b.add(part)
	}
	h := sha256.New()
	for _, part := range s.Sources {
		fmt.Fprintf(h, "%q %q %q %q %q %q\n", part.Name, part.Commit, part.Branch, part.Refs, part.Date, part.Over)
	}
	s.Refs = hex.EncodeToString(h.Sum(nil))
	return b, dropped
}

// add adds a later repository, and lists the items that an earlier one has already.
func (b *Beneath) add(part *Snapshot) (dropped []string) {
	s, foreign := b.Snapshot, map[string]bool{}
	for _, it := range part.Items {
		if _, taken := b.Taken(it.Kind, it.Name, it.Entries[0].statedID()); taken {
			dropped, foreign[it.ID()] = append(dropped, it.ID()), true
		}
	}
	own := func(item string) bool {
		_, taken := b.names[strings.ToLower(item)]
		return !taken && !foreign[item]
	}
	s.Drafts = s.Drafts || part.Drafts
	s.Manuscripts = append(s.Manuscripts, manuscriptsOf(part, own)...)
	for _, m := range part.marks { // before its own items are added
		if m.Status != Overridden {
			if part.knows(m.Item) && own(m.Item) {
				s.marks = append(s.marks, m)
			}
			continue
		}
		if o, wrong := b.Override(m, part); wrong == nil {
			s.marks = append(s.marks, m)
			if m.Since <= s.Date {
				s.overridden[o.Item] = o
			}
		}
	}
	s.now.marks = marksInForce(s.marks, s.Date)
	for _, it := range part.Items {
		if own(it.ID()) {
			s.Items, s.byID[it.ID()] = append(s.Items, it), it
		}
	}
	slices.SortFunc(s.Items, CompareItems)
	for _, p := range part.Upcoming {
		if own(p.Item()) {
			s.Upcoming = append(s.Upcoming, p)
		}
	}
	slices.SortFunc(s.Upcoming, sooner)
	// releases of the product are those of the first
	s.Changes = append(s.Changes, changesOf(part, func(c *Change) bool {
		return c.Guideline != "" && own(Guidelines.Folder+"/"+c.Guideline)
	})...)
	slices.SortStableFunc(s.Changes, newerFirst)
	for item, versions := range part.Spent {
		if own(item) {
			s.Spent[item] = versions
		}
	}
	s.Sources = append(s.Sources, part.Source)
	b.hold(part, own)
	return dropped
}

// changesOf lists changes of a repository, each with its name.
func changesOf(part *Snapshot, which func(*Change) bool) (all []*Change) {
	for _, c := range part.Changes {
		if which(c) {
			c := *c
			c.Source = part.Name
			all = append(all, &c)
		}
	}
	return all
}

// manuscriptsOf lists the manuscripts of a repository with its name. That of another repository's
// item is only a file, as the item's address does not serve it.
func manuscriptsOf(part *Snapshot, own func(item string) bool) (all []*Manuscript) {
	for _, m := range part.Manuscripts {
		m := *m
		if m.Source = part.Name; m.Kind != nil && !own(m.Item()) {
			m.Kind = nil
		}
		all = append(all, &m)
	}
	return all
}

// hold records the names of a repository: of served and upcoming items, and of those that can
// never be used again.
func (b *Beneath) hold(part *Snapshot, own func(item string) bool) {
	held := map[string]NameOwner{}
	note := func(k *Kind, name, id string) {
		by := NameOwner{k.Folder + "/" + name, part.Name}
		if !own(by.Item) {
			return
		}
		for _, taken := range namesOf(k, name, id) {
			if _, ok := b.names[taken]; !ok {
				held[taken] = by
			}
		}
	}
	for _, it := range part.Items {
		note(it.Kind, it.Name, it.Entries[0].statedID())
	}
	for _, p := range part.Upcoming {
		note(p.Kind, p.Name, p.statedID())
	}
	for item := range part.Spent {
		if folder, name, _ := strings.Cut(item, "/"); KindOf(folder) != nil {
			note(KindOf(folder), name, "")
		}
	}
	maps.Copy(b.names, held)
}

// namesOf lists the names that no other item may have besides one with a name and an id, whatever
// its kind: folder and name, the address and its last part, and the names in texts and citations.
// If a name ends like the address of a representation or of a version, the part before that is one
// of them, too.
func namesOf(k *Kind, name, id string) (all []string) {
	path := k.ItemPath(name)
	for _, n := range []string{k.Folder + "/" + name, path, strings.TrimPrefix(path, "/api/v1/"), name, id} {
		if n = strings.ToLower(n); n == "" {
			continue
		}
		all = append(all, n)
		if item := strings.TrimSuffix(n, addressEnd.FindString(n)); item != n {
			all = append(all, item)
		}
	}
	return all
}

// addressEnd matches the part of an address after an item: a version, a representation or both.
var addressEnd = regexp.MustCompile(`(?:/v\d[^/]*|\.(?:md|json|jsonschema|html|txt|yaml|atom))$`)

// knows reports whether a repository has, will have or had an item, by folder and name.
func (s *Snapshot) knows(item string) bool {
	return s.byID[item] != nil || s.Spent[item] != nil ||
		slices.ContainsFunc(s.Upcoming, func(p *Publication) bool { return p.Item() == item })
}

// statedID is the id that a publication states if it differs from its name, "" if it cannot be
// read.
func (p *Publication) statedID() string {
	if p.Kind.NameIsID || p.Text == nil {
		return ""
	}
	return p.ID()
}

// Taken returns the owner of the name, the address or the id of an item, if there is one.
func (b *Beneath) Taken(k *Kind, name, id string) (by NameOwner, taken bool) {
	if b == nil {
		return by, false
	}
	for _, n := range namesOf(k, name, id) {
		if by, taken = b.names[n]; taken {
			return by, true
		}
	}
	return by, false
}

// Serves reports whether a version of an item, folder and name, is served.
func (b *Beneath) Serves(item string) bool { return b != nil && b.byID[item] != nil }

// Override declares that an item of a later repository is to be used instead of one of an
// earlier repository.
type Override struct {
	Item   string // of the earlier repository, folder and name
	By     string // of the later repository
	Source string // the name of the later repository
	Reason string
	Since  string // a date
}

// Override parses a mark that declares one, in a repository that was loaded with those beneath
// it. If the mark has no effect, wrong is the reason.
func (b *Beneath) Override(m Mark, own *Snapshot) (o Override, wrong *RuleText) {
	o = Override{Item: m.Item, By: m.ReplacedBy, Source: own.Name, Reason: m.Reason, Since: m.Since}
	no := func(s RuleText) (Override, *RuleText) { return o, &s }
	if !b.Serves(m.Item) {
		if own.byID[m.Item] != nil {
			return no(Say("override", "own", Args{"item": m.Item}))
		}
		return no(Say("override", "unknown", Args{"item": m.Item}))
	}
	before, folder := b.overridden[m.Item], b.byID[m.Item].Kind.Folder
	by := own.byID[m.ReplacedBy]
	switch {
	case m.Version != "":
		return no(Say("override", "version", Args{"item": m.Item, "version": m.Version}))
	case b.byID[m.Item].Current == nil:
		return no(Say("override", "away", Args{"item": m.Item}))
	case before.By != "" && (before.Source != own.Name || before.By != m.ReplacedBy):
		return no(Say("override", "already", Args{"item": m.Item, "by": before.By, "source": before.Source}))
	case !strings.HasPrefix(m.ReplacedBy, folder+"/"):
		return no(Say("override", "kind", Args{"item": m.Item}))
	case by == nil || b.Serves(m.ReplacedBy) || by.Current == nil || by.Current.Status == Archived:
		return no(Say("override", "missing", Args{"item": m.Item, "by": m.ReplacedBy}))
	}
	return o, nil
}

// AllOverrides lists the overrides of later repositories, by item.
func (s *Snapshot) AllOverrides() (all []Override) {
	for _, item := range slices.Sorted(maps.Keys(s.overridden)) {
		all = append(all, s.overridden[item])
	}
	return all
}

// First reports whether a version belongs to the first of the repositories, or to the only one.
func (s *Snapshot) First(e *Entry) bool { return len(s.Sources) == 0 || e.Source == s.Sources[0].Name }

// SourceOf returns the source with that name among several; not ok if there is none.
func (s *Snapshot) SourceOf(name string) (source Source, ok bool) {
	i := slices.IndexFunc(s.Sources, func(part Source) bool { return part.Name == name })
	if i < 0 {
		return source, false
	}
	return s.Sources[i], true
}
