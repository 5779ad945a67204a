package loader

import (
	"time"

	"rulestore/content"
	"rulestore/content/check"
)

// sealedAt returns when the seal of a claim came to the branch, as the branch itself
// tells. The date in the line says nothing of that.
func (b *build) sealedAt(c *claim) time.Time {
	return b.history.Arrived(b.memos.seals.came[b.memos.seals.text[c.name]].on)
}

// stillServed makes a warning of what is wrong with sealed content that is served.
func stillServed(f content.Finding) content.Finding {
	f = check.Advise(f, say("", "served", nil))
	f.Severity = content.Warning
	return f
}

// tolerate says what is wrong with sealed content that is served all the same.
func (c *claim) tolerate(found []content.Finding) {
	for _, f := range found {
		c.report(stillServed(f))
	}
}

// sealUnfit says that content is sealed and not served all the same; what is wrong
// with it stands beside it.
func sealUnfit(path string) []content.Finding {
	return []content.Finding{finding(path, say("seal-unfit", "refused", nil))}
}
