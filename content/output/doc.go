// Package output turns an output schema, the item that describes what a caller
// builds and keeps, into a JSON Schema 2020-12, which the caller's validator
// understands.
//
// # From sections to properties
//
// The result is one object. Each section is a property of it, and none else is
// allowed:
//
//	a section with fields     an object with these properties and no others
//	one that is repeated      an array of such objects
//	one with fixed_values     an array of exactly these values, in any order
//
// # From types to types
//
//	string                     a string that is not empty
//	number, integer, boolean   the same
//	date, date_time            a string of that form (RFC 3339), by format and by
//	                           pattern, as many validators take format for a remark
//	object                     an object of its fields and no others
//	array_of_string            an array of strings that are not empty
//	array_of_object            an array of objects of its fields and no others
//
// nullable allows null as well. values and codes_from list what a string, or an
// element of an array of strings, may be; such an array holds no value twice.
// What codes_from names is a registry, whose codes the caller of [Result.Schema]
// passes in; they are under $defs by the registry's name, once for all fields. Of a
// registry without codes every string is accepted.
//
// Titles, descriptions and examples are the author's, and the examples of the
// fields together are one of the whole. Where the codes are from is said in
// $comment, as validators in strict mode refuse words that they do not know.
package output
