package change

import (
	"cmp"
	"slices"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
)

// Item is the file of an item in one state of a repository.
type Item struct {
	Kind *content.Kind
	Name string
	Path string         // of the file; "" if it is directly in its folder
	Body content.Object // nil if the file cannot be parsed
	// References are the references in Body.
	References []content.Reference
}

// ID returns folder and name.
func (i Item) ID() string { return i.Kind.Folder + "/" + i.Name }

// ItemChange is a change to one item.
type ItemChange struct {
	Item  string `json:"item"`
	Path  string `json:"path"`
	What  Verb   `json:"what"`
	Class Class  `json:"class"`
	// Unreadable means that the file, before or after, is invalid, so that the change cannot be
	// classified.
	Unreadable bool `json:"unreadable,omitempty"`
	// From is the removed item with the same content except for its id: an id never changes, so
	// to readers this is another item.
	From   string  `json:"from,omitempty"`
	Fields []Field `json:"fields"`
	// Published is the highest stable version, and Next the lowest version that the file can be
	// published as; empty if no publication is known or there is nothing to publish.
	Published string     `json:"published,omitempty"`
	Next      string     `json:"next,omitempty"`
	Referrers []Referrer `json:"referrers"` // current references to the item
	Users     []Referrer `json:"users"`     // uses of codes that were removed
}

// Compare returns the changes from one state of a repository to another, by kind and name.
// Unchanged items are left out. The snapshot is the published content, nil if it is not known.
func Compare(schemas content.Schemas, before, after []Item, s *content.Snapshot) []ItemChange {
	was, is := byID(before), byID(after)
	removed := removedItems(before, is)
	var all []ItemChange
	for _, i := range union(before, after) {
		b, a := was[i.ID()], is[i.ID()]
		c, differs := compare(schemas, b, a)
		if !differs {
			continue
		}
		if c.What == Added {
			c.From = removed[contentKey(a)]
		}
		c.Referrers = referrers(after, c.Item)
		var codes []string
		for _, f := range c.Fields {
			if f.Code != "" {
				codes = append(codes, f.Code)
			}
		}
		c.Users = users(after, c.Item, codes)
		c.versions(schemas, a, s)
		all = append(all, c)
	}
	return all
}

func byID(items []Item) map[string]*Item {
	m := map[string]*Item{}
	for _, i := range items {
		m[i.ID()] = &i
	}
	return m
}

// union lists the items of both states once.
func union(before, after []Item) []Item {
	all := slices.Concat(before, after)
	slices.SortFunc(all, func(a, b Item) int {
		return cmp.Or(
			cmp.Compare(slices.Index(content.Kinds, a.Kind), slices.Index(content.Kinds, b.Kind)),
			cmp.Compare(a.Name, b.Name),
		)
	})
	return slices.CompactFunc(all, func(a, b Item) bool { return a.ID() == b.ID() })
}

// compare returns the change of an item, and whether there is one.
func compare(schemas content.Schemas, before, after *Item) (ItemChange, bool) {
	some := cmp.Or(after, before)
	c := ItemChange{
		Item: some.ID(), Path: cmp.Or(some.Path, some.Kind.File(some.Name)), What: Changed, Fields: []Field{},
	}
	switch {
	case before == nil:
		c.What, c.Class = Added, Addition
		return c, true
	case after == nil:
		c.What, c.Class = Removed, Breaking
		return c, true
	case before.Body == nil || after.Body == nil:
		c.Unreadable = true
		return c, before.Body != nil || after.Body != nil
	}
	fields, class := Of(schemas, some.Kind, some.Name, before.Body, after.Body)
	c.Fields, c.Class = append(c.Fields, fields...), class
	return c, c.Class != None
}

// removedItems returns the ids of the removed items by their contents.
func removedItems(before []Item, is map[string]*Item) map[string]string {
	ids := map[string]string{}
	for _, b := range before {
		if is[b.ID()] != nil || b.Body == nil {
			continue
		}
		if text := contentKey(&b); text != "" && ids[text] == "" {
			ids[text] = b.ID()
		}
	}
	return ids
}

// contentKey identifies the content of an item without its id, "" if it cannot be parsed.
func contentKey(i *Item) string {
	rest := slices.DeleteFunc(slices.Clone(i.Body), func(m content.Member) bool { return m.Name == i.Kind.ID })
	sum, err := content.Checksum(rest)
	if err != nil || i.Body == nil {
		return ""
	}
	return i.Kind.Folder + " " + sum
}

// versions sets the published version and the next one.
func (c *ItemChange) versions(schemas content.Schemas, after *Item, s *content.Snapshot) {
	if s == nil || after == nil || after.Body == nil {
		return
	}
	var old *semver.Version
	var body content.Object
	if it := s.Item(after.Kind, after.Name); it != nil {
		if p := Published(it, true); p != nil {
			old, body, c.Published = p.Version, p.Body(), p.Version.String()
		}
	}
	if _, class := Of(schemas, after.Kind, after.Name, body, after.Body); class != None {
		c.Next = Next(old, class).String()
	}
}
