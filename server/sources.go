package server

import (
	"slices"

	"rulestore/content"
	"rulestore/server/site"
)

// sourceHealth is the health of one of several repositories.
type sourceHealth struct {
	Source       string    `json:"source"`
	Commit       string    `json:"commit"`
	Branch       string    `json:"branch"`
	Date         string    `json:"date"`
	Drafts       bool      `json:"drafts,omitempty"`
	Pinned       string    `json:"pinned,omitempty"`
	HeldBack     *heldBack `json:"held_back,omitempty"`
	CheckedAt    string    `json:"checked_at"`
	WatchMode    string    `json:"watch_mode"`
	LastError    *string   `json:"last_error"`
	Repository   string    `json:"repository,omitempty"` // for operators
	Remote       *remote   `json:"remote,omitempty"`
	Publications int       `json:"publications"`
	Refused      int       `json:"refused"`
	Held         int       `json:"held"`
	Errors       int       `json:"errors"`
	Warnings     int       `json:"warnings"`
}

func describeSources(s *site.Site, all []SourceStatus) (docs []sourceHealth) {
	for _, st := range all {
		part, _ := s.Snapshot.SourceOf(st.Name)
		doc := sourceHealth{
			Source: st.Name, Commit: part.Commit, Branch: part.Branch, Date: part.Date, Drafts: part.Drafts,
			Pinned:   st.Pinned,
			HeldBack: describeHeldBack(st.HeldBack), CheckedAt: st.CheckedAt.UTC().Format(site.TimeFormat),
			WatchMode:  st.WatchMode,
			Repository: st.Repository, Publications: s.Published(st.Name),
			Refused: len(st.Report.Refused), Held: len(st.Report.Held),
			Errors: st.Report.Count(content.Error), Warnings: st.Report.Count(content.Warning),
		}
		if st.LastError != "" {
			doc.LastError = &st.LastError
		}
		if st.Remote != nil {
			doc.Remote = describeRemote(*st.Remote)
		}
		docs = append(docs, doc)
	}
	return docs
}

// publicSources are the repositories without what is only for operators.
func publicSources(all []sourceHealth) []sourceHealth {
	all = slices.Clone(all)
	for i := range all {
		all[i].Repository, all[i].Remote = "", all[i].Remote.public()
		if all[i].LastError != nil {
			all[i].LastError = new(notLoaded)
		}
	}
	return all
}

// rejectAll is [reject] for all repositories.
func rejectAll(st Status, tags func(content.Report) []string) []rejected {
	if len(st.Sources) == 0 {
		return reject(tags(st.Report), st.Report)
	}
	list := []rejected{}
	for _, part := range st.Sources {
		for _, one := range reject(tags(part.Report), part.Report) {
			one.Source = part.Name
			list = append(list, one)
		}
	}
	return list[:min(len(list), maxFindings)]
}

// JoinReports returns the findings of all repositories, each with the name of its own.
func JoinReports(all []SourceStatus) (joined content.Report) {
	for _, part := range all {
		own := content.Report{
			Refused: part.Report.Refused, Held: part.Report.Held, Findings: slices.Clone(part.Report.Findings),
		}
		for i := range own.Findings {
			own.Findings[i].Source = part.Name
		}
		joined.Join(own)
	}
	joined.Sort()
	return joined
}
