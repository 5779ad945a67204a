package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"rulestore/content/i18n"
	"rulestore/content/log"
)

// stateFile is a file that keeps the signed head of a log that was seen last.
type stateFile string

// read returns the stored head, nil if there is none.
func (f stateFile) read() ([]byte, error) {
	raw, err := readLimited(string(f), log.MaxCheckpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return raw, err
}

// replace stores a signed head if the stored one is still the one that was read, otherwise it
// changes nothing. Of two runs that began with the same head one fails: if both were stored in
// turn, a contradiction to the first would be forgotten, or even signed.
func (f stateFile) replace(read, signed []byte) (err error) {
	lock := string(f) + ".lock"
	held, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return i18n.Errorf("%s is there: another run writes this state; if there is none, remove that file", lock)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Close(), os.Remove(lock)) }()
	now, err := f.read()
	if err != nil {
		return err
	}
	if !bytes.Equal(now, read) && !bytes.Equal(now, signed) {
		return i18n.Errorf("another run has written %s meanwhile: run this one again", string(f))
	}
	return f.write(signed)
}

// write stores a signed head, or leaves the file unchanged.
func (f stateFile) write(signed []byte) error {
	return replaceFile(string(f), func(w io.Writer) error {
		_, err := w.Write(signed)
		return err
	})
}

// replaceFile writes a file atomically, or to a device or pipe as it is.
func replaceFile(name string, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err // a folder
		}
		return errors.Join(write(f), f.Close())
	}
	fresh, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.new")
	if err != nil {
		return err
	}
	defer os.Remove(fresh.Name()) // does not exist if it was renamed
	if err := errors.Join(write(fresh), fresh.Chmod(0o644), fresh.Sync(), fresh.Close()); err != nil {
		return err
	}
	return os.Rename(fresh.Name(), name)
}

// readLimited reads a file up to a maximum size in bytes.
func readLimited(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, limit+1))
	if int64(len(raw)) > limit {
		return nil, i18n.Errorf("%s has more than %d bytes", name, limit)
	}
	return raw, err
}
