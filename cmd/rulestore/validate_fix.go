package main

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader"
	"rulestore/loader/worktree"
)

// applyFixes fixes files with mechanical errors, and lists the fixes. Files that a sparse checkout
// leaves out are listed and not changed.
func (v *validation) applyFixes() error {
	tree, err := loader.ReadCheckout(v.config, v.repo, v.at.Content())
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(tree.Raw)) {
		wanted := len(v.paths) == 0 || slices.ContainsFunc(v.paths, func(p string) bool { return isIn(path, p) })
		if !wanted || !strings.HasSuffix(path, ".yaml") {
			continue
		}
		fixed, rules := check.Fix(path, tree.Raw[path])
		if len(rules) == 0 {
			continue
		}
		if err := v.replace(path, fixed, strings.Join(rules, ", ")); err != nil {
			return err
		}
	}
	return nil
}

// replace replaces a file of the work tree, if it is checked out.
func (v *validation) replace(path string, fixed []byte, rules string) error {
	root, err := os.OpenRoot(v.at.Content())
	if err == nil {
		defer root.Close()
		_, err = root.Lstat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		v.printer.Fprintf(v.stderr, "not mended, because it is not checked out: %s: %s\n", content.Printable(path), rules)
		return nil
	case err != nil:
		return err
	}
	if err := worktree.Write(v.at.Content(), path, fixed); err != nil {
		return err
	}
	v.printer.Fprintf(v.stderr, "mended %s: %s\n", content.Printable(path), rules)
	return nil
}
