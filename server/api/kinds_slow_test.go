//go:build slow

package api

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"rulestore/content"
	"rulestore/schemas"
)

// A kind of which the description of the interface says nothing is described by its row and
// its format.
func TestDescriptionOfNewKind(t *testing.T) {
	format := `$schema: https://json-schema.org/draft/2020-12/schema
$id: urn:rulestore:tariffs:1.0
title: Тариф
description: Сколько поставщик берёт за услугу.
type: object
additionalProperties: false
required: [schema_version, tariff_id, title, price]
properties:
  schema_version: {title: Версия формата, description: Формат файла., const: "1.0"}
  tariff_id: {title: Идентификатор, description: Имя файла., type: string}
  title: {title: Название, description: Название тарифа., $ref: "#/$defs/text"}
  price: {$ref: "#/$defs/money"}
$defs:
  text: {title: Текст, description: Текст., type: string, minLength: 3}
  money: {title: Цена, description: Рубли и копейки., type: string, pattern: '^[0-9]+\.[0-9]{2}$'}
`
	formats := t.TempDir()
	if err := os.CopyFS(formats, os.DirFS("../../schemas")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(formats, "tariffs"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(formats, "tariffs", "1.0.yaml"), []byte(format), 0o644); err != nil {
		t.Fatal(err)
	}
	set, err := schemas.Load(os.DirFS(formats))
	if err != nil {
		t.Fatal(err)
	}
	for name, argument := range map[string]string{"by id": "tariff_id", "by name": "name"} {
		t.Run(name, func(t *testing.T) {
			tariffs := &content.Kind{
				Folder: "tariffs", Title: "Тарифы", Name: "tariff", About: "Цены услуг.",
				ID: "tariff_id", Version: "tariff_version", Format: "schema_version", Header: "X-Tariff",
				Path: "/api/v1/tariffs", List: true, NameIsID: argument == "tariff_id", Summary: []string{"title"},
			}
			doc, err := describe(append(slices.Clone(content.Kinds), tariffs), set)
			if err != nil {
				t.Fatal(err)
			}
			asYAML, asJSON := inBothForms(doc)
			for form, raw := range map[string][]byte{"YAML": asYAML, "JSON": asJSON} {
				doc, err := openapi3.NewLoader().LoadFromData(raw)
				if err != nil {
					t.Fatalf("%s: %v", form, err)
				}
				if err := doc.Validate(t.Context()); err != nil {
					t.Errorf("%s: %v", form, err)
				}
				at := "/api/v1/tariffs/{" + argument + "}"
				for _, path := range []string{"/api/v1/tariffs", at, at + "/versions", at + "/versions/{version}"} {
					if doc.Paths.Value(path) == nil || doc.Paths.Value(path).Get == nil {
						t.Errorf("%s has no %s", form, path)
					}
				}
				found := doc.Components.Schemas
				codes := found["Problem"].Value.Properties["code"].Value.Enum
				counted := found["HealthCounts"].Value.Properties["items"].Value.PropertyNames.Value.Enum
				if !slices.Contains(codes, any("tariff_not_found")) || !slices.Contains(codes, any("internal")) ||
					!slices.Contains(found["FoundKind"].Value.Enum, any("tariff")) ||
					!slices.Contains(counted, any("tariffs")) {
					t.Errorf("%s: problems %v, kinds found %v and counted %v", form, codes,
						found["FoundKind"].Value.Enum, counted)
				}
				discovery := found["Discovery"].Value
				if discovery.Properties["tariffs"] == nil || !slices.Contains(discovery.Required, "tariffs") ||
					found["DiscoveredTariff"].Value.Properties["tariff_id"] == nil {
					t.Errorf("%s: the document for programs is %v, %v", form, discovery.Properties, discovery.Required)
				}
				item := found["Tariff"].Value
				price, title := item.Properties["price"],
					doc.Components.Schemas["TariffSummary"].Value.Properties["title"]
				if price == nil || price.Value.Pattern == "" || title == nil || title.Value.MinLength != 3 ||
					item.Properties["tariff_version"] == nil || item.Properties["content_checksum"] == nil {
					t.Errorf("%s: the item is %v", form, item.Properties)
				}
			}
		})
	}
}
