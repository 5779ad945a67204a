package api

import (
	"sync"

	"rulestore/content"
)

// A Deed is what makes the answer of an operation.
type Deed int

const (
	// Prepared answers are there before anybody asks, and a query means nothing to them.
	Prepared Deed = iota
	// Closed answers are there, too, and a query with any parameter is a mistake.
	Closed
	// ListItems chooses from the items of a kind.
	ListItems
	// ReadItem reads the version of a day, a part of it, or records that pass filters.
	ReadItem
	// ReadVersion reads a part of a version.
	ReadVersion
	// ListPeriods reads the series that was known on a day.
	ListPeriods
	// ListChanges reads a page of the changelog.
	ListChanges
	// Search finds what a question is about.
	Search
	// ListChecksums lists publications since a day.
	ListChecksums
	// BriefFraud joins what the registries say of signals.
	BriefFraud
	// ListCalculations chooses from the registry of calculations.
	ListCalculations
	// Calculate is what is posted to a tool; to read it takes no parameters.
	Calculate
	// AskHealth says how the service is, AskLegacyHealth in a word.
	AskHealth
	AskLegacyHealth
	// AskMCP is a message of the Model Context Protocol, or a document beside it.
	AskMCP
	// ReadLog reads the signed head of the log, or a tile of it.
	ReadLog
	// Prove proves that a version is in the log.
	Prove
	// FindChecksum says what a checksum is of.
	FindChecksum
	// CheckCitations says what became of versions that an answer cites.
	CheckCitations
	// AskForCitations is the form that takes citations back.
	AskForCitations
	// Cite gives the citation of a version, or of a section of it.
	Cite
	// ReadImpact says what depends on a thing, and what that depends on.
	ReadImpact
	// ReadTimeline says what became of an item or a section of it, and what applied on a day.
	ReadTimeline
	// ReadFeed reads a feed of publications.
	ReadFeed
	// Compare sets two versions side by side.
	Compare
	// ExplainSnapshot says what a snapshot that was served consisted of.
	ExplainSnapshot
	// GiveBundle gives the repository away.
	GiveBundle
	// ShowTools shows people what assistants can call.
	ShowTools
	// AwaitChange tells a page of a preview when it is out of date.
	AwaitChange
)

type place struct {
	deed Deed
	kind *content.Kind
	item string
}

// places are the operations by what makes their answer and what they are of.
var places = sync.OnceValue(func() map[place]*Operation {
	all := map[place]*Operation{}
	for _, o := range Operations() {
		if at := (place{o.Does, o.Kind, o.Item}); all[at] == nil {
			all[at] = o
		}
	}
	return all
})

// Of returns the operation that does a deed with an item of a kind: that of the item's own
// address, or that of all items which share a path.
func Of(deed Deed, k *content.Kind, item string) *Operation {
	all := places()
	if o := all[place{deed, k, item}]; o != nil {
		return o
	}
	for _, other := range content.Kinds {
		if o := all[place{deed, other, ""}]; k != nil && other.Path == k.Path && o != nil {
			return o
		}
	}
	return all[place{deed, nil, ""}]
}
