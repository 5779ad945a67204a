package loader

import (
	"maps"
	"slices"

	"rulestore/content"
	"rulestore/content/check"
)

// reviewCodes reports codes in current versions that no current registry defines: validate
// reports them before, but content may be tagged without it. The content of a publication never
// changes, so its codes are read once.
func (b *build) reviewCodes(s *content.Snapshot) {
	has := map[string]map[string]bool{}
	for _, it := range s.Items {
		if it.Current == nil || it.Current.Draft || isDeferred(it.Current.Publication) {
			continue
		}
		p := it.Current.Publication
		c, known := b.cache.codes.get(p)
		if !known {
			c = b.cache.codes.keep(p, check.CodesOf(b.Schemas, p.Kind, p.Name, p.Body()))
		}
		for list, all := range c.Has {
			has[list] = map[string]bool{}
			for _, code := range all {
				has[list][code] = true
			}
		}
	}
	for _, it := range s.Items {
		if it.Current != nil {
			codes, _ := b.cache.codes.get(it.Current.Publication)
			b.report.Add(check.Capped(unknownCodes(it.Current.Publication, codes, has))...)
		}
	}
}

func unknownCodes(p *content.Publication, c check.Codes, has map[string]map[string]bool) (found []content.Finding) {
	for _, list := range slices.Sorted(maps.Keys(c.Used)) {
		for _, code := range c.Used[list] {
			if has[list] == nil || has[list][code] {
				continue
			}
			f := warning(p.Kind.File(p.Name), say("unknown-code", "served", args{"code": code, "list": list}))
			found = append(found, about(p.Tag(), f))
		}
	}
	return found
}
