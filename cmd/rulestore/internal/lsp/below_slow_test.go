//go:build slow

package lsp

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

// houseCheck is an instruction of a repository that builds on the starter content.
const houseCheck = `instruction_id: house.check
schema_version: "1.0"
title: Проверка
summary: Как проверить условия.
steps:
  - {step: 1, code: CHECK, title: Проверить, instructions: [Сравнить условия с договором.]}
external_parameters: [consumer-rights.fo-response-extension-working-days]
valid_from: 2026-01-01
`

// What a repository builds on may be referred to, and its names are taken.
func TestBuildsOnAnother(t *testing.T) {
	script, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		t.Fatal(err)
	}
	source, err := gitrepo.InMemory(script)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := loader.New(loader.Config{
		Below: loader.Below{Name: "base"}, Source: source, Schemas: schemas.Embedded(), Now: time.Now,
	}).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	beneath := content.NewBeneath([]*content.Snapshot{loaded.Snapshot})
	over := loader.Below{Name: "own", Beneath: func() *content.Beneath { return beneath }}
	for name, c := range map[string]struct {
		below loader.Below
		want  []string
	}{
		"alone":          {loader.Below{}, []string{"7:23-7:73 error reference"}},
		"over the other": {over, nil},
	} {
		t.Run(name, func(t *testing.T) {
			e := connect(t, t.TempDir(), func(config *Config) { config.Below = c.below })
			if out, err := exec.CommandContext(t.Context(), "git", "init", "-q", e.dir).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if err := os.WriteFile(filepath.Join(e.dir, "rulestore.yaml"),
				[]byte("schema_version: \"1.0\"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			e.begin()
			e.open("instructions/house-check.yaml", houseCheck)
			e.findings("instructions/house-check.yaml", c.want...)
		})
	}
}
