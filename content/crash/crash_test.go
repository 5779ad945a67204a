package crash_test

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"rulestore/content/crash"
)

func TestDo(t *testing.T) {
	if err := crash.Do(func() {}); err != nil {
		t.Errorf("nothing happened: %v", err)
	}
	var none []int
	for name, c := range map[string]struct {
		panics func()
		says   string
	}{
		"a text":     {func() { panic("out of rules") }, "crashed: out of rules"},
		"an error":   {func() { panic(errors.New("out of rules")) }, "crashed: out of rules"},
		"a runtime":  {func() { _ = none[0] }, "crashed: runtime error: index out of range [0] with length 0"},
		"nil":        {func() { panic(nil) }, "crashed: panic called with nil argument"},
		"a stringer": {func() { panic(angry{}) }, "crashed: "},
		"a lot":      {func() { panic(strings.Repeat("ж", 1000)) }, "crashed: " + strings.Repeat("ж", 100) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			err := crash.Do(c.panics)
			if err == nil || !strings.HasPrefix(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
			if len(err.Error()) > 250 || strings.Contains(err.Error(), ".go:") {
				t.Errorf("it says too much: %q", err)
			}
		})
	}
}

// angry panics when it is to say what it is.
type angry struct{}

func (angry) String() string { panic("again") }

// A crash is told once, with its stack, whichever way it comes by; and only a crash.
func TestTell(t *testing.T) {
	var log strings.Builder
	l := slog.New(slog.NewTextHandler(&log, nil))
	before := crash.Count()
	crash.Tell(l, nil)
	crash.Tell(l, errors.New("no crash"))
	if log.Len() > 0 || crash.Count() != before {
		t.Errorf("%d were counted: %s", crash.Count()-before, &log)
	}
	err := crash.Do(func() { panic("out of rules") })
	again := crash.Do(func() { panic(err) })
	var wg sync.WaitGroup
	for _, e := range []error{err, again, fmt.Errorf("load: %w", err), errors.Join(errors.New("other"), again)} {
		wg.Go(func() { crash.Tell(l, e, "doing", "a test") })
	}
	wg.Wait()
	if crash.Count() != before+1 || strings.Count(log.String(), "out of rules") != 1 ||
		!strings.Contains(log.String(), "crash_test.go:") || !strings.Contains(log.String(), `doing="a test"`) {
		t.Errorf("%d were counted:\n%s", crash.Count()-before, &log)
	}
}
