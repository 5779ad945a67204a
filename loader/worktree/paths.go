package worktree

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/log"
	"rulestore/loader/git"
)

// MaxSeals is the maximum size of a seal file, in bytes: more than five thousand lines.
const MaxSeals = 1 << 20

// singleFile is where early repositories had the seals of all items. It is not read.
const singleFile = "rulestore.sum"

// Followed reports whether a path is read: files in the root, YAML files in the folders of the
// kinds, seal files, and other entries at the place of such a folder.
func Followed(at string, m git.Mode) bool {
	folder, rest, nested := strings.Cut(at, "/")
	switch {
	case log.IsFile(at):
		return m.IsFile() || m == git.Folder
	case !nested && m == git.Folder:
		return content.KindOf(at) != nil || at == content.SealsFolder
	case !nested:
		return slices.Contains(tops, at) || at == content.CheckpointFile
	case m == git.Folder:
		return true
	case m == git.Symlink || m == git.Submodule:
		return content.KindOf(folder) != nil || folder == content.SealsFolder
	case folder == content.SealsFolder:
		return content.KindOf(rest) != nil || strings.EqualFold(path.Ext(rest), ".sum")
	}
	return content.KindOf(folder) != nil && (strings.HasSuffix(rest, ".yaml") || strings.HasSuffix(rest, ".yml"))
}

// Counts reports whether a path of a single state is read: followed paths and cases, which are
// never published. The log belongs to the history only, and what editors leave beside a file to
// nobody.
func Counts(at string, m git.Mode) bool {
	folder, rest, nested := strings.Cut(at, "/")
	if m != git.Folder && leftByEditor(path.Base(at)) {
		return false
	}
	if content.KindOf(folder) != nil && nested && m.IsFile() {
		switch strings.ToLower(path.Ext(at)) {
		case ".yaml", ".yml", ".json": // what cannot be published is to be said
			return true
		}
	}
	if folder != content.CasesFolder {
		return Followed(at, m) && at != content.CheckpointFile && !log.IsFile(at)
	}
	return m == git.Folder || nested && (strings.HasSuffix(rest, ".yaml") || strings.HasSuffix(rest, ".yml"))
}

// leftByEditor reports whether a file is a lock, a copy or a draft of an editor (.#x.yaml, x.yaml~,
// #x.yaml#, .x.yaml.swp), or of author.Replace (.x.yaml.new).
func leftByEditor(name string) bool {
	hidden := strings.HasPrefix(name, ".") && path.Ext(name) != ".yaml"
	return hidden || strings.HasPrefix(name, ".#") || strings.HasPrefix(name, "#") || strings.HasSuffix(name, "~")
}

// Tops lists the names of relevant files and folders in the root of a repository: nothing else
// there is read or has to be watched.
func Tops() []string { return slices.Clone(tops) }

// IsContent reports whether a file at a path is part of the content of a work tree.
func IsContent(path string) bool { return Counts(path, git.Regular) }

var tops = func() []string {
	all := []string{
		content.SettingsFile, content.LifecycleFile, content.SealsFolder, content.CasesFolder, singleFile,
	}
	for _, k := range content.Kinds {
		all = append(all, k.Folder)
	}
	return all
}()

func Limit(path string) int64 {
	if content.HoldsSeals(path) {
		return MaxSeals
	}
	return check.MaxSize
}

// ItemAt returns the item whose file is at a path.
func ItemAt(path string) (content.Tag, bool) {
	kind, name, ok := content.ItemAt(path)
	return content.Tag{Kind: kind, Name: name}, ok
}

// InTwoPlaces reports items with files in several folders, which are ambiguous.
func InTwoPlaces(paths []string) (found []content.Finding) {
	slices.Sort(paths)
	first := map[string]string{}
	for _, path := range paths {
		if _, ok := ItemAt(path); !ok {
			continue
		}
		name := content.PlainPath(path)
		other, twice := first[name]
		if twice {
			found = append(found, SecondPlace(path, other))
		} else {
			first[name] = path
		}
	}
	return found
}

// SecondPlace is the finding about a second file of an item.
func SecondPlace(path, first string) content.Finding {
	return finding(path, say("two-places", "item", args{"file": first}))
}

// MisplacedEntry returns the reason why no tag can publish what is at a path, whatever its
// type.
func MisplacedEntry(f git.File) []content.Finding {
	if f.Mode != git.Symlink && f.Mode != git.Submodule {
		found := Misplaced(f.Path)
		for i := range found {
			if found[i].Rule == "name" { // what was committed before the rule was an error stops nobody
				found[i].Severity = content.Warning
			}
		}
		return found
	}
	folder, _, _ := strings.Cut(f.Path, "/") // in that of a kind, a link may look like an area
	if _, ok := ItemAt(f.Path); ok || content.KindOf(folder) == nil {
		return nil // of an item, its publication says so; of seals, those do
	}
	return refusedMode(f.Path, f.Mode)
}

// refusedPlace is the finding about a path whose content does not count: something in place of a folder, or
// a file under a name that cannot be published.
func refusedPlace(path string, m git.Mode) []content.Finding {
	folder, _, nested := strings.Cut(path, "/")
	switch {
	case path == content.SealsFolder:
		return MisplacedSeals(path)
	case path == singleFile, content.KindOf(folder) != nil && (!nested || m.IsFile()):
		return Misplaced(path)
	}
	return nil
}

// Misplaced returns the reason why no tag can publish what is at a path.
func Misplaced(path string) []content.Finding {
	folder, rest, nested := strings.Cut(path, "/")
	_, ok := ItemAt(path)
	switch {
	case path == singleFile:
		return []content.Finding{atStart(finding(path, say("seal-place", "single", nil)))}
	case folder == content.CasesFolder && strings.HasSuffix(rest, ".yml"):
		return []content.Finding{warning(path, say("name", "yml", nil))}
	case content.KindOf(folder) == nil || ok:
		return nil
	case !nested:
		return []content.Finding{finding(path, say("folder", "file", nil))}
	case strings.HasSuffix(rest, ".yml"):
		return []content.Finding{atStart(finding(path, say("name", "yml", nil)))}
	}
	s := say("name", "name", nil)
	for part := range strings.SplitSeq(strings.TrimSuffix(path, ".yaml"), "/") {
		spelled := check.Latin(part) // a Russian word is not to be mended letter by letter
		if nth, foreign := check.Foreign(part); nth > 0 && !strings.ContainsFunc(spelled, isForeign) {
			s = s.Advise(foreign)
			break
		}
	}
	return []content.Finding{atStart(finding(path, s))}
}

func isForeign(c rune) bool { return c >= utf8.RuneSelf }

// atStart puts a finding about a name where editors and programs show it.
func atStart(f content.Finding) content.Finding {
	f.Line, f.Column = 1, 1
	return f
}

// RefusedSeals returns the reason why nothing at a path is a seal.
func RefusedSeals(f git.File) []content.Finding {
	switch {
	case f.Mode == git.Several:
		return []content.Finding{finding(f.Path, say("two-places", "seals", nil))}
	case MisplacedSeals(f.Path) != nil:
		return MisplacedSeals(f.Path)
	case !f.Mode.IsFile():
		return []content.Finding{finding(f.Path, say("symlink", "seals", nil))}
	}
	return nil
}

// HoldsItem reports whether lines in a file at a path count.
func HoldsItem(path string) bool {
	_, ok := content.SealedItem(path)
	return ok
}

// MisplacedSeals returns the reason why no line at a path counts. Folders of kinds unknown to
// this build are ignored.
func MisplacedSeals(path string) []content.Finding {
	if HoldsItem(path) {
		return nil
	}
	folder, _, nested := strings.Cut(strings.TrimPrefix(path, content.SealsFolder+"/"), "/")
	known := slices.ContainsFunc(
		content.Kinds, func(k *content.Kind) bool { return strings.EqualFold(k.Folder, folder) },
	)
	switch {
	case path == content.SealsFolder, !nested && known:
		return []content.Finding{finding(path, say("folder", "file", nil))}
	case !known:
		return nil
	}
	return []content.Finding{finding(
		path, say("seal-place", "path", args{"file": content.SealsPath("<folder>/<name>")}),
	)}
}
