package git

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"rulestore/content/i18n"
)

// ErrDamaged matches all errors for which [IsDamaged] is true.
var ErrDamaged = i18n.Errorf("the object is damaged: `git fsck` says more")

// damagedError is the error for a damaged object.
type damagedError struct{ why string }

func (e damagedError) Error() string { return e.Localize().String() }

// Localize implements [i18n.Localizable].
func (e damagedError) Localize() i18n.Text {
	return i18n.New("the object is damaged, %s: `git fsck` says more", e.why)
}

func (e damagedError) Is(target error) bool { return target == ErrDamaged }

// WhyDamaged returns the damage of an object, "" if it is missing; not ok if the error is
// neither.
func WhyDamaged(err error) (why string, ok bool) {
	if e, is := errors.AsType[damagedError](err); is {
		return e.why, true
	}
	return "", errors.Is(err, errMissing)
}

// maxWhy is the maximum length in bytes of the text of a library in an error.
const maxWhy = 200

func damaged(why string) error {
	return damagedError{strings.ToValidUTF8(why[:min(len(why), maxWhy)], "")}
}

// errMissing is the error for an object that is missing for good ([Repo.Settle]).
var errMissing = i18n.Because(
	i18n.New("the object is missing: `git fsck` lists what else is"), errors.Join(ErrDamaged, errAbsent),
)

// Settle treats missing objects as damaged, since no concurrent git process explains them.
func (r *Repo) Settle() { r.settled = true }

// IsDamaged reports whether an error means that an object exists and is corrupt. Unlike a
// missing object ([IsTransient]) this is not caused by a concurrent git process; it persists
// until somebody restores the object.
func IsDamaged(err error) bool { return errors.Is(err, ErrDamaged) }

// IsShortage reports whether an error is due to exhausted system resources, such as open files.
// It does not depend on the repository.
func IsShortage(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// inObject classifies an error of reading an object. Errors of the system or caused by a
// concurrent git process are returned unchanged; with any other the object is damaged.
func inObject(err error) error {
	_, path := errors.AsType[*fs.PathError](err)
	_, call := errors.AsType[*os.SyscallError](err)
	if err == nil || path || call || IsTransient(err) || IsDamaged(err) || errors.Is(err, ErrTooLarge) {
		return err
	}
	return damaged(err.Error())
}

// rescued turns a panic into an error: libraries do not expect all possible bytes of an object.
func rescued(err *error) {
	if recover() != nil {
		*err = damaged("reading it crashes") // the text of the panic may have content of the object
	}
}
