package content

import "strings"

// ItemAt returns the item whose file is at a path: directly in the folder of its kind, or in
// sub-folders by area, which are not part of its name. If names contain folders
// ([Kind].Folders), there are no areas: the whole path is the name. The result is not ok if no
// item can be at the path.
func ItemAt(path string) (k *Kind, name string, ok bool) {
	k, area, name, ok := splitPath(path, itemSuffix)
	return k, name, ok && k.ValidName(name) && validArea(area)
}

// PlainPath returns the path without areas: the same result for all possible paths of an item's
// file, or of its seal file. Any other path is returned unchanged.
func PlainPath(path string) string {
	if k, name, ok := ItemAt(path); ok {
		return k.File(name)
	}
	if item, ok := SealedItem(path); ok {
		return SealsPath(item)
	}
	return path
}

// FileIn returns the path of the item with that name in sub-folders by area; "" means no area.
func (k *Kind) FileIn(area, name string) string {
	if area == "" {
		return k.File(name)
	}
	return k.Folder + "/" + area + "/" + name + itemSuffix
}

// SealsBeside returns the path of the seal file for the item whose file is at a path: in the
// same area, so that no folder of seals is larger than that of the items.
func SealsBeside(path string) string {
	return SealsFolder + "/" + strings.TrimSuffix(path, itemSuffix) + sealsSuffix
}

// itemSuffix is the extension of files of items.
const itemSuffix = ".yaml"

// splitPath splits a path in the folder of a kind.
func splitPath(path, suffix string) (k *Kind, area, name string, ok bool) {
	folder, rest, _ := strings.Cut(path, "/")
	name, ok = strings.CutSuffix(rest, suffix)
	if k = KindOf(folder); k == nil || !ok {
		return k, "", "", false
	}
	if i := strings.LastIndexByte(name, '/'); i >= 0 && !k.Folders {
		area, name = name[:i], name[i+1:]
		ok = area != ""
	}
	return k, area, name, ok
}

// validArea reports whether folders can be an area. Their names follow the rules for names of
// items, and cannot be names of files.
func validArea(area string) bool {
	if area == "" {
		return true
	}
	for part := range strings.SplitSeq(area, "/") {
		if strings.HasSuffix(part, itemSuffix) || strings.HasSuffix(part, ".yml") ||
			strings.HasSuffix(part, sealsSuffix) {
			return false
		}
	}
	return ValidName(area)
}
