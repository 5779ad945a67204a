package git

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"rulestore/content/i18n"
)

// ErrDamaged is the error for a damaged object. Why it is damaged, git says better.
var ErrDamaged = i18n.Errorf("the object is damaged: `git fsck` says more")

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

// inObject classifies an error of reading an object by go-git. Errors of the system or caused by a
// concurrent git process are returned unchanged; with any other the object is damaged.
func inObject(err error) error {
	_, path := errors.AsType[*fs.PathError](err)
	_, call := errors.AsType[*os.SyscallError](err)
	if err == nil || path || call || IsTransient(err) {
		return err
	}
	return ErrDamaged
}
