// Package signers decides which signatures count. It does not access git's object store: it
// is given objects byte for byte, as git stores them, and everything it reports about an
// object is derived from these bytes.
//
// # The file
//
// A [Set] is read from one file, which the operator keeps outside the repository. It has
// the format of git and ssh-keygen called
// allowed_signers (ssh-keygen(1), ALLOWED SIGNERS): one key a line, after the
// principals that it belongs to and options.
//
//	anna@example.org namespaces="git" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA…
//	boris@example.org valid-before="20270101Z" ecdsa-sha2-nistp256 AAAAE2Vj…
//
// Armored OpenPGP public keys, as written by gpg --armor --export, may be
// between the lines.
//
// There are two differences from ssh-keygen. Times without a Z are in UTC, not in the
// zone of the machine, so that replicas agree. And entries that ssh-keygen would skip are
// errors: certificate authorities, unknown options, malformed lines and keys
// that are too weak, because the person who wrote them expects them to have an effect.
//
// # What is signed
//
// A signature counts only for a commit or tag in the form in which git writes it:
// its headers in order and without duplicates, dates and ids in git's format, no NUL,
// the signature last, in armor without additions ([ErrLayout]). git itself verifies
// many more, for instance a commit whose signature was moved above its parents, which
// git then ignores. The fields of the object ([ReadCommit], [ReadTag]) are parsed from the
// signed bytes, in the same way as by git. Of several signatures in the message of
// a tag the last one counts, as in git.
//
// # What counts
//
// An SSH signature counts if its namespace is git, its key is in a line whose
// options allow it, and the object's own time, which is signed with it, is in the
// line's validity period; RSA signatures with SHA-1 do not count. An OpenPGP signature counts if
// it has the version that gpg makes (4), is over the bytes themselves, uses RSA, ECDSA or EdDSA
// and neither SHA-1, MD5 nor RIPEMD-160, and if the (sub)key that made it may sign
// and had not expired then; RSA keys have at least 2048 bits. Signatures by a revoked key,
// for whatever reason, never count. A stolen key can sign for any time,
// so it has to be removed from the file.
//
// # Threat model
//
// This section lists who can affect what readers get, without trusted signers and with them. In
// either case nobody can change sealed content while the branch keeps its history, except as
// said below of those who may push.
//
// Authors commit and propose. Their work is served only after somebody merges and
// tags it, or seals it.
//
// Those who may push, without trusted signers: publish anything, under any version, note and
// date; move and delete tags, which changes or removes content without a seal; mark, redact and
// restore; change the settings; remove or change a sealed publication without a tag
// by another seal of its tag that a merge brings in from its second parent, and one with
// a tag if they move the tag as well. A second seal that descends from the first
// changes nothing, unless both are merged, as a change that rewrote its own line, into a
// state before the first. With trusted signers: nothing that they write is served, be it
// content, a note, a date, a mark, a setting, a seal or a release; and they cannot undo marks of
// signers, by no commit, merge or order of parents. They can still withhold and delete
// (not merge, delete tags and unsealed content,
// move the branch back to an older signed state, which is a finding while the process
// runs); merge what a signer signed and did not merge, or rejected, and push a tag again that a
// signer signed and withdrew; fill the report with findings. Of two signed seals of
// a tag on parallel branches neither is served, so merging an unmerged one can remove
// a publication and never change it, unless a signed tag decides which one counts.
//
// Trusted signers: publish, mark and set anything, for any date, each alone; how many people have
// to read a change before it is merged is for the host of the repository. Signers cannot change
// sealed content. The signer of a merge vouches for its changes relative to all of its parents, and
// not for what it inherits; the signer of a cherry-picked or squashed commit, or of a line added
// again, vouches for it.
//
// The host of the repository: the same as those who may push, and show each replica
// another state. It can sign nothing unless its key is in the file.
//
// Those who can write the object store, on disk or in transit: without trusted signers, they are
// trusted; objects of up to 16 KiB are checked against their ids, larger ones are not, so that
// a forged index can serve other bytes than were tagged, unless a seal fixes them. With trusted
// signers, every object between a signature and the content is hashed, and known SHA-1 collision
// attacks are detected. They can still remove objects, and so what needs them: a
// tag or a folder is refused alone; without a commit or a file of the root the load
// fails, and the previous snapshot continues to be served.
//
// The operator is trusted in both cases, with the program, its flags, this file and the
// clock. The file must be where no push can change it.
//
// Clients only read. No request changes the responses to another.
//
// Proxies and other intermediaries: without TLS, anything. Recomputing a checksum detects
// changed content; it does not cover statuses, notes and dates.
package signers
