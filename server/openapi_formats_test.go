package server_test

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"rulestore/content"
	"rulestore/schemas"
)

// itemFormats says which format each schema of an item comes from.
var itemFormats = map[string]string{
	"Guideline": "guidelines", "GeneralInstruction": "instructions", "AssistantInstruction": "instructions/assistant",
	"Policy": "policies", "Profile": "profiles", "OutputSchema": "schemas", "Registry": "registries",
	"Taxonomy": "registries/taxonomy",
	"Glossary": "registries/glossary", "FraudSignals": "registries/fraud-signals",
	"FraudStates":    "registries/fraud-states",
	"FraudScenarios": "registries/fraud-scenarios", "FraudRoutes": "registries/fraud-routes",
	"AuthorityResources": "registries/authority-resources",
	"Parameter":          "parameters", "Calendar": "calendars", "Scenario": "scenarios",
}

// The fields of items are those of the newest formats, with the same types,
// values and patterns, and those that the service derives.
func TestOpenAPIFormats(t *testing.T) {
	set := schemas.Embedded()
	for name, folder := range itemFormats {
		all := set.Formats(folder)
		format := must(jsonschema.UnmarshalJSON(bytes.NewReader(set.Document(folder, all[len(all)-1]))))
		want := shape(format, format)
		got := shape(described().raw, map[string]any{"$ref": "#/components/schemas/" + name})
		kind := content.KindOf(strings.Split(folder, "/")[0])
		if len(all) > 1 { // what is served may be of any of them
			want["properties"].(map[string]any)[kind.Format] = map[string]any{"type": "string", "enum": anys(all)}
		}
		derived := []string{
			kind.Version, "status", "total", "published_at", "updated_at", "change_note",
			"canonical_url", "output_schema_url",
			"checksum_algorithm", "content_checksum", "fetched_at",
		}
		for _, f := range derived {
			delete(got["properties"].(map[string]any), f)
		}
		got["required"] = slices.DeleteFunc(got["required"].([]string),
			func(f string) bool { return slices.Contains(derived, f) })
		for _, difference := range differences(name, want, got) {
			t.Error(difference)
		}
	}
}

func anys(texts []string) (all []any) {
	for _, t := range texts {
		all = append(all, t)
	}
	return all
}

// shape is what a schema says about values, with what it refers to in its place
// and without what only authors need: lengths, counts and titles.
func shape(root, node any) map[string]any {
	n := node.(map[string]any)
	all := map[string]any{}
	if ref, ok := n["$ref"].(string); ok {
		target := root
		for step := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			target = target.(map[string]any)[step]
		}
		all = shape(root, target)
	}
	for key, value := range n {
		switch key {
		case "type", "enum", "const", "pattern", "format":
			all[key] = value
		case "required":
			all[key] = sortedTexts(value)
		case "items":
			all[key] = shape(root, value)
		case "oneOf":
			var options []any
			for _, v := range value.([]any) {
				options = append(options, shape(root, v))
			}
			all[key] = options
		case "properties":
			properties := map[string]any{}
			for name, v := range value.(map[string]any) {
				properties[name] = shape(root, v)
			}
			all[key] = properties
		}
	}
	if all["const"] != nil {
		delete(all, "type") // which it implies
	}
	return all
}

// sortedTexts returns the strings of a JSON array, sorted.
func sortedTexts(array any) (all []string) {
	for _, v := range array.([]any) {
		all = append(all, v.(string))
	}
	slices.Sort(all)
	return all
}

// differences lists where two shapes differ.
func differences(path string, want, got map[string]any) (all []string) {
	keys := maps.Clone(want)
	maps.Copy(keys, got)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		a, b := want[key], got[key]
		x, isObject := a.(map[string]any)
		y, areObjects := b.(map[string]any)
		switch {
		case reflect.DeepEqual(a, b):
		case isObject && areObjects:
			all = append(all, differences(path+"."+key, x, y)...)
		default:
			all = append(all, fmt.Sprintf("%s.%s: the format has %v, the document %v", path, key, a, b))
		}
	}
	return all
}
