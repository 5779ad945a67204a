package gitrepo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// listed is a list of lines to which everything happens that people do to one.
type listed struct {
	*rand.Rand
	lines []string
	eol   string
	open  bool // the last line has no end
}

func (l *listed) line() string {
	return fmt.Sprintf(
		"guidelines/test.rule-%05d.001/v1.%d.0 sha256:%064x 2026-01-02T03:04:05Z", l.IntN(5000), l.IntN(9), l.Uint64(),
	)
}

// step changes the list.
func (l *listed) step() {
	at := l.IntN(len(l.lines) + 1)
	switch l.IntN(16) {
	case 0, 1, 2, 3, 4, 5:
		l.lines = append(l.lines, l.line())
	case 6, 7, 8:
		for range 1 + l.IntN(5) {
			l.lines = slices.Insert(l.lines, at, l.line())
		}
	case 9:
		l.lines = slices.Delete(l.lines, at/2, min(at/2+l.IntN(4), len(l.lines)))
	case 10:
		if at < len(l.lines) {
			l.lines[at] = l.line()
		}
	case 11:
		l.lines = slices.Insert(l.lines, at, l.lines[:at/3]...) // what is there already
	case 12:
		slices.Sort(l.lines)
	case 13:
		l.eol = []string{"\n", "\n", "\n", "\r\n"}[l.IntN(4)]
	case 14:
		l.open = !l.open
	case 15:
		if l.IntN(8) == 0 {
			l.lines = l.lines[:l.IntN(3)]
		}
	}
}

func (l *listed) String() string {
	all := strings.Join(l.lines, l.eol)
	if l.open || all == "" {
		return all
	}
	return all + l.eol
}

// grown is a repository with random versions of a list, and these.
func grown(t *testing.T, seed uint64) (dir string, versions [][]byte) {
	t.Helper()
	l := &listed{Rand: rand.New(rand.NewPCG(seed, 18)), eol: "\n"}
	for range 200 {
		l.lines = append(l.lines, l.line())
	}
	var in strings.Builder
	for v := range 150 {
		l.step()
		versions = append(versions, []byte(l.String()))
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter A <a@example.org> %d +0000\ndata 2\nv\n", 1_770_000_000+v)
		fmt.Fprintf(&in, "M 100644 inline rulestore.sum\ndata %d\n%s\n", len(l.String()), l)
	}
	dir = t.TempDir()
	gitIn(t, dir, "init", "-q", "-b", "main")
	cmd := exec.Command("git", "-C", dir, "fast-import", "--quiet")
	cmd.Stdin = strings.NewReader(in.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	return dir, versions
}

// differing is what [Text.Differing] finds, byte by byte.
func differing(before, now []byte) (start, end int) {
	n := min(len(before), len(now))
	for start < n && before[start] == now[start] {
		start++
	}
	start = bytes.LastIndexByte(now[:start], '\n') + 1
	end = len(now)
	for i := len(before); i > start && end > start && before[i-1] == now[end-1]; i-- {
		end--
	}
	if i := bytes.IndexByte(now[end:], '\n'); i >= 0 {
		return start, end + i + 1
	}
	return start, len(now)
}

// However git packed the versions of a file, texts are what the file is, and differ where
// it does: read in the order in which it came to be, backwards, and here and there.
func TestTextIsTheFile(t *testing.T) {
	t.Parallel()
	repacks := []string{
		"", "--depth=50 --window=10", "--depth=0", "--depth=4000 --window=250", "--depth=1", "--depth=5 --window=3",
		"ref deltas",
	}
	for seed := range uint64(len(repacks)) {
		how := repacks[seed]
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			dir, versions := grown(t, seed)
			switch how {
			case "":
			case "ref deltas":
				gitIn(t, dir, "-c", "repack.usedeltabaseoffset=false", "repack", "-qadf")
			default:
				gitIn(t, dir, append([]string{"repack", "-qadf"}, strings.Fields(how)...)...)
			}
			r := openDisk(t, dir)
			rng := rand.New(rand.NewPCG(seed, 1))
			forth := rng.Perm(len(versions))
			slices.Sort(forth)
			back := slices.Clone(forth)
			slices.Reverse(back)
			for _, order := range [][]int{forth, back, rng.Perm(len(versions))} {
				textsAre(t, r, versions, order)
			}
			if read := len(r.packs[0].cache.texts.current); read < len(versions)/2 {
				t.Errorf("%d of %d versions are read from the pack", read, len(versions))
			}
		})
	}
}

// textsAre reads versions in some order and holds each, and what differs from the one
// before, against what is so.
func textsAre(t *testing.T, r *Repo, versions [][]byte, order []int) {
	t.Helper()
	var before *Text
	var raw []byte
	for _, v := range order {
		now, err := r.Text(BlobOID(versions[v]), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(now.Bytes(), versions[v]) || now.Len() != len(versions[v]) {
			t.Fatalf("version %d has %d bytes and not its %d", v, now.Len(), len(versions[v]))
		}
		start, end := now.Differing(before)
		wantStart, wantEnd := differing(raw, versions[v])
		if start != wantStart || end != wantEnd {
			t.Fatalf("version %d differs from %d to %d, expected from %d to %d", v, start, end, wantStart, wantEnd)
		}
		if !bytes.Equal(now.Slice(start, end), versions[v][start:end]) {
			t.Fatalf("version %d: what differs is\n%s\nexpected\n%s", v, now.Slice(start, end), versions[v][start:end])
		}
		if n := now.Count('\n', start); n != bytes.Count(versions[v][:start], []byte("\n")) {
			t.Fatalf("version %d differs after %d lines", v, n)
		}
		before, raw = now, versions[v]
	}
}

// Where objects are checked against their ids, texts are; elsewhere small ones.
func TestTextIsChecked(t *testing.T) {
	t.Parallel()
	dir, versions := grown(t, 1)
	gitIn(t, dir, "repack", "-qadf")
	last := len(versions) - 1
	id := BlobOID(versions[last])
	for _, checked := range []bool{false, true} {
		t.Run(fmt.Sprint("checked ", checked), func(t *testing.T) {
			r := openDisk(t, dir)
			if _, err := r.Text(id, 1<<20); err != nil {
				t.Fatal(err)
			}
			pack := r.packs[0].open[0]
			at, err := pack.index.find(plumbing.Hash(id))
			if err != nil {
				t.Fatal(err)
			}
			forged := TextOf(bytes.Repeat([]byte("forged\n"), maxHashed))
			pack.cache.texts = recentTexts{rounds: rounds[*Text]{current: map[packPlace]*Text{{pack, at}: forged}}}
			r.check(checked)
			now, err := r.Text(id, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			if forged := !bytes.Equal(now.Bytes(), versions[last]); forged == checked {
				t.Errorf("a large file that is not what its id says is read: %t", forged)
			}
			pack.cache.texts = recentTexts{rounds: rounds[*Text]{current: map[packPlace]*Text{{pack,
				at}: TextOf([]byte("forged\n"))}}}
			if now, err = r.Text(id, 1<<20); err != nil || !bytes.Equal(now.Bytes(), versions[last]) {
				t.Errorf("a small file that is not what its id says is read: %v", err)
			}
			if _, err := r.Text(id, 10); err == nil {
				t.Error("a file over the limit is read")
			}
		})
	}
}

// A text of too many parts is read whole, and one that holds what it should not is not
// made at all.
func TestTextOfManyParts(t *testing.T) {
	base := TextOf(bytes.Repeat([]byte("0123456789abcdef"), 4096))
	code := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(base.Len())), 2*maxParts)
	for i := range maxParts {
		code = append(code, 0x91, byte(i), 1, 1, '!') // a byte of the base, and one more
	}
	made, err := base.patched(code, maxPacked)
	want, wantErr := patch(base.Bytes(), code, maxPacked)
	if err != nil || wantErr != nil || !bytes.Equal(made.Bytes(), want) {
		t.Fatal(err, wantErr)
	}
	if len(made.parts) != 1 {
		t.Errorf("it has %d parts", len(made.parts))
	}
	if _, err := base.patched(code, maxParts); err == nil {
		t.Error("a text over the limit is made")
	}
}

// Texts of a recentObjects have no more than they should in memory, however little each has of
// what they share.
func TestTextShelf(t *testing.T) {
	var s recentTexts
	held := map[*stored]bool{}
	for i := range 100 {
		whole := TextOf(make([]byte, maxRecent/10))
		s.add(packPlace{nil, int64(2 * i)}, whole)
		little := &Text{}
		little.add(whole.between(5, 6)[0])
		s.add(packPlace{nil, int64(2*i + 1)}, little)
		for j := range i { // those of which little is used stay in use
			s.get(packPlace{nil, int64(2*j + 1)})
		}
		clear(held)
		for _, all := range []map[packPlace]*Text{s.current, s.previous} {
			for _, t := range all {
				for _, p := range t.parts {
					held[p.of] = true
				}
			}
		}
		if len(held) > 21 {
			t.Fatalf("%d objects of a tenth are kept", len(held))
		}
	}
}

// A delta to a text makes what it makes of its bytes, or nothing; and of what it makes
// another one does.
func FuzzPatchText(f *testing.F) {
	raw := bytes.Repeat([]byte("0123456789abcde\n"), 8192)
	sizes := func(before, after uint64) []byte {
		return binary.AppendUvarint(binary.AppendUvarint(nil, before), after)
	}
	f.Add(append(sizes(131072, 7), "\x03new\x91\x02\x04"...), append(sizes(7, 4), "\x91\x01\x04"...))
	f.Add(append(sizes(131072, 65536), 0x80), append(sizes(65536, 3), "\xf0\x03\x00\x00"...))
	f.Add(append(sizes(131072, 9), 0x97, 0xff, 0xff, 0x01, 9), []byte{}) // beyond the end
	f.Add(append(sizes(131072, 1<<40), 0x91, 0, 1), []byte{})            // too large
	f.Add(append(sizes(131072, 3), "\x05new"...), []byte{})              // cut off
	f.Add(append(sizes(131072, 3), 0x00, 0x00), []byte{})                // reserved
	f.Add(append(sizes(131072, 6), "\x03new\x91\x00\x03"...), append(sizes(6, 12), "\x90\x06\x90\x06"...))
	f.Fuzz(func(t *testing.T, code, another []byte) {
		text, before := TextOf(raw), raw
		for _, code := range [][]byte{code, another} {
			made, err := text.patched(code, maxPacked)
			want, wantErr := patch(before, code, maxPacked)
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("a text: %v, its bytes: %v", err, wantErr)
			}
			if err != nil {
				return
			}
			if !bytes.Equal(made.Bytes(), want) {
				t.Fatalf("%d bytes are made of a text, %d of its bytes", made.Len(), len(want))
			}
			start, end := made.Differing(text)
			if wantStart, wantEnd := differing(before, want); start != wantStart || end != wantEnd {
				t.Fatalf("they differ from %d to %d, expected from %d to %d", start, end, wantStart, wantEnd)
			}
			text, before = made, want
		}
	})
}
