package author

import (
	"cmp"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
)

// placesAt returns the paths of the files of items at a commit, see [loader.ReadPlaces].
func (r *Repository) placesAt(commit string) (map[string]string, error) {
	repo, err := r.Source().Open()
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	id, err := gitrepo.ParseOID(commit)
	if err != nil {
		return nil, err
	}
	return loader.ReadPlaces(repo, id)
}

// file returns the path of an item's file at the head of the plan.
func (p *Plan) file(k *content.Kind, name string) string {
	plain := k.File(name)
	return cmp.Or(p.places[plain], plain)
}

// everywhere returns the pathspec of an item's file in any sub-folder: moving it between these
// does not change the item.
func everywhere(k *content.Kind, name string) string {
	if k.Folders {
		return k.File(name)
	}
	return ":(glob)" + k.Folder + "/**/" + name + ".yaml"
}

// Paths returns the paths of an item's files in a work tree: one, unless it is in several
// folders by mistake.
func (r *Repository) Paths(k *content.Kind, name string) ([]string, error) {
	return loader.FindItem(r.Dir, k, name)
}
