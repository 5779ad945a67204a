package author

import (
	"cmp"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
)

// readAt reads a commit of the repository.
func readAt[T any](
	r *Repository, commit string, read func(*git.Repo, git.OID) (T, error),
) (found T, err error) {
	repo, err := r.Source().Open() // first: its error for unsupported ids has the remedy
	if err != nil {
		return found, err
	}
	defer repo.Close()
	id, err := git.ParseOID(commit)
	if err != nil {
		return found, err
	}
	return read(repo, id)
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
