package git_test

import (
	"testing"

	"rulestore/loader/git"
)

func TestCutFolder(t *testing.T) {
	for repo, want := range map[string][2]string{
		"rules":                                   {"rules", ""},
		"mono.git//rules":                         {"mono.git", "rules"},
		"/srv/mono.git//finance/rules/":           {"/srv/mono.git", "finance/rules"},
		"mono.git//":                              {"mono.git", ""},
		"//srv/mono.git":                          {"//srv/mono.git", ""},
		"https://example.org/mono.git":            {"https://example.org/mono.git", ""},
		"https://example.org/mono.git//rules":     {"https://example.org/mono.git", "rules"},
		"https://example.org//mono.git":           {"https://example.org//mono.git", ""},
		"https://example.org":                     {"https://example.org", ""},
		"https://example.org//":                   {"https://example.org//", ""},
		"ssh://git@example.org//srv/m.git//a/b":   {"ssh://git@example.org//srv/m.git", "a/b"},
		"git@example.org:mono.git//rules":         {"git@example.org:mono.git", "rules"},
		"file:///srv/mono.git//rules":             {"file:///srv/mono.git", "rules"},
		"file:///srv/mono.git//../../etc":         {"file:///srv/mono.git", "../../etc"},
		"https://example.org/mono.git//rules//in": {"https://example.org/mono.git//rules", "in"},
		"": {"", ""},
	} {
		t.Run(repo, func(t *testing.T) {
			if at, folder := git.CutFolder(repo); at != want[0] || folder != want[1] {
				t.Errorf("%q, %q, want %q", at, folder, want)
			}
		})
	}
}

func TestFolderOfAddress(t *testing.T) {
	a, err := git.ParseAddress("https://example.org/mono.git//finance/rules")
	if err != nil || a.Path != "/mono.git" || a.Folder != "finance/rules" ||
		a.String() != "https://example.org/mono.git//finance/rules" {
		t.Errorf("%+v, %v", a, err)
	}
	for _, folder := range []string{"..", "a/../b", ".git", "a/.git/b", "a b", "a~1", "a.lock", "a/.b",
		"a\x00b", "a:b", "a@{b", "-a"} {
		t.Run(folder, func(t *testing.T) {
			if err := git.CheckFolder(folder); err == nil {
				t.Error("it passes for a folder")
			}
		})
	}
	for _, folder := range []string{"", "rules", "finance/rules", "Правила", "rules-2", "v1.0"} {
		t.Run("good "+folder, func(t *testing.T) {
			if err := git.CheckFolder(folder); err != nil {
				t.Error(err)
			}
		})
	}
}
