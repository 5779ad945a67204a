package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/i18n"
	"rulestore/loader/author"
	"rulestore/loader/worktree"
	"rulestore/schemas"
)

type newFlags struct{ repo, from string }

func newNew(e *env) *cobra.Command {
	var f newFlags
	c := newCommand("new", 2, 2, func(_ context.Context, args []string) error {
		return newItem(e, f, args[0], args[1])
	})
	repoFlag(c.Flags(), &f.repo)
	c.Flags().StringVar(&f.from, "from", "", "")
	return c
}

func newItem(e *env, f newFlags, kind, name string) error {
	k, err := findKind(kind)
	if err != nil {
		return usageError{err}
	}
	if _, err := content.ParseTag(k.Folder + "/" + name + "/v1.0.0"); err != nil {
		return usageErrorf(
			"%q is no name of an item: use lower-case letters, digits, dots, hyphens and underscores", name,
		)
	}
	repo, err := author.Open(f.repo, e.environ, false)
	if err != nil {
		return err
	}
	if paths, err := repo.Paths(k, name); err != nil || len(paths) > 0 {
		return errors.Join(err, existsError(paths))
	}
	file := k.File(name)
	root, err := os.OpenRoot(repo.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if _, err := root.Lstat(file); err == nil {
		return existsError([]string{file})
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	raw, err := f.initialContent(repo, root, k, name)
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
	return nil, i18n.Errorf("there is no kind %q%v", name, suggestion(name, known, otherwise))
}

func existsError(paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	return i18n.Errorf("%s is there already: choose another name", paths[0])
}

// copySource is the path of the file to begin with a copy of.
func (f newFlags) copySource(repo *author.Repository, k *content.Kind) (string, error) {
	from := strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(f.from, "./"), ".yaml"), k.Folder+"/")
	if _, name, ok := content.ItemAt(k.Folder + "/" + from + ".yaml"); ok {
		from = name
	}
	paths, err := repo.Paths(k, from)
	if err != nil || len(paths) == 0 {
		return k.File(from), err
	}
	return paths[0], nil
}

// initialContent is the initial content of the file.
func (f newFlags) initialContent(repo *author.Repository, root *os.Root, k *content.Kind, name string) ([]byte, error) {
	id := `""`
	if k.NameIsID {
		id = name
	}
	if f.from == "" {
		set := schemas.Embedded()
		folder := content.FormatsOf(set, k, name)
		formats := set.Formats(folder)
		newest := formats[len(formats)-1]
		return set.Skeleton(folder, newest, map[string]string{k.ID: id, k.Format: fmt.Sprintf("%q", newest)})
	}
	path, err := f.copySource(repo, k)
	if err != nil {
		return nil, err
	}
	file, err := root.Open(path)
	if err != nil {
		return nil, i18n.Errorf("--from %s: %w", f.from, err)
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, check.MaxSize))
	if err != nil {
		return nil, i18n.Errorf("--from %s: %w", f.from, err)
	}
	own := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(k.ID) + `:.*$`)
	return own.ReplaceAllLiteral(raw, []byte(k.ID+": "+id)), nil
}
