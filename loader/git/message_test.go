package git_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"rulestore/loader/git"
)

// object writes an object that git itself would never make.
func (r *repo) object(kind, head string, rest io.Reader) git.OID {
	r.t.Helper()
	cmd := r.command("", "hash-object", "-t", kind, "-w", "--stdin", "--literally")
	cmd.Stdin = io.MultiReader(strings.NewReader(head), rest)
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatal(err)
	}
	return parse(r.t, strings.TrimSpace(string(out)))
}

// repeated is a text again and again, as often as it fits.
type repeated string

func (s repeated) Read(p []byte) (n int, err error) {
	for n+len(s) <= len(p) {
		n += copy(p[n:], s)
	}
	if n == 0 {
		return 0, io.EOF // there is no room for the whole of it
	}
	return n, nil
}

const signedBy = "A <a@example.org> 1767225600 +0300\n"

// A tag that is not what git makes is no tag of a commit; it is not the repository
// that cannot be read.
func TestTagsThatAreNone(t *testing.T) {
	r := newRepo(t)
	commit := r.put("rule.yaml", "1\n").String()
	for name, c := range map[string]struct {
		text string
		rest io.Reader
		says string
	}{
		"nothing": {"", strings.NewReader(""), "missing object header"},
		"no id":   {"object abc\ntype commit\ntag x\n", strings.NewReader(""), "object"},
		"no kind": {"object " + commit + "\ntype rule\ntag x\n", strings.NewReader(""), "type"},
		"a tree":  {"object " + commit + "\ntype tree\ntag x\ntagger " + signedBy, strings.NewReader("\n"), "is a commit, and"},
		"a blob":  {"object " + commit + "\ntype blob\ntag x\ntagger " + signedBy, strings.NewReader("\n"), "is a commit, and"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := r.open().Tag(r.object("tag", c.text, c.rest))
			if !errors.Is(err, git.ErrNotCommit) || git.IsTransient(err) {
				t.Errorf("%s: %v", name, err)
				return
			}
			mustFail(t, err, c.says)
		})
	}
}

// git takes any number for a date and for a time zone; what is read can be written
// as a date.
func TestOddDates(t *testing.T) {
	r := newRepo(t)
	r.put("rule.yaml", "1\n")
	for date, want := range map[string]string{
		"1767225600 +0300":           "2026-01-01T03:00:00+03:00",
		"1767225600 +9959":           "2026-01-01T00:00:00Z",
		"1767225600 -9959":           "2026-01-01T00:00:00Z",
		"317310000000 +0000":         "9998-12-31T00:00:00Z",
		"9223372036854775807 +0000":  "9998-12-31T00:00:00Z",
		"-999999999999 +0000":        "1970-01-01T00:00:00Z",
		"99999999999999999999 +0000": "0001-01-01T00:00:00Z",
		"never":                      "0001-01-01T00:00:00Z",
	} {
		t.Run(date, func(t *testing.T) {
			by := "A <a@example.org> " + date + "\n"
			commit := r.object("commit", "tree "+r.oid("HEAD^{tree}").String()+"\nauthor "+by+
				"committer "+by+"\nFirst\n",
				strings.NewReader(""))
			tag := r.object("tag", fmt.Sprintf("object %s\ntype commit\ntag x\ntagger %s\nFirst\n", commit, by),
				strings.NewReader(""))
			c, err := r.open().Commit(commit)
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.open().Tag(tag)
			if err != nil {
				t.Fatal(err)
			}
			for _, when := range []time.Time{c.Committed, got.Tagged} {
				if text, err := when.MarshalText(); err != nil || string(text) != want {
					t.Errorf("%s is %s, %v, expected %s", date, text, err, want)
				}
			}
		})
	}
}

// What a commit says is what git says of it, wherever else its headers stand.
func TestCommitsAsGitReadsThem(t *testing.T) {
	r := newRepo(t)
	parent := r.put("rule.yaml", "1\n").String()
	head := "tree " + r.oid("HEAD^{tree}").String() + "\nparent " + parent + "\n"
	who := "author " + signedBy + "committer " + signedBy
	for name, text := range map[string]string{
		"plain": head + who + "\nMessage\n",
		"gpgsig above the parents": "tree " + r.oid("HEAD^{tree}").String() + "\ngpgsig x\n y\nparent " + parent +
			"\n" + who + "\nMessage\n",
		"gpgsig above the author": head + "gpgsig x\n y\n" + who + "\nMessage\n",
		"a parent below":          head + who + "parent " + parent + "\n\nMessage\n",
		"a parent in between": head + "author " + signedBy + "parent " + parent + "\ncommitter " +
			signedBy + "\nMessage\n",
		"a second tree": head + "tree " + parent + "\n" + who + "\nMessage\n",
		"no author":     head + "committer " + signedBy + "\nMessage\n",
		"an odd zone":   head + strings.ReplaceAll(who, "+0300", "-0330") + "\nMessage\n",
	} {
		t.Run(name, func(t *testing.T) {
			id := r.object("commit", text, strings.NewReader(""))
			c, err := r.open().Commit(id)
			if err != nil {
				t.Fatal(err)
			}
			var parents []string
			for _, p := range c.Parents {
				parents = append(parents, p.String())
			}
			got := fmt.Sprintf("%s %s %s %s", c.Tree, strings.Join(parents, " "),
				c.Committed.Format("2006-01-02T15:04:05-07:00"), strings.TrimSpace(c.Message))
			if want := strings.TrimSpace(r.git("log", "-1", "--format=%T %P %cI %s", id.String())); got != want {
				t.Errorf("it is read as %s\nby git as %s", got, want)
			}
		})
	}
}

// Texts are read in the encoding that their header states; what is not of it stays as it is.
func TestEncodedMessages(t *testing.T) {
	r := newRepo(t)
	r.put("rule.yaml", "1\n")
	for _, test := range []struct{ name, header, raw, want string }{
		{"UTF-8 without a header", "", "Вклад", "Вклад"},
		{"windows-1251", "encoding windows-1251\n", "\xc2\xea\xeb\xe0\xe4", "Вклад"},
		{"another spelling", "encoding CP1251\n", "\xc2\xea\xeb\xe0\xe4", "Вклад"},
		{"KOI8-R", "encoding KOI8-R\n", "\xf7\xcb\xcc\xc1\xc4", "Вклад"},
		{"UTF-16", "encoding UTF-16LE\n", "\x12\x04\x3a\x04\x3b\x04", "Вкл"},
		{"UTF-8 under another name", "encoding windows-1251\n", "Вклад Иры", "Вклад Иры"},
		{"UTF-8 that is none", "encoding UTF-8\n", "\xc2\xea", "\xc2\xea"},
		{"windows-1251 without a header", "", "\xc2\xea", "\xc2\xea"},
		{"latin-1 without a header", "", "caf\xe9", "caf\xe9"},
		{"an unknown name", "encoding klingon\n", "\xc2\xea", "\xc2\xea"},
		{"a byte that the encoding lacks", "encoding windows-1251\n", "\xc2\x98", "\xc2\x98"},
		{"a header within another", "mergetag object\n encoding windows-1251\n", "\xc2\xea", "\xc2\xea"},
		{"too long", "encoding windows-1251\n", strings.Repeat("\xc2", 1<<20), strings.Repeat("В", 32<<10)},
	} {
		t.Run(test.name, func(t *testing.T) {
			commit := r.object("commit", "tree "+r.oid("HEAD^{tree}").String()+"\nauthor "+
				strings.Replace(signedBy, "A", test.raw[:min(len(test.raw), 100)], 1)+"committer "+signedBy+
				test.header+"\n", strings.NewReader(test.raw))
			tag := r.object("tag", "object "+commit.String()+"\ntype commit\ntag v1.0.0\ntagger "+signedBy+
				test.header+"\n", strings.NewReader(test.raw))
			repo := r.open()
			c, err := repo.Commit(commit)
			if err != nil {
				t.Fatal(err)
			}
			got, err := repo.Tag(tag)
			if err != nil {
				t.Fatal(err)
			}
			if c.Message != test.want || got.Message != test.want {
				t.Errorf("%.80q and %.80q, want %.80q", c.Message, got.Message, test.want)
			}
			author, err := repo.Author(commit)
			want, _, _ := strings.Cut(strings.ToValidUTF8(test.want, "\uFFFD"), "\n")
			ownLine := len(test.want) < 100 && test.name != "UTF-16" // a header is of ASCII, with more or less in it
			if ownLine && (err != nil || !strings.HasPrefix(author, want+" <")) {
				t.Errorf("the author is %q, %v", author, err)
			}
		})
	}
}
