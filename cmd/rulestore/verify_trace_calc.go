package main

import (
	"encoding/json"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// tracedCalculation is a calculation in a trace; empty fields were not stated.
type tracedCalculation struct {
	ToolID      string          `json:"tool_id"`
	ToolVersion string          `json:"tool_version"`
	InputsHash  string          `json:"inputs_hash"`
	Status      string          `json:"status"`
	Receipt     string          `json:"receipt"`
	Inputs      json.RawMessage `json:"inputs_echo"`

	record *calc.StoredAnswer // the answer, where all of it was kept
}

// readUsedTools reads the calculations of a trace. One that has its receipt and its inputs
// is an answer that can be calculated again.
func readUsedTools(all []json.RawMessage) (read []tracedCalculation, err error) {
	for i, raw := range all {
		var c tracedCalculation
		if err := json.Unmarshal(raw, &c); err != nil {
			return nil, i18n.Errorf("it is no trace of use: calculations_used/%d: %w", i, err)
		}
		if c.ToolID == "" || c.ToolVersion == "" {
			return nil, i18n.Errorf(
				"it is no trace of use: calculations_used/%d: `tool_id` and `tool_version` say what was calculated by",
				i,
			)
		}
		if c.Receipt != "" && c.Inputs != nil {
			record, err := calc.ReadRecord(raw)
			if err != nil {
				return nil, i18n.Errorf("it is no trace of use: calculations_used/%d: %w", i, err)
			}
			c.record = &record
		}
		read = append(read, c)
	}
	return read, nil
}

// check reports whether a calculation is possible as a trace states it and, if the trace has the
// whole answer, whether the result is the same.
func (c tracedCalculation) check(tools *calc.Registry, s *content.Snapshot) (verdict i18n.Text, ok bool) {
	if _, known := tools.Version(c.ToolID, c.ToolVersion); !known {
		return i18n.New("cannot be told: this program has no such calculation, or not in this version"), false
	}
	switch c.Status {
	case "", calc.StatusComputed, calc.StatusDoNotGuess, calc.CalculationNotAvailable:
	default:
		return i18n.New("no calculation has the status %s", c.Status), false
	}
	for _, sum := range []string{c.InputsHash, c.Receipt} {
		if sum != "" && !content.ValidChecksum(sum) {
			return i18n.New("no checksum: %s", sum), false
		}
	}
	if c.record == nil {
		return i18n.New("there is such a calculation; what it came to is not in the trace"), true
	}
	switch result, differs := site.Replay(tools, s, *c.record); result {
	case calc.RecordMatches:
		return i18n.New("calculated again: comes to this answer"), true
	case calc.RecordOther:
		return i18n.New("calculated again: comes to another answer, %s differs", strings.Join(differs, ", ")), false
	}
	return i18n.New("cannot be told: what the answer rests on is not here"), false
}
