package loader_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/loader"
)

// forge writes an object that git itself would never make, and returns its id.
func (r *repo) forge(kind, text string) string {
	r.Helper()
	cmd := exec.Command("git", "hash-object", "-t", kind, "-w", "--literally", "--stdin")
	cmd.Dir, cmd.Stdin = r.dir, strings.NewReader(text)
	out, err := cmd.Output()
	must(r, err)
	return strings.TrimSpace(string(out))
}

// point points a ref to an object that git would not take for one.
func (r *repo) point(ref, id string) {
	r.Helper()
	r.write(".git/"+ref, id+"\n")
}

// raw returns an object byte for byte.
func (r *repo) raw(kind, id string) string {
	r.Helper()
	cmd := exec.Command("git", "cat-file", kind, id)
	cmd.Dir = r.dir
	out, err := cmd.Output()
	must(r, err)
	return string(out)
}

// in returns the same repository for a test of its own.
func (r *signedRepo) in(t *testing.T) *signedRepo {
	repo, same := *r.repo, *r
	repo.T, same.repo = t, &repo
	return &same
}

// entry is the publication with a tag, as two loaders see it: nil if none is served.
func (r *signedRepo) entry(tag string) *content.Entry {
	r.Helper()
	for _, it := range r.loaded().Snapshot.Items {
		for _, e := range it.Entries {
			if e.Tag() == tag {
				return e
			}
		}
	}
	return nil
}

// loaded loads with both loaders, which must agree.
func (r *signedRepo) loaded() loader.Loaded {
	r.Helper()
	r.load()
	result, err := r.loader().Load(r.Context())
	must(r, err)
	return result
}

// pieces are the parts of a signed commit: its headers, its signature's lines, the rest.
func pieces(t *testing.T, raw string) (headers []string, signature, rest string) {
	t.Helper()
	head, rest, ok := strings.Cut(raw, "\n\n")
	head, signature, signed := strings.Cut(head+"\n", "gpgsig ")
	if !ok || !signed {
		t.Fatalf("this is no signed commit:\n%s", raw)
	}
	return strings.SplitAfter(strings.TrimSuffix(head, "\n"), "\n"), "gpgsig " + signature, "\n" + rest
}

// A copy of a signed commit with its signature elsewhere still verifies for who looks
// for headers wherever they stand; what stands below is not read then, its parents for
// instance, so that its signer would vouch for whatever is in its tree.
func TestSignatureMovedInCommit(t *testing.T) {
	r := newSignedRepo(t, "").play("edit one Один; publish one 1.0.0; seal; as anna; edit two Два, ещё раз")
	signed := r.git("rev-parse", "HEAD")
	headers, signature, rest := pieces(t, r.raw("commit", signed))
	headers[len(headers)-1] = strings.TrimSuffix(headers[len(headers)-1], "\n") + "\n"
	for at := range headers {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			r := r.in(t)
			moved := strings.Join(headers[:at], "") + signature + strings.Join(headers[at:], "") + rest
			copied := r.forge("commit", moved)
			r.point("refs/heads/main", copied)
			result, err := r.loader().Load(t.Context())
			if at == 0 { // git does not take it for a commit at all
				if err == nil {
					t.Error("a commit that begins with a signature is read")
				}
				return
			}
			if got := describeSigned(result, err); strings.Contains(contentOf(got), "one.001/v1.0.0 by") {
				t.Errorf("what nobody signed is served\n%s", got)
			}
		})
	}
	r.point("refs/heads/main", signed)
	r.expect(r.load(), "two.001/v1.0.0 by anna", "so it does not count")
}

// Whatever is done to the layout of a signed tag, it is not signed any more.
func TestSignedTagLaidOutOtherwise(t *testing.T) {
	r := newSignedRepo(t, `valid-before="20270101Z"`).play("edit one Один; sign one 1.0.0 anna")
	tag := "guidelines/" + one + "/v1.0.0"
	raw := r.raw("tag", "refs/tags/"+tag)
	tagger := raw[strings.Index(raw, "tagger "):strings.Index(raw, "\n\n")]
	other := "tagger Author <author@example.org> 1577836800 +0000"
	for name, text := range map[string]string{
		"the tagger twice":      strings.Replace(raw, tagger, other+"\n"+tagger, 1),
		"the tagger twice, too": strings.Replace(raw, tagger, tagger+"\n"+other, 1),
		"a header more":         strings.Replace(raw, tagger, tagger+"\nnote x", 1),
		"gpgsig":                strings.Replace(raw, tagger, tagger+"\ngpgsig x\n y", 1),
		"gpgsig-sha256":         strings.Replace(raw, tagger, tagger+"\ngpgsig-sha256 x\n y", 1),
		"something behind":      raw + "x\n",
		"an empty line behind":  raw + "\n\n",
		"no tagger":             strings.Replace(raw, tagger+"\n", "", 1),
		"carriage returns":      strings.ReplaceAll(raw, "\n", "\r\n"),
		"a NUL byte":            strings.Replace(raw, "Signed", "Sig\x00ned", 1),
	} {
		t.Run(name, func(t *testing.T) {
			r := r.in(t)
			r.point("refs/tags/"+tag, r.forge("tag", text))
			if e := r.entry(tag); e != nil {
				t.Errorf("it is served, signed by %v", e.SignedBy)
			}
		})
	}
	r.point("refs/tags/"+tag, r.forge("tag", raw))
	if r.entry(tag) == nil {
		t.Error("the tag itself is not served")
	}
}

// A line that a stranger added does not count because somebody who signs merges it, in
// whatever order, moves or cuts the file that hid it, or brings it back; it does when a signer adds it anew.
func TestSealsPassedOn(t *testing.T) {
	const stranger = "as nobody; reset --hard stranger; "
	const other = "sealed/guidelines/other.001.sum"
	for name, c := range map[string]struct {
		pass   string
		counts bool
	}{
		"a merge": {"edit three Три; merge --no-ff -m Merge stranger", false},
		"an octopus": {`
			branch third; edit three Три; checkout third; edit four Четыре; checkout main
			merge --no-ff -m Merge third stranger
		`, false},
		"a merge from the other side": {
			"edit three Три; branch was; reset --hard stranger; merge --no-ff -m Merge was", false,
		},
		"a merge with a line of its own": {
			"edit three Три; sign three 1.0.0 anna; merge --no-commit --no-ff stranger; seal", false,
		},
		"a file that was taken away": {
			stranger + "rm $sums; commit Take the file away; as anna; revert --no-edit HEAD", false,
		},
		"a file that was taken away in a merge": {
			"as nobody; over main main,stranger; checkout stranger -- $sums; as anna; commit Bring it back", false,
		},
		"a file that was no file": {
			stranger + "rm $sums; touch $sums/x; commit Make a folder; as anna; revert --no-edit HEAD", false,
		},
		"a file that was too large": {stranger + "swell; commit Swell; as anna; keep stranger; commit Cut", false},
		"a file that was broken": {
			stranger + "reset --hard HEAD~; keep stranger; break; commit Break; as anna; keep stranger; commit Mend",
			false,
		},
		"a file that was moved": {stranger + "touch " + other + "; mv -f $sums " + other +
			"; commit Move it; as anna; mv " + other + " $sums; commit Move it back", false},
		"a cherry-pick":     {"cherry-pick stranger~; cherry-pick stranger", true},
		"a squash":          {"merge --squash stranger; commit Squash", true},
		"a seal of her own": {stranger + "reset --hard HEAD~; as anna; seal", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newSignedRepo(t, "").play("checkout -b stranger; edit one Один; publish one 1.0.0; seal")
			r.play("checkout main; as anna; " + c.pass)
			got := r.load()
			counts := strings.Contains(contentOf(got), "one.001/v1.0.0 by anna@example.org seal")
			if counts != c.counts || strings.Contains(got, "so it does not count") == counts {
				t.Error(got)
			}
		})
	}
}

// What is said of a publication is said by who signed, or not at all.
func TestUnsignedWords(t *testing.T) {
	tag := "guidelines/" + one + "/v1.0.0"
	zero := func(t *testing.T, what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s is %q, expected %q", what, got, want)
		}
	}
	date := func(d time.Time) string {
		if d.IsZero() {
			return ""
		}
		return d.Format(time.RFC3339)
	}
	t.Run("an unsigned commit under a seal", func(t *testing.T) {
		r := newSignedRepo(t, "").play("edit one Mallory's words; publish one 1.0.0; as anna; seal")
		r.git("tag", "-d", tag)
		e := r.entry(tag)
		if e == nil {
			t.Fatal("it is not served")
		}
		zero(t, "the note", e.ChangeNote, "")
		zero(t, "updated_at", date(e.UpdatedAt), "")
	})
	t.Run("one commit of two", func(t *testing.T) {
		r := newSignedRepo(t, "").play("edit one Mallory's words; as anna; edit one Anna's words")
		committed := r.git("log", "-1", "--format=%cI")
		r.play("as nobody; publish one 1.0.0; as anna; seal")
		r.git("tag", "-d", tag)
		e := r.entry(tag)
		zero(t, "the note", e.ChangeNote, "= Anna's words")
		zero(t, "updated_at", date(e.UpdatedAt), committed)
	})
	t.Run("a signed tag of an unsigned commit", func(t *testing.T) {
		r := newSignedRepo(t, "")
		now := r.now
		r.now = now.AddDate(0, 1, 0) // a date that nobody signed
		r.edit(one, "= Mallory's words")
		r.now = now
		r.signedTag(one, "1.0.0", r.anna)
		e := r.entry(tag)
		zero(t, "the note", e.ChangeNote, "Signed 1.0.0")
		zero(t, "updated_at", date(e.UpdatedAt), "")
		zero(t, "published_at", date(e.PublishedAt), date(now.Add(time.Minute)))
	})
	t.Run("a signed tag of a signed commit that is younger", func(t *testing.T) {
		r := newSignedRepo(t, "")
		now := r.now
		r.now = now.AddDate(0, 1, 0)
		r.play("as anna; edit one Anna's words")
		committed := r.git("log", "-1", "--format=%cI")
		r.now = now
		r.signedTag(one, "1.0.0", r.anna)
		e := r.entry(tag)
		zero(t, "published_at", date(e.PublishedAt), committed)
		zero(t, "updated_at", date(e.UpdatedAt), committed)
	})
	t.Run("a release on a signed commit", func(t *testing.T) {
		r := newSignedRepo(t, "").play("as anna; edit one Anna's words; tag v99.0.0")
		r.git("tag", "-a", "v98.0.0", "-m", "Mallory's words")
		result := r.loaded()
		if n := len(result.Snapshot.Products); n != 0 {
			t.Errorf("%d releases are served", n)
		}
		r.expect(describeSigned(result, nil),
			"v99.0.0: error: the tag is not signed by a trusted signer: it is lightweight",
			"v98.0.0: error: the tag is not signed")
	})
}

// The object store is not believed: with trusted signers every object on the way from a
// signature to the bytes is checked against its id.
func TestLyingObjects(t *testing.T) {
	const good, evil = "Никому не платите", "Переведите деньги"
	for name, c := range map[string]struct {
		padding, files int    // of the file, in bytes, and beside it
		of             string // the object that another one stands for
		loose          bool
	}{
		"a small file":   {10, 0, ":" + content.Guidelines.File(one), false},
		"a large file":   {40 << 10, 0, ":" + content.Guidelines.File(one), false},
		"a small folder": {10, 0, ":guidelines", false},
		"a large folder": {10, 600, ":guidelines", false},
		"a root":         {10, 0, "^{tree}", false},
		"a loose file":   {40 << 10, 0, ":" + content.Guidelines.File(one), true},
		"a loose folder": {10, 600, ":guidelines", true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newSignedRepo(t, "")
			for i := range c.files {
				r.write(fmt.Sprintf("guidelines/more.%d.txt", i), "")
			}
			var ids []string
			for _, text := range []string{evil, good} {
				r.write(content.Guidelines.File(one), guideline(one, "= "+text)+"# "+
					strings.Repeat("x", c.padding)+"\n")
				r.commit(text)
				ids = append(ids, r.git("rev-parse", "HEAD"+c.of))
			}
			r.signedTag(one, "1.0.0", r.anna)
			if !c.loose {
				r.git("repack", "-adq")
			}
			if e := r.entry("guidelines/" + one + "/v1.0.0"); e == nil ||
				!bytes.Contains(e.Body().AppendJSON(nil), []byte(good)) {
				t.Fatal("the rule is not served")
			}
			if c.loose {
				r.copyLoose(ids[0], ids[1])
			} else {
				swapInIndex(t, r.dir, ids[1], ids[0])
			}
			for name, l := range map[string]*loader.Loader{"kept": r.kept, "fresh": r.loader()} {
				result, err := l.Load(t.Context())
				if err != nil {
					continue // an object is damaged: what was served goes on being served
				}
				for _, it := range result.Snapshot.Items {
					for _, e := range it.Entries {
						if bytes.Contains(e.Body().AppendJSON(nil), []byte(evil)) {
							t.Errorf("%s: other bytes are served under a signed tag", name)
						}
					}
				}
			}
		})
	}
}

// copyLoose puts one loose object in the place of another.
func (r *repo) copyLoose(from, to string) {
	r.Helper()
	path := func(id string) string { return filepath.Join(r.dir, ".git", "objects", id[:2], id[2:]) }
	raw, err := os.ReadFile(path(from))
	if err == nil {
		err = errors.Join(os.Remove(path(to)), os.WriteFile(path(to), raw, 0o644))
	}
	must(r, err)
}
