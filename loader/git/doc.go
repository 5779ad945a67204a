// Package git reads, follows and creates git repositories and runs the command git; it is the only
// package that imports go-git. It returns plain values.
//
// # Reading
//
// [Locate] finds a repository; an [Opener] opens it for one pass of reading and is then
// closed. A [Repo] belongs to one goroutine.
// Nothing is read from a checkout: content comes from the object database.
//
// [Objects] come from one `git cat-file` that each Repo talks to, or from go-git: in memory, and where
// the command git is not installed. What the commits of a long history changed comes from
// `git diff-tree`, and of a few from comparing their trees here.
//
// Content may be in a folder of a larger repository ([In]). Then paths and tags are
// relative to that folder; the prefix is handled in this package only. Commits and tags
// outside the folder are ignored. [Locate] finds the folder of a path by the
// settings file in it; if that is not checked out, REPOSITORY//FOLDER names it. Tags are assigned
// to content by their names alone, so content in the root
// should not be mixed with content in folders that are named like kinds.
//
// Some repositories are refused with the command that fixes them: shallow ones
// (their dates and ancestry would be wrong), partial clones (files are missing),
// and formats that go-git cannot read.
//
// Whoever can write to the folder of a repository is trusted, as by git: objects of
// up to 16 KiB are checked against their ids; larger ones, and folders that git compares, are not.
// [Checked] makes a source that checks everything. Commits and tags are always parsed by
// package signers, because go-git interprets objects that git would not have written in
// its own way.
//
// Input from a repository is limited, because a few bytes of it can
// expand to any size: a folder that is too large is listed and not read, a
// long message is cut off, and a history that is too expensive is an error.
// Each limit depends only on the object, not on what was read before.
//
// Sizes in the files of a repository are not trusted: what git may allocate has a limit, and so has its
// time. An object that cannot be read, or does not match its id, is damaged ([IsDamaged]); a missing
// one may be due to a concurrent git process ([IsTransient]).
//
// # Elsewhere
//
// [ParseAddress] reads the address of a repository elsewhere; package mirror has git copy it into a folder.
//
// # Creating
//
// A [Script] is a series of commits with fixed dates, written as a folder of
// releases ([ReadReleases], for the starter content) or, for tests, as one txtar
// text (package gittest). It becomes a repository in
// memory or on disk, with the same objects on every machine.
//
// # The command git
//
// What git is run with is one function, [Environ.Run] and [Environ.Start] alike: a server that reads
// a repository of somebody else runs no program that the repository names, and an author's commands
// ([WorkTree]) run git as the author would.
package git
