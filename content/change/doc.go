// Package change says what a change to content means to those who read it: which
// fields differ, whether an agent that relied on the version before can rely on
// the next, hence how far the version has to move, and who refers to the item.
//
// # Classes
//
// [Breaking] takes something away or narrows what it means: a rule, a field, a
// record, a code or an allowed value is gone, a limit or a date that is counted
// with is another, a list of exclusions grew. [Addition] gives something that
// was not there. [Wording] reads differently and is meant to say the same; no
// program can tell whether it does, so where a number or a "не" came or went,
// [Field.Look] asks a person to look again.
//
// What a field is comes from its schema: a text for readers, a code, a list told
// apart by a code, a list whose order says something (x-ordered). What cannot be read from there (that a longer list of
// exclusions means less, that a higher severity takes nothing away) is in the
// tables of meaning.go, each line with its reason.
//
// # Order
//
// Where readers go through a list from its beginning, as through the rules of a
// guideline, the steps of an instruction or a list of priorities, the schema says so,
// and another order is [Breaking]. The numbers of steps are their order too: where
// two are swapped, the steps are, wherever they stand in the file. What follows from
// a step that came or went between others, other numbers and the same order, is
// [Wording]. Everywhere else the order says nothing: sets of codes, sources, records.
//
// # What to look at
//
// A [Look] is what no program can judge: a text whose numbers, dates, terms or units
// differ; one in which a word came or went that turns the meaning, an obligation that
// became a right, a "не", an "иначе"; one with the same words in another order; one
// written anew; a reference or a source that is gone. The words are in senses.go, by
// sense, so that another word of the same sense is none of this. Titles are read to
// find something and demand nothing: of them only what measures counts.
//
// # Versions
//
// A breaking change moves the major version, an addition the minor, wording the
// patch. Before 1.0.0 nothing was promised, so there everything moves one place
// further right. The first publication is 1.0.0 unless its author says less.
//
// # What it costs
//
// Versions are compared at request time, so no content makes that cost more than a page
// may. [Fields] has a budget of values that are taken apart, of bytes and words that are
// looked into to find out which elements are alike, and of places that are listed; an
// [Effort] is that of the texts that are compared word by word. What goes beyond is
// compared as a whole, or by lines, and says so. What the formats allow stays within.
//
// Everything here is a function of its arguments: no file, no clock, no git.
package change
