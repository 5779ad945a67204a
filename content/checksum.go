package content

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Algorithm is the only checksum algorithm.
const Algorithm = "sha256"

// Derived lists the top-level fields that the service derives. They are not part of the
// checksum, and authors cannot use the names. The list is closed: changing it would change
// every checksum ever cited.
var Derived = []string{
	"status", "published_at", "updated_at", "change_note", "canonical_url",
	"discovery_urls", "output_schema_url", "total", "content_checksum", "fetched_at",
}

// Checksum returns the checksum of an item as it is served: "sha256:" and the hex SHA-256 of
// the RFC 8785 canonical JSON of the item without its derived fields (design, section 5).
func Checksum(item Object) (string, error) {
	canonical, err := Canonical(item)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(canonical)
	return Algorithm + ":" + hex.EncodeToString(sum[:]), nil
}

// Canonical returns the bytes that [Checksum] hashes.
//
// Every checksum ever cited depends on them, and the library that writes them has no stable
// version yet. So its version is only changed together with the tests of this package: the
// examples and numbers of the standard, its author's corpus, a second library and jq, and the
// checksum of every starter publication.
func Canonical(item Object) ([]byte, error) {
	kept := make(Object, 0, len(item))
	for _, m := range item {
		if !slices.Contains(Derived, m.Name) {
			kept = append(kept, m)
		}
	}
	canonical := jsontext.Value(kept.AppendJSON(nil))
	if err := canonical.Canonicalize(); err != nil {
		return nil, fmt.Errorf("canonical form: %w", err)
	}
	return canonical, nil
}

var checksumForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// ValidChecksum reports whether s has the form of a checksum.
func ValidChecksum(s string) bool { return checksumForm.MatchString(s) }
