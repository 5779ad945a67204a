package git

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
	"rulestore/content/i18n"
)

// releaseFile describes the commit of a folder of releases/.
const releaseFile = "release.yaml"

// changesFile is the diff of a folder of releases/.
const changesFile = "changes.diff"

// pinnedFile has the seals of all releases.
const pinnedFile = "rulestore.sum"

// ReadReleases reads a script in the form of folders: releases/<number>-<name>/ has the files
// that a commit adds, changes.diff with what it changes in others (as `git diff -U0` prints it), and
// release.yaml with the commit's date, message, removals and tags. rulestore.sum beside releases/ has
// all seals; each commit gets the files of seals with the lines of the tags made so far.
func ReadReleases(fsys fs.FS) (Script, error) {
	dirs, err := fs.ReadDir(fsys, "releases")
	if err != nil {
		return nil, err
	}
	seals, err := fs.ReadFile(fsys, pinnedFile)
	if err != nil {
		return nil, err
	}
	var script Script
	pinned := sealsByTag(seals)
	tree := map[string][]byte{}
	for _, dir := range dirs {
		step, err := readRelease(fsys, path.Join("releases", dir.Name()))
		if err != nil {
			return nil, i18n.Errorf("%s: %w", dir.Name(), err)
		}
		changed, err := applyDiff(tree, step.Files[changesFile])
		if err != nil {
			return nil, i18n.Errorf("%s: %s: %w", dir.Name(), changesFile, err)
		}
		delete(step.Files, changesFile)
		maps.Copy(step.Files, changed)
		for _, t := range step.Tags {
			if line := pinned[t.Name]; line != nil {
				path := content.SealsPath(content.Seal{Tag: t.Name}.Item())
				lines := slices.Collect(bytes.Lines(slices.Concat(tree[path], line)))
				slices.SortFunc(lines, bytes.Compare)
				tree[path] = bytes.Join(lines, nil)
				step.Files[path] = tree[path]
			}
		}
		maps.Copy(tree, step.Files)
		for _, name := range step.Remove {
			delete(tree, name)
		}
		script = append(script, step)
	}
	return script, nil
}

func readRelease(fsys fs.FS, dir string) (ScriptCommit, error) {
	var meta struct {
		Date    time.Time
		Message string
		Remove  []string
		Tags    []NewTag
	}
	raw, err := fs.ReadFile(fsys, path.Join(dir, releaseFile))
	if err != nil {
		return ScriptCommit{}, err
	}
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	if err := dec.Decode(&meta); err != nil {
		return ScriptCommit{}, i18n.Errorf("%s: %w", releaseFile, err)
	}
	step := ScriptCommit{
		Date: meta.Date, Message: meta.Message, Remove: meta.Remove, Tags: meta.Tags, Files: map[string][]byte{},
	}
	err = fs.WalkDir(fsys, dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || name == path.Join(dir, releaseFile) {
			return err
		}
		step.Files[strings.TrimPrefix(name, dir+"/")], err = fs.ReadFile(fsys, name)
		return err
	})
	return step, err
}

// sealsByTag returns the lines by their tags, each with its end.
func sealsByTag(seals []byte) map[string][]byte {
	lines := map[string][]byte{}
	for line := range bytes.Lines(seals) {
		tag, _, _ := bytes.Cut(line, []byte(" "))
		lines[string(tag)] = line
	}
	return lines
}
