package schemas

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

//go:embed openapi.yaml
var openAPI []byte

// OpenAPI returns the description of the interface as YAML and as JSON: as it is written, and
// what follows from the rows of kinds of which that says nothing.
var OpenAPI = sync.OnceValues(func() (asYAML, asJSON []byte) {
	asYAML, asJSON, err := openAPIOf(content.Kinds, Embedded())
	if err != nil {
		panic(fmt.Sprintf("embedded openapi.yaml: %v", err)) // a test reads it
	}
	return asYAML, asJSON
})

func openAPIOf(kinds []*content.Kind, formats *Set) (asYAML, asJSON []byte, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(openAPI, &doc); err != nil {
		return nil, nil, err
	}
	added, err := describeKinds(doc.Content[0], kinds, formats)
	if err != nil {
		return nil, nil, err
	}
	asYAML = openAPI
	if added {
		if asYAML, err = yaml.Marshal(&doc); err != nil {
			return nil, nil, err
		}
	}
	asJSON, err = json.MarshalIndent(ordered{doc.Content[0]}, "", "  ")
	return asYAML, asJSON, err
}
