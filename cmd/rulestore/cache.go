package main

import (
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"sync"

	"rulestore/loader"
	"rulestore/loader/gitrepo"
)

// cacheIn returns the cache in a git directory. A program that cannot tell itself from
// another one has none on disk.
func cacheIn(gitDir string) *loader.Cache {
	program, err := programHash()
	if err != nil {
		return loader.NewCache()
	}
	return loader.OpenCache(gitDir, program)
}

// cacheOf returns the cache of the repository that a path is in, nil if that is none.
func cacheOf(path string) *loader.Cache {
	at, err := gitrepo.Locate(path)
	if err != nil {
		return nil // whoever opens it says why
	}
	return cacheIn(at.CommonDir)
}

// programHash returns the hash of the file of the program: versions may be the same of
// builds that differ.
var programHash = sync.OnceValues(func() (sum [sha256.Size]byte, err error) {
	name, err := os.Executable()
	if err != nil {
		return sum, err
	}
	f, err := os.Open(name)
	if err != nil {
		return sum, err
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	h.Sum(sum[:0])
	return sum, errors.Join(err, f.Close())
})
