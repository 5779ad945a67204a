package export

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"rulestore/content/i18n"
	"rulestore/server/site"
)

const (
	// Current is the link to the folder that is served.
	Current = "current"
	// prefix begins the names of the folders.
	prefix = "export-"
)

// Write writes the files of a site to a new folder in dir, switches the link [Current] to it, and deletes
// the folders before. It returns the number of files. If it fails, the link is as it was. One export at a
// time may write to dir.
func Write(ctx context.Context, dir string, s *site.Site) (int, error) {
	files, err := Files(s)
	if err != nil {
		return 0, err
	}
	if err := prepare(dir); err != nil {
		return 0, err
	}
	folder, err := os.MkdirTemp(dir, prefix)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(os.Chmod(folder, 0o755), fill(ctx, folder, files)); err != nil {
		return 0, errors.Join(err, os.RemoveAll(folder))
	}
	return len(files), publish(dir, filepath.Base(folder))
}

// prepare creates dir, and refuses one with anything that no export has.
func prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		isLink := e.Name() == Current && e.Type() == fs.ModeSymlink
		if !isLink && !strings.HasPrefix(e.Name(), prefix) {
			return i18n.Errorf("%s holds what no export has, %s: name a folder of its own", dir, e.Name())
		}
	}
	return err
}

// fill writes files to a folder, several at a time.
func fill(ctx context.Context, folder string, files []File) error {
	work, ctx := errgroup.WithContext(ctx)
	var taken atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() error {
			coders := newCoders() // for many files, as they are large
			for i := taken.Add(1) - 1; i < int64(len(files)); i = taken.Add(1) - 1 {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				if err := write(folder, files[i], coders); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return work.Wait()
}

// write writes a file and its compressed copies.
func write(folder string, f File, coders []coder) error {
	path := filepath.Join(folder, filepath.FromSlash(f.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	body := f.Body()
	if err := os.WriteFile(path, body, 0o644); err != nil {
		return err
	}
	const worthwhile = 1 << 10
	if len(body) <= worthwhile || f.Type == "application/octet-stream" {
		return nil
	}
	for i, c := range codings {
		if coded := coders[i].encode(body); len(coded) < len(body) {
			if err := os.WriteFile(path+c.ending, coded, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// publish switches the link to a folder, and deletes the others.
func publish(dir, folder string) error {
	link := filepath.Join(dir, prefix+Current)
	if err := errors.Join(os.RemoveAll(link), os.Symlink(folder, link)); err != nil {
		return err
	}
	if err := os.Rename(link, filepath.Join(dir, Current)); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != Current && e.Name() != folder {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}
