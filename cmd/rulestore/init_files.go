package main

import (
	"embed"
	"encoding/json"
	"io/fs"
	"strings"

	"rulestore/content"
	"rulestore/schemas"
)

// repositoryFiles are what every new repository begins with besides content.
//
//go:embed all:repository
var repositoryFiles embed.FS

// templates returns the files by the path that they have in a new repository.
func templates() (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(repositoryFiles, "repository", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files[strings.TrimPrefix(path, "repository/")], err = repositoryFiles.ReadFile(path)
		return err
	})
	return files, err
}

const (
	// editorSchemas is where editors find the formats. They are copies, because an
	// author may have no server at hand; a format never changes once it is released.
	editorSchemas  = ".rulestore/schemas/"
	editorSettings = ".vscode/settings.json"
)

// addEditorSettings adds the formats, and the settings by which an editor with
// the YAML language server finds the one of each file, and VS Code the language server
// of this program. The settings of other editors are files like any other.
func addEditorSettings(files map[string][]byte, items []string) error {
	set := schemas.Embedded()
	for name, raw := range set.Documents() {
		files[editorSchemas+name+".json"] = append(raw[:len(raw):len(raw)], '\n')
	}
	settings := struct {
		Schemas map[string][]string `json:"yaml.schemas"`
		Format  bool                `json:"yaml.format.enable"` // it would rewrite the layout of whole files
		EOL     string              `json:"files.eol"`

		// VS Code has no client for servers that bring no extension; this is one's.
		Command   string   `json:"glspc.server.command"`
		Arguments []string `json:"glspc.server.commandArguments"`
		Languages []string `json:"glspc.server.languageId"`
	}{editorMapping(set, items), false, "\n", "rulestore", []string{"lsp"}, []string{"yaml"}}
	raw, err := json.MarshalIndent(settings, "", "  ")
	files[editorSettings] = append(raw, '\n')
	return err
}

// editorMapping lists the files of each format, the newest of its folder. Where
// some items have formats of their own, every file is named: a pattern would hold
// them against two formats.
func editorMapping(set *schemas.Set, items []string) map[string][]string {
	mapping := map[string][]string{}
	add := func(folder, pattern string) {
		formats := set.Formats(folder)
		key := "./" + editorSchemas + folder + "/" + formats[len(formats)-1] + ".json"
		mapping[key] = append(mapping[key], pattern)
	}
	add("rulestore", content.SettingsFile)
	add("lifecycle", content.LifecycleFile)
	for _, k := range content.Kinds {
		var own bool
		var names []string
		for _, path := range items {
			if name, ok := strings.CutPrefix(path, k.Folder+"/"); ok {
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
