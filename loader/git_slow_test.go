//go:build slow

package loader_test

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLargeFileIsRefused(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0")
	r.write("guidelines/test.large.001.yaml", "")
	must(t, os.Truncate(filepath.Join(r.dir, "guidelines/test.large.001.yaml"), 100<<20))
	r.play("commit A large file; publish large 1.0.0")
	r.expect(r.load(), `1.0.0 current "Один"`, "refused guidelines/test.large.001/v1.0.0",
		"it has 104857600 bytes, at most 1048576 are allowed [size]")
}
