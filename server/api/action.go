package api

import (
	"sync"

	"rulestore/content"
)

// An Action is the implementation of an operation, as operations.yaml names it.
type Action string

const (
	// Prepared responses are resources, and queries are ignored.
	Prepared Action = ""
	// Closed responses are resources, and any query parameter is an error.
	Closed Action = "closed"
	// ListItems lists and filters the items of a kind.
	ListItems Action = "list items"
	// ListVersions lists the versions of an item, ListUpcoming what is sealed for a later day.
	ListVersions Action = "list versions"
	ListUpcoming Action = "list upcoming"
	// ReadItem reads the version as of a day, a part of it, or filtered records.
	ReadItem Action = "read item"
	// ReadVersion reads a part of a version.
	ReadVersion Action = "read version"
	// ListPeriods reads the periods known on a day.
	ListPeriods Action = "list periods"
	// ListChanges reads a page of the changelog.
	ListChanges Action = "list changes"
	// Search is the full-text search.
	Search Action = "search"
	// ListChecksums lists publications since a day.
	ListChecksums Action = "list checksums"
	// BriefFraud joins the registries' data on signals.
	BriefFraud Action = "brief fraud"
	// ListCalculations filters the registry of calculations.
	ListCalculations Action = "list calculations"
	// Calculate is a POST to a tool; GET takes no parameters.
	Calculate Action = "calculate"
	// ReadHealth reads the health document, ReadLegacyHealth a one-word status.
	ReadHealth       Action = "read health"
	ReadLegacyHealth Action = "read legacy health"
	// ServeMCP is a message of the Model Context Protocol, or a document below its address.
	ServeMCP Action = "serve MCP"
	// ReadLog reads the checkpoint of the log, or a tile.
	ReadLog Action = "read log"
	// Prove returns the proof that a version is in the log.
	Prove Action = "prove"
	// FindChecksum finds the publication with a checksum.
	FindChecksum Action = "find checksum"
	// CheckCitations checks the versions that an answer relied on.
	CheckCitations Action = "check citations"
	// ReadFeed reads a feed of publications.
	ReadFeed Action = "read feed"
	// Compare compares two versions.
	Compare Action = "compare"
)

type answering struct {
	action Action
	kind   *content.Kind
	item   string
}

// places are the operations by what makes their answer and what they are of.
var places = sync.OnceValue(func() map[answering]*Operation {
	all := map[answering]*Operation{}
	for _, o := range Operations() {
		if at := (answering{o.Action, o.Kind, o.Item}); all[at] == nil {
			all[at] = o
		}
	}
	return all
})

// Of returns the operation for an action and an item of a kind: that of the item's own address, or
// that of all items which share a path.
func Of(action Action, k *content.Kind, item string) *Operation {
	all := places()
	if o := all[answering{action, k, item}]; o != nil {
		return o
	}
	for _, other := range content.Kinds {
		if o := all[answering{action, other, ""}]; k != nil && other.Path == k.Path && o != nil {
			return o
		}
	}
	return all[answering{action, nil, ""}]
}
