package site

import (
	"net/url"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/page"
)

const (
	// drawnBranches is the maximum number of nodes at distance one in a graph, drawnTwigs that of
	// nodes beyond each of these; the others are collapsed.
	drawnBranches, drawnTwigs = 10, 3
	// nestedUpTo is the number of things up to which a list includes those at distance two.
	nestedUpTo = 30
	// maxDependents is the maximum number of things in a list.
	maxDependents = 150
	// maxDependence is its approximate maximum size, in bytes.
	maxDependence = 20 << 10
)

// impactPath is the address of the impact of a target, with a query for a code.
func impactPath(target string) string {
	folder, rest, _ := strings.Cut(target, "/")
	if content.KindOf(folder) != nil || folder == ToolsFolder {
		return api.ImpactPath + target
	}
	return api.ImpactPath + content.Registries.Folder + "/" + folder + "?section=" + page.SectionQuery(rest)
}

func (s *Site) impactPage(i impact, folder, name, section string) page.Impact {
	frame, path := s.frame, api.ImpactPath+folder+"/"+name
	query := url.Values{}
	if section != "" {
		query.Set("section", section)
	}
	p := page.Impact{
		Head: page.Head{
			Title: "Что от чего зависит: " + i.title, Path: frame.Root + path,
			Formats: formats(frame, path, query, api.JSONType, api.MarkdownType),
			Crumbs:  crumbs(frame, page.Link{Title: i.title, Href: frame.Root + i.path}),
		},
		Kind: i.kindTitle, ID: i.id, Total: i.usersTotal, Second: i.second,
		Users: s.dependence(i.node, i.users, i.usersTotal, func(b branch) node { return b.node }),
		Uses:  s.dependence(i.node, i.uses, i.usesTotal, func(branch) node { return i.node }),
	}
	p.Users.Graph.ID, p.Users.Graph.Title, p.Users.Graph.Up = "users", "Кто использует «"+i.title+"»", true
	p.Uses.Graph.ID, p.Uses.Graph.Title = "uses", "На что опирается «"+i.title+"»"
	if t := i.draft; t != nil {
		p.Draft = t.page()
	}
	return p
}

// dependence is a graph of things, and the same as a list. naming returns the end of a branch
// that has the reference.
func (s *Site) dependence(root node, all []branch, total int, naming func(branch) node) page.Dependence {
	d := page.Dependence{Total: total, Graph: page.Graph{Root: s.leaf(branch{node: root})}}
	byKind, size := map[string]int{}, 0
	for i, b := range all {
		if i < drawnBranches {
			leaf := s.leaf(b)
			for _, t := range b.twigs[:min(len(b.twigs), drawnTwigs)] {
				leaf.Leaves = append(leaf.Leaves, s.leaf(t))
			}
			leaf.More = b.total - len(leaf.Leaves)
			d.Graph.Root.Leaves = append(d.Graph.Root.Leaves, leaf)
		}
		nested := len(all) <= nestedUpTo
		if size += b.size(nested); i >= maxDependents || size > maxDependence {
			continue
		}
		at, known := byKind[b.group]
		if !known {
			at, byKind[b.group] = len(d.Groups), len(d.Groups)
			d.Groups = append(d.Groups, page.DependenceGroup{Title: b.group})
		}
		d.Groups[at].Things = append(d.Groups[at].Things, s.dependent(b, naming(b), nested))
		d.Left--
	}
	d.Graph.Root.More = total - len(d.Graph.Root.Leaves)
	d.Left += total
	slices.SortStableFunc(d.Groups, func(a, b page.DependenceGroup) int { return len(b.Things) - len(a.Things) })
	return d
}

// size is the approximate size of a thing in a list, in bytes.
func (b branch) size(nested bool) int {
	const markup = 100
	n := markup + len(b.title) + len(b.path) + len(b.id)
	for _, t := range b.twigs {
		if nested {
			n += markup/2 + len(t.title) + len(t.path)
		}
	}
	return n
}

func (s *Site) leaf(b branch) page.Leaf {
	return page.Leaf{Title: b.title, Code: b.kindTitle + " · " + b.id, Href: s.frame.Root + b.path}
}

// dependent is a thing in a list, with the section of the reference, and the things at
// distance two if they fit.
func (s *Site) dependent(b branch, naming node, nested bool) page.Dependent {
	d := page.Dependent{Title: b.title, Href: s.frame.Root + b.path, ID: b.id, Total: b.total}
	if len(b.sections) > 0 && naming.kind != "record" {
		d.Where = s.sectionLink(naming, b.sections[0])
	}
	if nested {
		for _, t := range b.twigs {
			d.Further = append(d.Further, page.Link{Title: t.title, Href: s.frame.Root + t.path})
		}
		d.Left = b.total - len(b.twigs)
	}
	return d
}

// sectionLink links a section of an item, with its title; nil if the thing is not an item.
func (s *Site) sectionLink(t node, section string) *page.Link {
	item := s.Snapshot.ItemByID(t.target)
	if item == nil || item.Current == nil {
		return nil
	}
	return s.sectionOf(item.Current, section, s.frame.Root+t.path)
}

// page is the changes of a draft, for people.
func (t *touched) page() *page.Touched {
	p := &page.Touched{Version: t.version, Since: t.since, Class: changeClass(t.class), Users: t.users, Left: t.left}
	for _, section := range t.sections {
		p.Sections = append(p.Sections, page.TouchedSection{
			Title: section.title, Address: section.address, Class: changeClass(section.class), Users: section.users,
		})
	}
	return p
}
