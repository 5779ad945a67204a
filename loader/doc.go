// Package loader turns a git repository into a snapshot: refs go in, published
// content and a report of what is wrong come out.
//
// # What publishes
//
// A tag <folder>/<name>/v<semver> publishes the file <folder>/<name>.yaml as it
// stands in the tagged commit, if the served branch reaches that commit. A line
// of a file of seals fixes a publication for good: content with that
// checksum is served with that date, from the tag or from any version of the
// file in the history, even if the tag is gone. Root tags v1.8.0 are
// product releases. Of content in a folder of a larger repository all of that is as if
// the folder were the repository: its tags begin with the folder and a slash, as in
// finance/rules/guidelines/x.001/v1.0.0, and are known without that.
//
// Where trusted signers are asked for ([Config].Signers), a tag publishes only if one of
// them signed it, and a seal counts only if one of them signed the commit that added
// it; a merge adds what none of its parents has. rulestore.yaml and lifecycle.yaml are
// in force in the versions that signed commits made and on which no other of them
// builds. What an unsigned tag or commit says, its message and its date, is not
// believed. Package signers has the threat model.
//
// # One tag, from its ref to an answer
//
// What a load does, in this order, with the function that does it:
//
//  1. build.readTags lists the refs and follows each tag that is new to its commit:
//     build.readTag takes its name apart ([content.ParseTag]), reads its object and, with
//     trusted signers, asks build.vouch who signed it. A ref that stands as it did is not
//     read again.
//  2. build.readHistory walks the commits of the branch and what each of them changed.
//     build.readAhead has files of new tags read and checked while that goes on.
//  3. build.readSeals reads the lines of seals as what each commit added or took away, and
//     build.lineage orders lines that compete.
//  4. build.takeStock puts tags and seals to their items. Where the outcome of the last load
//     stands (build.stands), it is taken over, and the tag has reached step 10 already; else
//     build.claim makes a claim of the tag, of its seal, or of both.
//  5. build.readSettings and build.readMarks read rulestore.yaml and lifecycle.yaml, each in
//     the newest commit in which it is valid.
//  6. build.source says in which commit the content of a claim is looked for first, and
//     build.supersede which texts can be deferred.
//  7. build.prepare reads the files of claims and has them checked by all processors
//     ([check.Item] has the rules).
//  8. build.resolve finds the content of a claim, or refuses it: build.resolveSealed looks
//     for what agrees with the seal, in the tag's commit and then in all versions of the
//     file.
//  9. build.describe gives what was found its id, its dates and its note, and makes the
//     [content.Publication]: the last load's where all that it is derived from is the same.
//  10. build.settle compares the outcomes with what was served before, and adds them up.
//  11. build.hold holds back what refers to what is not served ([content.Hold]).
//  12. [content.NewSnapshot] finds out which version of each item is current. The loader
//     remembers what the next load can use (Loader.remember).
//
// From there on it is no matter of the loader: the publisher of the command has a site made
// of the snapshot (package server/site), swaps it in, and server answers from it.
//
// # Where items stand
//
// An item may stand in sub-folders by area, guidelines/product/<name>.yaml, which are no
// part of its name, and its seals in the same: sealed/guidelines/product/<name>.sum. A
// history knows a file by its name ([content.Plain]), so that to move it is no change:
// not of its dates, its notes or its seals. Two files of one name are a finding
// (two-places); a publication tagged on such a commit is refused, unless its seal says
// which of them it is. Names of kinds with [content.Kind].Folders contain their folders,
// and have no areas. Areas are named as items are, and are read six levels deep.
//
// # Where seals stand
//
// The seals of an item are the lines of sealed/<folder>/<name>.sum, so that two changes
// conflict only where they publish the same item, on every host. Older repositories have
// the lines of all items in rulestore.sum; both count, and a line that moves from one to
// the other stays what it is. The files are read as what each commit of the branch
// changed of them, so that reading costs the lines that came, not the files that there
// are. A line in the file of another item, and any line in a file whose path is not that
// of an item in every letter, never counts and is a finding (seal-place).
//
// # What came first
//
// Of several seals with one tag that one is in force on which all others build, by
// ancestry: a commit that brought a line comes before those that come from it. The
// order of a merge's parents plays no part in that. Whoever pushes chooses it, and with
// it what is on the branch itself and what beside it. A commit brings a line if it has it,
// in any file where it may stand, and comes from none that has it in any of these: so to
// move a line is no news, on whichever branch, and on both. Where no line came first,
// the one counts whose content the tag points to: two changes that sealed the same version
// change nothing that was tagged. Without a tag it is the one that the branch itself had
// first. With trusted signers the tag has to be a signed one, and without it nothing is
// served: no commit decides, or whoever pushes could merge one that a signer made and
// nobody merged. Lines that seal the same content
// do not compete: the date nearest to the tag's is in force, and without a tag the latest.
//
// The lines are those that the branch itself ever had. Those that a merge was given and
// left out never come into force by that, but nothing else is served under their tags
// either. With trusted signers all signed lines count that the branch reaches, unless a
// signed merge left them out and nobody merges them again, or a signed commit took them
// out before they came to the branch. So a change that is merged may write its own lines
// anew, with signers and without: who merges the branch itself into an older state of it,
// as if it were such a change, can pretend that, with signers only where one of them took
// a line out.
//
// The same order says which seal gave an item its id.
//
// # The log
//
// Result.Log has the facts that the branch itself ever came to hold, lines of seals and
// marks, in the order in which its commits brought them in: in force or not, signed or not,
// of kinds that this build knows or not, so that each replica and each build has the same
// (package log). rulestore.checkpoint is its signed head. The newest on the branch that
// agrees with the log counts, and one that does not is a finding (log).
//
// # What can go wrong
//
// Publications fail one by one. One that cannot be read is refused, one
// that refers to what is not served is held, both with the reason, and its item
// keeps the versions it had. Only what is wrong with the repository as a whole
// is an error of [Loader.Load]; whoever called it goes on serving the snapshot
// it has.
//
// That holds for what nobody wrote on purpose as well. If the object of a file, of
// a folder or of a tag is damaged, or a check crashes on one, what needs it is refused,
// by the rules damaged and crash; what is sealed is looked for in every copy that can be
// read. A damaged object is looked at again at every [Loader.Look], since it may be
// restored without any ref moving. One that is missing may be git at work: it counts
// as damaged after some attempts and, where something is served that can go on being
// served, only if the next load misses it too. Commits, roots and the files in these are
// the repository as a whole, and their loss is an error, as is that of all that is
// published.
//
// # A seal opens no door
//
// A first publication is checked against every rule, sealed or not. A seal keeps what was
// served: rules that came later take nothing away from it, they are warnings. What was
// served is not remembered, or two replicas could differ; it follows from what
// everybody can see:
//
//   - A format never changes, and an item is checked against the one that it names. What
//     breaks its own format or one of the rules that are as old (which names no format
//     that there is, holds more or deeper than a limit allows, has the id of another
//     item) was never served by right, whenever it was sealed. So limits hold for
//     everything, always.
//   - A rule that came later states its day ([check.Rule].Since). It takes nothing away
//     from what was sealed before that day. What it refuses must be well-formed and of
//     its format all the same.
//   - A seal dates from when its line came to the branch itself, which the branch
//     tells: the latest date of that commit and of all that do not build on it, so that
//     no merge with its parents the other way round dates it back. The dates in the
//     line and of the tag play no part. A change that was begun before a seal and is
//     merged after a rule's day makes the seal younger.
//
// Whoever can push can write any date into a commit. Without trusted signers that is
// who is trusted to write the branch; and a false date still cannot lie before the
// commits that are on the branch already. So once a commit was made on or after a
// rule's day, that rule holds for every seal that comes after it. Where the branch has
// rested since before that day, or is written anew as a whole (which is a finding), a
// seal could pretend to be older than the rule: what it lets in breaks that one later
// rule, and neither a format nor a limit. With trusted signers the line itself has to be
// signed as well, so it takes one of them; commits that nobody signed can only make seals
// younger. A date far in the future makes the seals after it young for good, which refuses
// more, never less.
//
// A date beside each rule was chosen over a list of what each build served (nobody
// could recompute it), over the format alone (then no rule could ever be added to one),
// and over the date in the seal (its author's own words).
//
// Names that the service derives are no matter of rules: they are left out of what is
// read, so that the sealed content is the same with and without them, and such a
// publication is served with a warning.
//
// # On what others have
//
// Of several repositories that are served together each has a loader, with a name
// (Config.Name), and but for the first with what those before it have (Config.Beneath). A
// reference to an item of these is satisfied, and codes of their registries are known. What
// bears a name that one of them has (content.Beneath.Taken) is refused by the rule taken,
// unless it is the very same version; a mark for an item of theirs counts for nothing, but for
// the mark overridden, and says so by the rule override. A repository never sees what comes
// after it. [Join] joins what was loaded of all; where what is beneath changes, the state of a
// result changes, and another look reads it anew.
//
// # Deferred texts
//
// [Loader.Begin] is for a process that is to serve at once. Of sealed publications that
// others supersede it takes the bytes, and reads them when somebody asks: the seal
// says all that lists need. Nothing is shown that was not checked against its seal; a
// text that does not agree is as good as missing until the next Load, which reads
// all of them, looks for the sealed content elsewhere and says what is wrong.
//
// # Again and again
//
// A [Loader] goes item by item. What an item's tags and seals come to follows from
// them and from the commits that they name; while the branch grows at its end, the next
// load takes it over unless a tag or a seal of the item came, went or moved. Where more
// has a part in it, a tag that is not merged or a seal whose content has to be looked
// for, it is found out each time. [Loader.Look] does nothing at all if the refs and the
// date are what they were.
//
// # Before anything is published
//
// A [Tree] is what a repository holds at one state, the work tree or a commit,
// checked by the same code, and reviewed as a whole ([Tree.Review]). Who serves
// drafts gets that too: the snapshot then holds, as manuscripts, the files that
// there is something to say about, whether or not they can be served.
//
// A [TreeReader] reads the same work tree again and again for an editor, with what
// is typed in place of what is saved.
//
// # Determinism
//
// What is served is a function of the refs, the UTC date and the build. A
// [Loader] remembers what it read to read less the next time, under names that
// are hashes of the content, so nothing it remembers can be out of date. What it
// remembers of earlier loads beyond that only makes findings, never content.
package loader
