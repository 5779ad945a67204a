//go:build slow

package server_test

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/content/log/logtest"
	"rulestore/server/site"
)

// signed is a log with its head signed.
func signed(l *log.Served) *log.Served {
	return logtest.Signed(l.Log, logKey())
}

// A second implementation of all this, in another language, finds nothing wrong with what
// is served, and finds what is.
func TestAnotherProgramChecksTheLog(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	run := func(s *site.Site) (string, error) {
		out, err := exec.Command(python, "../scripts/log/check.py", ask(t, s).url).CombinedOutput()
		return string(out), err
	}
	if out, err := run(kindsSite()); err != nil || !strings.Contains(out, "every version is in the log") {
		t.Errorf("%v\n%s", err, out)
	}
	result := load(sealed(readScript("testdata/kinds.txtar")))
	leaves := result.Log.Since(0) // the last ones are seals, the first ones marks
	hidden := signed(&log.Served{Log: (*log.Log)(nil).Extend(leaves[:len(leaves)-1]...)})
	logs.Store(result.Snapshot, hidden)
	if out, err := run(build(nil, result.Snapshot)); err == nil {
		t.Errorf("a version that is not in the log is passed over:\n%s", out)
	}
	forged := signed(result.Log)
	forged.Checkpoint = must(log.Checkpoint{Origin: logKey().Name(), Size: forged.Size()}.Sign(logKey().Log()))
	logs.Store(result.Snapshot, forged)
	if out, err := run(build(nil, result.Snapshot)); err == nil {
		t.Errorf("another root is passed over:\n%s", out)
	}
}

// A site that follows another one says of each version where it is in its own log, however
// the two logs differ.
func TestLogOfTheNextSite(t *testing.T) {
	result := load(sealed(readScript("testdata/kinds.txtar")))
	leaves := result.Log.Since(0)
	build := func(prev *site.Site, l *log.Log) *site.Site {
		logs.Store(result.Snapshot, &log.Served{Log: l})
		return build(prev, result.Snapshot)
	}
	half := (*log.Log)(nil).Extend(leaves[:len(leaves)/2]...)
	mixed := append(append([]log.Leaf{}, leaves[len(leaves)/2:]...), leaves[:len(leaves)/2]...)
	var s *site.Site
	for _, l := range []*log.Log{nil, half,
		half.Extend(leaves[len(leaves)/2:]...), (*log.Log)(nil).Extend(mixed...), half,
		half.Extend(mixed...)} {
		s = build(s, l)
		c := ask(t, s)
		for _, item := range s.Snapshot.Items {
			for _, e := range item.Entries {
				if e.Status == content.Redacted {
					continue
				}
				want := ""
				if index, ok := l.Index(log.SealOf(content.Seal{Tag: e.Tag(), Checksum: e.Checksum,
					PublishedAt: e.PublishedAt})); ok {
					want = strconv.FormatInt(index, 10)
				}
				if got := c.get(e.Path()).header.Get("X-Log-Index"); got != want {
					t.Fatalf("%s: X-Log-Index is %q, want %q", e.Tag(), got, want)
				}
			}
			said := strings.Count(string(c.get(item.Kind.ItemPath(item.Name)+"/versions").body), "log_index")
			if l.Size() == 0 && said > 0 || l.Size() == int64(len(leaves)) && said == 0 {
				t.Errorf("%s: %d versions are in the log", item.ID(), said)
			}
		}
	}
}
