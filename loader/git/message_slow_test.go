//go:build slow

package git_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/loader/git"
)

// Of a commit or a tag that is too large to be of use only the beginning is read; where
// nobody is trusted to have written it, all of it is checked against its id, as a file is.
func TestLargeObjectsThatLie(t *testing.T) {
	for _, size := range []int64{100, 2 << 20, 9 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			r := newRepo(t)
			r.put("rule.yaml", "1\n")
			head := "tree " + r.oid("HEAD^{tree}").String() + "\nauthor " + signedBy + "committer " + signedBy + "\n"
			commit := func(word string) git.OID {
				return r.object("commit", head+word, io.LimitReader(repeated("x"), size))
			}
			tag := func(word string) git.OID {
				return r.object("tag", "object "+r.oid("HEAD").String()+"\ntype commit\ntag v1.0.0\ntagger "+signedBy+
					"\n"+word, io.LimitReader(repeated("x"), size))
			}
			blob := func(word string) git.OID { return r.object("blob", word, io.LimitReader(repeated("x"), size)) }
			for _, pair := range [][2]git.OID{
				{commit("good"), commit("evil")}, {tag("good"), tag("evil")}, {blob("good"), blob("evil")},
			} {
				file := func(id git.OID) string {
					return filepath.Join(r.dir, ".git", "objects", id.String()[:2], id.String()[2:])
				}
				raw, err := os.ReadFile(file(pair[1]))
				if err != nil {
					t.Fatal(err)
				}
				read := func() (string, error) {
					repo, err := git.Checked(git.OnDisk(r.dir)).Open()
					if err != nil {
						t.Fatal(err)
					}
					defer repo.Close()
					c, err := repo.Commit(pair[0])
					tag, tagErr := repo.Tag(pair[0])
					raw, blobErr := repo.Blob(pair[0], 32<<20)
					if err == nil || tagErr == nil && tag.Annotated || blobErr == nil {
						return c.Message + tag.Message + string(raw), nil
					}
					return "", errors.Join(err, tagErr, blobErr)
				}
				if message, err := read(); err != nil || !strings.HasPrefix(message, "good") {
					t.Fatalf("%.20q, %v", message, err)
				}
				if err := errors.Join(os.Remove(file(pair[0])), os.WriteFile(file(pair[0]), raw, 0o644)); err != nil {
					t.Fatal(err)
				}
				if message, err := read(); err == nil {
					t.Errorf("what is another object is read: %.20q", message)
				}
			}
		})
	}
}
