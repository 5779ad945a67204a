package loader

import (
	"slices"

	"rulestore/content"
	"rulestore/content/log"
)

// Joined is the joined content of several repositories.
type Joined struct {
	Snapshot *content.Snapshot
	Report   content.Report // about items of their own repository, for pages of items
	Logs     *[]*log.View   // of the repositories after the first
	Dropped  [][]string     // by part: items with a name of an earlier repository
}

// Join joins the results of several repositories. A single result is returned unchanged.
func Join(parts ...Result) (j Joined) {
	snapshots := make([]*content.Snapshot, len(parts))
	for i, r := range parts {
		snapshots[i] = r.Snapshot
	}
	j.Snapshot, j.Dropped = content.Union(snapshots)
	if j.Report = parts[0].Report; len(j.Snapshot.Sources) == 0 {
		return j
	}
	j.Report, j.Logs = content.Report{}, new([]*log.View)
	for i, r := range parts {
		j.Report.Join(concerning(j.Snapshot, snapshots[i].Name, r.Report))
		if i > 0 {
			*j.Logs = append(*j.Logs, r.Log)
		}
	}
	j.Report.Sort()
	return j
}

// concerning returns the part of a report about items of its own repository.
func concerning(s *content.Snapshot, source string, r content.Report) (own content.Report) {
	foreign := func(tag string) bool {
		t, err := content.ParseTag(tag)
		if err != nil || t.Kind == nil {
			return err != nil
		}
		it := s.Item(t.Kind, t.Name)
		return it != nil && it.Entries[0].Source != source
	}
	own.Origins = r.Origins
	own.Refused = slices.DeleteFunc(slices.Clone(r.Refused), foreign)
	own.Held = slices.DeleteFunc(slices.Clone(r.Held), foreign)
	own.Findings = slices.DeleteFunc(
		slices.Clone(r.Findings), func(f content.Finding) bool { return f.Tag != "" && foreign(f.Tag) },
	)
	return own
}
