// Package content is the domain model of rulestore: what is published, in which
// version, with which status and which checksum.
//
// # Words
//
// Each term has one meaning in all packages.
//
//   - An [Item] is one rule, scenario, instruction … with an id that never changes. Its
//     [Kind] is its type, and determines its folder.
//   - A [Publication] is one version of an item, published by a git tag. It is refused if
//     it is invalid, held while it refers to something that is not served, and redacted if a
//     mark says so: its checksum is then still served and its text is not.
//   - A [Seal] is a line of a seal file, which fixes a publication permanently. A [Mark] is
//     an entry of lifecycle.yaml, which changes the status of an item or of one version.
//   - The current version is the highest one that is stable, due and not withdrawn by a mark;
//     lower versions are superseded. A version is upcoming if its seal is dated in the future.
//   - A [Period] is a range of days in which a value is in force. What was published on a
//     day (as_of) and what was in force on it (in_force) are different questions.
//   - A [Release] is a version of the whole product, or of one of its modules.
//   - A [Snapshot] is all published content at one instant, immutable. A site is a snapshot
//     with its responses prepared. A state is what one commit and the tags of a repository are;
//     one of a remote repository that is not served until somebody confirms it is held back.
//   - A draft is a file with content that no tag has published; it is served with
//     --drafts alone.
//   - A [Finding] is one problem in the content, for the person who can fix it: a rule and
//     its arguments ([RuleText]). A [Report] has the findings of one load.
//   - A document is an item as a tree; a section is an addressable part of it (content/document).
//     A record is an entry of a registry with an address of its own.
//   - The log is the append-only tree of seals and marks; a checkpoint is its signed head
//     (content/log).
//   - A case is a test that authors keep beside the content ([Case]).
//
// Some words would fit many types, and name one each: a [Change] is an entry of the changelog, a
// [Source] what a snapshot was made of; a Result is what a search finds (content/search), an Answer
// what a calculation returns and a Fault what is wrong with its request (server/calc), a Form a media
// type of a response (server/api), a View the selection of a page of records and a Part the selection
// of a part of a version (server/site).
//
// # Purity
//
// This package reads no files, no clock and no git repository: every result is a function of
// the arguments. A Snapshot is never changed after [NewSnapshot] returned it, so any
// number of goroutines may read it. The packages below this one (content/check,
// content/markdown, …) import it; it imports none of them.
//
// # The checksum
//
// [Checksum] is what makes an answer citable: SHA-256 over the RFC 8785 form of what
// the author wrote plus id, version and algorithm. The list of excluded fields
// ([Derived]) is closed and the recipe is frozen. Fields with these names, or with those of
// version and algorithm, are dropped when an author's file is read (content/check), so every byte
// that the checksum does not cover was written by the service.
package content
