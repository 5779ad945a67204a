package git_test

import (
	"strings"
	"testing"

	"rulestore/loader/git"
)

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"https://example.org/rules.git":            "https://example.org/rules.git",
		"https://example.org:8443/a/b":             "https://example.org:8443/a/b",
		"http://[::1]:3000/rules":                  "http://[::1]:3000/rules",
		"https://[::1]/rules":                      "https://[::1]/rules",
		"ssh://git@example.org:2222/srv/rules.git": "ssh://git@example.org:2222/srv/rules.git",
		"git@example.org:team/rules.git":           "ssh://git@example.org/team/rules.git",
		"file:///srv/rules.git":                    "file:///srv/rules.git",
		"file://localhost/srv/rules.git":           "file:///srv/rules.git",
		"https://example.org/правила.git":          "https://example.org/%D0%BF%D1%80%D0%B0%D0%B2%D0%B8%D0%BB%D0%B0.git",
	} {
		t.Run(in, func(t *testing.T) {
			a, err := git.ParseAddress(in)
			if err != nil || a.String() != want || !git.IsAddress(in) {
				t.Errorf("%s is read as %s, %v", in, a, err)
			}
		})
	}
	for in, says := range map[string]string{
		"https://anna:s3cret@example.org/rules.git":  "must not say who signs in",
		"https://s3cret@example.org/rules.git":       "must not say who signs in",
		"ssh://git:s3cret@example.org/rules.git":     "must not say who signs in",
		"https://example.org/rules?token=s3cret":     "no query",
		"https://example.org/rules#s3cret":           "no fragment",
		"https://anna:s3cret@exa mple.org/rules.git": "is no URL",
		"https:///rules.git":                         "is no address of a repository",
		"https://example.org":                        "is no address of a repository",
		"http://localhost:8080/":                     "is no address of a repository",
		"git://example.org/rules.git":                "expected https, ssh or file",
		"ftp://example.org/rules.git":                `begins with "ftp"`,
		"file://elsewhere/srv/rules.git":             "is no path on this machine",
	} {
		t.Run(in, func(t *testing.T) {
			_, err := git.ParseAddress(in)
			mustFail(t, err, says)
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error gives the secret away: %v", err)
			}
		})
	}
	for _, path := range []string{".", "rules", "/srv/rules.git", "../a:b", `C:\rules`, "C:/rules", "user/name"} {
		if git.IsAddress(path) {
			t.Errorf("%s is a path", path)
		}
	}
}
