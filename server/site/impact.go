package site

import (
	"cmp"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/markdown"
	"rulestore/server/page"
)

// ToolsFolder is the folder of calculations below [api.ImpactPath].
const ToolsFolder = "tools"

const (
	// maxBranches is the maximum number of direct dependencies listed in each direction.
	maxBranches = 300
	// maxTwigs is the maximum number of indirect ones listed of each of these.
	maxTwigs = 5
)

// node is an item, a record or a calculation in the graph of references.
type node struct {
	target          string // as references name it
	kind, kindTitle string
	group           string // title of the kind for a group of nodes
	id, title, path string
}

// branch is a node one step away, with those a step further.
type branch struct {
	node
	sections []string // with the references
	total    int      // number of nodes a step further
	twigs    []branch
}

// impact is the dependencies of a node in both directions, two steps deep.
type impact struct {
	node
	users, uses           []branch
	usersTotal, usesTotal int
	second                int // indirect users that are not direct ones
	draft                 *touched
}

// Impact returns the dependencies of a current item, of a part of it that has a code (section),
// or of a calculation, in both directions and two levels deep. It is nil if there is no such
// item, what the address of a redacted one answers, and the error is an [UnknownSection] if it
// has no part with that code.
func (s *Site) Impact(folder, name, section string) (*Resource, error) {
	whole, ok := s.node(folder + "/" + name)
	if !ok {
		return s.redacted(content.KindOf(folder), name), nil
	}
	if section != "" {
		if whole, ok = s.node(name + "/" + section); !ok || folder != content.Registries.Folder {
			return nil, s.unknownCode(folder, name, section)
		}
	}
	i := s.impact(whole)
	return jsonResource(func() Body { return s.impactJSON(i) }).
		withMarkdown(func() []byte { return s.impactMarkdown(i) }).
		with(s.frame, func() page.Page { return s.impactPage(i, folder, name, section) }), nil
}

// unknownCode is the error for a code that an item does not have.
func (s *Site) unknownCode(folder, name, section string) *UnknownSection {
	u := &UnknownSection{Unknown{Value: section, Where: "Записей с кодами здесь нет: уберите section."}}
	k := content.KindOf(folder)
	if k != content.Registries {
		return u
	}
	var all []string
	for _, code := range s.codes[s.Snapshot.Item(k, name).Current.Publication] {
		all = append(all, code.target)
	}
	if len(all) > 0 {
		u.Near, u.Where = check.Nearest(
			section, withSamePrefix(all, section),
		), "Здесь это адрес записи справочника, например "+all[0]+"."
	}
	return u
}

// node returns the node of a target, false if there is none.
func (s *Site) node(target string) (t node, ok bool) {
	l, ok := s.titled.all[target]
	if !ok {
		return t, false
	}
	t = node{target: target, title: l.Title, path: strings.TrimPrefix(l.Href, s.frame.Root)}
	folder, name, _ := strings.Cut(target, "/")
	switch k := content.KindOf(folder); {
	case folder == ToolsFolder:
		t.kind, t.kindTitle, t.group, t.id = calculationKind.name, calculationKind.title, "Расчёты", name
	case k != nil:
		t.kind, t.kindTitle, t.group, t.id = k.Name, k.Title, k.Title, name
		if item := s.Snapshot.Item(k, name); item != nil && item.Current != nil {
			t.id, t.kindTitle = item.Current.ID(), s.config.format(item.Current.Publication).Root().Title
		}
	default:
		found := recordKind(folder)
		t.kind, t.kindTitle, t.group = found.name, found.title, found.title
		t.id = name[strings.LastIndexByte(name, '/')+1:]
	}
	t.title = cmp.Or(t.title, t.id)
	return t, true
}

func (s *Site) impact(whole node) impact {
	n, ends := s.references(), s.referenceTargets(whole.target)
	i := impact{node: whole, draft: s.draftImpact(whole.target)}
	users := joined(ends, n.usersOf)
	direct, second := map[string]bool{}, map[string]bool{}
	for _, end := range ends {
		direct[end] = true
	}
	for _, u := range users {
		direct[u.target] = true
	}
	for _, u := range users {
		for _, further := range n.incoming[u.target] {
			if !direct[further.target] {
				second[further.target] = true
			}
		}
	}
	i.second = len(second)
	i.users, i.usersTotal = s.branches(users, ends, n.usersOf)
	i.uses, i.usesTotal = s.branches(joined(ends, n.usesOf), ends, n.usesOf)
	return i
}

// referenceTargets are the targets of the references to a node: its own and, of a registry, those of its
// records.
func (s *Site) referenceTargets(target string) []string {
	all := []string{target}
	if item := s.Snapshot.ItemByID(target); item != nil && item.Kind == content.Registries && item.Current != nil {
		for _, record := range s.codes[item.Current.Publication] {
			all = append(all, item.Name+"/"+record.target)
		}
	}
	return all
}

// edge is a reference to or from a node.
type edge struct {
	target   string
	sections []string
}

// joined are the edges of several targets to others, one for each of these.
func joined(targets []string, edges func(string) []edge) (all []edge) {
	index := map[string]int{}
	for _, target := range targets {
		index[target] = -1 // not an other one
	}
	for _, target := range targets {
		for _, to := range edges(target) {
			switch i, known := index[to.target]; {
			case !known:
				index[to.target] = len(all)
				all = append(all, to)
			case i >= 0:
				all[i].sections = union(all[i].sections, to.sections)
			}
		}
	}
	return all
}

// usersOf lists the references to a target.
func (n *references) usersOf(target string) (all []edge) {
	for _, m := range n.incoming[target] {
		all = append(all, edge{m.target, m.sections})
	}
	return all
}

// usesOf lists the references of a target, one for each thing that it refers to.
func (n *references) usesOf(target string) (all []edge) {
	r := n.outgoing[target]
	if r == nil {
		return nil
	}
	known := map[string]bool{target: true}
	for _, to := range r.referrals {
		targets := []string{to.target}
		if isWord(to.target) {
			targets = n.words[to.target]
		}
		for _, t := range targets {
			if !known[t] {
				known[t] = true
				all = append(all, edge{t, to.sections})
			}
		}
	}
	return all
}

// branches returns the nodes at the other ends of edges, up to maxBranches, and their total.
func (s *Site) branches(edges []edge, roots []string, further func(string) []edge) (all []branch, total int) {
	own := map[string]bool{}
	for _, root := range roots {
		own[root] = true
	}
	for _, to := range edges {
		t, ok := s.node(to.target)
		if !ok {
			continue
		}
		total++
		if total > maxBranches {
			continue
		}
		b := branch{node: t, sections: to.sections}
		for _, next := range further(to.target) {
			if own[next.target] {
				continue
			}
			if twig, ok := s.node(next.target); ok {
				if b.total++; b.total <= maxTwigs {
					b.twigs = append(b.twigs, branch{node: twig, sections: next.sections})
				}
			}
		}
		all = append(all, b)
	}
	return all, total
}

func (t node) write(o *object, c Config) {
	o.text("kind", t.kind)
	o.text("id", t.id)
	o.text("title", t.title)
	o.text("url", c.url(t.path))
}

func (s *Site) impactJSON(i impact) Body {
	var o object
	i.write(&o, s.config)
	o.text("date", s.Snapshot.Date)
	o.value("used_by_total", i.usersTotal)
	o.array("used_by", s.branchesJSON(i.users, "used_by"))
	o.value("second_total", i.second)
	o.value("uses_total", i.usesTotal)
	o.array("uses", s.branchesJSON(i.uses, "uses"))
	if i.draft != nil {
		o.raw("draft", i.draft.json(s).Bytes)
	}
	o.fetchedAt()
	return o.end()
}

// branchesJSON writes branches, with their twigs under a name.
func (s *Site) branchesJSON(all []branch, name string) []Body {
	return bodies(all, func(b branch) Body {
		var o object
		b.write(&o, s.config)
		o.texts("sections", b.sections[:min(len(b.sections), maxNaming)])
		if b.total > 0 {
			o.value(name+"_total", b.total)
			o.array(name, s.branchesJSON(b.twigs, name))
		}
		return o.end()
	})
}

func (s *Site) impactMarkdown(i impact) []byte {
	w := markdown.NewPlain(i.title, []string{i.kindTitle, "`" + i.id + "`", s.Snapshot.Date})
	list := func(title string, all []branch, total int) {
		w.Heading(title + ": " + strconv.Itoa(total))
		for _, b := range all {
			w.Item(b.title, b.kindTitle, s.URL(b.path))
			for _, t := range b.twigs {
				w.Within(t.title, t.id)
			}
			if left := b.total - len(b.twigs); left > 0 {
				w.Within("ещё", strconv.Itoa(left))
			}
		}
		if left := total - len(all); left > 0 {
			w.Text("И ещё: " + strconv.Itoa(left))
		}
	}
	if i.draft != nil {
		i.draft.markdown(w)
	}
	list("Кто использует", i.users, i.usersTotal)
	list("На что опирается", i.uses, i.usesTotal)
	return w.Bytes()
}
