// Package git reads, follows and creates git repositories and runs the command git; it is the only
// package that imports go-git. It returns plain values.
//
// What to call:
//
//   - [OnDisk] for a source of a repository in a folder, which [Opener.Open] opens for one pass of reading;
//     [At], [Checked], [Listed] and [CutOnDisk] for one at a commit, of untrusted objects, with other refs, and of a
//     cut history; [Locate] for where it is.
//   - [Repo.Refs] for the branch that is read and the tags, [Repo.Resolve] and [Repo.MergeBase] for commits.
//   - [Repo.Commit], [Repo.Tag] and [Repo.Blob] for what objects say, [Repo.Object] for one as it was signed,
//     [Repo.Files] and [Repo.Changes] for trees.
//   - [Walker.History] for the states of all files in all commits: what git log says of each, in one pass.
//   - [ParseAddress] and package mirror for a repository elsewhere.
//   - [Create] and [InMemory] for a repository made of a [Script], with the same objects on every machine:
//     a folder of releases ([ReadReleases], for the starter content, and [Releases] to serve it) or, for tests, one
//     txtar text (gittest).
//   - [Environ.Run] and [WorkTree.Ask] for the command git.
//
// # Reading
//
// A [Repo] belongs to one goroutine. Nothing is read from a checkout: content comes from the object database.
// [Objects] come from one `git cat-file` that each Repo talks to, or from go-git: in memory, and where no git
// is installed ([Installed]), which reads no alternates. Refs are read here, since every check for changes reads them
// all, and git takes eight times as long. What the commits of a long history changed comes from `git diff-tree`,
// and of a few from comparing their trees here. Revisions other than branches, tags and full ids need git.
//
// Some repositories are refused with the command that fixes them: shallow ones
// (their dates and ancestry would be wrong), partial clones (files are missing),
// and formats that go-git cannot read.
//
// # What is trusted, and what is limited
//
// Whoever can write to the folder of a repository is trusted, as by git: objects of
// up to 16 KiB are checked against their ids; larger ones, and folders that git compares, are not.
// [Checked] makes a source that checks everything. Commits and tags are always parsed by
// package signers, because go-git interprets objects that git would not have written in
// its own way.
//
// Input from a repository is limited, because a few bytes of it can
// expand to any size. Each limit depends only on the object, not on what was read before:
//
//   - a commit, a tag or a tree has at most 64 MiB, and a file what its reader allows: what is larger, or says so,
//     is not read. Of a message 64 KiB are kept;
//   - a commit that changes half a million paths, and a history whose commits and changes take more than a gigabyte to
//     read, are errors;
//   - git may allocate 256 MiB at a time for an object of any size, and take a minute for it;
//   - packed refs have at most 256 MiB; a fetch adds at most 2 GiB to a mirror. Packs on disk may have any size.
//
// An object that cannot be read, or does not match its id, is damaged ([IsDamaged]); why, git fsck says. A missing
// one may be due to a concurrent git process ([IsTransient]).
//
// # The command git
//
// What git is run with is one function, whether it is asked once or talked to: a server that reads
// a repository of somebody else runs no program that the repository names, and an author's commands
// ([WorkTree]) run git as the author would.
package git
