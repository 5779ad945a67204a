package content_test

import (
	"strings"
	"testing"

	"rulestore/content"
)

func TestItemAt(t *testing.T) {
	for path, want := range map[string]string{
		"guidelines/a.yaml":                                  "guidelines/a",
		"guidelines/product/a.yaml":                          "guidelines/a",
		"guidelines/product/cards/a.yaml":                    "guidelines/a",
		"guidelines/a/a.yaml":                                "guidelines/a",
		"schemas/a.yaml":                                     "schemas/a",
		"schemas/math/a.yaml":                                "schemas/math/a", // the folder is the name
		"guidelines/a.yml":                                   "",
		"guidelines/b.yaml/a.yaml":                           "",
		"guidelines/b.sum/a.yaml":                            "",
		"guidelines/Product/a.yaml":                          "",
		"guidelines/.hidden/a.yaml":                          "",
		"guidelines/versions/a.yaml":                         "",
		"guidelines//a.yaml":                                 "",
		"guidelines/../a.yaml":                               "",
		"guidelines/product/.yaml":                           "",
		"guidelines/product/versions.yaml":                   "",
		"guidelines.yaml":                                    "",
		"other/a.yaml":                                       "",
		"sealed/guidelines/product/a.yaml":                   "",
		"guidelines/" + strings.Repeat("a/", 200) + "a.yaml": "",
	} {
		t.Run(path, func(t *testing.T) {
			k, name, ok := content.ItemAt(path)
			if ok != (want != "") || ok && k.Folder+"/"+name != want {
				t.Errorf("got %v %q %v, want %q", k, name, ok, want)
			}
			plain := path
			if want != "" {
				plain = want + ".yaml"
			}
			if got := content.PlainPath(path); got != plain || content.PlainPath(got) != got {
				t.Errorf("plain: %q, want %q", got, plain)
			}
		})
	}
}

func TestSealedItemInAnArea(t *testing.T) {
	for path, want := range map[string]string{
		"sealed/guidelines/a.sum":               "guidelines/a",
		"sealed/guidelines/product/cards/a.sum": "guidelines/a",
		"sealed/schemas/math/a.sum":             "schemas/math/a",
		"sealed/guidelines/Product/a.sum":       "",
		"guidelines/a.sum":                      "",
	} {
		t.Run(path, func(t *testing.T) {
			if got, ok := content.SealedItem(path); got != want || ok != (want != "") {
				t.Errorf("got %q %v, want %q", got, ok, want)
			}
		})
	}
	for path, want := range map[string]string{
		"guidelines/a.yaml":         "sealed/guidelines/a.sum",
		"guidelines/product/a.yaml": "sealed/guidelines/product/a.sum",
		"schemas/math/a.yaml":       "sealed/schemas/math/a.sum",
	} {
		t.Run(path, func(t *testing.T) {
			if got := content.SealsBeside(path); got != want {
				t.Errorf("beside %s: %s, want %s", path, got, want)
			}
		})
	}
}
