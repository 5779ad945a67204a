// Package starter is the default content, as data: what the server serves when
// it is pointed at no repository, and what `rulestore init` begins with.
//
// releases/ holds one folder for each commit, in order: the files it adds or
// changes, and release.yaml with its date, message and tags. rulestore.sum
// holds the seal of every publication there ever was; a line once released is
// never changed, only added (`go test ./content/starter -update` adds what is
// new). The repository made of it goes through the same loader as any other.
//
// tests/ holds the cases that a new repository begins with: questions of people and
// their answers, requests and their results. Nothing is published of them, so they belong
// to no release: they are about what all releases come to.
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
