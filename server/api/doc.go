// Package api declares every operation of the service once: its address, its parameters,
// what it answers, in which forms, and how it can fail.
//
// From the declarations follow the router and the check of a query (package server), the
// addresses that the manifest names ([Endpoints]), the arguments of tools that choose or read
// by the same parameters (package mcpserver) and the description of the interface ([OpenAPI]).
//
// # Where what stands
//
// An operation is an [Operation] in a file by its group: navigation.go, finding.go,
// proving.go, calculating.go, formats.go. Those of kinds (lists, items, versions, proofs,
// plain files, records) are made from the row of the kind in package content (kinds.go) and
// the words for it in addresses.go; a kind without words is described by its row. The values
// that a parameter may have are those of the formats of content wherever they can be.
//
// A parameter that several operations have is in params.go.
//
// openapi.yaml holds what nothing else says: the introduction, the schemas of bodies that
// the service makes, the problems, the examples. What stands there is taken instead of what
// would follow from a declaration.
package api
