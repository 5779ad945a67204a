package site

import (
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/document"
	"rulestore/content/markdown"
)

// maxTouched is the maximum number of changed sections listed.
const maxTouched = 50

// touched is what a draft changes, and how many refer to it.
type touched struct {
	version, since string // the draft, and the published version
	class          change.Class
	sections       []touchedSection
	left           int // not listed
	users          int // referrers of the item or of changed sections, each once
}

// touchedSection is a section that a draft changes.
type touchedSection struct {
	address, title string
	class          change.Class
	users          int // referrers
}

// draftImpact returns what the draft of an item changes; nil if there is none, or nothing was
// published yet. For a record, it is the draft of its registry.
func (s *Site) draftImpact(target string) *touched {
	folder, name, _ := strings.Cut(target, "/")
	k := content.KindOf(folder)
	section := ""
	if k == nil && folder != ToolsFolder {
		k, name, section = content.Registries, folder, name
	}
	if k == nil {
		return nil
	}
	item := s.Snapshot.Item(k, name)
	if item == nil || item.Current == nil || !item.Current.Draft {
		return nil
	}
	e, before := item.Current, item.Current.Predecessor
	if before == nil || before.Draft || before.Status == content.Redacted || !before.Sound() || !e.Sound() {
		return nil
	}
	t := &touched{version: e.Version.String(), since: before.Version.String()}
	fields, class := change.Of(s.config.Schemas, e.Kind, e.Name, before.Body(), e.Body())
	t.class = class
	t.addSections(s.references(), item, section, fields, s.config.tree(before), s.config.tree(e))
	return t
}

// addSections lists the changed sections, each once with its highest class, and counts their referrers.
func (t *touched) addSections(
	n *references, item *content.Item, only string, fields []change.Field, before, now *document.Node,
) {
	at, using := map[string]int{}, map[string]bool{}
	count := func(target string) int {
		for _, m := range n.incoming[target] {
			using[m.target] = true
		}
		return len(n.incoming[target])
	}
	count(item.ID())
	for _, f := range fields {
		address, title := sectionOf(f.Path, now)
		if old, oldTitle := sectionOf(f.Path, before); len(old) > len(address) {
			address, title = old, oldTitle
		}
		if only != "" && address != only && !strings.HasPrefix(address, only+"/") {
			continue
		}
		i, known := at[address]
		if !known {
			i, at[address] = len(t.sections), len(t.sections)
			t.sections = append(
				t.sections, touchedSection{address: address, title: title, users: count(item.Name + "/" + address)},
			)
		}
		t.sections[i].class = max(t.sections[i].class, f.Class)
	}
	slices.SortStableFunc(t.sections, func(a, b touchedSection) int { return int(b.class) - int(a.class) })
	if len(t.sections) > maxTouched {
		t.sections, t.left = t.sections[:maxTouched], len(t.sections)-maxTouched
	}
	t.users = len(using)
}

// sectionOf is the section of a changed path, and its title: an element of a list, else a field;
// rules[fees].action is in rules/fees.
func sectionOf(path string, root *document.Node) (address, title string) {
	fields, rest, element := strings.Cut(path, "[")
	steps := strings.Split(fields, ".")
	if code, _, ok := strings.Cut(rest, "]"); element && ok {
		steps = append(steps, code)
	}
	n := root
	for _, step := range steps {
		next := n.Child(step)
		if next == nil {
			break
		}
		n, address, title = next, strings.TrimPrefix(address+"/"+step, "/"), line(sectionTitle(next))
	}
	return address, title
}

func (t *touched) json(s *Site) Body {
	var o object
	o.text("version", t.version)
	o.text("since", t.since)
	o.text("change", t.class.String())
	o.value("used_by_total", t.users)
	o.array("sections", bodies(t.sections, func(section touchedSection) Body {
		var o object
		o.text("section", section.address)
		o.optional("title", section.title)
		o.text("change", section.class.String())
		o.value("used_by_total", section.users)
		return o.end()
	}))
	o.count("sections_left", t.left)
	return o.end()
}

func (t *touched) markdown(w *markdown.Plain) {
	w.Heading("Что затронет черновик " + t.version)
	w.Text("После " + t.since + ": " + changeClass(t.class).Title + ". Использующих: " + strconv.Itoa(t.users) + ".")
	for _, section := range t.sections {
		w.Item(section.title, changeClass(section.class).Title, section.address)
	}
}
