// Package author does what authors do in a clone of a content repository:
// publish, prepare a publication for a pull request, tag what was merged, mark a
// version away. It is the only package that runs the git command, because
// commits, tags and pushes have to follow the author's own git: its hooks, its
// signing keys, its credentials.
//
// # One step after the other
//
// Publishing is writing seals into the files of their items, committing these, making
// the tags and pushing. Any of it may be the last thing that happens: a laptop
// is closed, a hook says no, the network goes. There is no journal to clean up,
// because the repository itself says how far it got, and [Repository.Plan] reads
// it from there:
//
//   - seals in the work tree that are not committed, and that fit
//     the files at the head, are a publication that was not committed yet;
//   - a seal at the head without a tag is a publication that was not tagged yet,
//     which is also what a merged pull request leaves behind;
//   - a sealed tag that the remote repository lacks was not pushed yet.
//
// So the same command again goes on where the first one stopped. A push is
// atomic; if the remote repository or a hook refuses it, what was made for it is
// undone. If it breaks off, nobody knows whether it arrived, and nothing is undone.
//
// [Repository.Next] makes the same plan to show it: what would be refused, it lists.
//
// # Seals and merges
//
// A seal fixes checksum and date, whatever commit the content comes to lie in.
// That is why a pull request can carry it, and be squashed, rebased or merged:
// [Repository.Plan] with Tag finds the commit on the branch that brought the
// seal, and tags it there, unless the file says something else there.
//
// With Prepare, the seals that the served branch does not have are read as if they were
// not there, in no commit of the branch, and are written anew. A rebase would bring each
// commit to the served branch by itself, where the first line for a tag counts; so a
// warning names the author's commit that has an older one.
//
// # Tags that it did not make
//
// A tag that somebody made by hand publishes, too. The next [Repository.Plan] seals
// what is served for it, with the date that it has. A prerelease is released as it is
// if a stable version is asked for by name, never by itself: the release has the same
// content, a seal and a tag of its own, and says what its prereleases said.
//
// # Ahead of time
//
// What is published is current at once, so what has a valid_from in the future waits,
// and so does what refers to it; asked for by name, it is refused. With [Options.At] it
// is sealed with that day as the date of its publication: its version is taken from
// then on, and a server holds it until the day begins, in UTC.
//
// # In a larger repository
//
// Content in a folder is worked on as if it were alone: git runs in that folder, files
// elsewhere are nobody's concern, and the names of tags are known without the folder, as
// the loader knows them. [Repository] adds it where git has to be told the whole path or
// ref.
package author
