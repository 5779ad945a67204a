package loader

import (
	"sync"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
)

// fewTags is up to how many tags leaving texts for later is not worth it.
const fewTags = 1000

// heights are versions by item: below them nothing is current.
type heights map[string]*semver.Version

// above says whether a publication is superseded.
func (h heights) above(t content.Tag) bool {
	v := h[t.Item()]
	return v != nil && t.Version.LessThan(v)
}

func (h heights) add(t content.Tag) {
	item := t.Item()
	if v := h[item]; t.Version.Prerelease() == "" && (v == nil || v.LessThan(t.Version)) {
		h[item] = t.Version
	}
}

// highest guesses, before the seals are read, which versions are superseded.
func (b *build) highest() heights {
	if !b.soon {
		return nil
	}
	h := heights{}
	for _, r := range b.Loader.tags {
		if r.Kind != nil && r.refused == nil {
			h.add(r.Tag)
		}
	}
	return h
}

// supersede finds out which claims can wait: sealed ones with a tag below the
// highest sealed one of their item that nothing takes away and whose date has
// come. Marked items are left out as a whole, and so are those that state an id: what
// the first of them says decides about all.
func (b *build) supersede(marks []content.Mark) {
	if !b.soon {
		return
	}
	marked := map[string]bool{}
	for _, m := range marks {
		marked[m.Item] = true
	}
	h := heights{}
	for _, c := range b.claims {
		if c.seal != nil && c.there() && !b.ahead(c.seal.PublishedAt) && !marked[c.of.item] {
			h.add(c.Tag)
		}
	}
	for _, c := range b.claims {
		c.late = c.seal != nil && c.there() && c.Kind.NameIsID && h.above(c.Tag)
	}
}

// resolveLater takes the file of a claim for what was sealed.
func (b *build) resolveLater(c *claim) (*resolved, error) {
	it, err := b.item(c.Tag, c.at.File)
	if err != nil {
		return nil, err
	}
	if !it.late.Load() {
		return b.resolveSealed(c)
	}
	c.of.final = false
	return &resolved{c, it, b.lateText(c, it), c.at, c.from, true, c.seal.Checksum}, nil
}

// lateText is the text of a sealed publication that is not read yet.
type lateText struct {
	*item
	content.Tag
	sum    string
	sealed func() bool // whether the text is what was sealed, and fit to be served; once
}

func isLate(p *content.Publication) bool {
	_, late := p.Text.(*lateText)
	return late
}

func (b *build) lateText(of *claim, it *item) *lateText {
	l := &lateText{item: it, Tag: of.Tag, sum: of.seal.Checksum}
	sealedAt, tell := b.sealedAt(of), b.Config.tell // no more of the load is to be kept
	l.sealed = sync.OnceValue(func() bool {
		sum, err := l.checksum(l.Tag)
		tell(err)
		return err == nil && sum == l.sum && l.open().Outlives(sealedAt)
	})
	return l
}

// Body implements [content.Text].
func (l *lateText) Body() content.Object {
	if !l.sealed() {
		return nil
	}
	return l.open().Body
}

// References implements [content.Text].
func (l *lateText) References() []content.Reference {
	if !l.sealed() {
		return nil
	}
	return l.open().References
}
