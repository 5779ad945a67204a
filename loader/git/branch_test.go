package git_test

import (
	"errors"
	"testing"

	"rulestore/loader/git"
)

// That there is no commit is said only where there is none.
func TestNoBranch(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*repo)
		says   string
	}{
		"nothing": {func(*repo) {}, "no commit yet"},
		"only a tag": {func(r *repo) {
			r.put("a.yaml", "1\n")
			r.git("tag", "v1")
			r.git("update-ref", "-d", "refs/heads/main")
		}, "has no branch"},
		"a deleted branch": {func(r *repo) {
			r.put("a.yaml", "1\n")
			r.git("gc", "-q")
			r.git("update-ref", "-d", "refs/heads/main")
		}, "has no branch"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			c.change(r)
			_, err := r.refs("")
			mustFail(t, err, c.says)
			if !errors.Is(err, git.ErrEmpty) {
				t.Error("nobody can tell")
			}
		})
	}
}
