package document_test

import (
	"encoding/json"
	"fmt"

	"rulestore/content"
	"rulestore/content/document"
)

// An item is read in sections, whose addresses name fields and codes.
func ExampleRead() {
	var item content.Object
	if err := json.Unmarshal([]byte(`{"title": "Вклад", "rules": [
		{"rule_id": "compare", "action": "Сравнить ставки"}, {"rule_id": "keep", "action": "Хранить договор"}]}`), &item); err != nil {
		fmt.Println(err)
		return
	}
	schema := &content.Field{Fields: []*content.Field{
		{Name: "title"}, {Name: "rules", Unique: "rule_id", Items: &content.Field{}},
	}}
	root := document.Read(item, schema)
	for section := range root.Sections() {
		fmt.Println(section.Address)
	}
	fmt.Println(root.At("rules/keep/action").Text)
	// Output:
	// title
	// rules
	// rules/compare
	// rules/keep
	// Хранить договор
}
