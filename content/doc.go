// Package content is the domain of rulestore: what is published, in which
// version, with which status and which checksum.
//
// # Words
//
// An [Item] is one rule, scenario, instruction … with an id that never
// changes; its [Kind] is what it is, which is the folder it lives in. A
// [Publication] is one version of an item that a git tag made public. A [Seal]
// is a line of a file of seals that fixes a publication for good. A [Release] is
// a version of the whole product. A [Snapshot] is all published content at one
// instant. A [Finding] is one thing wrong with content, for the person who can
// mend it; a [Report] is what one load found. A [Manuscript] is a file as
// its author left it, with its findings where they are.
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
