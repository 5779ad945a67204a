package gitrepo

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

// damagedError says what is wrong with an object.
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
	_, ok = errors.AsType[missingError](err)
	return "", ok
}

// maxWhy is how many bytes an error repeats of what a library says.
const maxWhy = 200

func damaged(why string) error {
	return damagedError{strings.ToValidUTF8(why[:min(len(why), maxWhy)], "")}
}

// errMissing is about an object that is not there, and will not come ([Repo.Settle]).
var errMissing error = missingError{}

type missingError struct{}

func (e missingError) Error() string { return e.Localize().String() }

// Localize implements [i18n.Localizable].
func (missingError) Localize() i18n.Text {
	return i18n.New("the object is missing: `git fsck` lists what else is")
}

func (missingError) Is(target error) bool { return target == ErrDamaged || target == errAbsent }

// Settle treats missing objects as damaged, since no concurrent git process explains them.
func (r *Repo) Settle() {
	r.settled = true
	r.inherit((*Repo).Settle)
}

// inherit has a setting hold for handles of other goroutines as well.
func (r *Repo) inherit(set func(*Repo)) {
	again := r.again
	if again == nil {
		return
	}
	r.again = func() (*Repo, error) {
		other, err := again()
		if err == nil {
			set(other)
		}
		return other, err
	}
}

// IsDamaged reports whether an error means that an object exists and is corrupt. Unlike a
// missing object ([IsTransient]) this is not caused by a concurrent git process; it persists
// until somebody restores the object.
func IsDamaged(err error) bool { return errors.Is(err, ErrDamaged) }

// IsShortage reports whether an error is due to exhausted system resources, such as open files.
// It does not depend on the repository.
func IsShortage(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// inObject says what an error means that a reader of objects has: the system cannot give
// what was asked for, git is at work, or there is no such object in what was read.
func inObject(err error) error {
	_, path := errors.AsType[*fs.PathError](err)
	_, call := errors.AsType[*os.SyscallError](err)
	if err == nil || path || call || IsTransient(err) || IsDamaged(err) {
		return err
	}
	return damaged(err.Error())
}

// rescued makes an error of a panic: libraries were not made for all bytes that there
// can be in place of an object.
func rescued(err *error) {
	if recover() != nil {
		*err = damaged("reading it crashes") // what the panic says may be of what was read
	}
}
