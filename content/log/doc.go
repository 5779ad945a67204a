// Package log is the transparency log of a repository of rules: an append-only Merkle tree over
// publications, marks and their ends, by which anybody can verify that nothing was changed,
// hidden or rolled back unnoticed. It is pure: no git, no clock, no network.
//
// # Leaves
//
// A leaf is one line of UTF-8 text without a line end. Its first word is its type.
//
//	seal <tag> <checksum> <published_at>
//	mark {"item":…,"reason":…,"replaced_by":…,"since":…,"status":…,"version":…}
//	end {"item":…,"reason":…,"replaced_by":…,"since":…,"status":…,"version":…}
//
// A seal is a line of a seal file: the tag in visible ASCII, the checksum as sha256:
// and 64 hex digits, the time in UTC to the second, as 2026-05-01T10:00:00Z. A mark is an
// entry of lifecycle.yaml, a void included, as canonical JSON (RFC 8785): all six names
// are always present; a field that the mark does not set is the empty string. The end of a mark has
// the mark's own JSON: lifecycle.yaml no longer has it. It may begin and end again, in turn. No tag contains a
// space, and every character of a mark that could end the line is escaped, so two different facts
// never have the same leaf, and a leaf determines its fact. The format is frozen.
// A leaf has at most [MaxLeaf] bytes; a longer line was never valid and is no leaf.
//
// # Files
//
// The log is written, not derived. log/entries/000 of the repository has the first 256 leaves, a line
// each, log/entries/001 the next, and so on ([FilePath]: the paths of c2sp.org/tlog-tiles); only the last
// file is ever touched. rulestore.checkpoint is the signed head of all of them. `rulestore log sign`
// alone writes both, in CI after a merge: it appends what the head has and the log has not, sorted
// bytewise, so that two who sign the same state write the same. Since nobody else writes them, no merge,
// rebase, squash or revert of authors changes what was signed. What is not in the log yet is served, and
// has no index.
//
// A server holds no key. A log stands if its lines are leaves, in an order that can be
// ([Log.Marks]), if the checkpoint is the head of them, and if each is a fact of the repository: the
// line of a seal file or the mark in lifecycle.yaml, in any state of the history; or the end of a mark
// that is not at the head, or was not when the end was signed. Whether a fact counts, who signed it, and
// whether this build supports its kind do not matter. If the newest log does not stand, that is a
// finding with what brings it back, and the newest one before it that stood is served. A log that
// stands but does not go on with the one that was served ([Served.Continues]) is held back.
//
// # Tree, proofs, checkpoints
//
// The tree is that of RFC 6962 with SHA-256. Tiles and entry bundles are those of
// c2sp.org/tlog-tiles ([ParseTile]); a [Checkpoint] is a signed note according to
// c2sp.org/tlog-checkpoint, cosigned by witnesses according to c2sp.org/tlog-cosignature
// ([NewWitness], [NewVerifier]); a [Proof] is a c2sp.org/tlog-proof.
package log
