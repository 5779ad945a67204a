package i18n

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Read reads a catalogue of a package, which it embeds as YAML: texts, a list of pairs, and counts.
func Read(file []byte) (c Catalogue) {
	if err := yaml.Unmarshal(file, &c); err != nil {
		panic(fmt.Sprintf("an embedded catalogue: %v", err)) // tests read all of them
	}
	return c
}
