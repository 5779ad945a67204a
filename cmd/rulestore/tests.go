package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/cases"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/content/search"
	"rulestore/loader"
	"rulestore/schemas"
	"rulestore/server/calc"
	"rulestore/server/site"
)

type testFlags struct{ repo, ref, base, format string }

func newTest(e *env) *cobra.Command {
	var f testFlags
	c := newCommand("test", 0, anyNumber, func(ctx context.Context, paths []string) error {
		return f.test(ctx, e, paths)
	})
	flags := c.Flags()
	repoFlag(flags, &f.repo)
	flags.StringVar(&f.ref, "ref", "", "")
	flags.StringVar(&f.base, "base", "", "")
	choiceVar(flags, &f.format, "format", "text", formats...)
	return c
}

// testRun is one run of test.
type testRun struct {
	*validation
	cases    []content.Case
	results  []cases.Outcome
	measures cases.Measures
	since    *baseComparison // nil: without --base
}

// baseComparison has the cases whose results have changed.
type baseComparison struct {
	comparedWith
	cases.Measures
	Changes []cases.ChangedCase `json:"changes"`
}

func (f testFlags) test(ctx context.Context, e *env, paths []string) error {
	v, err := openValidation(e, validateFlags{repo: f.repo, ref: f.ref, base: f.base, format: f.format}, paths)
	if err != nil {
		return err
	}
	defer v.repo.Close()
	t := &testRun{validation: v}
	if err := t.run(ctx); err != nil {
		return err
	}
	return t.print()
}

// run tries the cases on the tree, and on the base if there is one.
func (t *testRun) run(ctx context.Context) (err error) {
	if err := t.readCases(ctx); err != nil {
		return err
	}
	if t.results, err = runCases(t.cases, t.tree); err != nil {
		return err
	}
	t.measures = cases.Measure(t.results)
	t.result.Findings = append(t.result.Findings, failures(t.results)...)
	if t.base != "" {
		t.since, err = t.compareWithBase()
	}
	return err
}

// readCases reads the content, and the requested cases.
func (t *testRun) readCases(ctx context.Context) (err error) {
	if err = t.read(ctx); err == nil {
		err = t.checkPaths()
	}
	if err != nil {
		return err
	}
	t.tree.Today = time.Now().UTC().Format(content.Date)
	t.result.Files, t.result.raw = len(t.tree.Raw), t.tree.Raw
	t.reportErrors()
	t.cases = t.requestedCases()
	return nil
}

// reportErrors takes over the findings about files of cases, and reports that other files have errors.
func (t *testRun) reportErrors() {
	for _, f := range t.tree.Findings {
		if content.HoldsCases(f.Path) && t.isRequested(f) {
			t.result.Findings = append(t.result.Findings, f)
		}
	}
	if hasErrors(t.tree) {
		t.unseen("files with errors, which the cases are tried without: `rulestore validate` shows them")
	}
}

// compareWithBase tries the cases on the base.
func (t *testRun) compareWithBase() (*baseComparison, error) {
	from, before, err := t.origin()
	if err != nil {
		return nil, err
	}
	before.Today = t.tree.Today
	results, err := runCases(t.cases, before)
	return &baseComparison{
		comparedWith: from, Measures: cases.Measure(results), Changes: cases.Compare(results, t.results),
	}, err
}

// print writes the result; a failed case is the error of the command.
func (t *testRun) print() error {
	err := t.env.print(t.format, outcome{checked: t.result, text: t.text, notes: t.notes(),
		document: func(findings []jsonFinding) any {
			return struct {
				cases.Measures
				Findings []jsonFinding   `json:"findings"`
				Results  []cases.Outcome `json:"results"`
				Unseen   []unchecked     `json:"unseen"`
				Since    *baseComparison `json:"since,omitempty"`
			}{t.measures, findings, list(t.results), list(t.result.Unseen), t.since}
		}})
	if err != nil {
		return err
	}
	if n := t.result.count(content.Error); n > 0 {
		return foundErrorf("%v", t.passCount())
	}
	_, err = fmt.Fprintln(t.stderr, t.printer.Sprint(t.passCount()))
	return err
}

// passCount counts the cases that pass.
func (t *testRun) passCount() i18n.Text {
	if t.measures.Cases == 0 {
		return i18n.New("there are no cases to try: they are in %s", content.CasesFolder)
	}
	return i18n.New("cases: %d, failed: %d", t.measures.Cases, t.measures.Failed)
}

// text writes the differences, then the measures.
func (t *testRun) text(p page) {
	if t.since != nil {
		t.since.heading(p)
		for _, d := range t.since.Changes {
			c := d.After.Case
			p.line("  %s:%d: %s: %s", c.Path, c.Line, c.String(), tinted{colourOf(p.colours, d), describeChange(d)})
		}
		p.line("before: hit rate %.3f, mean reciprocal rank %.3f", t.since.HitRate, t.since.MeanReciprocalRank)
	}
	if m := t.measures; m.Questions > 0 {
		p.line("questions: %d, hit rate %.3f, mean reciprocal rank %.3f", m.Questions, m.HitRate, m.MeanReciprocalRank)
	}
}

// notes annotates the cases that come to something else.
func (t *testRun) notes() (all []remark) {
	if t.since == nil {
		return nil
	}
	for _, d := range t.since.Changes {
		c := d.After.Case
		all = append(all, remark{
			"notice", c.Path, c.Line, c.Column, c.String(), content.Printable(describeChange(d)),
		})
	}
	return all
}

// colourOf is red for a case that fails now, green for one that passes now, and dim for others.
func colourOf(c colours, d cases.ChangedCase) string {
	switch {
	case d.Before.Passed() && !d.After.Passed():
		return c.red
	case !d.Before.Passed() && d.After.Passed():
		return c.green
	}
	return c.dim
}

// describeChange describes a difference: the rank of an answer, else the results.
func describeChange(d cases.ChangedCase) string {
	if d.Moved() {
		return rank(d.Before) + " → " + rank(d.After)
	}
	return strings.Join(d.Before.Got, ", ") + " → " + strings.Join(d.After.Got, ", ")
}

// rank is the place of an answer, a dash if it has none.
func rank(r cases.Outcome) string {
	if r.Rank == 0 {
		return "—"
	}
	return fmt.Sprint(r.Rank)
}

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
			return runCalculation(s.Math, tool, request, s.Facts())
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
func searchIDs(s *site.Site, c *content.SearchCase, limit int) (ids []string) {
	q := search.Query{Text: c.Q, Scenario: c.Scenario, ProductType: c.ProductType, Signal: c.Signal}
	if c.Kind != "" {
		q.Kinds = []string{c.Kind}
	}
	found := s.FindAll(q)
	for _, d := range found[:min(len(found), limit)] {
		ids = append(ids, d.ID)
	}
	return ids
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
