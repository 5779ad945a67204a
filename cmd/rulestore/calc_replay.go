package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"rulestore/content/i18n"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// replay repeats the calculation of a stored answer, and reports whether the result is the same.
func replay(ctx context.Context, e *env, stdin io.Reader, f calcFlags) error {
	raw, err := readStoredAnswer(stdin, f.replay)
	if err != nil {
		return i18n.Errorf("read the answer: %w", err)
	}
	record, err := calc.ReadRecord(raw)
	if wrong, ok := errors.AsType[*calc.Error](err); ok {
		return foundError{withFaults(
			i18n.New("%s is no answer that can be calculated again (%s): %s", f.replay, wrong.Code, wrong.Detail),
			wrong,
		)}
	}
	s, err := f.serve.loadSnapshot(ctx, e)
	if err != nil {
		return err
	}
	result, differs := site.Replay(calc.New(), s, record)
	switch result {
	case calc.RecordMatches:
		return e.printer.Fprintf(
			e.stdout, "%s %s comes to this answer: %s\n", record.ToolID, record.ToolVersion, record.Receipt,
		)
	case calc.RecordOther:
		return foundErrorf(
			"%s %s comes to another answer: %s differs", record.ToolID, record.ToolVersion, strings.Join(differs, ", "),
		)
	}
	return foundErrorf(
		"it cannot be told: %s %s, or a version of %s that the answer rests on, is not here",
		record.ToolID, record.ToolVersion, citedVersions(record),
	)
}

// citedVersions lists the publications that an answer cites.
func citedVersions(r calc.StoredAnswer) string {
	var all []string
	for _, s := range r.Sources {
		all = append(all, fmt.Sprintf("%s %s", s.ID, s.Version))
	}
	if all == nil {
		return "-"
	}
	return strings.Join(all, ", ")
}

// readStoredAnswer reads a file, or the standard input for -.
func readStoredAnswer(stdin io.Reader, name string) ([]byte, error) {
	if name != "-" {
		return readLimited(name, calc.MaxRecord)
	}
	return io.ReadAll(io.LimitReader(stdin, calc.MaxRecord+1)) // longer ones are refused
}
