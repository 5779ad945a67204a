package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/schemas"
)

// repositoryFiles are the files of every new repository besides the content.
//
//go:embed all:repository
var repositoryFiles embed.FS

// templates returns the files by the path that they have in a new repository, the cases
// of the starter content among them.
func templates() (map[string][]byte, error) {
	files := map[string][]byte{}
	err := errors.Join(
		addFiles(files, repositoryFiles, "repository", "repository/"),
		addFiles(files, starter.Cases, content.CasesFolder, ""),
	)
	files["README.md"] = withKinds(files["README.md"], content.Kinds)
	return files, err
}

// withKinds adds to the table of folders those of kinds that it does not explain in words of its
// own.
func withKinds(readme []byte, kinds []*content.Kind) []byte {
	row := []byte("| `" + content.CasesFolder + "/` |")
	for _, k := range kinds {
		if folder := "`" + k.Folder + "/`"; !bytes.Contains(readme, []byte(folder)) {
			first, n := utf8.DecodeRuneInString(k.About)
			about := string(unicode.ToLower(first)) + strings.TrimSuffix(k.About[n:], ".")
			about = "| " + folder + " | " + strings.ToLower(k.Title) + ": " + about + " |\n"
			readme = bytes.Replace(readme, row, append([]byte(about), row...), 1)
		}
	}
	return readme
}

// addFiles adds the files of a folder, without the beginning of their paths.
func addFiles(files map[string][]byte, from embed.FS, folder, beginning string) error {
	return fs.WalkDir(from, folder, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files[strings.TrimPrefix(name, beginning)], err = from.ReadFile(name)
		return err
	})
}

const (
	// editorSchemas is where editors find the formats. They are copies, because an
	// author may have no server at hand; a format never changes once it is released.
	editorSchemas  = ".rulestore/schemas/"
	editorSettings = ".vscode/settings.json"
)

// addEditorSettings adds the formats, and to the settings of editors the files of each format, by which the YAML
// language server explains fields. What no format can say is up to the language server of this program.
func addEditorSettings(files map[string][]byte, items []string) error {
	set := schemas.Embedded()
	for name, document := range set.Documents() {
		raw := document()
		files[editorSchemas+name+".json"] = append(raw[:len(raw):len(raw)], '\n')
		if folder := path.Dir(name); len(set.Formats(folder)) > 1 {
			files[editorSchemas+folder+".json"] = schemaByFormat(folder, set.Formats(folder))
		}
	}
	mapping := editorMapping(set, items)
	object, err := json.Marshal(mapping)
	if err != nil {
		return err
	}
	var toml bytes.Buffer
	for _, schema := range slices.Sorted(maps.Keys(mapping)) {
		fmt.Fprintf(&toml, "%q = [\"%s\"]\n", schema, strings.Join(mapping[schema], `", "`))
	}
	for name, schemas := range map[string][]byte{
		editorSettings: object, ".zed/settings.json": object, ".helix/languages.toml": bytes.TrimSpace(toml.Bytes()),
	} {
		files[name] = bytes.Replace(files[name], []byte("SCHEMAS"), schemas, 1)
	}
	return nil
}

// schemaByFormat is a schema that checks a file against the format that it names itself,
// the newest if that is none of them.
func schemaByFormat(folder string, formats []string) []byte {
	field := "schema_version"
	if k := content.KindOf(folder); k != nil {
		field = k.Format
	}
	ref := func(format string) string { return `{"$ref": "` + path.Base(folder) + "/" + format + `.json"}` }
	newest := len(formats) - 1
	schema := ref(formats[newest])
	for _, format := range slices.Backward(formats[:newest]) {
		schema = `{"if": {"properties": {"` + field + `": {"const": "` + format + `"}}},` +
			"\n" + `"then": ` + ref(format) + ",\n" + `"else": ` + schema + "}"
	}
	return []byte(schema + "\n")
}

// editorMapping lists the files of each format; a folder that has several has one schema
// that chooses. Where some items have formats of their own, every file is named: a pattern would hold
// them against two formats.
func editorMapping(set *schemas.Set, items []string) map[string][]string {
	mapping := map[string][]string{}
	add := func(folder, pattern string) {
		formats := set.Formats(folder)
		key := "./" + editorSchemas + folder + ".json"
		if len(formats) == 1 {
			key = "./" + editorSchemas + folder + "/" + formats[0] + ".json"
		}
		mapping[key] = append(mapping[key], pattern)
	}
	add("rulestore", content.SettingsFile)
	add("lifecycle", content.LifecycleFile)
	add(content.CasesFolder, content.CasesFolder+"/**/*.yaml")
	for _, k := range content.Kinds {
		var own bool
		var names []string
		for _, file := range items {
			if name, ok := strings.CutPrefix(file, k.Folder+"/"); ok {
				names = append(names, strings.TrimSuffix(name, ".yaml"))
				own = own || content.FormatsOf(set, k, names[len(names)-1]) != k.Folder
			}
		}
		if !own {
			add(k.Folder, k.Folder+"/**/*.yaml")
			continue
		}
		for _, name := range names {
			add(content.FormatsOf(set, k, name), k.File(name))
		}
	}
	return mapping
}
