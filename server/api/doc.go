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
// operations.yaml is the list of routes: an [Operation] each, with its texts and answers. Those of kinds (lists,
// items, versions, proofs, plain files, records) are written there once and are made of the row of each kind in
// package content and its wording in kinds.yaml (kinds.go); a kind without wording is described by its row. The
// allowed values of a parameter are those of the formats of content wherever possible.
//
// params.yaml has the parameters, each once.
//
// openapi.yaml has what cannot be derived: the introduction, the schemas of bodies that the service makes, the
// problems, the examples. Its entries take precedence over what is derived from a declaration.
package api
