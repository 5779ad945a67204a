package document_test

import (
	"encoding/json"
	"testing"

	"rulestore/content"
	"rulestore/content/document"
)

// The type of a value is told by its form, its unit and what the schema says of the field.
func TestTypes(t *testing.T) {
	for _, tt := range []struct {
		item string
		of   content.Field
		want document.Type
	}{
		{`{"a":""}`, content.Field{}, document.Nothing},
		{`{"a":true}`, content.Field{}, document.Truth},
		{`{"a":5}`, content.Field{}, document.Figure},
		{`{"value":5,"unit":"RUB"}`, content.Field{}, document.Money},
		{`{"value":5,"unit":"percent"}`, content.Field{}, document.Percent},
		{`{"value":5,"unit":"month"}`, content.Field{}, document.Figure},
		{`{"a":["b"]}`, content.Field{}, document.Deep},
		{`{"a":"bank"}`, content.Field{Codes: "fraud-routes/routes"}, document.Name},
		{`{"a":"x.y"}`, content.Field{Reference: "parameters"}, document.Name},
		{`{"a":"https://www.cbr.ru/"}`, content.Field{}, document.Address},
		{`{"a":"2026-05-01"}`, content.Field{}, document.Day},
		{`{"a":"2026-05-41"}`, content.Field{}, document.Prose},
		{`{"a":"2026-05-01T10:00:00Z"}`, content.Field{}, document.Moment},
		{`{"a":"police_report"}`, content.Field{}, document.Word},
		{`{"a":"police_report"}`, content.Field{Prose: true}, document.Word},
		{`{"a":"rouble"}`, content.Field{}, document.Word},
		{`{"a":"rouble"}`, content.Field{Prose: true}, document.Prose},
		{`{"title":"police_report"}`, content.Field{}, document.Prose},
		{`{"a":"Банк обязан"}`, content.Field{}, document.Prose},
	} {
		t.Run(tt.item, func(t *testing.T) {
			var o content.Object
			if err := json.Unmarshal([]byte(tt.item), &o); err != nil {
				t.Fatal(err)
			}
			field := tt.of
			field.Name = o[0].Name
			root := document.Read(o, &content.Field{Fields: []*content.Field{&field, {Name: "unit"}}})
			if got := root.Kids[0].Type(); got != tt.want {
				t.Errorf("it is %v, expected %v", got, tt.want)
			}
		})
	}
}
