package i18n

import "fmt"

// Error is an error that a [Printer] can translate.
type Error struct {
	err  error
	text Text
}

// Errorf is [fmt.Errorf] for an error that people read.
func Errorf(format string, args ...any) error {
	return &Error{fmt.Errorf(format, args...), Text{format, args}}
}

// Error returns the error in English.
func (e *Error) Error() string { return e.err.Error() }

// Unwrap returns the error for %w, if there is one.
func (e *Error) Unwrap() error { return e.err }

// Localize implements [Localizable].
func (e *Error) Localize() Text { return e.text }
