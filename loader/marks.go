package loader

import (
	"slices"

	"rulestore/content"
)

// LostRedactions reports redactions of an earlier lifecycle.yaml that are not in the tree. A
// missing or invalid file restores nothing: the earlier one stays in force.
func (t *Tree) LostRedactions(before []content.Mark) (found []content.Finding) {
	if _, ok := t.Raw[content.LifecycleFile]; !ok || t.invalid(content.LifecycleFile) {
		return nil
	}
	for _, m := range before {
		if m.Status != content.Redacted || slices.ContainsFunc(t.Marks, func(now content.Mark) bool {
			return now.Status == content.Redacted && now.Item == m.Item &&
				(now.Version == "" || now.Version == m.Version)
		}) {
			continue
		}
		what := m.Item
		if m.Version != "" {
			what += " " + m.Version
		}
		f := warning(content.LifecycleFile, say("brought-back", "redacted", args{"item": what}))
		if f.Line, f.Column = 1, 1; !slices.Contains(t.Findings, f) {
			found = append(found, f)
		}
	}
	return found
}

// invalid reports whether a file has an error.
func (t *Tree) invalid(path string) bool {
	return slices.ContainsFunc(t.Findings, func(f content.Finding) bool {
		return f.Path == path && f.Severity == content.Error
	})
}

// redacted lists the redactions of a snapshot, by version.
func redacted(s *content.Snapshot) (marks []content.Mark) {
	for _, it := range s.Items {
		for _, e := range it.Entries {
			if e.Status == content.Redacted {
				marks = append(
					marks, content.Mark{Item: it.ID(), Version: e.Version.String(), Status: content.Redacted},
				)
			}
		}
	}
	return marks
}
