// Package log is the log of a repository of rules: an append-only Merkle tree over what
// was published and what was marked, by which anybody can check that nothing was changed,
// hidden or rolled back unseen. It is pure: no git, no clock, no network.
//
// # Leaves
//
// A leaf is one line of UTF-8 text without a line end. Its first word says what it is.
//
//	seal <tag> <checksum> <published_at>
//	mark {"item":…,"reason":…,"replaced_by":…,"since":…,"status":…,"version":…}
//	approval <tag> <checksum> <published_at> <signature>
//
// A seal is a line of a file of seals: the tag in visible ASCII, the checksum as sha256:
// and 64 hex digits, the time in UTC to the second, as 2026-05-01T10:00:00Z. A mark is an
// entry of lifecycle.yaml, a void among them, as canonical JSON (RFC 8785): all six names
// are always there, what a mark does not say is the empty string. No tag has a space and
// no character of a mark stands unescaped that could end the line, so no two facts have
// the same leaf, and whoever reads one knows which fact it is. The form is frozen.
// An approval is a line of a file of approvals: a seal, and somebody's signature (SSHSIG in
// base64) over that line. It is well-formed whoever signed it.
// A leaf has at most [MaxLeaf] bytes; what would be longer was never valid and is none.
//
// # Order
//
// The leaves are what the branch itself, from its first commit along first parents, came
// to hold: with each commit those facts that no earlier one held, sorted by their bytes.
// What a merge brings comes at the merge's place. So each beginning of that history has a
// beginning of the leaves, whoever reads it, and while the branch grows at its end leaves
// are only added.
//
// What counts is what stands there, not whether it is in force: whether a fact is well-formed
// is all that is asked, not who signed it, nor whether this build knows its kind. So a log is
// a function of the repository alone, for each build and with each list of trusted signers.
// A line that is taken away or changed keeps its leaf; what it is changed to is another leaf.
// A history that was rewritten has another tree: no proof of consistency leads from the
// old one to it, and whoever kept a checkpoint can show that.
//
// # Tree, proofs, checkpoints
//
// The tree is that of RFC 6962 with SHA-256. Tiles and entry bundles are those of
// c2sp.org/tlog-tiles ([ParseTile]); a [Checkpoint] is a signed note as of
// c2sp.org/tlog-checkpoint, cosigned by witnesses as of c2sp.org/tlog-cosignature
// ([NewWitness], [NewVerifier]); a [Proof] is a c2sp.org/tlog-proof.
package log
