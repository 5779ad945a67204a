// Package loader loads a git repository into a snapshot: it reads the refs and returns the
// published content and a report of everything that is wrong.
//
// # What publishes
//
// A tag <folder>/<name>/v<semver> publishes the file <folder>/<name>.yaml of the tagged
// commit, if that commit is reachable from the served branch. A line of a seal file fixes a
// publication permanently: content with that checksum is served with that date, from the tag
// or from any version of the file in the history, even if the tag is deleted. Root tags
// v1.8.0 are product releases.
//
// With trusted signers ([Config].Signers), a tag publishes only if one of them signed it, and
// a seal counts only if one of them signed the commit that added it; a merge adds the lines
// that none of its parents has. rulestore.yaml and lifecycle.yaml are in force in the newest
// versions made by signed commits, of which the marks that an unsigned commit before them began
// do not count, and those that one ended go on (see facts.markChanges). A merge that takes one of
// two such versions whole decides nothing. Messages and dates of
// unsigned tags and commits are ignored. Package signers has the threat model.
//
// # One tag, from its ref to an answer
//
// Loader.loadOnce takes seven stages. Each is given the values of those before it, changes none of them, and returns
// its own, with what it found wrong: listed, past, facts, stock, published, held and [Loaded]. What they read is
// remembered in the cache, by ids of objects that never change; what the last load came to is the Loader's state,
// which Loader.remember keeps and only stages 4 and 7 are given.
//
// Stage 1, refs:
//
//  1. Loader.list lists the refs that may publish by their names (mayPublish), and with drafts the files that
//     differ from the commit. If that, and the day, is as it was, the load ends here (listed.state).
//
// Stage 2, history (listed.walk):
//
//  2. listed.readTags resolves each new tag to its commit: newTag parses its name ([content.ParseTag]),
//     listed.readTag reads its object and, with trusted signers, calls listed.verifyTag to verify its signature. An
//     unchanged tag is not read again.
//  3. [git.Walker] reads the commits that the branch has gained, and what each of them changed.
//
// Stage 3, facts (past.fold):
//
//  4. facts.readSettings reads rulestore.yaml from the newest commit in which it is valid: with its time zone it
//     says which day it is.
//  5. facts.readSeals adds what the new commits added to the files of seals and took away to what is known,
//     facts.readLog reads the log, and facts.settleSeals determines the line in force for each tag.
//  6. facts.readBeyond adds the history of sealed tags that are not merged, and facts.readMarks reads lifecycle.yaml
//     as step 4 reads the settings.
//
// Stage 4, claims (facts.takeStock):
//
//  7. facts.sortTags groups the tags by item, and facts.release makes releases of root tags.
//  8. Each item has an outcome, but for those of which neither a seal nor the commit of a tag has a file
//     (facts.refuseBare). If that of the last load is still valid (outcome.stillValid), it is reused and the tag is
//     at step 13; else outcome.claims makes a claim of the tag, of its seal, or of both.
//
// Stage 5, content (facts.publish), with the marks:
//
//  9. facts.source selects the commit in which the content of a claim is looked for first, and
//     facts.deferSuperseded the texts that can be deferred.
//  10. listed.prepare reads and checks the files of claims on all processors ([check.Item] has the rules).
//  11. facts.resolve finds the content of a claim, or refuses it: facts.resolveSealed looks for content that
//     matches the seal, in the tag's commit and then in all versions of the file (facts.agreeing).
//  12. facts.describe adds id, dates and note, and facts.publication makes the [content.Publication]; that of the
//     last load is reused if all its inputs are the same. The outcomes are complete after it.
//  13. collect lists the publications of all outcomes, facts.withdraw removes those that a mark declared void before
//     their day, and drafts.read adds drafts, if they are served.
//
// Stage 6, hold:
//
//  14. published.hold sorts out what refers to something that is not served ([content.Hold]), and what comes later.
//
// Stage 7, report and snapshot (facts.conclude):
//
//  15. [content.NewSnapshot] determines the current version of each item, review.reviewServed adds what only the
//     snapshot shows, and review.completeLog what the log lacks.
//
// The rest is outside the loader. In cmd/rulestore/internal/follow, Follower.lookAtArrived loads
// (Loader.Look) and Follower.swap serves the result: it makes a site of the snapshot, with the
// bodies of all resources by path (package server/site), and stores it in one atomic
// pointer. In package server, handler.ServeHTTP takes the site from that pointer, handler.answer
// finds the resource, and handler.serve writes its body in the requested media type and coding.
//
// # Paths of items
//
// An item may be in sub-folders by area, guidelines/product/<name>.yaml, which are not part of
// its name, and so may its seals: sealed/guidelines/product/<name>.sum. A history tracks
// a file by its name ([content.PlainPath]), so moving it changes neither its dates nor its notes
// nor its seals. Two files with one name are a finding (two-places); a publication tagged on
// such a commit is refused, unless its seal determines which file it is. Names of kinds with
// [content.Kind].Folders contain their folders; these kinds have no areas. Areas are
// named like items, and may be in one another.
//
// # Paths of seals
//
// The seals of an item are the lines of sealed/<folder>/<name>.sum, so that two changes
// conflict only if they publish the same item, on every host. The files are read as the changes that
// each commit made to them, so that the cost depends on the lines and not on the size of the
// files. A malformed line, a line in the file of another item, and any line in a file whose path is not exactly
// that of an item never counts and is a finding.
//
// # Which line counts
//
// A tag has one seal. If it has had several lines (somebody changed a seal, or two branches sealed one
// number), the one in the log counts, of several the one that was logged first. Without a log it is the one
// whose commit is an ancestor of those of all others. If there is none, it is the one that the tag agrees
// with, if the tag is reachable from the branch and, with trusted signers, signed. Else none counts: nothing is
// served under the tag, and the finding says what to do (seal-twice). The order of a merge's parents, dates
// and names of branches decide nothing: whoever pushes chooses them, and `git pull` swaps parents every day.
// Lines that seal the same content do not compete: the date nearest to the tag's is in force, and without
// a tag the latest. A line that was changed or removed stays in force, and is a finding.
//
// The commit of a line has the line, and none of its parents has: a merge adds what it changed against all of
// them. With trusted signers only the lines count that a signed commit added. Who brings back a file
// that a parent does not have vouches for none of its lines, and merges vouch for none that a side had.
//
// A change may rewrite its own seals before it is merged, and give way to what was published meanwhile. A line
// that a commit took away, or that a merge decided against for another one, and that was merged after that with
// a side that never had it, counts only if the log has it or the tag agrees with it, which
// shows that it was published. With trusted signers the commit that took it away has to be signed.
//
// What protects a published seal from whoever can push, from most to least:
//
//   - The log: its line counts whatever is done to the history, as long as the log stands. Readers that
//     keep a state find out if it does not ([rulestore/server/verify]).
//   - Trusted signers: only one of them can add a line, take one back, or decide by a tag. Nobody else can put
//     other content in place of a seal. Whoever can push can merge what two signers sealed side by side, and
//     then nothing is served under the tag until one of them tags it; and have a line that a signer removed
//     pass for one that a change took back.
//   - Neither: who can push is trusted. A line that was changed stays what it was, but somebody can
//     disguise the change of a seal without a tag as that of a request, by a merge with a state that is older
//     than the seal, and with a moved tag also of one with a tag. A follower holds such a state back, since a
//     publication has other content, until an operator confirms it.
//
// The order of lines also determines which seal gave an item its id.
//
// # The log
//
// Result.Log is the log as it is written at the head (package log), Result.Unlogged what the next
// `rulestore log sign` appends. A leaf has to be a fact of the history that is reachable from the
// head, whatever the order of the parents of merges. A log that does not stand is a finding (log), and
// the newest one of the history that stands is in its place.
//
// # Errors
//
// Publications fail one by one. An invalid one is refused, one that refers to something not
// served is held, both with the reason, and the item keeps its other versions. [Loader.Load]
// returns an error only if the repository as a whole cannot be read; the caller then
// continues to serve its snapshot.
//
// The same applies to damage. If the object of a file or a tag is damaged, or a
// check panics on one, the publications that need it are refused, by the rules damaged and
// crash; sealed content is looked for in every readable version of the file. A damaged object
// is read again at every [Loader.Look], since it may be restored without a change of refs. A
// missing object may be due to a concurrent git process: it counts as damaged after several
// attempts and, if an earlier snapshot can still be served, only if the next load misses it
// too. Losing a commit, a folder, a file in the root, or everything that is published, is
// an error of the whole load.
//
// # A seal is no exemption
//
// A first publication is checked against every rule, sealed or not. A seal keeps what was
// served: a later rule removes nothing, it is only a warning. Whether something was served
// is not stored, otherwise two replicas could differ; it is derived from the repository:
//
//   - A format never changes, and an item is checked against the format that it names. An
//     item that violates its own format or a rule of the same age (it names an unknown format,
//     exceeds a limit of size or depth, or has the id of another item) was never validly
//     served, whenever it was sealed. So limits always apply to everything.
//   - A later rule states its day ([check.Rule].Since). It does not apply to content sealed
//     before that day, which still has to be well-formed and valid in its format.
//   - The time of a seal is when its line reached the branch itself: the latest date of that
//     commit and of all commits that do not descend from it, so that swapping the parents of a
//     merge does not make it older. The dates in the line and of the tag are not used. A
//     change that was begun before a seal and is merged after a rule's day makes the seal
//     younger.
//
// Anyone who can push can write any date into a commit. Without trusted signers, everyone who
// can write the branch is trusted; and a false date still cannot be older than the
// commits that are already on the branch. So once a commit was made on or after a
// rule's day, the rule applies to every seal after it. If the branch had no commits since
// that day, or is rewritten as a whole (which is a finding), a seal could appear older
// than the rule; its content can then violate that one rule, but neither a format nor a
// limit. With trusted signers the line itself also has to be signed, so this takes one of
// them; unsigned commits can only make seals younger. A date far in the future makes all
// later seals young, which refuses more, never less.
//
// Alternatives that were rejected: a list of what each build served (nobody could recompute
// it), the format alone (no rule could ever be added to a format), and the date in the seal
// (its author chooses it).
//
// Names that the service derives are not subject to rules: they are removed when a file is
// read, so that the sealed content is the same with and without them, and such a
// publication is served with a warning.
//
// # Deferred texts
//
// [Loader.Begin] is for a process that has to serve at once, and [Loader.LoadToPlan] for the
// commands of authors. They keep superseded sealed publications as unparsed bytes and parse them on
// first use: the seal has everything that lists need. A tag that may have been moved since it was
// sealed is not deferred, as its content has to be looked for. No text is shown before it was checked
// against its seal; one that does not match is treated as missing until the next Load, which reads
// all texts, looks for the sealed content elsewhere and reports what is wrong.
//
// Of the content that comes with the program ([Config].Proven) [Loader.Look] does so too, and neither checks a text
// against its rules and its seal, as the tests of package starter do: a process that only serves it is ready in half
// the time. Load checks it like any other.
//
// # Incremental loads
//
// A [Loader] works item by item. The outcome for an item is a function of its tags and seals
// and of the commits that they name; while the branch only gains commits at its end, the next
// load reuses it unless a tag or a seal of the item was added, deleted or moved. An outcome
// that depends on more, such as a tag that is not merged or a seal whose content has to be
// searched for, is computed each time. [Loader.Look] does nothing if the refs and the
// date are unchanged.
//
// # Drafts and work trees
//
// A [Tree] is the content of a repository in one state, the work tree or a commit,
// checked by the same code and reviewed as a whole ([Tree.Review]). With drafts this review is
// part of a load: the snapshot then has a manuscript for each file with
// findings, whether or not the file can be served.
//
// A work tree is read as git would store it (package worktree): converted, without what git ignores,
// and a file differs if what git would store differs. Filters run only for the commands of authors
// ([Config].Filters); a server runs nothing that the folder is configured with. Without git
// the files are read as they lie there.
//
// A [TreeReader] reads the same work tree repeatedly for an editor, with unsaved
// text in place of the saved file.
//
// # Determinism
//
// What is served is a function of the refs, the UTC date and the build. A
// [Loader] keeps two things of earlier loads. Its cache has what it read, under
// hashes of the content, so no cached value can be out of date. Its state has
// what the last load came to, which saves work where the history goes on. A new
// loader comes to the same.
package loader
