package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// The parts of an in-toto statement with SLSA provenance that are written
// (in-toto.io/Statement/v1, slsa.dev/provenance/v1).
type (
	statement struct {
		Type          string     `json:"_type"`
		Subject       []resource `json:"subject"`
		PredicateType string     `json:"predicateType"`
		Predicate     predicate  `json:"predicate"`
	}
	predicate struct {
		BuildDefinition struct {
			BuildType            string         `json:"buildType"`
			ExternalParameters   map[string]any `json:"externalParameters"`
			InternalParameters   map[string]any `json:"internalParameters"`
			ResolvedDependencies []resource     `json:"resolvedDependencies"`
		} `json:"buildDefinition"`
		RunDetails struct {
			Builder struct {
				ID string `json:"id"`
			} `json:"builder"`
		} `json:"runDetails"`
	}
	resource struct {
		Name   string            `json:"name,omitempty"`
		URI    string            `json:"uri,omitempty"`
		Digest map[string]string `json:"digest,omitempty"`
		Notes  map[string]string `json:"annotations,omitempty"`
	}
)

// provenance says how the files of a release were made: of which commit, with which commands,
// by which compiler and of which modules. It says nothing of the machine, on which nothing
// depends.
func provenance(all []artifact, made []built, from source) []byte {
	s := statement{Type: "https://in-toto.io/Statement/v1", PredicateType: "https://slsa.dev/provenance/v1"}
	for _, a := range all {
		s.Subject = append(s.Subject, resource{Name: a.name, Digest: map[string]string{"sha256": a.sum}})
	}
	d := &s.Predicate.BuildDefinition
	d.BuildType = "urn:rulestore:release:1"
	var systems []string
	for _, b := range made {
		systems = append(systems, b.OS+"/"+b.Arch)
	}
	d.ExternalParameters = map[string]any{"commit": from.commit, "systems": systems}
	d.InternalParameters = map[string]any{
		"command":     "go build " + strings.Join(append(slices.Clone(flags), command), " "),
		"environment": fixed,
	}
	d.ResolvedDependencies = dependencies(made, from)
	s.Predicate.RunDetails.Builder.ID = "urn:rulestore:make-release"
	return indented(s)
}

// dependencies are the commit, the compiler and the modules of all programs.
func dependencies(made []built, from source) []resource {
	all := []resource{{Name: program, Digest: map[string]string{"gitCommit": from.commit}}}
	known := map[string]bool{}
	add := func(r resource) {
		if !known[r.URI] {
			known[r.URI] = true
			all = append(all, r)
		}
	}
	for _, b := range made {
		add(resource{URI: packageURL("std", strings.TrimPrefix(b.compiler, "go"))})
		for _, m := range b.modules {
			add(resource{URI: packageURL(m.Path, m.Version), Notes: map[string]string{"go.sum": m.Sum}})
		}
	}
	return all
}

func indented(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // texts and lists of texts
	}
	return b.Bytes()
}
