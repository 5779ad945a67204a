package site

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/search"
	"rulestore/server/api"
)

// A sample is a request that an operation answers from this site.
type sample struct {
	path, query string
	body        string // JSON
	headers     [][2]string
	at          *Resource        // at the path, if that is the answer
	answer      func() *Resource // nil if another package answers
	text        func() string    // the answer if it is no resource
}

// sampleOf returns a sample request for an operation, nil if nothing of this site answers it.
func (s *Site) sampleOf(o *api.Operation) *sample {
	switch o.Action {
	case api.ReadHealth, api.ReadLegacyHealth:
		return &sample{path: o.Path}
	case api.ServeMCP:
		if o.Method != "" {
			return &sample{path: o.Path, body: listTools, headers: [][2]string{mcpHeaders[0], {"Accept", api.JSONType}}}
		}
		return &sample{path: o.Path}
	case api.ReadFeed:
		return &sample{path: api.FeedsPath + "all.atom", answer: func() *Resource { return s.Feed("all.atom") }}
	case api.Search:
		return s.searchSample(o)
	case api.BriefFraud:
		return s.fraudSample(o)
	case api.Compare, api.FindChecksum, api.Prove, api.CheckCitations:
		return s.versionSample(o)
	case api.ReadLog:
		return s.logSample(o)
	case api.ExplainSnapshot:
		return nil
	}
	path := s.pathOf(o)
	r := s.resources[path]
	if r == nil {
		return nil
	}
	if o.Method != "" {
		return s.calculationSample(path, r)
	}
	return &sample{path: path, at: r, answer: func() *Resource { return r }}
}

// pathOf returns a path of the site for an operation, "" if there is none.
func (s *Site) pathOf(o *api.Operation) string {
	if !strings.Contains(o.Path, "{") {
		return o.Path
	}
	pattern := regexp.MustCompile("^" + templated.ReplaceAllStringFunc(regexp.QuoteMeta(o.Path),
		func(in string) string {
			p := o.Param(strings.Trim(in, `\{}`))
			switch {
			case p != nil && p.Pattern != "":
				return "(?:" + strings.Trim(p.Pattern, "^$") + ")"
			case p != nil && p.Allowed() != nil:
				return "(?:" + strings.Join(p.Allowed(), "|") + ")"
			}
			return `[^/]+`
		}) + "$")
	begin, _, _ := strings.Cut(o.Path, "{")
	for _, path := range s.pathsFrom(begin) {
		r := s.resources[path]
		fits := pattern.MatchString(path) && r.Gone == nil &&
			(len(r.Representations) > 0 || r.Action == api.ListPeriods)
		if last := path[strings.LastIndexByte(path, '/'):]; fits && (strings.HasSuffix(o.Path, last) ||
			last != "/versions" && last != api.PeriodsSuffix) {
			return path
		}
	}
	return ""
}

// templated matches a parameter in the template of a path, quoted.
var templated = regexp.MustCompile(`\\\{[a-z_]+\\\}`)

// searchSample searches for the title of an item.
func (s *Site) searchSample(o *api.Operation) *sample {
	for _, k := range content.Kinds {
		for _, p := range s.lists[k] {
			if title := p.entry.Body().Text("title"); title != "" && len(title) <= 200 {
				q := search.Query{Text: title, Limit: 3}
				query := url.Values{"q": {title}, "limit": {"3"}}
				return &sample{
					path: o.Path, query: query.Encode(), answer: func() *Resource { return s.Search(q, HitView{}) },
				}
			}
		}
	}
	return nil
}

// fraudSample asks about the first signal.
func (s *Site) fraudSample(o *api.Operation) *sample {
	i := slices.IndexFunc(
		s.lists[content.Registries], func(p *preparedVersion) bool { return p.entry.Name == "fraud-signals" },
	)
	if i < 0 {
		return nil
	}
	r := s.config.recordsOf(s.lists[content.Registries][i])
	if r == nil || len(r.all) == 0 {
		return nil
	}
	codes := []string{r.all[0].Text(r.field.Unique)}
	query := url.Values{"signal": codes}
	return &sample{path: o.Path, query: query.Encode(), answer: func() *Resource { return s.FraudBrief(codes, nil) }}
}

// versionSample asks about the first current version that the operation applies to.
func (s *Site) versionSample(o *api.Operation) *sample {
	for _, item := range s.Snapshot.Items {
		e := item.Current
		if e == nil || o.Kind != nil && o.Kind != item.Kind || o.Item != "" && o.Item != item.Name {
			continue
		}
		switch o.Action {
		case api.Compare:
			if len(ReadableVersions(item)) > 1 {
				return &sample{path: api.ComparePath + item.ID()}
			}
		case api.FindChecksum:
			return &sample{path: api.ChecksumsPath + "/" + e.Checksum}
		case api.CheckCitations:
			cited := content.Object{}.With("id", content.String(item.ID())).With(
				"version", content.String(e.Version.String()),
			).With("content_checksum", content.String(e.Checksum))
			body := `{"citations":[` + string(cited.AppendJSON(nil)) + `]}`
			return &sample{path: o.Path, body: indentedJSON([]byte(body)), headers: mcpHeaders[:1]}
		case api.Prove:
			plain := e.Kind.Paths[e.Name] == "" && !strings.Contains(e.Name, "/")
			if s.hasProof(e) && (o.Item != "" || plain) {
				return &sample{
					path: e.Path() + api.ProofSuffix, answer: func() *Resource { r, _ := s.Proof(e); return r },
				}
			}
		}
	}
	return nil
}

// logSample reads the checkpoint of the log, or a tile.
func (s *Site) logSample(o *api.Operation) *sample {
	switch {
	case s.log == nil:
		return nil
	case o.Path == api.CheckpointPath && s.Checkpoint() == nil:
		return nil
	case o.Path == api.CheckpointPath:
		return &sample{path: o.Path, answer: s.Checkpoint}
	}
	for _, t := range s.Tiles() {
		if partial := strings.Contains(t.Path(), ".p/"); partial == (o.Param("width") != nil) {
			return &sample{path: api.LogRoot + t.Path()}
		}
	}
	return nil
}

// calculationSample posts the first example of a tool.
func (s *Site) calculationSample(path string, r *Resource) *sample {
	if r.Calculation == nil {
		return nil
	}
	t := r.Calculation.Tool
	request := t.Examples[0].Request
	return &sample{path: path, body: indentedJSON([]byte(request)), headers: mcpHeaders[:1], text: func() string {
		answer, err := t.Calculate([]byte(request), s.Facts())
		if err != nil {
			return ""
		}
		return string(answer.JSON())
	}}
}
