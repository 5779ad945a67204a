// Package signers decides whose signatures count. It knows nothing of git's store: it is
// given objects byte for byte, as git keeps them, and nothing that it says of one is
// from anywhere else.
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
// an error here: certificate authorities, unknown options, broken lines and keys
// that are too weak to sign anything that counts, because whoever wrote them meant
// something.
//
// # The policy
//
// A policy is a file of TOML that says more than who signs: which of them have which role, and
// how many of a role have to approve what is published of some items ([ParsePolicy]).
//
//	signers = """
//	anna@example.org ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA…
//	boris@example.org ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA…
//	vera@example.org namespaces="rulestore" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA…
//	"""
//
//	[roles]
//	fraud = ["anna@example.org", "boris@example.org", "vera@example.org"]
//
//	[[require]]
//	items = ["guidelines/fraud.*"]   # folder and name; * stands for any text, / included
//	role = "fraud"
//	approvals = 2
//
// An approval is a signature over the line of a seal, in the namespace rulestore, made with a
// key of SSH for which the line of a signer is valid at the time of the publication. It counts
// for the person and once, whoever brings it into the repository. Vera above approves, and
// signs nothing for git. Who seals a publication does not approve it thereby. An item that
// several requirements mean has to meet all of them; what has no seal cannot be approved.
// Whoever leaves gets a valid-before: what they approved until then stays published. A line
// that is taken out, as that of a stolen key, takes its approvals with it, and what rested on
// them is withheld until others approve it.
//
// # What is signed
//
// A signature counts only for a commit or tag that git itself would have written so:
// its headers in their order and none twice, dates and ids as git spells them, no NUL,
// the signature last, in armor that nothing was added to ([ErrLayout]). For git many
// more verify, a commit for instance whose signature was moved above its parents, which
// git then does not see. What the object says ([ReadCommit], [ReadTag]) is read from the
// bytes that were signed, and as git reads it. Of several signatures in the message of
// a tag the last one is its own, as for git.
//
// # What counts
//
// An SSH signature counts if its namespace is git, its key stands in a line whose
// options allow it, and the object's own time, which is signed with it, lies within the
// line's validity; of RSA, not with SHA-1. An OpenPGP signature counts if it is of the
// version that gpg makes (4), over the bytes themselves, with RSA, ECDSA or EdDSA and
// neither SHA-1, MD5 nor RIPEMD-160, and if the part of the key that made it may sign
// and had not expired then; RSA keys have at least 2048 bits. A key that was revoked,
// for whatever reason, counts for nothing. A key that was stolen can sign for any time,
// so it is taken out of the file.
//
// # Threat model
//
// Who can do what to what readers get, without trusted signers and with them. Content
// that is sealed nobody changes in either case, while the branch keeps its history, but
// for what is said of whoever may push.
//
// Authors commit and propose. Nothing of theirs is served before somebody merges and
// tags it, or seals it.
//
// Whoever may push, without: publishes anything, under any version, note and date;
// moves and deletes tags, which changes or loses what no seal keeps; marks, redacts and
// brings back; changes the settings; takes a sealed publication without a tag away or
// changes it, by another seal of its tag that a merge brings from beside it, and one with
// a tag if they move that as well. A second seal that builds on the first
// changes nothing, unless both are merged, as a change that wrote its line anew, into a
// state from before the first. With: nothing that they write is served, be it
// content, a note, a date, a mark, a setting, a seal or a release; and what signers
// marked they cannot undo, by no commit, merge or order of parents. What is left to
// them: to hold back and to lose (not to merge, to delete tags and unsealed content, to
// move the branch back to an older signed state, which is a finding while the process
// runs); to merge what a signer signed and did not merge, or turned down, and to push a tag again that a
// signer signed and took back; to fill the report with findings. Of two signed seals of
// a tag that are side by side neither is served, so merging what nobody merged can take
// a publication away and never change it, unless a signed tag says which it is.
//
// Trusted signers: publish, mark and set what they like, for any date; with a policy, publish of
// the items that it names only what others have approved as well. Approvals are facts of the
// log (package log): nobody takes one back, and a branch that is rewritten to lose some has
// another log. Marks and settings need no approval. They cannot
// change what is sealed. Who signs a merge vouches for what it changed against all of
// its parents, and not for what it passes on; who cherry-picks, squashes or adds a line
// anew vouches for it.
//
// The host of the repository: what whoever may push can do, and to show each replica
// another state. It signs nothing unless its key is in the file.
//
// Whoever writes the object store, on the disk or the way there: without, is trusted;
// objects of up to 16 KiB are checked against their ids, larger ones are believed, so that
// an index that lies serves other bytes than were tagged, unless a seal holds them. With:
// every object between a signature and the bytes is hashed, and SHA-1 collisions as they
// are known are noticed. What is left is to take objects away, and so what needs them: a
// tag or a folder is refused alone; without a commit or a file of the root the load
// fails, and what was served goes on being served.
//
// The operator: is trusted in both cases, with the program, its flags, this file and the
// clock. The file must lie where no push reaches it.
//
// Clients: read. No request changes what another one gets.
//
// Proxies, and whoever else stands between: without TLS, anything. A checksum shows who
// recomputes it that content was changed; statuses, notes and dates it does not cover.
package signers
