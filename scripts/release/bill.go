package main

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"
)

// The parts of CycloneDX 1.6 that are written (cyclonedx.org/docs/1.6/json).
type (
	bill struct {
		Schema       string       `json:"$schema"`
		Format       string       `json:"bomFormat"`
		SpecVersion  string       `json:"specVersion"`
		SerialNumber string       `json:"serialNumber"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Timestamp string    `json:"timestamp"`
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		Hashes     []hash     `json:"hashes,omitempty"`
		PURL       string     `json:"purl,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	hash struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn"`
	}
)

// billOfMaterials lists what a program is made of: the modules that are in it, with the sums
// of go.sum, and the standard library. The time is that of the commit and the number is made
// of the program, so that it is the same wherever it is written.
func billOfMaterials(b built, from source) []byte {
	own := component{
		Type: "application", Ref: b.name, Name: program, Version: from.version, Hashes: []hash{{"SHA-256", b.sum}},
		Properties: []property{{"vcs.revision", from.commit}, {"goos", b.OS}, {"goarch", b.Arch}},
	}
	all := []component{library("std", strings.TrimPrefix(b.compiler, "go"), "")}
	for _, m := range b.modules {
		all = append(all, library(m.Path, m.Version, m.Sum))
	}
	uses := dependency{Ref: own.Ref}
	for _, c := range all {
		uses.DependsOn = append(uses.DependsOn, c.Ref)
	}
	return indented(bill{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6",
		SerialNumber: serial(b.sum), Version: 1,
		Metadata:     metadata{from.time.Format(time.RFC3339), own},
		Components:   all,
		Dependencies: []dependency{uses},
	})
}

// library is a module. Its sum is that of go.sum: of the list of its files with their hashes.
func library(path, version, sum string) component {
	purl := packageURL(path, version)
	c := component{Type: "library", Ref: purl, Name: path, Version: version, PURL: purl}
	if sum != "" {
		c.Properties = []property{{"go.sum", sum}}
	}
	return c
}

// packageURL names a module (github.com/package-url): names of this type are in lower case.
func packageURL(path, version string) string {
	return "pkg:golang/" + strings.ToLower(path) + "@" + strings.ReplaceAll(version, "+", "%2B")
}

// serial is a UUID of version 8, made of a text.
func serial(of string) string {
	s := sha256.Sum256([]byte(of))
	s[6], s[8] = s[6]&0x0f|0x80, s[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", s[:4], s[4:6], s[6:8], s[8:10], s[10:16])
}
