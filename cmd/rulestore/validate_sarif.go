package main

import (
	"net/url"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
)

// The parts of SARIF 2.1.0 (OASIS) that a checker of files needs.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string     `json:"id"`
		Short   sarifText  `json:"shortDescription"`
		Help    sarifText  `json:"help"`
		Default sarifLevel `json:"defaultConfiguration"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId"`
	}
	sarifRegion struct {
		Line    int        `json:"startLine"`
		Column  int        `json:"startColumn"`
		Snippet *sarifText `json:"snippet,omitempty"`
	}
)

// printSARIF writes the findings for programs that collect those of many tools.
// SARIF's levels have the names of our severities.
func (v *validation) printSARIF() error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "rulestore", Version: release}
	index := map[string]int{}
	for i, r := range check.Rules() {
		index[r.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: r.ID, Short: sarifText{r.Summary}, Help: sarifText{r.Text}, Default: sarifLevel{string(r.Severity)},
		})
	}
	for _, f := range v.result.Findings {
		run.Results = append(run.Results, v.result.sarif(f, index[f.Rule]))
	}
	return writeJSON(v.stdout, sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}

func (r checked) sarif(f content.Finding, rule int) sarifResult {
	message := f.Message
	if f.Hint != "" {
		message += ": " + f.Hint
	}
	if about := r.describeField(nil, f); len(about) > 0 {
		message += "\n" + strings.Join(about, "\n")
	}
	uri := url.URL{Path: r.inRepository(f.Path)}
	at := sarifPhysical{Artifact: sarifArtifact{uri.EscapedPath(), "%SRCROOT%"}}
	if f.Line > 0 {
		at.Region = &sarifRegion{Line: f.Line, Column: max(f.Column, 1)}
		if e, ok := r.excerpt(f); ok {
			at.Region.Snippet = &sarifText{e.Text}
		}
	}
	return sarifResult{f.Rule, rule, string(f.Severity), sarifText{message}, []sarifLocation{{at}}}
}
