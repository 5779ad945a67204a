// Package signers decides whose signatures count. It knows nothing of git: it is
// given bytes, a signature over them and the time that they say they were made.
//
// # The file
//
// A [Set] is read from one file, which the operator keeps and the repository
// does not hold. It has the format that git and ssh-keygen know as
// allowed_signers (ssh-keygen(1), ALLOWED SIGNERS): one key a line, after the
// principals that it belongs to and options.
//
//	anna@example.org namespaces="git" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA…
//	boris@example.org valid-before="20270101Z" ecdsa-sha2-nistp256 AAAAE2Vj…
//
// Armored OpenPGP public keys, as gpg --armor --export writes them, may stand
// between the lines.
//
// Two things differ from ssh-keygen. Times without a Z are in UTC, not in the
// zone of the machine, so that replicas agree. And what would be passed over is
// an error here: certificate authorities, unknown options and broken lines,
// because whoever wrote them meant something.
//
// # What counts
//
// An SSH signature counts if its namespace is git, its key stands in a line
// whose options allow it, and the object's own time, which is signed with it,
// lies within the line's validity. An OpenPGP signature counts if its key was
// neither expired nor revoked at the time of the signature. A key that was
// stolen can sign for any time, so it is taken out of the file.
package signers
