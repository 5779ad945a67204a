package main

import (
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
)

// maxTrace is the maximum size of a trace in bytes.
const maxTrace = 1 << 20

// trace is an assistant's record of the sources of an answer.
type trace struct {
	InstructionID       string    `json:"instruction_id"`
	InstructionVersion  string    `json:"instruction_version"`
	InstructionChecksum string    `json:"instruction_checksum"`
	AccessedAt          time.Time `json:"accessed_at"`
	Guidelines          []struct {
		ID       string `json:"guideline_id"`
		Version  string `json:"guideline_version"`
		Checksum string `json:"content_checksum"`
		Status   string `json:"status"`
	} `json:"guidelines_used"`
	Parameters []struct {
		ID         string `json:"parameter_id"`
		Version    string `json:"version"`
		Status     string `json:"status"`
		VerifiedAt string `json:"verified_at"`
	} `json:"external_parameters_used"`
}

// tracedVersion is a version in a trace; empty fields were not stated.
type tracedVersion struct {
	kind                                    *content.Kind
	id, version, checksum, status, verified string
}

// readTrace reads a trace, alone or as the field usage_trace of an assistant's record.
func readTrace(name string) (trace, error) {
	raw, err := readLimited(name, maxTrace)
	if err != nil {
		return trace{}, err
	}
	var of struct {
		Usage json.RawMessage `json:"usage_trace"`
	}
	var t trace
	if err := json.Unmarshal(raw, &of); err != nil {
		return t, i18n.Errorf("it is no JSON: %w", err)
	}
	if of.Usage != nil {
		raw = of.Usage
	}
	if err := json.Unmarshal(raw, &t); err != nil {
		return t, i18n.Errorf("it is no trace of use: %w", err)
	}
	if t.InstructionID == "" || t.AccessedAt.IsZero() {
		return t, i18n.Errorf("it is no trace of use: `instruction_id` and `accessed_at` say what was read, and when")
	}
	return t, nil
}

// versions lists the versions that the trace names.
func (t trace) versions() []tracedVersion {
	list := []tracedVersion{
		{content.Instructions, t.InstructionID, t.InstructionVersion, t.InstructionChecksum, "", ""},
	}
	for _, g := range t.Guidelines {
		list = append(list, tracedVersion{content.Guidelines, g.ID, g.Version, g.Checksum, g.Status, ""})
	}
	for _, p := range t.Parameters {
		list = append(list, tracedVersion{content.Parameters, p.ID, p.Version, "", p.Status, p.VerifiedAt})
	}
	return list
}

// checkTrace compares a trace with the publications of a repository, and prints the result.
func (f verifyFlags) checkTrace(ctx context.Context, e *env) error {
	t, err := readTrace(f.trace)
	if err != nil {
		return i18n.Errorf("read the trace: %s: %w", f.trace, err)
	}
	served, err := f.serveFlags().loadSnapshot(ctx, e)
	if err != nil {
		return err
	}
	wrong, total := 0, 0
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	line := func(id, version string, verdict i18n.Text, ok bool) {
		if total++; !ok {
			wrong++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", content.Printable(id), content.Printable(version), e.localized(verdict))
	}
	for _, u := range t.versions() {
		verdict, ok := u.check(served, t.AccessedAt)
		line(u.id, u.version, verdict, ok)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if wrong > 0 {
		return foundErrorf("%d of the %d sources that the trace names are not what it says", wrong, total)
	}
	return e.printer.Fprintf(e.stdout, "all is as the trace says\n")
}

// check reports whether a version was as a trace states, at the time when it was read.
func (u tracedVersion) check(s *content.Snapshot, at time.Time) (verdict i18n.Text, ok bool) {
	it, e := u.find(s)
	switch {
	case e == nil:
		return i18n.New("cannot be told: this repository knows no such version"), false
	case u.checksum != "" && u.checksum != e.Checksum:
		return i18n.New("another checksum: %s", e.Checksum), false
	case e.PublishedAt.After(at):
		return i18n.New("not published then: since %s", e.PublishedAt.UTC().Format(time.RFC3339)), false
	case e.Status == content.Redacted:
		return i18n.New("taken away since: %s", e.Reason), false
	}
	day := s.On(s.DayOf(at))
	then := day.Status(it, e)
	before := s.On(s.DayOf(at.AddDate(0, 0, -1))).Status(it, e) // on the day of a change both are right
	switch {
	case u.status != "" && u.status != string(then) && u.status != string(before):
		return i18n.New("the status was %s then", string(then)), false
	case u.verified != "" && u.verified != e.Body().Text("verified_at"):
		return i18n.New("`verified_at` is %s", e.Body().Text("verified_at")), false
	case then == content.Superseded && before == content.Superseded:
		return i18n.New("as published, and not the current version then"), true
	case it.Current != e:
		return i18n.New("as published, and current then; now it is %s", currentOf(it)), true
	}
	return i18n.New("as published, current then and now"), true
}

func currentOf(it *content.Item) string {
	if it.Current == nil {
		return "-"
	}
	return it.Current.Version.String()
}

// find returns the version, by the id of its item or by its name.
func (u tracedVersion) find(s *content.Snapshot) (*content.Item, *content.Entry) {
	for _, it := range s.Items {
		if it.Kind != u.kind {
			continue
		}
		for _, e := range it.Entries {
			if e.Version.String() == u.version && (it.Name == u.id || e.Publication.ID() == u.id) {
				return it, e
			}
		}
	}
	return nil, nil
}

// serveFlags are the repositories as serve has them.
func (f verifyFlags) serveFlags() serveFlags {
	served := serveFlags{repositoryFlags: f.repositoryFlags}
	for _, part := range f.overlays {
		served.overlays = append(served.overlays, part.serveFlags())
	}
	return served
}
