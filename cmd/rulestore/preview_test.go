package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
)

// previewed is a repository with one publication that nothing is wrong with.
const previewed = `
-- commit 2026-02-02T10:00:00+03:00 --
Begin
-- rulestore.yaml --
schema_version: "1.0"
service: test
title: Проверка
description: Правила для проверки.
audience: Испытатели
default_language: ru
disclaimer: Только для проверки.
demo: true
-- scenarios/published.yaml --
scenario_id: published
schema_version: "1.0"
title: Опубликовано
description: Есть всегда.
-- tag scenarios/published/v1.0.0 --
`

// preview is a repository on disk with an author's files in it, uncommitted.
func preview(t *testing.T, files []txtar.File) string {
	t.Helper()
	script, err := gittest.ParseTxtar(txtar.Parse([]byte(previewed)))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := git.Create(dir, script); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if content.KindOf(f.Name) != nil { // in place of the folder
			if err := os.RemoveAll(filepath.Join(dir, f.Name)); err != nil {
				t.Fatal(err)
			}
		}
		save(t, filepath.Join(dir, f.Name), f.Data)
	}
	return dir
}

func save(t *testing.T, file string, raw []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		t.Fatal(err)
	}
}

// remarks is what publishing finds in the files of drafts.
func remarks(t *testing.T, dir string) (all []content.Finding) {
	t.Helper()
	l := loader.New(loader.Config{Source: git.OnDisk(dir), Drafts: true,
		Schemas: schemas.Embedded(), Now: time.Now})
	for range 2 { // the second time from memory
		if _, err := l.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		found, err := l.ReviewDrafts()
		if err != nil {
			t.Fatal(err)
		}
		all = nil
		for _, f := range found {
			f.Encoded = "" // programs read the sentence
			all = append(all, f)
		}
	}
	return all
}

// validateFinds is what validate finds in a work tree.
func validateFinds(t *testing.T, dir string) []content.Finding {
	t.Helper()
	var answer struct{ Findings []content.Finding }
	if err := json.Unmarshal([]byte(validated(t, dir, "json")), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Findings
}

// What is checked against publications and seals is the same too.
func TestPreviewOfWhatIsPublished(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string // "" takes a file away
		rules []string
	}{
		"removed": {map[string]string{"scenarios/published.yaml": ""}, []string{"removed"}},
		"a mark":  {map[string]string{"lifecycle.yaml": "schema_version: \"1.0\"\nmarks:\n  - {item: scenarios/published, version: 7.0.0, status: archived, reason: Нет, since: 2026-01-01}\n"}, []string{"mark"}},
		"no seal": {map[string]string{"sealed/scenarios/published.sum": "scenarios/published/v1.0.0 md5:1 2026-01-01T00:00:00Z\n"},
			[]string{"seal"}},
		"no settings":  {map[string]string{"rulestore.yaml": ""}, []string{"missing-file"}},
		"a folder":     {map[string]string{"scenarois/x.yaml": "a: b\n"}, []string{"folder"}},
		"mended again": {map[string]string{"scenarios/published.yaml": "scenario_id: published\nschema_version: \"1.0\"\ntitle: Опубликовано\ndescription: Есть всегда.\n"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := preview(t, nil)
			for file, text := range test.files {
				if save(t, filepath.Join(dir, file), []byte(text)); text == "" {
					if err := os.Remove(filepath.Join(dir, file)); err != nil {
						t.Fatal(err)
					}
				}
			}
			got, want := remarks(t, dir), validateFinds(t, dir)
			var rules []string
			for _, f := range want {
				rules = append(rules, f.Rule)
			}
			if !reflect.DeepEqual(rules, test.rules) || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
				t.Errorf("publishing says\n%v\nand validate\n%v", got, want)
			}
		})
	}
}

// Drafts are for those who ask the server itself: a page whose name was made to resolve to this machine gets
// nothing, a staging server is asked under its name.
func TestDraftsUnderOwnNames(t *testing.T) {
	dir := preview(t, nil)
	for own, args := range map[string][]string{
		"localhost:1": {"--addr", "localhost:0"}, "127.0.0.1": {"--addr", "0.0.0.0:0"},
		"STAGING.example.org.:443": {"--base-url", "https://staging.example.org/rules"},
	} {
		s := start(t, append([]string{"--repo", dir, "--drafts", "--admin-addr", "off"}, args...)...)
		if a := s.ask("/api/v1/scenarios/published", "Host", own); a.status != http.StatusOK {
			t.Errorf("asked as %s: %d %s", own, a.status, a.body)
		}
		for _, path := range []string{"/", "/api/v1/scenarios/published", "/api/v1/health", "/healthz", "/mcp", "/nowhere"} {
			if a := s.ask(path, "Host", "evil.example"); a.status != http.StatusForbidden ||
				!strings.Contains(string(a.body), "--base-url") || strings.Contains(string(a.body), "Опубликовано") {
				t.Errorf("asked for %s as another: %d, %s", path, a.status, a.body)
			}
		}
	}
}
