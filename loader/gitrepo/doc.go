// Package gitrepo reads git repositories and makes them; it is the only package
// that knows go-git. What it hands out are plain values.
//
// # Reading
//
// [Locate] finds a repository; a [Source] opens it for one pass of reading, after
// which it is closed and forgotten, because a handle that lives longer goes
// stale when git repacks. A [Repo] belongs to one goroutine: go-git does
// not read concurrently; a long history is read through one for each processor.
// Nothing reads a checkout: what is served comes from
// the object database.
//
// Content may stand in a folder of a larger repository ([In]). Then paths and tags are
// relative to that folder, here and only here: nobody else knows of it. What others
// commit or tag beside it is not seen. [Locate] finds the folder of a path by the
// settings in it; for what is not checked out there is REPOSITORY//FOLDER. Which tags
// belong to which content follows from their names alone, so that content in the root
// should not be mixed with content in folders that are named as kinds are.
//
// Some repositories are refused with the command that mends them: shallow ones
// (their dates and ancestry would be wrong), partial clones (files are missing),
// and formats that go-git cannot read.
//
// Who can write to the folder of a repository is trusted, as git trusts them: objects of
// up to 16 KiB are checked against their ids, and those that go-git has to read, while the
// lists of large folders and large files are believed. A source for which nobody is
// trusted with that is [Checked]. Commits and tags are read by package signers, for
// everybody: of what git would not have written go-git has views of its own.
//
// What people put into a repository has limits too, because a few bytes of it can
// stand for any number: a folder that holds too much is listed and not read, of a
// long message the beginning is, and a history that takes too much is an error.
// Each is a property of what is read, not of what was read before.
//
// Nor is it believed what the files of a repository say of themselves. Reading an
// object ends at the size that its header says, deltas are measured before anything
// is made of them, and one that has a file of its own is checked against its id. What is
// not the object that it should be is damaged ([IsDamaged]); what is missing may be
// git at work ([IsTransient]).
//
// A file that grows by a line with every commit is another object each time. [Repo.Text]
// reads such versions as git packed them, as differences, so that what all of them take
// is what was added, and not its square.
//
// # Mirroring
//
// A [Mirror] copies a [Remote] into a folder, with all branches and tags and
// without those that are gone, and is a Source like any other. Nothing that a
// remote sends is believed: an address holds no secret, hosts prove who they
// are, a redirect never leads to another origin, answers and packs have limits, and
// what a remote says is repeated short and without control characters. Each fetch
// makes a generation, which nobody changes afterwards, so a fetch that is killed
// leaves the one before it. When their packs are too many, they are put into one here,
// and nothing is asked for again. A generation lists what it is made of: one whose files are not
// what they were, that cannot be read, or over which something failed twice, is condemned,
// and the next fetch goes on from nothing. What was read in full last stays beside the
// newest until something newer is, for a process that starts on what cannot be loaded.
// A bundle, a file or one that a server offers, is a remote too: it lists its refs and has
// one pack, which may be made from what is here.
//
// # Making
//
// A [Script] is a series of commits with fixed dates, written as a folder of
// releases ([ReadReleases], how the starter content is kept) or as one txtar
// text ([ParseTxtar], how tests write repositories). It becomes a repository in
// memory or on disk, with the same objects on every machine.
package gitrepo
