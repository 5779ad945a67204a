package loader

import (
	"strings"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
)

// Snapshot returns the tree as if each of its items were published and current. Files with
// errors are left out. It is made without a history, so there are no dates, no changelog, and
// one version of each item.
func (t *Tree) Snapshot() *content.Snapshot {
	in := content.Input{
		Source: content.Source{Date: t.Today, Drafts: true}, Settings: content.Unsettled(), Marks: t.Marks,
	}
	if t.Settings != nil {
		in.Settings = *t.Settings
	}
	for _, f := range t.Items {
		if f.OK() {
			in.Publications = append(in.Publications, &content.Publication{
				Kind: f.Kind, Name: f.Name, Version: unpublished, Draft: true, Checksum: noChecksum,
				Text: content.Written{Object: f.Body, Refers: f.References},
			})
		}
	}
	return content.NewSnapshot(in)
}

// unpublished is the version of unpublished content.
var unpublished = semver.New(0, 0, 0, "0", "")

// noChecksum has the length of a checksum, so that responses have their final size.
var noChecksum = content.Algorithm + ":" + strings.Repeat("0", 64)
