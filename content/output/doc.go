// Package output turns an output schema, the item that describes what a caller
// builds and stores, into a JSON Schema 2020-12 for the caller's validator.
//
// # From sections to properties
//
// The result is one object. Each section is a property of it, and no others are
// allowed:
//
//	a section with fields     an object with these properties and no others
//	one that is repeated      an array of such objects
//	one with fixed_values     an array of exactly these values, in any order
//
// # From types to types
//
//	string                     a non-empty string
//	number, integer, boolean   the same
//	date, date_time            a string of that form (RFC 3339), by format and by
//	                           pattern, as many validators ignore format
//	object                     an object of its fields and no others
//	array_of_string            an array of non-empty strings
//	array_of_object            an array of objects of its fields and no others
//
// nullable allows null as well. values and codes_from list the allowed values of a string, or of
// an element of an array of strings; such an array has no duplicates.
// codes_from names a registry; the caller of [Schema.JSONSchema] passes its codes. They are under
// $defs by the registry's name, once for all fields. For a
// registry without codes every string is accepted.
//
// Titles, descriptions and examples are the author's; the examples of the
// fields together are an example of the whole. The origin of the codes is given in
// $comment, as validators in strict mode reject unknown keywords.
package output
