package main

import (
	"fmt"
	"io"

	"rulestore/content"
	"rulestore/loader"
)

// printCheck prints what a load came to. What would keep content from being
// served as it was written is a failure.
func printCheck(w io.Writer, name string, r loader.Result) error {
	for _, f := range r.Report.Findings {
		if _, err := fmt.Fprintln(w, f); err != nil {
			return err
		}
	}
	s, report := r.Snapshot, r.Report
	errors, warnings := report.Count(content.Error), report.Count(content.Warning)
	if _, err := fmt.Fprintf(w, "%s, branch %s at %s: %d publications of %d items; %d refused, %d held, %d errors, %d warnings\n",
		name, content.Printable(s.Branch), short(s.Commit), s.Count(), len(s.Items), len(report.Refused), len(report.Held), errors, warnings); err != nil {
		return err
	}
	if n := len(report.Refused) + len(report.Held); n > 0 || errors > 0 {
		return foundError{fmt.Errorf("check %s: %d publications would not be served, %d errors (see above)", name, n, errors)}
	}
	return nil
}
