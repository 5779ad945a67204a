package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// times collects when looks were due, from the start of the bubble on.
func times(ctx context.Context, looks <-chan struct{}) *[]time.Duration {
	start, all := time.Now(), new([]time.Duration)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-looks:
				*all = append(*all, time.Since(start))
			}
		}
	}()
	return all
}

func TestGather(t *testing.T) {
	const ms = time.Millisecond
	every := func(n int, pause time.Duration) []time.Duration { return slices.Repeat([]time.Duration{pause}, n) }
	for name, c := range map[string]struct {
		pauses []time.Duration // before each signal
		want   []time.Duration
	}{
		"nothing":    {nil, nil},
		"one signal": {every(1, 0), []time.Duration{quiet}},
		"a burst":    {every(10, 5*ms), []time.Duration{50*ms + quiet}},
		"two bursts": {slices.Concat(every(3, ms), every(3, 100*ms)[:1], every(2, ms)),
			[]time.Duration{3*ms + quiet, 105*ms + quiet}},
		"just far enough": {every(3, quiet+ms), []time.Duration{2*quiet + ms, 3*quiet + 2*ms, 4*quiet + 3*ms}},
		"an endless burst": {every(40, 7*ms), []time.Duration{7*ms + patience, 112*ms + patience,
			217*ms + 63*ms + quiet}},
		"a burst, then one": {append(every(5, ms), time.Hour), []time.Duration{5*ms + quiet, time.Hour + 5*ms + quiet}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				in, out := make(chan struct{}, 1), make(chan struct{}, 1)
				go gather(ctx, in, out)
				got := times(ctx, out)
				for _, pause := range c.pauses {
					time.Sleep(pause)
					signal(in)
				}
				time.Sleep(time.Second)
				synctest.Wait()
				if !slices.Equal(*got, c.want) {
					t.Errorf("looks at %v, expected %v", *got, c.want)
				}
				cancel()
			})
		})
	}
}

// However long a burst lasts, and however it is spaced, a look is due within the
// patience; and whoever looks late finds one message, not many.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		in, out := make(chan struct{}, 1), make(chan struct{}, 1)
		go gather(ctx, in, out)
		got := times(ctx, out)
		for i := range 5000 {
			time.Sleep(time.Duration(i%9) * time.Millisecond)
			signal(in)
		}
		synctest.Wait()
		var before time.Duration
		for _, at := range *got {
			if at-before > patience+2*quiet {
				t.Errorf("nobody looked from %s to %s", before, at)
			}
			before = at
		}
		if len(*got) < 100 {
			t.Errorf("%d looks in all", len(*got))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		w := &Watcher{Config: Config{Poll: time.Second}, looks: make(chan struct{}, 1)}
		go w.Run(t.Context())
		time.Sleep(time.Minute)
		<-w.Looks()
		select {
		case <-w.Looks():
			t.Error("messages pile up")
		default:
		}
	})
}

// The poll goes on without watches, about as often as asked.
func TestPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &Watcher{Config: Config{Poll: 30 * time.Second}, looks: make(chan struct{}, 1)}
		if w.Mode() != "poll" {
			t.Errorf("the mode is %q", w.Mode())
		}
		go w.Run(t.Context())
		got := times(t.Context(), w.Looks())
		time.Sleep(time.Hour)
		synctest.Wait()
		var before time.Duration
		distinct := map[time.Duration]bool{}
		for _, at := range *got {
			if pause := at - before; pause < 27*time.Second || pause >= 33*time.Second {
				t.Errorf("a pause of %s", pause)
			}
			distinct[at-before] = true
			before = at
		}
		if n := len(*got); n < 109 || n > 133 || len(distinct) < 2 {
			t.Errorf("%d looks in an hour, %d different pauses", n, len(distinct))
		}
	})
}

// watched is a watcher of folders that need not exist.
func watched(t *testing.T, c Config) (*Watcher, *output) {
	t.Helper()
	log := &output{}
	c.Log, c.Poll = slog.New(slog.NewTextHandler(log, nil)), time.Hour
	w := New(c)
	t.Cleanup(func() {
		if w.events != nil {
			_ = w.events.Close()
		}
	})
	return w, log
}

// output is a log that may be read while it is written.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// Which events can be about content.
func TestMatters(t *testing.T) {
	top := t.TempDir()
	if err := os.Symlink(filepath.Join(top, "repo"), filepath.Join(top, "link")); err != nil {
		t.Fatal(err)
	}
	config := Config{
		Path:   filepath.Join(top, "link"),
		GitDir: filepath.Join(top, "repo/.git/worktrees/w"),
		Common: filepath.Join(top, "repo/.git"),
		Work:   filepath.Join(top, "link"),
		Tops:   []string{"guidelines", "math"},
	}
	w, _ := watched(t, config)
	for i, c := range []struct {
		name string
		op   fsnotify.Op
		want bool
	}{
		{"repo/.git/HEAD", fsnotify.Create, true},
		{"repo/.git/worktrees/w/HEAD", fsnotify.Create, true},
		{"repo/.git/packed-refs", fsnotify.Create, true},
		{"repo/.git/packed-refs", fsnotify.Remove, true},
		{"repo/.git/refs", fsnotify.Create, true},
		{"repo/.git/refs/heads/main", fsnotify.Create, true},
		{"repo/.git/refs/heads/main", fsnotify.Write, true},
		{"repo/.git/refs/tags/guidelines", fsnotify.Create, true},
		{"repo/.git/refs/tags/guidelines/a/v1.0.0", fsnotify.Create, true},
		{"repo/.git/refs/tags/guidelines/a/v1.0.0", fsnotify.Remove, true},
		{"repo/.git/refs/tags/guidelines/a", fsnotify.Rename, true},
		{"link", fsnotify.Create, true},
		{"link", fsnotify.Remove, true},
		{"link/guidelines", fsnotify.Create, true},
		{"link/guidelines", fsnotify.Remove, true},
		{"link/guidelines/a.yaml", fsnotify.Write, true},
		{"link/math/deep/a.yaml", fsnotify.Create, true},

		{"repo/.git/HEAD.lock", fsnotify.Create, false},
		{"repo/.git/packed-refs.lock", fsnotify.Rename, false},
		{"repo/.git/packed-refs.new", fsnotify.Create, false},
		{"repo/.git/refs/heads/main.lock", fsnotify.Create, false},
		{"repo/.git/refs/tags/guidelines/a/v1.0.0.lock", fsnotify.Write, false},
		{"repo/.git/refs/heads/main", fsnotify.Chmod, false},
		{"repo/.git/index", fsnotify.Create, false},
		{"repo/.git/index.lock", fsnotify.Create, false},
		{"repo/.git/worktrees/w/index", fsnotify.Create, false},
		{"repo/.git/worktrees/w/ORIG_HEAD", fsnotify.Write, false},
		{"repo/.git/COMMIT_EDITMSG", fsnotify.Write, false},
		{"repo/.git/FETCH_HEAD", fsnotify.Write, false},
		{"repo/.git/objects", fsnotify.Create, false},
		{"repo/.git/logs", fsnotify.Create, false},
		{"repo/.git/config", fsnotify.Create, false},
		{"repo/.git/gc.pid", fsnotify.Create, false},
		{"link/README.md", fsnotify.Write, false},
		{"link/.git", fsnotify.Chmod, false},
		{"link/.git", fsnotify.Create, false},
		{"link/docs", fsnotify.Create, false},
		{"another", fsnotify.Create, false},
		{"link.new", fsnotify.Create, false},
		{"link", fsnotify.Chmod, false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := w.matters(fsnotify.Event{Name: filepath.Join(top, c.name), Op: c.op}); got != c.want {
				t.Errorf("%s of %s matters: %t, expected %t", c.op, c.name, got, c.want)
			}
		})
	}
}

// A bare repository behind a link: the link is at once where HEAD is.
func TestMattersBare(t *testing.T) {
	top := t.TempDir()
	link := filepath.Join(top, "link")
	if err := os.Symlink(top, link); err != nil {
		t.Fatal(err)
	}
	w, _ := watched(t, Config{Path: link + "/", GitDir: link, Common: link})
	for name, want := range map[string]bool{"link": true, "link/HEAD": true, "link/refs/heads/main": true,
		"link/objects": false, "other": false} {
		t.Run(name, func(t *testing.T) {
			if got := w.matters(fsnotify.Event{Name: filepath.Join(top, name), Op: fsnotify.Create}); got != want {
				t.Errorf("%s matters: %t, expected %t", name, got, want)
			}
		})
	}
}

// Where watches cannot be had the poll goes on alone, says so once, and tries
// again each time.
func TestMode(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "git")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	common := filepath.Join(file, "common") // there can be no folder in a file
	w, log := watched(t, Config{Path: dir, GitDir: dir, Common: common})
	if w.Mode() != "poll" {
		t.Errorf("the mode is %q", w.Mode())
	}
	w.addAll()
	if n := strings.Count(log.String(), "is polled only"); n != 1 || !strings.Contains(log.String(), "poll=1h") {
		t.Errorf("said %d times:\n%s", n, log)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	w.addAll() // nothing there is no failure: it may come
	if w.Mode() != "watch+poll" {
		t.Errorf("the mode is %q after all", w.Mode())
	}
}

// The system may lose events; then something was missed, perhaps a new folder.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		err    error
		logged string
	}{
		{fsnotify.ErrEventOverflow, ""},
		{errors.New("no idea"), "no idea"},
	} {
		dir := filepath.Join(t.TempDir(), "later")
		w, log := watched(t, Config{Path: dir, GitDir: dir, Common: dir})
		tags := filepath.Join(dir, "refs/tags")
		if err := os.MkdirAll(tags, 0o755); err != nil {
			t.Fatal(err)
		}
		bursts := make(chan struct{}, 1)
		go w.listen(bursts)
		w.events.Errors <- c.err
		w.events.Errors <- c.err // taken only after the first was handled
		await(t, bursts, "a look after "+c.err.Error())
		if !slices.Contains(w.events.WatchList(), tags) {
			t.Errorf("%v: watched are %v", c.err, w.events.WatchList())
		}
		if got := log.String(); strings.Contains(got, c.err.Error()) != (c.logged != "") {
			t.Errorf("%v: the log says %q", c.err, got)
		}
	}
}

// After the end there is nothing to add, and nothing to complain about.
func TestClosed(t *testing.T) {
	dir := t.TempDir()
	w, log := watched(t, Config{Path: dir, GitDir: dir, Common: dir})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.Run(ctx)
	w.addAll()
	if log.String() != "" || w.Mode() != "watch+poll" {
		t.Errorf("the mode is %s, the log says %q", w.Mode(), log)
	}
}

// When the context has ended, so do all goroutines, those of fsnotify included.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	w, log := watched(t, Config{Path: dir, GitDir: dir, Common: dir})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); w.Run(ctx) }()
	if err := os.WriteFile(filepath.Join(dir, "HEAD"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	await(t, w.Looks(), "a look")
	cancel()
	await(t, ended, "the end")
	stacks := make([]byte, 1<<20)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		left := string(stacks[:runtime.Stack(stacks, true)])
		if !strings.Contains(left, "watch.gather") && !strings.Contains(left, "watch.(*Watcher).") &&
			!strings.Contains(left, "fsnotify.(*") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("left are\n%s", left)
		}
	}
	if log.String() != "" {
		t.Errorf("the log says:\n%s", log)
	}
}

// await waits for a message, longer than any machine should need.
func await(t *testing.T, c <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(time.Minute):
		t.Fatal("in vain awaited: ", what)
	}
}
