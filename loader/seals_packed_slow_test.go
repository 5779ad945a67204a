//go:build slow

package loader_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"rulestore/content"
)

// What became of seals along the branch is read from how git packed the versions of
// rulestore.sum. It comes to the same as reading each of them whole.
func TestSealsFromPacks(t *testing.T) {
	t.Parallel()
	const steps = 60
	for seed, repack := range []string{
		"--depth=50 --window=10", "--depth=4 --window=3", "--depth=1", "--depth=4000 --window=250",
	} {
		t.Run(repack, func(t *testing.T) {
			t.Parallel()
			c := newChaos(t, 100+uint64(seed))
			for range steps {
				c.step()
				c.spoilSeals()
			}
			loose := &repo{T: t, dir: c.unpacked()}
			whole, wholeErr := loose.loader().Load(t.Context())
			c.git(append([]string{"repack", "-qadf"}, strings.Fields(repack)...)...)
			packed, packedErr := c.loader().Load(t.Context())
			got, want := describe(packed, packedErr), describe(whole, wholeErr)
			if got != want || !reflect.DeepEqual(packed.Snapshot, whole.Snapshot) {
				t.Errorf("from packs it comes to\n%s\nfrom files to\n%s", got, want)
			}
		})
	}
}

// spoilSeals does to the list of seals what editors do.
func (c *chaos) spoilSeals() {
	raw, _ := os.ReadFile(filepath.Join(c.dir, content.SealsFile))
	foreign := fmt.Sprintf("letters/of.no.kind/v1.%d.0 sha256:%064d 2026-03-01T10:00:00Z\n", c.IntN(50), c.IntN(1000))
	text := string(raw)
	switch c.IntN(6) {
	case 0:
		text = strings.ReplaceAll(text, "\n", "\r\n")
	case 1:
		text = strings.ReplaceAll(text, "\r\n", "\n")
	case 2:
		text = strings.TrimSuffix(text, "\n")
	case 3:
		text = foreign + text
	case 4:
		first, rest, _ := strings.Cut(text, "\n")
		text = first + "\n" + foreign + rest
	default:
		return
	}
	c.write(content.SealsFile, text)
	c.save("Edit the seals")
}

// unpacked is the same repository with a file for every object.
func (r *repo) unpacked() string {
	r.Helper()
	dir, away := filepath.Join(r.TempDir(), "loose.git"), filepath.Join(r.TempDir(), "packs")
	r.git("repack", "-qad")
	r.git("clone", "-q", "--mirror", "--no-hardlinks", ".", dir)
	if err := os.Rename(filepath.Join(dir, "objects/pack"), away); err != nil {
		r.Fatal(err)
	}
	packs, err := filepath.Glob(filepath.Join(away, "*.pack"))
	if err != nil || len(packs) != 1 {
		r.Fatal(packs, err)
	}
	pack, err := os.Open(packs[0])
	if err != nil {
		r.Fatal(err)
	}
	defer pack.Close()
	cmd := exec.Command("git", "-C", dir, "unpack-objects", "-q")
	if cmd.Stdin = pack; cmd.Run() != nil {
		r.Fatal("git unpack-objects failed")
	}
	return dir
}
