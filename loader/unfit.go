package loader

import (
	"time"

	"rulestore/content"
)

// sealedAt returns when the seal of a claim came to the branch, as the branch itself
// tells. The date in the line says nothing of that.
func (b *build) sealedAt(c *claim) time.Time {
	return b.history.Arrived(b.seals.came[b.seals.text[c.name]].on)
}

// sealedGoesOn is why what is wrong with content is a warning.
const sealedGoesOn = "the publication is sealed and goes on being served"

// tolerate says what is wrong with sealed content that is served all the same.
func (c *claim) tolerate(found []content.Finding) {
	for _, f := range found {
		f.Severity = content.Warning
		f.Hint = joinHint(f.Hint, sealedGoesOn)
		c.report(f)
	}
}

// sealUnfit says that content is sealed and not served all the same; what is wrong
// with it stands beside it.
func sealUnfit(path string) []content.Finding {
	return []content.Finding{finding(path, "seal-unfit",
		"the publication is sealed, and refused all the same: "+
			"it breaks rules that were in force before it was sealed, so nobody was ever served it",
		"correct the file and publish it as a new version; the number of this one is spent")}
}
