// Package log is the transparency log of a repository of rules: an append-only Merkle tree over
// publications and marks, by which anybody can verify that nothing was changed,
// hidden or rolled back unnoticed. It is pure: no git, no clock, no network.
//
// # Leaves
//
// A leaf is one line of UTF-8 text without a line end. Its first word is its type.
//
//	seal <tag> <checksum> <published_at>
//	mark {"item":…,"reason":…,"replaced_by":…,"since":…,"status":…,"version":…}
//	approval <tag> <checksum> <published_at> <signature>
//
// A seal is a line of a seal file: the tag in visible ASCII, the checksum as sha256:
// and 64 hex digits, the time in UTC to the second, as 2026-05-01T10:00:00Z. A mark is an
// entry of lifecycle.yaml, a void included, as canonical JSON (RFC 8785): all six names
// are always present; a field that the mark does not set is the empty string. No tag contains a
// space, and every character of a mark that could end the line is escaped, so two different facts
// never have the same leaf, and a leaf determines its fact. The format is frozen.
// An approval is a line of an approvals file: a seal, and a signature (SSHSIG in
// base64) over that line. It is well-formed whoever signed it.
// A leaf has at most [MaxLeaf] bytes; a longer line was never valid and is no leaf.
//
// # Order
//
// The leaves are the facts that were ever on the branch itself, from its first commit along
// first parents: for each commit the facts that no earlier one had, sorted bytewise.
// Facts from a merge are at the position of the merge commit. So every prefix of that history has
// a prefix of the leaves, whoever reads it, and while the branch only gains commits at its end,
// leaves are only appended.
//
// A fact only has to be well-formed: the log includes facts that are not in force, whoever signed
// them, and whether or not this build supports their kind. So a log is
// a function of the repository alone, for every build and every list of trusted signers.
// A line that is removed or changed keeps its leaf; the changed line is another leaf.
// A rewritten history has another tree: there is no consistency proof from the
// old one to it, which anyone with an old checkpoint can show.
//
// # Tree, proofs, checkpoints
//
// The tree is that of RFC 6962 with SHA-256. Tiles and entry bundles are those of
// c2sp.org/tlog-tiles ([ParseTile]); a [Checkpoint] is a signed note according to
// c2sp.org/tlog-checkpoint, cosigned by witnesses according to c2sp.org/tlog-cosignature
// ([NewWitness], [NewVerifier]); a [Proof] is a c2sp.org/tlog-proof.
package log
