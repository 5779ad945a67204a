//go:build slow

package export_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"rulestore/loader/gitrepo"
	"rulestore/server/export"
	"rulestore/server/site"
)

// listing is an inventory as a whole.
type listing struct {
	export.Contents
	Files []export.Listed
}

// inventoryOf reads the inventory of a tree.
func inventoryOf(t testing.TB, files map[string][]byte) (l listing) {
	t.Helper()
	if err := json.Unmarshal(files[export.Inventory], &l); err != nil {
		t.Fatal(err)
	}
	return l
}

// exportOf exports a site, and returns the files and the inventory of the tree.
func exportOf(t *testing.T, s *site.Site) (map[string][]byte, listing) {
	t.Helper()
	dir := t.TempDir()
	write(t, writer(t, dir), s)
	files := held(t, current(dir))
	return files, inventoryOf(t, files)
}

// What is listed is there, in all codings, and nothing else.
func TestInventory(t *testing.T) {
	t.Parallel()
	files, inventory := exportOf(t, whole())
	if inventory.Snapshot != whole().ID {
		t.Errorf("the snapshot is %s", inventory.Snapshot)
	}
	if h := inventory.Headers; h["Access-Control-Allow-Origin"] != "*" || h["X-Content-Type-Options"] != "nosniff" {
		t.Errorf("the headers of every response: %v", h)
	}
	delete(files, export.Inventory)
	readers := map[string]func(io.Reader) (io.Reader, error){
		"br":   func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	}
	endings := map[string]string{"br": ".br", "zstd": ".zst", "gzip": ".gz"}
	for _, l := range inventory.Files {
		raw := files[l.Name]
		if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != l.SHA256 || len(raw) != l.Size {
			t.Errorf("%s is not what is listed", l.Name)
		}
		if len(raw) > 1<<11 && strings.HasSuffix(l.Name, ".json") && len(l.Codings) != 3 {
			t.Errorf("%s of %d bytes has the codings %s", l.Name, len(raw), l.Codings)
		}
		delete(files, l.Name)
		for _, c := range l.Codings {
			name := l.Name + endings[c]
			r, err := readers[c](bytes.NewReader(files[name]))
			if err != nil {
				t.Fatal(name, err)
			}
			if plain, err := io.ReadAll(r); err != nil || !bytes.Equal(plain, raw) {
				t.Errorf("%s: %v", name, err)
			}
			delete(files, name)
		}
	}
	for name := range files {
		t.Errorf("%s is not listed", name)
	}
}

// A current version is the same file under the address of its item, in all codings.
func TestAlike(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := writer(t, dir)
	write(t, w, first())
	info := func(name string) fs.FileInfo {
		info, err := os.Stat(filepath.Join(current(dir), "api/v1/guidelines/product.common.001"+name))
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	for _, ending := range []string{".json", ".json.br", ".md.zst", ".md.gz"} {
		if !os.SameFile(info(ending), info("/versions/1.0.0"+ending)) {
			t.Errorf("%s is there twice", ending)
		}
	}
}

// A folder with other things in it is left alone; a context that ends leaves what is served.
func TestFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := export.NewWriter(dir); err == nil || !strings.Contains(err.Error(), "mine") {
		t.Errorf("%v", err)
	}
	if err := os.Remove(filepath.Join(dir, "mine")); err != nil {
		t.Fatal(err)
	}
	w := writer(t, dir)
	write(t, w, first())
	before := held(t, current(dir))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Write(ended, second()); err == nil {
		t.Error("it was written although the context had ended")
	}
	sameFiles(t, held(t, current(dir)), before)
	if err := os.MkdirAll(filepath.Join(dir, ".new-"+export.Current, "left over"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, w, second())
	if at, err := os.Readlink(current(dir)); err != nil || at != "b" {
		t.Errorf("%s, %v", at, err)
	}
	if err := errors.Join(os.Remove(current(dir)), os.Mkdir(current(dir), 0o755)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(t.Context(), second()); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("a folder in place of the link: %v", err)
	}
}

// A publication changes nothing in what does not speak of it, not even the time that stands there.
func TestPublication(t *testing.T) {
	t.Parallel()
	script := starterScript(t)[:2]
	now := siteOf(t, append(script, titled(t, script, "Любой продукт")), whole())
	before := map[string]export.File{}
	for _, f := range files(t, whole()) {
		before[f.Name] = f
	}
	unchanged := 0
	fetched := regexp.MustCompile(`"fetched_at":"[^"]*"`)
	for _, f := range files(t, now) {
		old, ok := before[f.Name]
		if !ok || f.Name == "api/v1/upcoming.json" || f.Name == "api/v1/log.json" { // they could speak of it
			continue
		}
		was, is := old.Body(), f.Body()
		if blank := []byte(nil); bytes.Equal(fetched.ReplaceAll(was, blank), fetched.ReplaceAll(is, blank)) {
			unchanged++
			if !bytes.Equal(was, is) {
				t.Errorf("%s states another time, and is the same", f.Name)
			}
		}
	}
	if unchanged == 0 || unchanged == len(before) {
		t.Errorf("%d of %d files are unchanged", unchanged, len(before))
	}
}

// What a web server tells files by, size and seconds, is another where the content is.
func TestDates(t *testing.T) {
	t.Parallel()
	checkDates(t, whole(), later())
	script := starterScript(t)[:2]
	one := siteOf(t, append(slices.Clone(script), titled(t, script, "Любой продукт")), whole())
	checkDates(t, one, siteOf(t, append(slices.Clone(script), titled(t, script, "Такой продукт")), whole()))
}

func checkDates(t *testing.T, first, second *site.Site) {
	t.Helper()
	before, after := t.TempDir(), t.TempDir()
	write(t, writer(t, before), first)
	write(t, writer(t, after), second)
	old, changed := held(t, current(before)), 0
	seen := func(dir, name string) (int64, int64) {
		info, err := os.Stat(filepath.Join(current(dir), name))
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime().Unix(), info.Size()
	}
	for name, raw := range held(t, current(after)) {
		if name == export.Inventory {
			continue
		}
		at, size := seen(after, name)
		if was, ok := old[name]; ok && !bytes.Equal(was, raw) {
			changed++
			if thenAt, thenSize := seen(before, name); thenAt == at && thenSize == size {
				t.Errorf("%s: another content of the same time and size", name)
			}
		}
	}
	if changed < 10 {
		t.Errorf("%d files changed", changed)
	}
}

// Two who export to one folder at the same time take turns, and what is served is whole.
func TestTwoWriters(t *testing.T) {
	t.Parallel()
	dir, alone := t.TempDir(), t.TempDir()
	write(t, writer(t, alone), second())
	want := held(t, current(alone))
	a, b := writer(t, dir), writer(t, dir)
	for range 2 {
		var work errgroup.Group
		for _, w := range []*export.Writer{a, b} {
			work.Go(func() error {
				_, err := w.Write(t.Context(), first())
				return err
			})
		}
		if err := work.Wait(); err != nil {
			t.Fatal(err)
		}
		for _, w := range []*export.Writer{b, a, a} {
			write(t, w, second())
			got := held(t, current(dir))
			delete(got, export.Inventory)
			delete(want, export.Inventory)
			sameFiles(t, got, want)
		}
	}
}

// sameFiles compares two trees.
func sameFiles(t *testing.T, got, want map[string][]byte) {
	t.Helper()
	for name, raw := range want {
		if other, ok := got[name]; !ok || !bytes.Equal(other, raw) {
			t.Errorf("%s is missing or another", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is too much", name)
		}
	}
}

// The same content is the same bytes, whether it is written at once, after something else, by
// the same process or by another, and whatever was left half-done.
func TestWrite(t *testing.T) {
	t.Parallel()
	atOnce, step := t.TempDir(), t.TempDir()
	write(t, writer(t, atOnce), second())
	want := held(t, current(atOnce))

	w := writer(t, step)
	if r := write(t, w, first()); r.Written != r.Files || r.Files < 100 {
		t.Errorf("the first: %+v", r)
	}
	before := held(t, current(step))
	r := write(t, w, second())
	if r.Written == 0 || r.Written >= r.Files/2 {
		t.Errorf("after it, one release more: %+v", r)
	}
	sameFiles(t, held(t, current(step)), want)
	if r := write(t, w, second()); r.Written != 0 || r.Removed != 0 {
		t.Errorf("once more: %+v", r)
	}
	sameFiles(t, held(t, current(step)), want)

	again := writer(t, step) // another process goes back
	write(t, again, first())
	sameFiles(t, held(t, current(step)), before)
	write(t, again, second())

	for _, idle := range []string{"a", "b"} { // a process was killed while it wrote or deleted a tree
		if at, _ := os.Readlink(current(step)); at == idle {
			continue
		}
		left := filepath.Join(step, idle, "api", "left over")
		if err := errors.Join(os.MkdirAll(left, 0o755),
			os.WriteFile(filepath.Join(step, idle, export.Inventory), []byte("{}"), 0o644)); err != nil {
			t.Fatal(err)
		}
		write(t, writer(t, step), second())
		sameFiles(t, held(t, current(step)), want)
	}
	onlyCurrent(t, step)
}

func current(dir string) string { return filepath.Join(dir, export.Current) }

// onlyCurrent expects one tree in the folder of an export.
func onlyCurrent(t *testing.T, dir string) {
	t.Helper()
	at, err := os.Readlink(current(dir))
	all, globErr := filepath.Glob(filepath.Join(dir, "[ab]"))
	if err != nil || globErr != nil || !slices.Equal(all, []string{filepath.Join(dir, at)}) {
		t.Errorf("%s is current of %q: %v", at, all, err)
	}
}

// What is redacted is nowhere in the folder after the next export, also where the one before
// was ended between its steps. Who reads a file meanwhile reads all of it.
func TestRedactedIsDeleted(t *testing.T) {
	t.Parallel()
	const secret, name = "Тайное название", "guidelines/product.common.001"
	script := few(starterScript(t)[:2])
	script = append(script, titled(t, script, secret))
	before := siteOf(t, script, nil)
	marked := siteOf(t, append(script, gitrepo.ScriptCommit{
		Date: script[2].Date.Add(time.Hour), Message: "Redact\n", Files: map[string][]byte{"lifecycle.yaml": []byte(
			"schema_version: \"1.0\"\nmarks:\n  - {item: " + name + ", version: 1.0.1, status: redacted, " +
				"reason: Тайна, since: 2026-11-01}\n",
		)},
	}), nil)
	holds := func(dir string) (all []string) {
		for _, tree := range []string{"a", "b"} {
			if _, err := os.Lstat(filepath.Join(dir, tree)); err != nil {
				continue
			}
			for file, raw := range held(t, filepath.Join(dir, tree)) {
				if bytes.Contains(raw, []byte(secret)) {
					all = append(all, tree+"/"+file)
				}
			}
		}
		return all
	}
	dir := t.TempDir()
	w := writer(t, dir)
	write(t, w, before)
	if len(holds(dir)) == 0 {
		t.Fatal("it is nowhere from the beginning")
	}
	reader, err := os.Open(filepath.Join(current(dir), "api/v1", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	write(t, w, marked)
	if raw, err := io.ReadAll(reader); err != nil || !bytes.Contains(raw, []byte(secret)) {
		t.Errorf("who had opened a file reads %d bytes of it: %v", len(raw), err)
	}
	if left := holds(dir); len(left) > 0 {
		t.Errorf("it is still in %q", left)
	}
	onlyCurrent(t, dir)
	for _, idle := range []string{"a", "b"} { // it ended before it had deleted the tree
		if _, err := os.Lstat(filepath.Join(dir, idle)); err == nil {
			continue
		}
		if err := os.MkdirAll(filepath.Join(dir, idle), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, idle, "a.md"), []byte(secret), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(t, writer(t, dir), marked)
	if left := holds(dir); len(left) > 0 {
		t.Errorf("after an end between the steps it is still in %q", left)
	}
	onlyCurrent(t, dir)
}

// titled publishes a rule with another title, always under the same version and date.
func titled(t *testing.T, script gitrepo.Script, title string) gitrepo.ScriptCommit {
	t.Helper()
	const name = "guidelines/product.common.001"
	text, old := string(script[0].Files[name+".yaml"]), regexp.MustCompile("(?m)^title: .*$")
	if !old.MatchString(text) {
		t.Fatalf("%s has no title:\n%.300s", name, text)
	}
	return gitrepo.ScriptCommit{
		Date: script[1].Date.Add(time.Hour), Message: "The title\n",
		Files: map[string][]byte{name + ".yaml": []byte(old.ReplaceAllString(text, "title: "+title))},
		Tags:  []gitrepo.NewTag{{Name: name + "/v1.0.1", Message: "The title\n"}},
	}
}
