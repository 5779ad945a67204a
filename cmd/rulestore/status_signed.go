package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
)

// signed is a publication with its signers.
type signed struct {
	Tag string `json:"tag"`
	content.Signature
}

// addSigners adds the signers of the versions of an item.
func (s *report) addSigners(it *content.Item) {
	for _, e := range it.Entries {
		if e.SignedBy != (content.Signature{}) {
			s.Signed = append(s.Signed, signed{e.Tag(), e.SignedBy})
		}
	}
}

// printSignatures writes for each key the number of its signatures with the tags, then the signers of
// the root files in force, or which of these wait for a signature.
func (s *report) printSignatures(e *env, w io.Writer) {
	by := map[content.Signature][]string{}
	for _, one := range s.Signed {
		by[one.Signature] = append(by[one.Signature], one.Tag)
	}
	keys := make([]content.Signature, 0, len(by))
	for key := range by {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b content.Signature) int {
		return strings.Compare(a.Signer+a.Key+a.Object, b.Signer+b.Key+b.Object)
	})
	for _, key := range keys {
		e.printer.Fprintf(
			w, "  %s %s, %s: %s\n", content.Printable(key.Signer), content.Printable(key.Key), key.Object,
			i18n.Count{N: len(by[key]), Noun: "publication"},
		)
		for _, tag := range by[key] {
			fmt.Fprintf(w, "    %s\n", content.Printable(tag))
		}
	}
	for _, f := range s.Other {
		if f.Rule == "unsigned" && f.Tag == "" {
			fmt.Fprintf(w, "  %s\n", content.Printable(f.String()))
		}
	}
	for _, v := range s.Vouched {
		e.printer.Fprintf(
			w, "  %s of commit %s: %s %s\n", v.File, content.ShortCommit(v.Commit),
			content.Printable(v.SignedBy.Signer),
			v.SignedBy.Key,
		)
	}
}
