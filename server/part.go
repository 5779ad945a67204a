package server

import (
	"errors"
	"slices"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// part reads the requested part of an item.
func (q *query) part() site.Part {
	past := ""
	if q.Has(api.AsOf) {
		past = api.AsOf
	}
	return site.AskedPart(q.values[api.Section], q, past)
}

// partOfVersion reads the requested part of a version. Other parameters are ignored.
func partOfVersion(q *query) (*site.Resource, error) {
	if !q.Has(api.Section) && !q.Has(api.View) {
		return q.resource, nil
	}
	wanted := q.part()
	if err := q.err(); err != nil {
		return nil, err
	}
	it := q.site.Snapshot.Item(q.resource.Kind, q.resource.Name)
	i := slices.IndexFunc(it.Entries, func(e *content.Entry) bool { return e.Path() == q.path })
	if i < 0 || wanted.Whole() {
		return q.resource, nil
	}
	return part(q, it.Entries[i], wanted)
}

// part returns a part of a version.
func part(q *query, e *content.Entry, p site.Part) (*site.Resource, error) {
	return q.sectioned(q.site.Part(e, p))
}

// sectioned returns a resource, or the problem that there is no such section.
func (q *query) sectioned(res *site.Resource, err error) (*site.Resource, error) {
	if unknown, ok := errors.AsType[*site.UnknownSection](err); ok {
		q.Unknown(api.Section, "unknown_section", site.NoSection, &unknown.Unknown)
	}
	return res, q.err()
}
