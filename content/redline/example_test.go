package redline_test

import (
	"encoding/json"
	"fmt"

	"rulestore/content"
	"rulestore/content/redline"
	"rulestore/schemas"
)

// Two versions of an item are compared field by field.
func ExampleOf() {
	var before, after content.Object
	for text, version := range map[string]*content.Object{
		`{"schema_version": "1.0", "title": "Вклад", "rules": [{"rule_id": "compare", "action": "Сравнить ставки"}]}`: &before,
		`{"schema_version": "1.0", "title": "Вклады", "rules": []}`:                                                   &after,
	} {
		if err := json.Unmarshal([]byte(text), version); err != nil {
			fmt.Println(err)
			return
		}
	}
	r := redline.Of(schemas.Embedded(), content.Guidelines, "product.deposit.001", before, after)
	for _, c := range r.Changes {
		fmt.Println(c.ID, c.What, c.Class)
	}
	fmt.Println(r.Class)
	// Output:
	// title changed wording
	// rules/compare removed breaking
	// breaking
}
