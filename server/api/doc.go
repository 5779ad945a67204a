// Package api declares every operation of the service once: its address, its parameters,
// its responses, their media types, and its errors.
//
// The declarations determine the router and the validation of queries (package server), the
// addresses in the manifest ([Endpoints]), the arguments of tools that select or read
// by the same parameters (package mcpserver), the fields of forms on pages (package site) and
// the OpenAPI description ([OpenAPI]).
//
// # Files
//
// An operation is an [Operation] in the file of its group: navigation.go, finding.go,
// proving.go, calculating.go, formats.go. Those of kinds (lists, items, versions, proofs,
// plain files, records) are generated from the row of the kind in package content (kinds.go) and
// its wording in kinds.yaml; a kind without wording is described by its row. The allowed values
// of a parameter are those of the formats of content wherever possible.
//
// A parameter that several operations have is in params.go.
//
// openapi.yaml has what cannot be derived: the introduction, what operations are for, the schemas of bodies
// that the service makes, the problems, the examples. Its entries take precedence over what
// is derived from a declaration.
package api
