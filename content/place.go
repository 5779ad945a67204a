package content

import "strings"

// ItemAt returns the item whose file stands at a path: directly in the folder of its
// kind, or in sub-folders by area, which are no part of its name. Where names contain
// folders ([Kind].Folders), there are no areas: all of the path is the name. It is not ok
// for a path at which no item can stand.
func ItemAt(path string) (k *Kind, name string, ok bool) {
	k, area, name, ok := placed(path, itemSuffix)
	return k, name, ok && k.ValidName(name) && validArea(area)
}

// Plain returns the path that a file would have without areas: the same for every place
// in which the file of an item, or that of its seals, may stand. A path of anything else
// stays as it is.
func Plain(path string) string {
	if k, name, ok := ItemAt(path); ok {
		return k.File(name)
	}
	if item, ok := SealedItem(path); ok {
		return SealsPath(item)
	}
	return path
}

// FileIn returns the path of the item with that name in sub-folders by area; "" is none.
func (k *Kind) FileIn(area, name string) string {
	if area == "" {
		return k.File(name)
	}
	return k.Folder + "/" + area + "/" + name + itemSuffix
}

// ValidArea reports whether items of this kind can stand in sub-folders of that name.
func (k *Kind) ValidArea(area string) bool { return area == "" || !k.Folders && validArea(area) }

// SealsBeside returns the path for the seals of the item whose file stands at a path: in
// the same area, so that no folder of seals is larger than that of their items.
func SealsBeside(path string) string {
	return SealsFolder + "/" + strings.TrimSuffix(path, itemSuffix) + sealsSuffix
}

// itemSuffix is how the names of files of items end.
const itemSuffix = ".yaml"

// placed takes a path in the folder of a kind apart.
func placed(path, suffix string) (k *Kind, area, name string, ok bool) {
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

// validArea reports whether folders can be an area. Their names follow the rules for
// names of items, and none looks like that of a file.
func validArea(area string) bool {
	if area == "" {
		return true
	}
	for part := range strings.SplitSeq(area, "/") {
		if strings.HasSuffix(part, itemSuffix) || strings.HasSuffix(part, ".yml") || strings.HasSuffix(part, sealsSuffix) {
			return false
		}
	}
	return ValidName(area)
}
