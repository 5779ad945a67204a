package loader

import (
	"encoding/base64"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/log"
)

// withheld returns the approvals that a publication lacks by the policy; nothing if it may be
// served. An approval counts in any state of its file: removing a line revokes nothing.
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

// approvers returns those who approved a sealed publication.
func (b *build) approvers(c *claim) []string { return b.approved[log.SealOf(*c.seal)] }

// readApprovals lists the approvers by seal, the oldest approval first. Only approvals that the policy
// requires are verified, each once.
func (b *build) readApprovals(claims []*claim) error {
	b.approved = map[log.Leaf][]string{}
	read := map[string]bool{} // items
	for _, c := range claims {
		if read[c.item] || !b.Signers.Requires(c.item) {
			continue
		}
		read[c.item] = true
		for _, v := range slices.Backward(b.history.Versions(content.ApprovalsPath(c.item))) {
			raw, err := b.contentOf(v.File, maxItemSeals)
			if err != nil {
				return err
			}
			for _, line := range numbered(raw) {
				end := strings.LastIndexByte(line, ' ')
				leaf, ok := log.ReadSeal(line[:max(0, end)])
				name, all := b.approver(line, leaf, line[end+1:]), b.approved[leaf]
				if ok && name != "" && !slices.Contains(all, name) {
					b.approved[leaf] = append(all, name)
				}
			}
		}
	}
	return nil
}

// approver returns the signer of an approval, "" if the signature does not count. The key has
// to be valid at the time of the publication, which is the only signed time.
func (b *build) approver(line string, sealed log.Leaf, signature string) string {
	name, known := b.memos.verified[line]
	if !known {
		seal, _ := sealed.Seal()
		if raw, err := base64.StdEncoding.DecodeString(signature); err == nil {
			name, _ = b.Signers.Approver(seal.Approved(), raw, seal.PublishedAt)
		}
		b.memos.verified[line] = name
	}
	return name
}
