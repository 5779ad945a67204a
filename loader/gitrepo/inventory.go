package gitrepo

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"rulestore/content/i18n"
)

const (
	inventoryFile = "rulestore-inventory" // lists the files of the generation
	keptFile      = "rulestore-loaded"    // exists after the generation was read completely
)

// takeInventory writes the inventory of the generation.
func (g generation) takeInventory() error {
	lines, err := g.inventory()
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(string(g), inventoryFile), func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(lines, ""))
		return err
	})
}

// intact returns the difference of the generation from its inventory.
func (g generation) intact() error {
	raw, err := readWithin(filepath.Join(string(g), inventoryFile), maxInventory)
	if err != nil {
		return i18n.Errorf("the mirror has no inventory: %w", err)
	}
	now, err := g.inventory()
	if err != nil {
		return i18n.Errorf("the mirror cannot be looked through: %w", err)
	}
	if name := different(slices.Collect(strings.Lines(string(raw))), now); name != "" {
		return i18n.Errorf("the mirror is not as it was made: %s", name)
	}
	return nil
}

// maxInventory is the maximum size of an inventory, in bytes: there are at most a hundred
// packs.
const maxInventory = 1 << 20

// different names a file that differs in two inventories, "" if there is none.
func different(was, now []string) string {
	for _, line := range append(slices.Clone(was), now...) {
		if !slices.Contains(was, line) || !slices.Contains(now, line) {
			name, _, _ := strings.Cut(line, " ")
			return name
		}
	}
	return ""
}

// inventory lists the files of a generation, a line each with name, size and digest, without
// those that change or that killed programs leave.
func (g generation) inventory() (lines []string, err error) {
	if !looksBare(string(g)) {
		return nil, i18n.Errorf("it is no repository any more")
	}
	err = filepath.WalkDir(string(g), func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || path.Ext(file) == ".lock" {
			return err
		}
		if len(lines) == maxFiles {
			return i18n.Errorf("there are more than %d files in it", maxFiles)
		}
		rel, err := filepath.Rel(string(g), file)
		if err != nil {
			return err
		}
		line, err := describeFile(file, filepath.ToSlash(rel), e.Type())
		lines = append(lines, line)
		return err
	})
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" }), err
}

// maxFiles is far more than the files of a generation.
const maxFiles = 1000

// describeFile formats a line of an inventory: the name, the size and the digest of a file.
// Packs and indexes end with their digest, that of others is computed. Files that may change
// have no line.
func describeFile(file, name string, mode fs.FileMode) (string, error) {
	switch {
	case name == inventoryFile || name == keptFile:
		return "", nil
	case !mode.IsRegular():
		return name + " is no file\n", nil
	case name == fetchFile:
		return name + "\n", nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	size := info.Size()
	if path.Dir(name) == "objects/pack" {
		end := make([]byte, min(size, int64(len(OID{}))))
		_, err := f.ReadAt(end, size-int64(len(end)))
		return fmt.Sprintf("%s %d %x\n", name, size, end), err
	}
	h := sha256.New()
	_, err = io.Copy(h, io.LimitReader(f, maxPackedRefs))
	return fmt.Sprintf("%s %d %x\n", name, size, h.Sum(nil)), err
}

// keep records that the generation was read completely. On a read-only disk it is not
// recorded for the next process.
func (g generation) keep() {
	if !g.kept() {
		_ = os.WriteFile(filepath.Join(string(g), keptFile), nil, 0o644)
	}
}

// kept reports whether the generation was ever read completely.
func (g generation) kept() bool {
	_, err := os.Stat(filepath.Join(string(g), keptFile))
	return err == nil
}
