package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"rulestore/content/check"
	"rulestore/loader"
	"rulestore/schemas"
)

// mend writes files anew in which something mechanical can be mended, and says
// which and what.
func (v *validation) mend(paths []string) error {
	tree, err := loader.ReadWorkTree(schemas.Embedded(), v.at.WorkTree)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(v.at.WorkTree)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, path := range slices.Sorted(maps.Keys(tree.Raw)) {
		wanted := len(paths) == 0 || slices.ContainsFunc(paths, func(p string) bool { return isIn(path, p) })
		if !wanted || !strings.HasSuffix(path, ".yaml") {
			continue
		}
		fixed, rules := check.Fix(path, tree.Raw[path])
		if len(rules) == 0 {
			continue
		}
		if err := replace(root, path, fixed); err != nil {
			return fmt.Errorf("mend %s: %w", path, err)
		}
		fmt.Fprintf(v.stderr, "mended %s: %s\n", path, strings.Join(rules, ", "))
	}
	return nil
}

// replace puts a new file in the place of an old one, as a whole or not at all.
func replace(root *os.Root, path string, data []byte) error {
	info, err := root.Stat(path)
	if err != nil {
		return err
	}
	next := path + ".rulestore-new"
	f, err := root.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is left from an interrupted run: remove it", next)
	} else if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(next, path)
	}
	if err != nil {
		return errors.Join(err, root.Remove(next))
	}
	return nil
}
