// Package cases runs the tests that authors keep beside their content: questions and
// expected results, requests and their calculated answers, signals and their combined
// meaning, sections and their text, items and their size limits.
//
// [Run] makes [Outcome]s of [content.Case]s and of the [Service] under test:
// a snapshot, and functions that search, calculate and measure in it. It has no other
// input: the same cases on the same service give the same results. [Compare] compares
// the results of two states, and [Measure] computes statistics.
//
// # Measures
//
// The hit rate is the share of questions with an expected answer among the first
// results that the case requires, three by default. The mean reciprocal rank is the mean
// over all questions of 1/rank, where rank is that of the first expected answer, and 0
// for a question without an expected answer among the first [Depth].
package cases
