package loader

import (
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/loader/git"
)

// An item may stand in sub-folders by area, which its name does not have
// ([content.ItemAt]). Until the end of a load, findings about its file name it as
// [content.Kind].File does, so that nothing that is known of a file has to be found out
// again because it moved.

// locatePaths replaces the paths in findings about items' files by those at the head, or in the
// work tree if drafts are served.
func (b *build) locatePaths() {
	typed := map[string]string{}
	if b.work != nil {
		for path := range b.work.paths() {
			typed[content.PlainPath(path)] = path
		}
	}
	for i := range b.report.Findings {
		f := &b.report.Findings[i]
		if _, ok := itemAt(f.Path); !ok || f.Path != content.PlainPath(f.Path) {
			continue
		}
		if path, ok := typed[f.Path]; ok {
			f.Path = path
			continue
		}
		f.Path = b.history.Where(b.refs.Commit, f.Path)
	}
}

// inTwoPlaces reports items with files in several folders, which are ambiguous.
func inTwoPlaces(paths []string) (found []content.Finding) {
	slices.Sort(paths)
	first := map[string]string{}
	for _, path := range paths {
		if _, ok := itemAt(path); !ok {
			continue
		}
		name := content.PlainPath(path)
		other, twice := first[name]
		if twice {
			found = append(found, finding(path, say("two-places", "item", args{"file": other})))
		} else {
			first[name] = path
		}
	}
	return found
}

// misplacedEntry returns the reason why no tag can publish what is at a path, whatever its
// type.
func misplacedEntry(f git.File) []content.Finding {
	if f.Mode != git.Symlink && f.Mode != git.Submodule {
		found := misplaced(f.Path)
		for i := range found {
			if found[i].Rule == "name" { // what was committed before the rule was an error stops nobody
				found[i].Severity = content.Warning
			}
		}
		return found
	}
	folder, _, _ := strings.Cut(f.Path, "/") // in that of a kind, a link may look like an area
	if _, ok := itemAt(f.Path); ok || content.KindOf(folder) == nil {
		return nil // of an item, its publication says so; of seals, those do
	}
	return refusedMode(f.Path, f.Mode)
}
