package api

import (
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/schemas"
)

// formats are where the formats of items are.
func formats() []*Operation {
	return []*Operation{{
		Name: "format", ID: "getFormat", Path: FormatsPath + "{folder}/{format}.json", Tag: "Форматы",
		Title: "Формат вида элементов",
		About: "JSON Schema, по которой проверено содержание этого вида. На него указывает ссылка " +
			"`describedby`. Выпущенный формат не меняется. Заголовок Accept не учитывается.",
		Params:  []*Param{formatFolder, format},
		Answer:  newAnswer("JSON Schema.", kept, newForm(SchemaType, "FormatDocument", "FormatDocument")),
		Missing: "NotFound", Lenient: true, AnyAccept: true,
	}, {
		Name: "item_format", ID: "getItemFormat", Path: FormatsPath + "{folder}/{name}/{format}.json", Tag: "Форматы",
		Title: "Формат одного элемента",
		About: "JSON Schema элемента, который не похож на другие того же вида. Заголовок Accept не " +
			"учитывается.",
		Params:  []*Param{formatFolder, formatName, format},
		Answer:  newAnswer("JSON Schema.", kept, newForm(SchemaType, "FormatDocument", "GetItemFormat")),
		Missing: "NotFound", Lenient: true, AnyAccept: true,
	}}
}

// folders are what there are formats of: kinds, then what else a repository has.
func folders() []string {
	all := kindFolders()
	var others []string
	for _, name := range schemas.Embedded().Folders() {
		if folder, _, _ := strings.Cut(name, "/"); !slices.Contains(all, folder) {
			others = append(others, folder)
		}
	}
	return append(all, slices.Compact(others)...)
}

// kindFolders are where items live.
func kindFolders() (all []string) {
	for _, k := range content.Kinds {
		all = append(all, k.Folder)
	}
	return all
}
