package site

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/markdown"
	"rulestore/server/page"
)

// ImpactPath is the prefix of dependencies of items and calculations.
const ImpactPath = "/impact/"

// ToolsFolder is the folder of calculations below [ImpactPath].
const ToolsFolder = "tools"

const (
	// maxBranches is how many things an answer names that a thing is used by, or uses.
	maxBranches = 300
	// maxTwigs is how many it names of each of these in turn.
	maxTwigs = 5
)

// thing is what something depends on, or what depends on something.
type thing struct {
	target          string // how references name it
	kind, kindTitle string
	group           string // what things of the kind are called
	id, title, path string
}

// branch is a thing one step away, with those a step further.
type branch struct {
	thing
	sections []string // in which one names the other
	total    int      // things a step further
	twigs    []branch
}

// impact is who uses a thing, and what it uses, two steps deep.
type impact struct {
	thing
	users, uses           []branch
	usersTotal, usesTotal int
	second                int // things that use those which use it, and not itself
	draft                 *touched
}

// Impact returns the dependencies of a current item, of a part of it that has a code (section),
// or of a calculation, in both directions and two levels deep. It is nil if there is no such
// item, and the error is an [UnknownSection] if it has no part with that code.
func (s *Site) Impact(folder, name, section string) (*Resource, error) {
	whole, ok := s.thing(folder + "/" + name)
	if !ok {
		return nil, nil
	}
	if section != "" {
		if whole, ok = s.thing(name + "/" + section); !ok || folder != content.Registries.Folder {
			return nil, s.unknownCode(folder, name, section)
		}
	}
	i := s.impact(whole)
	frame := s.frame
	r := jsonResource(func() Body { return s.impactJSON(i) })
	r.Representations = append(r.Representations, represent(markdownType, time.Time{}, nil, func() Body {
		return Body{Bytes: s.impactMarkdown(i)}
	}))
	return r.with(frame, func() page.Page { return s.impactPage(i, folder, name, section) }), nil
}

// unknownCode says that there is nothing with a code in an item, and what there is.
func (s *Site) unknownCode(folder, name, section string) *UnknownSection {
	u := &UnknownSection{Address: section, Where: "Записей с кодами здесь нет: уберите section."}
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
			section, beginning(all, section),
		), "Здесь это адрес записи справочника, например "+all[0]+"."
	}
	return u
}

// thing finds what a target is called, and where it is.
func (s *Site) thing(target string) (t thing, ok bool) {
	l, ok := s.titled.all[target]
	if !ok {
		return t, false
	}
	t = thing{target: target, title: l.Title, path: strings.TrimPrefix(l.Href, s.frame.Root)}
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

func (s *Site) impact(whole thing) impact {
	n := s.naming()
	i := impact{thing: whole, draft: s.touchedBy(whole.target)}
	second := map[string]bool{}
	for _, m := range n.by[whole.target] {
		for _, further := range n.by[m.target] {
			second[further.target] = true
		}
	}
	delete(second, whole.target)
	for _, m := range n.by[whole.target] {
		delete(second, m.target)
	}
	i.second = len(second)
	i.users, i.usersTotal = s.branches(n.usersOf(whole.target), whole.target, n.usersOf)
	i.uses, i.usesTotal = s.branches(n.usedBy(whole.target), whole.target, n.usedBy)
	return i
}

// step is a thing a step away.
type step struct {
	target   string
	sections []string
}

// usersOf lists what names a target.
func (n *naming) usersOf(target string) (all []step) {
	for _, m := range n.by[target] {
		all = append(all, step{m.target, m.sections})
	}
	return all
}

// usedBy lists what a target names, each once.
func (n *naming) usedBy(target string) (all []step) {
	r := n.from[target]
	if r == nil {
		return nil
	}
	known := map[string]bool{target: true}
	for _, to := range r.names {
		targets := []string{to.target}
		if isWord(to.target) {
			targets = n.words[to.target]
		}
		for _, t := range targets {
			if !known[t] {
				known[t] = true
				all = append(all, step{t, to.sections})
			}
		}
	}
	return all
}

// branches are the things that steps lead to, as far as they are known, and how many there are.
func (s *Site) branches(steps []step, root string, further func(string) []step) (all []branch, total int) {
	for _, to := range steps {
		t, ok := s.thing(to.target)
		if !ok {
			continue
		}
		total++
		if total > maxBranches {
			continue
		}
		b := branch{thing: t, sections: to.sections}
		for _, next := range further(to.target) {
			if next.target == root {
				continue
			}
			if twig, ok := s.thing(next.target); ok {
				if b.total++; b.total <= maxTwigs {
					b.twigs = append(b.twigs, branch{thing: twig, sections: next.sections})
				}
			}
		}
		all = append(all, b)
	}
	return all, total
}

func (t thing) write(o *object, c Config) {
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

// branchesJSON writes things, and under a name those a step further.
func (s *Site) branchesJSON(all []branch, name string) []Body {
	return bodies(all, func(b branch) Body {
		var o object
		b.write(&o, s.config)
		if b.sections != nil {
			o.value("sections", b.sections[:min(len(b.sections), maxNaming)])
		}
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
