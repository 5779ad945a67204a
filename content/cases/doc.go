// Package cases tries the tests that authors keep beside their content: questions and
// what has to be found, requests and what has to be calculated, signals and what they
// mean together, sections and what stands there, items and how long they may be.
//
// [Run] makes [Result]s of [content.Case]s and of the [Service] that they are tried on:
// a snapshot, and functions that search, calculate and measure in it. It does no more
// than that: the same cases on the same service give the same results. [Compare] holds
// the results of two states against each other, and [Measure] counts.
//
// # Measures
//
// The hit rate is the share of questions with one of their answers among the first
// results that the case asks for, three by default. The mean reciprocal rank is the mean
// over all questions of 1/place, where place is that of the first of their answers, and 0
// for a question whose answers are not among the first [Depth].
package cases
