package main

import (
	"cmp"
	"encoding/json"
	"slices"

	"rulestore/content"
	"rulestore/content/cases"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/content/search"
	"rulestore/loader"
	"rulestore/schemas"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// maxCases is the maximum number of cases that are run: more than a team writes, and not more than
// run in a minute.
const maxCases = 20000

// runCases runs cases on the content of a tree, as if all of it were published.
func runCases(all []content.Case, t *loader.Tree) (results []cases.Outcome, err error) {
	defer crash.Rescue(&err) // of making the site
	return cases.Run(all, serviceOf(siteOf(t)))
}

// siteOf makes a site of the content of a tree, as if all of it were published.
func siteOf(t *loader.Tree) *site.Site {
	snapshot := t.Snapshot()
	return site.Build(nil, snapshot, site.Config{
		BaseURL: cmp.Or(snapshot.Settings.CanonicalBaseURL, "http://127.0.0.1:8080"),
		Version: build(), Schemas: schemas.Embedded(), Math: calc.New(),
	})
}

// serviceOf is a site as cases are tried on it.
func serviceOf(s *site.Site) cases.Service {
	return cases.Service{
		Snapshot: s.Snapshot,
		Search:   func(c *content.SearchCase, limit int) []string { return searchIDs(s, c, limit) },
		Calculate: func(tool string, request []byte) (cases.Calculated, error) {
			return runCalculation(s.Math(), tool, request, s.Facts())
		},
		Section: func(item *content.Item, address string) (json.RawMessage, bool) {
			return s.Section(item.Current, address)
		},
		Size: func(item *content.Item, view string) (int, bool) {
			return s.Size(item.Current, view == "brief"), view == "brief" || view == "full"
		},
	}
}

// searchIDs lists the ids of the first results of a question.
func searchIDs(s *site.Site, c *content.SearchCase, limit int) []string {
	var ids []string
	for _, d := range s.FindAll(queryOf(c)) {
		if ids = append(ids, d.ID); len(ids) == limit {
			break
		}
	}
	return ids
}

func queryOf(c *content.SearchCase) search.Query {
	q := search.Query{Text: c.Q, Scenario: c.Scenario, ProductType: c.ProductType, Signal: c.Signal}
	if c.Kind != "" {
		q.Kinds = []string{c.Kind}
	}
	return q
}

// runCalculation runs a calculation.
func runCalculation(r *calc.Registry, tool string, request []byte, facts calc.Facts) (cases.Calculated, error) {
	a, err := r.Calculate(tool, request, facts)
	if err != nil {
		return cases.Calculated{}, err
	}
	answer := cases.Calculated{Status: a.Status, Outputs: map[string]string{}}
	for _, o := range a.Outputs() {
		answer.Outputs[o.Name] = o.Value
	}
	return answer, nil
}

// failures are the findings about cases that do not pass.
func failures(results []cases.Outcome) (found []content.Finding) {
	for _, r := range results {
		if !r.Passed() {
			f := check.Find(r.Says)
			f.Path, f.Line, f.Column = r.Case.Path, r.Case.Line, r.Case.Column
			found = append(found, f)
		}
	}
	return found
}

// runCases runs the requested cases, if there are any and the content has no errors: cases would
// fail because of missing files.
func (v *validation) runCases() error {
	requested := v.requestedCases()
	if len(requested) == 0 || v.staged != nil {
		return nil
	}
	if hasErrors(v.tree) {
		v.unseen("whether the cases pass: the content has errors that are to be mended first")
		return nil
	}
	results, err := runCases(requested, v.tree)
	v.result.Findings = append(v.result.Findings, failures(results)...)
	return err
}

// requestedCases lists the requested cases up to the maximum; more are a finding.
func (v *validation) requestedCases() (all []content.Case) {
	for _, c := range v.tree.Cases {
		if v.isRequested(content.Finding{Path: c.Path}) {
			all = append(all, c)
		}
	}
	if len(all) <= maxCases {
		return all
	}
	f := check.Find(content.Say("case", "many", content.Args{"got": len(all), "most": maxCases}))
	f.Path, f.Line, f.Column = all[maxCases].Path, all[maxCases].Line, all[maxCases].Column
	v.result.Findings = append(v.result.Findings, f)
	return all[:maxCases]
}

// hasErrors reports whether a file of a tree has errors of its own.
func hasErrors(t *loader.Tree) bool {
	return slices.ContainsFunc(t.Items, func(f check.File) bool { return !f.OK() })
}
