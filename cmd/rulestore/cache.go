package main

import (
	"rulestore/loader"
	"rulestore/loader/git"
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
	at, err := git.Locate(path)
	if err != nil {
		return nil // opening it returns the error
	}
	return cacheIn(at.CommonDir)
}
