package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/author"
	"rulestore/schemas"
)

type newFlags struct{ repo, from string }

func newNew(e *env) *cobra.Command {
	var f newFlags
	c := &cobra.Command{
		Use:   "new KIND ID",
		Short: "Begin the file of a new item",
		Long: `Write the file of a new item into the work tree, with every field that its format
requires and, above each, what the schema says of it. What is left to fill in,
validate lists. With --from the file begins as a copy of another item's.

KIND is a folder, guidelines, or what one of its items is called, guideline.`,
		Example: `  rulestore new guideline product.cards.001
  rulestore new guidelines product.cards.002 --from product.cards.001`,
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error { return newItem(e, f, args[0], args[1]) },
	}
	c.Flags().StringVar(&f.repo, "repo", ".", "the repository, or a folder inside it")
	c.Flags().StringVar(&f.from, "from", "", "the item to begin with a copy of, of the same kind")
	return c
}

func newItem(e *env, f newFlags, kind, name string) error {
	k, err := kindNamed(kind)
	if err != nil {
		return usageError{err}
	}
	if _, err := content.ParseTag(k.Folder + "/" + name + "/v1.0.0"); err != nil {
		return usageError{fmt.Errorf("%q is no name of an item: use lower-case letters, digits, dots, hyphens and underscores", name)}
	}
	repo, err := author.Open(f.repo, false)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(repo.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	file := k.File(name)
	if _, err := root.Lstat(file); err == nil {
		return fmt.Errorf("%s is there already: choose another name", file)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	raw, err := f.draft(root, k, name)
	if err != nil {
		return err
	}
	if err := root.MkdirAll(path.Dir(file), 0o755); err != nil {
		return err
	}
	if err := author.Replace(root, file, raw); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.stdout, "created %[1]s\nfill in what `rulestore validate %[1]s` lists, then: %[2]s add %[1]s && %[2]s commit -m \"…\"\n", file, gitFor(repo.Dir))
	return err
}

// kindNamed finds a kind by its folder or by what one of its items is called.
func kindNamed(name string) (*content.Kind, error) {
	var known []string
	for _, k := range content.Kinds {
		if name == k.Folder || name == k.Name {
			return k, nil
		}
		known = append(known, k.Folder)
	}
	if near := check.Nearest(name, known); near != "" {
		return nil, fmt.Errorf("there is no kind %q: did you mean %s?", name, near)
	}
	return nil, fmt.Errorf("there is no kind %q: choose %s", name, strings.Join(known, ", "))
}

// draft is what the file begins with.
func (f newFlags) draft(root *os.Root, k *content.Kind, name string) ([]byte, error) {
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
	from := strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(f.from, "./"), ".yaml"), k.Folder+"/")
	file, err := root.Open(k.File(from))
	if err != nil {
		return nil, fmt.Errorf("--from %s: %w", f.from, err)
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, check.MaxSize))
	if err != nil {
		return nil, fmt.Errorf("--from %s: %w", f.from, err)
	}
	own := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(k.ID) + `:.*$`)
	return own.ReplaceAllLiteral(raw, []byte(k.ID+": "+id)), nil
}
