package loader

import (
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/log"
)

// withheld returns the approvals that a publication lacks by the policy; nothing if it may be
// served. Approvals are facts of the log: removing a line from a file revokes nothing, and
// rewriting the branch changes the log.
func (b *build) withheld(c *claim) (why []content.Finding) {
	if !b.Signers.Requires(c.item) {
		return nil
	}
	c.outcome.final = false // approvals come later
	if c.seal == nil {
		return []content.Finding{finding(
			c.path, say("unapproved", "unsealed", args{"version": c.item + "@" + c.Version.String()}),
		)}
	}
	for _, l := range b.Signers.Lacking(c.item, b.approvers(c)) {
		missing, have := strings.Join(l.Missing, ", "), strings.Join(l.Have, ", ")
		said := say(
			"unapproved", "more", args{"more": l.More, "role": l.Role, "missing": missing, "have": have, "tag": c.name},
		)
		if have == "" {
			said = say("unapproved", "none", args{"more": l.More, "role": l.Role, "missing": missing, "tag": c.name})
		}
		why = append(why, finding(content.ApprovalsPath(c.item), said))
	}
	return why
}

// approvers returns those who approved a sealed publication, in the order of the log. Only
// approvals that the policy requires are verified, each once.
func (b *build) approvers(c *claim) []string {
	if b.approved == nil {
		b.readApprovals()
	}
	return b.approved[string(c.seal.Approved())]
}

// readApprovals lists the approvers by the text that they signed.
func (b *build) readApprovals() {
	b.approved = map[string][]string{}
	for _, leaf := range b.seals.log.log.Since(0) {
		a, ok := leaf.Approval()
		if !ok || !b.Signers.Requires(a.Seal.Item()) {
			continue
		}
		line := string(a.Seal.Approved())
		if name := b.approver(leaf, a); name != "" && !slices.Contains(b.approved[line], name) {
			b.approved[line] = append(b.approved[line], name)
		}
	}
}

// approver returns the signer of an approval, "" if the signature does not count. The key has
// to be valid at the time of the publication, which is the only signed time.
func (b *build) approver(leaf log.Leaf, a content.Approval) string {
	name, known := b.memos.verified[leaf]
	if !known {
		name, _ = b.Signers.Approver(a.Seal.Approved(), a.Signature, a.Seal.PublishedAt)
		b.memos.verified[leaf] = name
	}
	return name
}
