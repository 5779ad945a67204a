// Package crash turns panics into errors.
//
// An unrecovered panic in any goroutine ends the process and with it all requests. So code
// that starts a goroutine, or does one of many independent tasks, runs it with [Do] or defers
// [Rescue], and continues with an [Error]: a file is refused, a body is served uncompressed, a
// request gets a 500. The owner of the log reports the error to operators with [Tell].
package crash

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync/atomic"
)

// Error is a panic that was rescued. What it says may be shown to clients, the stack
// may not.
type Error struct {
	value string
	stack []byte
	told  atomic.Bool
}

// maxValue is the maximum length of a panic's text in bytes: it may contain what was being read.
const maxValue = 200

// Of returns the error of what recover has returned, which is not nil. A panic with
// an error of this package is still the crash that it was.
func Of(v any) *Error {
	if e, ok := v.(*Error); ok {
		return e
	}
	value := fmt.Sprint(v)
	if len(value) > maxValue {
		value = strings.ToValidUTF8(value[:maxValue], "") + "…"
	}
	return &Error{value: value, stack: debug.Stack()}
}

// Error says what the panic said.
func (e *Error) Error() string { return "crashed: " + e.value }

// Rescue is deferred: it puts a panic into the error of the function that defers it.
func Rescue(err *error) {
	if v := recover(); v != nil {
		*err = Of(v)
	}
}

// Do calls a function; the error is its panic.
func Do(f func()) (err error) {
	defer Rescue(&err)
	f()
	return nil
}

var count atomic.Uint64

// Count returns how many crashes the process has been told of.
func Count() uint64 { return count.Load() }

// Tell tells operators of a crash: it is counted, and logged with its stack, once,
// however often it comes by. Without a log it is only counted. Any other error is left
// alone.
func Tell(log *slog.Logger, err error, attrs ...any) {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.told.Swap(true) {
		return
	}
	count.Add(1)
	if log == nil {
		return
	}
	log.Error("crashed", append(attrs, "panic", e.value, "stack", string(e.stack))...)
}
