package schemas

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed openapi.yaml
var openAPI []byte

// OpenAPI returns the description of the interface, as it is written and as JSON.
var OpenAPI = sync.OnceValues(func() (asYAML, asJSON []byte) {
	var doc yaml.Node
	err := yaml.Unmarshal(openAPI, &doc)
	if err == nil {
		asJSON, err = json.MarshalIndent(ordered{doc.Content[0]}, "", "  ")
	}
	if err != nil {
		panic(fmt.Sprintf("embedded openapi.yaml: %v", err)) // a test reads it
	}
	return openAPI, asJSON
})
