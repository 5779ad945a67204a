// Package starter is the default content, as data: the server serves it if no repository
// is given, and `rulestore init` starts with it.
//
// releases/ has one folder for each commit, in order: the files that it adds, changes.diff with what it
// changes in others, and release.yaml with its date, message, removals and tags. rulestore.sum
// pins the checksums of all publications: its lines become the files of seals. A released line is
// never changed, lines are only added. The repository made of it is loaded like any other.
//
// A new release is written in a repository that `rulestore init` makes: there `git diff -U0` prints
// its changes.diff. `go test ./content/starter -update` then adds its seals.
//
// tests/ has the cases of a new repository: questions of people and
// their answers, requests and their results. They are not published, so they belong
// to no release: they test the result of all releases.
package starter

import "embed"

// Files holds releases/ and rulestore.sum.
//
//go:embed releases rulestore.sum
var Files embed.FS

// Cases holds tests/.
//
//go:embed tests
var Cases embed.FS
