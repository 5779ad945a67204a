package loader

import (
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/loader/gitrepo"
)

// An item may stand in sub-folders by area, which its name does not have
// ([content.ItemAt]). Until the end of a load, findings about its file name it as
// [content.Kind].File does, so that nothing that is known of a file has to be found out
// again because it moved.

// locate gives findings about files of items the paths that these have at the head, or in
// the work tree where drafts are served.
func (b *build) locate() {
	typed := map[string]string{}
	if b.work != nil {
		for _, f := range b.work.files {
			typed[content.Plain(f.path)] = f.path
		}
	}
	for i := range b.report.Findings {
		f := &b.report.Findings[i]
		if _, ok := itemFile(f.Path); !ok || f.Path != content.Plain(f.Path) {
			continue
		}
		if path, ok := typed[f.Path]; ok {
			f.Path = path
			continue
		}
		f.Path = b.history.Where(b.refs.Commit, f.Path)
	}
}

// inTwoPlaces finds items of which files stand in more than one folder: nobody knows
// which of them is meant.
func inTwoPlaces(paths []string) (found []content.Finding) {
	slices.Sort(paths)
	first := map[string]string{}
	for _, path := range paths {
		if _, ok := itemFile(path); !ok {
			continue
		}
		name := content.Plain(path)
		other, twice := first[name]
		if twice {
			found = append(found, finding(path, say("two-places", "item", args{"file": other})))
		} else {
			first[name] = path
		}
	}
	return found
}

// misplacedEntry says why no tag can publish what is at a path, whatever that is.
func misplacedEntry(f gitrepo.File) []content.Finding {
	if f.Mode == gitrepo.Symlink || f.Mode == gitrepo.Submodule {
		return misplacedLink(f)
	}
	return misplaced(f.Path)
}

// misplacedLink says why nothing is read at a path in the folder of a kind at which there
// is a link: it may stand where people think of an area.
func misplacedLink(f gitrepo.File) []content.Finding {
	folder, _, _ := strings.Cut(f.Path, "/")
	if _, ok := itemFile(f.Path); ok || content.KindOf(folder) == nil {
		return nil // of an item, its publication says so; of seals, those do
	}
	return refusedMode(f.Path, f.Mode)
}
