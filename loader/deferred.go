package loader

import (
	"slices"
	"sync"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
)

// deferSuperseded determines the claims that can be deferred: sealed ones with a tag below the
// highest sealed version of their item that is due. Marked items are excluded as a whole, and so are tags that may
// have been moved since they were sealed.
func (fs *facts) deferSuperseded(claims []*claim) {
	if !fs.deferring {
		return
	}
	marked := map[string]bool{}
	for _, m := range fs.marks {
		marked[m.Item] = true
	}
	highest := map[string]*semver.Version{}
	for _, c := range claims { // those of an item come lowest first
		if c.seal != nil && c.hasFile() && c.Version.Prerelease() == "" && !fs.ahead(c.seal.PublishedAt) &&
			!marked[c.item()] {
			highest[c.item()] = c.Version
		}
	}
	for _, c := range claims {
		v := highest[c.item()]
		c.deferred = c.seal != nil && c.hasFile() && v != nil && c.Version.LessThan(v) && fs.standsAsSealed(c)
	}
}

// standsAsSealed reports whether the tag of a sealed claim has not been moved since it was sealed, as far as that
// shows without reading its content: the commit of the seal has the same file, or the seal has the tag's date.
func (fs *facts) standsAsSealed(c *claim) bool {
	at, exists := fs.history.At(fs.seals.inForce(c.name).by(fs.history), c.path)
	return exists && at.OID == c.at.OID || fs.taggedAt(c).Equal(c.seal.PublishedAt)
}

// resolveDeferred uses the file of a claim as the sealed content, unparsed.
func (fs *facts) resolveDeferred(c *claim) (*found, error) {
	it, err := fs.itemFile(c.Tag, c.at.File)
	if err != nil {
		return nil, err
	}
	if !it.unparsed.Load() {
		return fs.resolveSealed(c)
	}
	c.outcome.final = false
	return &found{it, fs.deferredText(c, it), c.at, c.from, true, c.seal.Checksum}, nil
}

// deferredText is the text of a sealed publication that is not parsed yet.
type deferredText struct {
	*itemFile
	content.Tag
	sum    string
	ids    []string    // of the versions that say what the id of the item is; usually one
	sealed func() bool // whether the text matches its seal and no rule refuses it; computed once
}

func (fs *facts) deferredText(of *claim, it *itemFile) *deferredText {
	l := &deferredText{itemFile: it, Tag: of.Tag, sum: of.seal.Checksum}
	sealedAt, tell := fs.sealedAt(of), fs.Config.reportCrash // no more of the load is to be kept
	l.sealed = sync.OnceValue(func() bool {
		sum, err := l.checksum(l.Tag)
		tell(err)
		return err == nil && sum == l.sum && l.parsed().Outlives(sealedAt)
	})
	return l
}

// isSound reports whether the text may be shown: it is what was sealed, with the id of its item.
func (l *deferredText) isSound() bool {
	return l.sealed() && !slices.ContainsFunc(l.ids, func(id string) bool { return id != l.id(l.Kind) })
}

// Body implements [content.Text].
func (l *deferredText) Body() content.Object {
	if !l.isSound() {
		return nil
	}
	return l.parsed().Body
}

// References implements [content.Text].
func (l *deferredText) References() []content.Reference {
	if !l.isSound() {
		return nil
	}
	return l.parsed().References
}
