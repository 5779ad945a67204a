package i18n

import "fmt"

// Error is an error that a [Printer] can write in the language of a person.
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

// Unwrap returns an error that wraps what %w stands for.
func (e *Error) Unwrap() error { return e.err }

// Localize implements [Localizable].
func (e *Error) Localize() Text { return e.text }
