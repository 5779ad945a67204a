package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader/author"
	"rulestore/loader/worktree"
	"rulestore/schemas"
)

func newNew(e *env) *cobra.Command {
	var repo string
	c := newCommand("new", 2, 2, func(_ context.Context, args []string) error {
		return newItem(e, repo, args[0], args[1])
	})
	repoFlag(c.Flags(), &repo)
	return c
}

func newItem(e *env, dir, kind, name string) error {
	k, err := findKind(kind)
	if err != nil {
		return usageError{err}
	}
	if _, err := content.ParseTag(k.Folder + "/" + name + "/v1.0.0"); err != nil {
		return usageErrorf(
			"%q is no name of an item: use lower-case letters, digits, dots, hyphens and underscores", name,
		)
	}
	repo, err := author.Open(dir, e.environ, false)
	if err != nil {
		return err
	}
	file := k.File(name)
	paths, err := repo.Paths(k, name)
	if err == nil && len(paths) == 0 {
		paths, err = existing(repo.Dir, file)
	}
	if err != nil {
		return err
	}
	if len(paths) > 0 {
		return i18n.Errorf("%s is there already: choose another name", paths[0])
	}
	raw, err := skeleton(k, name)
	if err != nil {
		return err
	}
	if err := worktree.Write(repo.Dir, file, raw); err != nil {
		return err
	}
	return e.printer.Fprintf(
		e.stdout,
		"created %[1]s\nfill in what `rulestore validate %[1]s` lists, then: %[2]s add %[1]s && %[2]s commit -m \"…\"\n",
		file, e.gitCommand(repo.Dir),
	)
}

// existing is a path if something is there, whether or not it is the file of an item.
func existing(dir, file string) ([]string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if _, err = root.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return []string{file}, err
}

// findKind finds a kind by its folder or by its singular.
func findKind(name string) (*content.Kind, error) {
	var known []string
	for _, k := range content.Kinds {
		if name == k.Folder || name == k.Name {
			return k, nil
		}
		known = append(known, k.Folder)
	}
	otherwise := i18n.New(": choose %s", strings.Join(known, ", "))
	return nil, i18n.Errorf("there is no kind %q%v", name, suggestion("", name, known, otherwise))
}

// skeleton is the first content of a file: every field that its newest format requires.
func skeleton(k *content.Kind, name string) ([]byte, error) {
	id := `""`
	if k.NameIsID {
		id = name
	}
	set := schemas.Embedded()
	folder := content.FormatsOf(set, k, name)
	formats := set.Formats(folder)
	newest := formats[len(formats)-1]
	return set.Skeleton(folder, newest, map[string]string{k.ID: id, k.Format: fmt.Sprintf("%q", newest)})
}
