// Package content is the domain of rulestore: what is published, in which
// version, with which status and which checksum.
//
// # Words
//
// Each has one meaning in all packages.
//
//   - An [Item] is one rule, scenario, instruction … with an id that never changes. Its
//     [Kind] is what it is: the folder that it lives in.
//   - A [Publication] is one version of an item, made public by a git tag. It is refused if
//     it cannot be served, held while what it refers to is not, and redacted if a mark says
//     so: then its checksum stays and its text does not.
//   - A [Seal] is a line of a file of seals, which fixes a publication for good. A [Mark] is
//     an entry of lifecycle.yaml, which says what became of an item or of one version.
//   - The current version is the highest one that is stable, due and not marked away; what it
//     replaced is superseded. Upcoming is what has a seal whose day has not come.
//   - A [Period] is a stretch of days in which a value is in force. What was published on a
//     day and what was in force on it are two questions (as_of, in_force).
//   - A source is one of several repositories that are served together, each
//     building on those before it ([Union]). A later one overrides an item of an
//     earlier one by saying so ([Override]); it replaces none.
//   - A [Release] is a version of the whole product, or of one of its modules.
//   - A [Snapshot] is all published content at one instant, immutable. A site is a snapshot
//     made ready to serve.
//   - A draft is a file that no tag has published as it is; a [Manuscript] is such a file as
//     its author left it, with its findings where they are.
//   - A [Finding] is one thing wrong with content, for the person who can mend it: a rule and
//     its arguments. A [Report] is what one load found.
//   - A document is an item as a tree, a section an addressed part of it (content/document).
//     A record is an entry of a registry, with an address of its own.
//   - The log is the append-only tree over seals and marks, a checkpoint its signed head
//     (content/log).
//   - A case is a test that authors keep beside the content ([Case]).
//
// # Rules of the house
//
// Nothing here reads a file, a clock or git: every function is a function of
// its arguments, and a Snapshot is never changed after [NewSnapshot] returned
// it, so any number of goroutines may read it. Packages below this one
// (content/check, content/markdown, …) build on it; it knows none of them.
//
// # The checksum
//
// [Checksum] is the promise that an assistant can cite: SHA-256 over the RFC
// 8785 form of what the author wrote plus id, version and algorithm. The list
// of fields left out ([Derived]) is closed and the recipe is frozen. What an author
// writes under these names, or under those of version and algorithm, is dropped where
// the file is read (content/check): every byte that the checksum does not cover is the
// service's own.
package content
