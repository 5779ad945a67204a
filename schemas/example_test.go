package schemas_test

import (
	"fmt"

	"rulestore/schemas"
)

// A schema describes the fields of a format, and finds what violates it.
func Example() {
	set := schemas.Embedded()
	fmt.Println(set.Formats("scenarios"))
	schema := set.Schema("scenarios", "1.0")
	for _, f := range schema.Root().Fields[:3] {
		fmt.Println(f.Name, f.Required, f.Title)
	}
	for _, v := range schema.Validate(map[string]any{"colour": "red"})[:1] {
		fmt.Println(v.Text.Rule, v.Key)
	}
	// Output:
	// [1.0 1.1]
	// scenario_id true Идентификатор
	// schema_version true Версия формата
	// title true Название
	// missing-field scenario_id
}
