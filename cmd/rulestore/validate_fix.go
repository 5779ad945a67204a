package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader"
	"rulestore/loader/author"
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
		if err := author.Replace(root, path, fixed); err != nil {
			return err
		}
		fmt.Fprintf(v.stderr, "mended %s: %s\n", content.Printable(path), strings.Join(rules, ", "))
	}
	return nil
}
