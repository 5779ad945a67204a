// Package change classifies a change to content by its effect on readers: which
// fields differ, whether an agent that relied on the previous version can rely on
// the next, hence which part of the version is incremented, and what refers to the item.
//
// # Classes
//
// A [Breaking] change removes something or narrows its meaning: a rule, a field, a
// record, a code or an allowed value is removed, a limit or a date that calculations
// use is changed, a list of exclusions grows. An [Addition] adds something. [Wording]
// changes the text and is meant to keep the meaning; no program can tell whether it does,
// so [Field.Look] asks a person to review numbers, dates and terms that differ, and the words of rules.
//
// The meaning of a field comes from its schema: a text for readers, a code, a list whose
// elements are identified by a code, a list whose order is significant (x-ordered). What no
// schema says (a longer list of exclusions means less, a higher severity removes nothing) is in
// the tables of meaning.go, each line with its reason.
//
// # Order
//
// Where readers go through a list from its beginning, such as the rules of a
// guideline, the steps of an instruction or a list of priorities, the schema says so,
// and a different order is [Breaking]. The numbers of steps are also their order: if
// two numbers are swapped, the steps are, whatever their position in the file. Inserting or
// removing a step renumbers the others; if their order is unchanged, this is
// [Wording]. In all other lists the order is not significant: sets of codes, sources, records.
//
// # What a person has to review
//
// A [Look] is a change that no program can judge: a text of which a number, a date, a term or a unit
// differs, or a rule or a guardrail of which any other word does: whether it still demands the same,
// a person reads in the words that changed. Titles only help to find something and oblige nobody: in
// them only numbers, dates, terms and units are compared. The words are in measures.go, by their sense:
// replacing a word by another of the same sense is not reported.
//
// # Versions
//
// A breaking change increments the major version, an addition the minor, wording the
// patch. Before 1.0.0 nothing was promised, so everything moves one place to the right.
// The first publication is 1.0.0 unless its author chooses a lower version.
//
// # Cost
//
// Versions are compared at request time, so the cost is bounded for all content. [Of] has a
// budget of values that are decomposed, of bytes and words that are compared to match elements of
// lists, and of places that are listed; an [Effort] is the budget of texts that are compared
// word by word. Beyond the budget values are compared as a whole, or by lines, and the result
// says so. Content within the limits of the formats stays within the budget.
//
// Everything here is a function of its arguments: no file, no clock, no git.
package change
