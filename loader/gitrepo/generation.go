package gitrepo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"

	"rulestore/content/i18n"
)

// A generation is one state of a mirror: a bare repository that any git can read. It is immutable
// once it has its name, except for the modification time of FETCH_HEAD, that of the last fetch, as
// in any repository. The next generation shares its packs by hard links.
type generation string

const (
	headFile   = "HEAD"
	configFile = "config"
	fetchFile  = "FETCH_HEAD"
)

func (g generation) packs() string { return filepath.Join(string(g), "objects", "pack") }

// maxPacks is the maximum number of packs of a generation. Each fetch adds one, and every look-up
// searches all; above the limit, the next fetch joins them.
const maxPacks = 50

// makeGeneration makes an empty bare repository.
func makeGeneration(dir string) (generation, error) {
	for _, sub := range []string{"objects/pack", "objects/info", "refs/heads", "refs/tags"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(sub)), 0o755); err != nil {
			return "", err
		}
	}
	for name, text := range map[string]string{
		configFile: "[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
		fetchFile:  "",
	} {
		if err := writeFile(filepath.Join(dir, name), func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		}); err != nil {
			return "", err
		}
	}
	return generation(dir), nil
}

// fetched returns the last time at which the remote agreed; zero if it is unknown.
func (g generation) fetched() time.Time {
	info, err := os.Stat(filepath.Join(string(g), fetchFile))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// agreed records when the remote agreed. On a read-only disk the time is lost with the process.
func (g generation) agreed(at time.Time) {
	_ = os.Chtimes(filepath.Join(string(g), fetchFile), at, at)
}

// follow takes over the packs of the previous generation, and returns the refs whose objects they
// have. If these cannot be read, there are none, and everything is requested.
func (g generation) follow(before generation) []Ref {
	_, known, err := before.read()
	if err != nil {
		return nil
	}
	takeOver := g.share
	if before.fragmented() {
		takeOver = g.join
	}
	if err := takeOver(before); err != nil {
		_ = os.RemoveAll(g.packs())
		_ = os.Mkdir(g.packs(), 0o755) // if it fails, so does receiving a pack, with the reason
		return nil
	}
	return known
}

// share takes over packs by hard links, or by copies if links are impossible.
func (g generation) share(before generation) error {
	entries, err := os.ReadDir(before.packs())
	for _, e := range entries {
		old, new := filepath.Join(before.packs(), e.Name()), filepath.Join(g.packs(), e.Name())
		if err := linkFile(old, new); err != nil {
			return err
		}
	}
	return err
}

func linkFile(old, new string) error {
	if os.Link(old, new) == nil {
		return nil
	}
	return copyFile(old, new)
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return writeFile(to, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}

// fragmented reports whether the packs are to be joined.
func (g generation) fragmented() bool {
	packs, _ := filepath.Glob(filepath.Join(g.packs(), "*.pack"))
	return len(packs) > maxPacks
}

// fill fetches the advertised objects, except those of known refs.
func (g generation) fill(ctx context.Context, c *conversation, a advertised, known []Ref) error {
	wants := missing(a.refs, known)
	var sent map[OID]bool
	if len(wants) > 0 {
		var err error
		if sent, err = g.download(ctx, c, a, wants, recent(known)); err != nil {
			return err
		}
	}
	if err := g.write(a); err != nil {
		return err
	}
	if err := g.check(wants, sent); err != nil {
		return err
	}
	return g.takeInventory()
}

// check verifies that requested objects are in the new pack or in those taken over.
func (g generation) check(wants []OID, sent map[OID]bool) error {
	wants = slices.DeleteFunc(wants, func(id OID) bool { return sent[id] })
	if len(wants) == 0 {
		return nil
	}
	if id, err := g.lacks(wants); err != nil {
		return i18n.Errorf("the remote did not send object %s, which one of its refs names: %w", id, err)
	}
	return nil
}

// lacks returns one of the objects that cannot be read, with the error.
func (g generation) lacks(ids []OID) (id OID, err error) {
	r, err := OnDisk(string(g)).Open()
	if err != nil {
		return id, err
	}
	defer r.Close()
	for _, id := range ids {
		if _, err := r.unpacked(plumbing.AnyObject, id); err != nil {
			return id, err
		}
	}
	return id, nil
}

// missing returns the ids of the refs that no known ref has.
func missing(refs, known []Ref) []OID {
	have := map[OID]bool{}
	for _, r := range known {
		have[r.OID] = true
	}
	var wants []OID
	for _, r := range refs {
		if !have[r.OID] {
			have[r.OID] = true
			wants = append(wants, r.OID)
		}
	}
	return wants
}

// maxHaves is the maximum number of commits reported to the remote. Those of branches are enough
// if the tags point to merged commits.
const maxHaves = 256

// recent returns the ids to report to the remote, those of branches first.
func recent(known []Ref) []OID {
	var haves, others []OID
	for _, r := range known {
		if strings.HasPrefix(r.Name, "refs/heads/") {
			haves = append(haves, r.OID)
		} else {
			others = append(others, r.OID)
		}
	}
	haves = append(haves, others...)
	return haves[:min(len(haves), maxHaves)]
}

// download fetches a pack.
func (g generation) download(
	ctx context.Context, c *conversation, a advertised, wants, haves []OID,
) (map[OID]bool, error) {
	res, err := ask(ctx, c, a, wants, haves)
	if err != nil {
		return nil, err
	}
	defer res.Close()
	pack := c.attend(res) // progress messages reset the timeout, too
	switch {
	case a.can.Supports(capability.Sideband64k):
		pack = sideband.NewDemuxer(sideband.Sideband64k, pack)
	case a.can.Supports(capability.Sideband):
		pack = sideband.NewDemuxer(sideband.Sideband, pack)
	}
	return g.receive(ctx, c.attend(pack))
}

// write writes the refs, all into one file.
func (g generation) write(a advertised) error {
	err := writeFile(filepath.Join(string(g), headFile), func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "ref: %s\n", a.head)
		return err
	})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(string(g), refsFile), func(w io.Writer) error {
		b := bufio.NewWriter(w)
		fmt.Fprintln(b, "# pack-refs with: sorted ")
		for _, r := range a.refs {
			fmt.Fprintf(b, "%s %s\n", r.OID, r.Name)
		}
		return b.Flush()
	})
}

// read returns the refs that write wrote.
func (g generation) read() (head string, refs []Ref, err error) {
	raw, err := os.ReadFile(filepath.Join(string(g), headFile))
	if err != nil {
		return "", nil, err
	}
	head = strings.TrimPrefix(strings.TrimSuffix(string(raw), "\n"), "ref: ")
	err = readPackedRefs(string(g), func(id, name string) error {
		oid, err := ParseOID(id)
		if err != nil {
			return errors.Join(err, ErrDamaged)
		}
		refs = append(refs, Ref{name, oid})
		return nil
	})
	if err != nil {
		return "", nil, err
	}
	return head, refs, nil
}

// agrees reports whether the generation has the advertised refs.
func (g generation) agrees(a advertised) bool {
	head, refs, err := g.read()
	return err == nil && head == a.head && slices.Equal(refs, a.refs)
}
