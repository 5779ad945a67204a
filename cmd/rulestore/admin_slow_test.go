//go:build slow

package main

import (
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"
)

// What the first load took, fetching and reading, is in the log and in the metrics.
func TestFirstLoadIsMeasured(t *testing.T) {
	t.Parallel()
	bare, _ := newYoung(t)
	slow := newSlowHost(t, filepath.Dir(bare))
	const pause = 500 * time.Millisecond
	slow.pause.Store(int64(pause))
	p := spawn(t, nil, "--repo", slow.URL+"/rules.git", "--cache-dir", t.TempDir(), "--poll", "1h")
	var m []string
	p.await("the line of the log", func() bool {
		m = regexp.MustCompile(`msg=loaded .* took=(\S+)`).FindStringSubmatch(p.log.String())
		return m != nil
	})
	if took, err := time.ParseDuration(m[1]); err != nil || took < pause {
		t.Errorf("took %s, %v", m[1], err)
	}
	if sum, err := strconv.ParseFloat(p.metric("rulestore_reload_duration_seconds_sum"), 64); err != nil ||
		sum < pause.Seconds() {
		t.Errorf("the metric says %v s, %v", sum, err)
	}
}
