package api

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// taken are texts that older versions of YAML take for a truth.
var taken = regexp.MustCompile(`^(?i:yes|no|on|off|y|n)$`)

// inYAML writes JSON as YAML for people: in blocks, quotes only where they are needed.
func inYAML(raw json.RawMessage) []byte {
	var doc yaml.Node
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	err := yaml.Unmarshal(raw, &doc) // JSON is YAML
	if err == nil {
		inBlocks(&doc)
		err = e.Encode(&doc)
	}
	if err != nil {
		panic(err) // a test writes it
	}
	return out.Bytes()
}

func inBlocks(n *yaml.Node) {
	switch {
	case n.Tag == "!!str" && strings.Contains(n.Value, "\n"):
		n.Style = yaml.LiteralStyle
	case n.Tag != "!!str" || !taken.MatchString(n.Value):
		n.Style = 0
	}
	for _, in := range n.Content {
		inBlocks(in)
	}
}
