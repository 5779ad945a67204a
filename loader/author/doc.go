// Package author implements the commands of authors in a clone of a content repository:
// publish, prepare a publication for a pull request, tag what was merged, mark a
// version. It runs the git command, because
// commits, tags and pushes have to use the author's own hooks,
// signing keys and credentials.
//
// # Facts, plan, steps
//
// What a plan needs is read once, into facts: what the remote repository says itself, where the plan pushes, comes
// before what this clone last heard of it. The plan is a function of these and of the [Options] alone, and what
// carries it out are its [Step]s, plain values that [Repository.Apply] does one after the other, each with its undo.
//
// # Steps and interruptions
//
// Publishing consists of writing seals into the files of their items, committing them, creating
// the tags and pushing. It can be interrupted after any step: a laptop
// is closed, a hook fails, the network is down. There is no journal to clean up,
// because the progress follows from the repository itself, where
// [Repository.Plan] reads it:
//
//   - uncommitted changes of files of seals that the plan writes anew are a publication that
//     was not committed yet;
//   - a seal at the head without a tag is a publication that was not tagged yet,
//     which is also the state after merging a pull request;
//   - a sealed tag that the remote repository lacks was not pushed yet.
//
// So running the same command again continues where the first one stopped. A push is
// atomic; if the remote repository or a hook rejects it, everything made for it is
// undone. If the connection breaks, it is unknown whether the push arrived, and nothing is undone.
//
// [Repository.Next] makes the same plan for display, and lists what would be refused.
//
// # Seals and merges
//
// A seal fixes checksum and date, independent of the commit that has the content.
// That is why a pull request can contain it, and be squashed, rebased or merged:
// [Repository.Plan] with Tag finds the commit on the branch that introduced the
// seal, and tags it, unless the file has other content there.
//
// With Prepare, seals that the served branch does not have are ignored in all
// commits of the branch, and are written again. A rebase would add each
// commit to the served branch separately, where the first line for a tag counts; so a
// warning names the author's commit that has an older one.
//
// # Tags made by hand
//
// A tag that somebody made by hand publishes, too. The next [Repository.Plan] seals
// the publication with its date. A prerelease is released unchanged
// if its stable version is requested by name, never automatically: the release has the same
// content, a seal and a tag of its own, and the notes of its prereleases.
//
// # Publishing in advance
//
// A publication is current at once, so an item with a valid_from in the future waits,
// and so do items that refer to it; requested by name, it is refused. With [Options.At] it
// is sealed with that day as the date of its publication: its version is used from
// then on, and a server holds it until the day begins, in UTC.
package author
