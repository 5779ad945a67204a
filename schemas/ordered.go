package schemas

import (
	"encoding/json"

	"go.yaml.in/yaml/v3"
)

// FromYAML converts a YAML document to JSON, keeping the order of its fields.
func FromYAML(text []byte) (json.RawMessage, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	return ordered{doc.Content[0]}.MarshalJSON()
}
