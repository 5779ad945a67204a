package loader

import (
	"time"

	"rulestore/content"
	"rulestore/content/check"
)

// sealedAt returns the time when the seal of a claim reached the branch, according to the
// branch. The date in the line is not used.
func (b *build) sealedAt(c *claim) time.Time {
	return b.history.Arrived(b.seals.lineInForce(c.name).introduced.branchCommit)
}

// stillServed turns findings about sealed content that is served into warnings.
func stillServed(f content.Finding) content.Finding {
	f = check.Advise(f, say("", "served", nil))
	f.Severity = content.Warning
	return f
}

// tolerate reports the findings about sealed content that is still served.
func (c *claim) tolerate(found []content.Finding) {
	for _, f := range found {
		c.report(stillServed(f))
	}
}
