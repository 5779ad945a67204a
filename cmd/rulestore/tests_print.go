package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/language"

	"rulestore/content"
	"rulestore/content/cases"
	"rulestore/content/check"
)

// testPrinters print the results by format.
var testPrinters = map[string]func(*testRun) error{
	"text":   (*testRun).printText,
	"json":   (*testRun).printJSON,
	"github": (*testRun).printGitHub,
}

// printText prints failed cases like findings of validate, then the differences, then the
// measures.
func (t *testRun) printText() error {
	w, c, p := bufio.NewWriter(t.stdout), t.colours(), t.printer
	for _, f := range t.result.Findings {
		t.result.textFinding(t.env, w, c, f)
	}
	if t.since != nil {
		p.Fprintf(
			w, "\n%schanged since %s%s (%s)\n", c.bold, content.Printable(t.since.Base), c.off,
			content.ShortCommit(t.since.Commit),
		)
		for _, d := range t.since.Changes {
			fmt.Fprintf(w, "  %s:%d: %s: %s%s%s\n", content.Printable(d.After.Case.Path), d.After.Case.Line,
				content.Printable(d.After.Case.String()), colourOf(c, d), content.Printable(describeChange(d)), c.off)
		}
		p.Fprintf(
			w, "before: hit rate %.3f, mean reciprocal rank %.3f\n", t.since.HitRate, t.since.MeanReciprocalRank,
		)
	}
	if t.measures.Questions > 0 {
		p.Fprintf(
			w, "questions: %d, hit rate %.3f, mean reciprocal rank %.3f\n", t.measures.Questions, t.measures.HitRate,
			t.measures.MeanReciprocalRank,
		)
	}
	t.printUnseen(w)
	return w.Flush()
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

func (t *testRun) printJSON() error {
	return writeJSON(t.stdout, struct {
		Folder string `json:"folder,omitempty"` // of the repository, in which the paths are
		cases.Measures
		Findings []content.Finding `json:"findings"`
		Results  []cases.Outcome   `json:"results"`
		Unseen   []unchecked       `json:"unseen"`
		Since    *baseComparison   `json:"since,omitempty"`
	}{t.result.folder, t.measures, list(t.result.Findings), list(t.results), list(t.result.Unseen), t.since})
}

// printGitHub annotates the cases that fail, and those that come to something else.
func (t *testRun) printGitHub() error {
	w := bufio.NewWriter(underlying(t.stdout))
	for _, f := range t.result.Findings {
		message, hint := check.Text(f, language.English)
		if message = content.Printable(message); hint != "" {
			message += "\n" + content.Printable(hint)
		}
		annotate(w, githubLevels[f.Severity], t.result.inRepository(f.Path), f.Line, f.Column, f.Rule, message)
	}
	if t.since == nil {
		return w.Flush()
	}
	for _, d := range t.since.Changes {
		c := d.After.Case
		path, change := t.result.inRepository(c.Path), content.Printable(describeChange(d))
		annotate(w, "notice", path, c.Line, c.Column, c.String(), change)
	}
	return w.Flush()
}

// markdown writes the summary for a comment on a pull request.
func (t *testRun) markdown(to io.Writer) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "### rulestore test: %s\n\n", t.passCount())
	t.tables(w)
	for n, f := range t.result.Findings {
		if n == maxSummary {
			fmt.Fprintln(w, "- … and more")
			break
		}
		fmt.Fprintf(w, "- **%s** %s: %s\n", f.Severity, codeSpan(location(f)), escapeText(f.Message))
	}
	for _, u := range t.result.Unseen {
		fmt.Fprintf(w, "\n> Not seen: %s\n", escapeText(u.in(nil)))
	}
	fmt.Fprintln(w)
	return w.Flush()
}

// tables prints the measures before and after, and the differences.
func (t *testRun) tables(w *bufio.Writer) {
	if t.measures.Questions == 0 {
		return
	}
	fmt.Fprint(w, "| | questions | hit rate | mean reciprocal rank |\n|---|---|---|---|\n")
	if t.since != nil {
		printMeasures(w, codeSpan(t.since.Base), t.since.Measures)
	}
	printMeasures(w, "now", t.measures)
	fmt.Fprintln(w)
	if t.since == nil || len(t.since.Changes) == 0 {
		return
	}
	fmt.Fprint(w, "| case | changed |\n|---|---|\n")
	for n, d := range t.since.Changes {
		if n == maxSummary {
			fmt.Fprintf(w, "| … | and %d more |\n", len(t.since.Changes)-n)
			break
		}
		fmt.Fprintf(w, "| %s | %s |\n", codeSpan(d.After.Case.String()), codeSpan(describeChange(d)))
	}
	fmt.Fprintln(w)
}

func printMeasures(w *bufio.Writer, name string, m cases.Measures) {
	fmt.Fprintf(w, "| %s | %d | %.3f | %.3f |\n", name, m.Questions, m.HitRate, m.MeanReciprocalRank)
}
