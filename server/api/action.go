package api

import (
	"sync"

	"rulestore/content"
)

// An Action is the implementation of an operation.
type Action int

const (
	// Prepared responses are resources, and queries are ignored.
	Prepared Action = iota
	// Closed responses are resources, and any query parameter is an error.
	Closed
	// ListItems lists and filters the items of a kind.
	ListItems
	// ListVersions lists the versions of an item, ListUpcoming what is sealed for a later day.
	ListVersions
	ListUpcoming
	// ReadItem reads the version as of a day, a part of it, or filtered records.
	ReadItem
	// ReadVersion reads a part of a version.
	ReadVersion
	// ListPeriods reads the periods known on a day.
	ListPeriods
	// ListChanges reads a page of the changelog.
	ListChanges
	// Search is the full-text search.
	Search
	// ListChecksums lists publications since a day.
	ListChecksums
	// BriefFraud joins the registries' data on signals.
	BriefFraud
	// ListCalculations filters the registry of calculations.
	ListCalculations
	// Calculate is a POST to a tool; GET takes no parameters.
	Calculate
	// ReadHealth reads the health document, ReadLegacyHealth a one-word status.
	ReadHealth
	ReadLegacyHealth
	// ServeMCP is a message of the Model Context Protocol, or a document below its address.
	ServeMCP
	// ReadLog reads the checkpoint of the log, or a tile.
	ReadLog
	// Prove returns the proof that a version is in the log.
	Prove
	// FindChecksum finds the publication with a checksum.
	FindChecksum
	// CheckCitations checks the versions that an answer relied on.
	CheckCitations
	// ReadFeed reads a feed of publications.
	ReadFeed
	// Compare compares two versions.
	Compare
)

type place struct {
	action Action
	kind   *content.Kind
	item   string
}

// places are the operations by what makes their answer and what they are of.
var places = sync.OnceValue(func() map[place]*Operation {
	all := map[place]*Operation{}
	for _, o := range Operations() {
		if at := (place{o.Action, o.Kind, o.Item}); all[at] == nil {
			all[at] = o
		}
	}
	return all
})

// Of returns the operation for an action and an item of a kind: that of the item's own address, or
// that of all items which share a path.
func Of(action Action, k *content.Kind, item string) *Operation {
	all := places()
	if o := all[place{action, k, item}]; o != nil {
		return o
	}
	for _, other := range content.Kinds {
		if o := all[place{action, other, ""}]; k != nil && other.Path == k.Path && o != nil {
			return o
		}
	}
	return all[place{action, nil, ""}]
}
