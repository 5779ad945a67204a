package watch

import (
	"log/slog"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// A system that has no watcher to give leaves the poll.
func TestNoWatcher(t *testing.T) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	none := limit
	none.Cur = 0
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	log, dir := &output{}, t.TempDir()
	w := New(Config{Path: dir, GitDir: dir, Common: dir, Poll: time.Minute,
		Log: slog.New(slog.NewTextHandler(log, nil))})
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if w.Mode() != "poll" || !strings.Contains(log.String(), "too many open files") ||
		!strings.Contains(log.String(), "poll=1m") {
		t.Errorf("the mode is %q, the log says %q", w.Mode(), log)
	}
	synctest.Test(t, func(t *testing.T) {
		w.looks = make(chan struct{}, 1) // of the bubble
		go w.Run(t.Context())
		time.Sleep(time.Hour)
		<-w.Looks()
	})
}
