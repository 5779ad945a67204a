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

// Because returns an error with a text of its own, and a cause for callers to match, or nil.
func Because(text Text, cause error) error { return &Error{because{cause, text.String()}, text} }

type because struct {
	error
	text string
}

func (b because) Error() string { return b.text }

func (b because) Unwrap() error { return b.error }
