package html

import (
	"net/url"

	"rulestore/server/api"
	"rulestore/server/site"
)

// changelog makes the page of a part of the changelog. From beyond the last entry it links back.
func (m maker) changelog(of site.ShownChangelog) Changelog {
	base := m.root + api.ChangelogPath
	from := func(offset int) url.Values {
		return site.Query(map[string]string{
			"since": of.Since, "limit": site.NonDefault(of.Limit, api.DefaultLimit),
			"offset": site.NonDefault(offset, 0),
		})
	}
	at := func(offset int) string { return site.Address(base, from(offset)) }
	offset, changes := min(of.Offset, of.Total), m.changes(of.Changes())
	return Changelog{
		Head: Head{
			Title: "Журнал изменений", Path: base, Crumbs: m.crumbs(),
			Formats: m.formats(api.ChangelogPath, from(offset), api.JSONType),
		},
		Filters: m.form(api.Of(api.ListChanges, nil, ""), api.ChangelogPath, from(0), nil, "since"),
		Changes: changes,
		Pager:   pager(at, of.Limit, offset, len(changes), of.Total),
	}
}

// changes are changes with addresses for links.
func (m maker) changes(all []site.Change) []site.Change {
	for i := range all {
		for _, path := range []*string{&all[i].Path, &all[i].Compare} {
			if *path != "" {
				*path = m.root + *path
			}
		}
	}
	return all
}
