package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/cases"
	"rulestore/content/i18n"
	"rulestore/loader"
)

type testFlags struct{ repo, ref, base, format, summary string }

func newTest(e *env) *cobra.Command {
	var f testFlags
	c := &cobra.Command{
		Use: "test",
		Example: `  rulestore test --base main
  rulestore test tests/search.yaml --format json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, paths []string) error { return f.test(c.Context(), e, paths) },
	}
	flags := c.Flags()
	repoFlag(flags, &f.repo)
	flags.StringVar(&f.ref, "ref", "", "try a branch, tag or commit instead of the work tree")
	flags.StringVar(
		&f.base, "base", "",
		"say what is different since a branch, tag or commit: since the newest commit that both come from",
	)
	flags.StringVar(&f.format, "format", "text", "text, json or github")
	pathVar(flags, &f.summary, "summary", "", "write a Markdown summary to a file, for a pull request; - is stdout")
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
	Base     string `json:"base"`     // what was asked for
	Commit   string `json:"commit"`   // what it was compared with
	Ancestor bool   `json:"ancestor"` // that is the newest commit that both come from
	cases.Measures
	Changes []cases.ChangedCase `json:"changes"`
}

func (f testFlags) test(ctx context.Context, e *env, paths []string) error {
	if _, ok := testPrinters[f.format]; !ok {
		return usageErrorf("--format %q: choose text, json or github", f.format)
	}
	v, err := openValidation(
		e, validateFlags{repo: f.repo, ref: f.ref, base: f.base, format: f.format, summary: f.summary}, paths,
	)
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
	t.result.Files, t.result.raw, t.result.folder = len(t.tree.Raw), t.tree.Raw, t.at.Folder
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
	tip, err := t.repo.Resolve(t.base)
	if err != nil {
		return nil, t.unresolved(err)
	}
	var to comparison
	commit, err := t.ancestor(&to, tip)
	if err != nil {
		return nil, err
	}
	before, err := loader.ReadCommit(t.config, t.repo, commit)
	if err != nil {
		return nil, i18n.Errorf("--base: %w", err)
	}
	before.Today = t.tree.Today
	results, err := runCases(t.cases, before)
	return &baseComparison{
		Base: t.base, Commit: commit.String(), Ancestor: to.Ancestor,
		Measures: cases.Measure(results), Changes: cases.Compare(results, t.results),
	}, err
}

// print writes the result; a failed case is the error of the command.
func (t *testRun) print() error {
	if err := errors.Join(testPrinters[t.format](t), t.printRest(t.markdown)); err != nil {
		return err
	}
	if n := t.result.count(content.Error); n > 0 {
		return foundErrorf("%v", t.passCount())
	}
	_, err := fmt.Fprintln(t.stderr, t.printer.Sprint(t.passCount()))
	return err
}

// passCount counts the cases that pass.
func (t *testRun) passCount() i18n.Text {
	if t.measures.Cases == 0 {
		return i18n.New("there are no cases to try: they are in %s", content.CasesFolder)
	}
	return i18n.New("cases: %d, failed: %d", t.measures.Cases, t.measures.Failed)
}
