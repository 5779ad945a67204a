package site

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/document"
	"rulestore/content/i18n"
	"rulestore/server/page"
)

// ComparePath is below what two versions of an item are compared.
const ComparePath = "/compare/"

const (
	// maxDifferences is how many differences a page shows, however short they are.
	maxDifferences = 300
	// maxShown is how long both sides of a difference are that a page shows, in bytes:
	// beside one of that length there is room for no other.
	maxShown = 64 << 10
)

// comparison is where two versions are compared.
func comparison(frame *page.Frame, item *content.Item, from, to *content.Entry) string {
	return frame.Root + ComparePath + item.ID() + "?from=" + from.Version.String() + "&to=" + to.Version.String()
}

// changed sums up what one version changed of another.
func (c Config) changed(frame *page.Frame, item *content.Item, from, to *content.Entry) *page.Changed {
	fields, class := change.Of(c.Schemas, item.Kind, item.Name, from.Body(), to.Body())
	return &page.Changed{Since: from.Version.String(), Class: changeClass(class), Count: len(fields), Href: comparison(frame, item, from, to)}
}

// Compare is the page that shows two versions of an item side by side, from one of
// their differences on.
func (s *Site) Compare(item *content.Item, from, to *content.Entry, offset int) *Resource {
	return PageOnly(s.frame, func() page.Page { return s.config.comparePage(s.frame, item, from, to, offset) })
}

// Served lists the versions of an item that can be read, the highest first: all
// that are not redacted.
func Served(item *content.Item) (all []*content.Entry) {
	for _, e := range item.Entries {
		if e.Status != content.Redacted {
			all = append(all, e)
		}
	}
	return all
}

// Compared are the versions of an item that are compared if nobody says otherwise:
// the current one, or else the highest that can be read, with the one before it. An
// only one is compared with itself; nil if there is none.
func Compared(item *content.Item) (from, to *content.Entry) {
	served := Served(item)
	if len(served) == 0 {
		return nil, nil
	}
	to = served[0]
	if item.Current != nil {
		to = item.Current
	}
	from = to.Predecessor
	for from != nil && from.Status == content.Redacted {
		from = from.Predecessor
	}
	if from == nil {
		from = to
	}
	return from, to
}

// choicesOf are the versions of which two are compared.
func (c Config) choicesOf(frame *page.Frame, item *content.Item, from, to *content.Entry) (all []page.Version) {
	for _, e := range Served(item) {
		v := c.versionLine(frame, e)
		v.From, v.To = e == from, e == to
		all = append(all, v)
	}
	return all
}

func (c Config) comparePage(frame *page.Frame, item *content.Item, from, to *content.Entry, offset int) page.Compare {
	base := item.Kind.ItemPath(item.Name)
	title := cmp.Or(to.Body().Text("title"), to.ID())
	p := page.Compare{
		Head: page.Head{
			Title: "Что изменилось: " + title, Path: frame.Root + ComparePath + item.ID(),
			Crumbs: crumbs(frame, page.Link{Title: item.Kind.Title, Href: frame.Root + item.Kind.Path},
				page.Link{Title: title, Href: frame.Root + to.Path()}, page.Link{Title: "Версии", Href: frame.Root + base + "/versions"}),
		},
		ID: to.ID(), From: c.versionLine(frame, from), To: c.versionLine(frame, to), Choices: c.choicesOf(frame, item, from, to),
	}
	fields, class := change.Of(c.Schemas, item.Kind, item.Name, from.Body(), to.Body())
	p.Class, p.Summary = changeClass(class), summaries[class]
	p.Counts = counts(fields)
	root := c.format(to.Publication).Root()
	offset = min(offset, len(fields))
	p.Differences = c.differences(frame, root, fields[offset:])
	for i := range p.Differences {
		p.Differences[i].ID = "d-" + strconv.Itoa(offset+i+1)
	}
	before := slices.Clone(fields[max(0, offset-maxDifferences):offset])
	slices.Reverse(before)
	at := func(offset int) string {
		return address(p.Path, parameters(map[string]string{"from": from.Version.String(), "to": to.Version.String(), "offset": unless(offset, 0)}))
	}
	p.Pager = pager(at, offset-len(c.differences(frame, root, before)), offset, len(p.Differences), len(fields))
	return p
}

// counts say how many differences there are of each class, the gravest first.
func counts(fields []change.Field) (all []page.Status) {
	for _, c := range []struct {
		change.Class
		forms [3]string
	}{
		{change.Breaking, [3]string{"ломающее", "ломающих", "ломающих"}},
		{change.Addition, [3]string{"дополнение", "дополнения", "дополнений"}},
		{change.Wording, [3]string{"формулировка", "формулировки", "формулировок"}},
	} {
		n := 0
		for _, f := range fields {
			if f.Class == c.Class {
				n++
			}
		}
		if n > 0 {
			all = append(all, page.Status{Code: c.String(), Title: page.Count(n, c.forms)})
		}
	}
	return all
}

// differences are the first of these, as many as fit on a page.
func (c Config) differences(frame *page.Frame, root *content.Field, fields []change.Field) []page.Difference {
	effort := change.NewEffort()
	return page.Fitting(min(len(fields), maxDifferences), func(i int) page.Difference { return c.difference(frame, root, fields[i], effort) })
}

func (c Config) difference(frame *page.Frame, root *content.Field, f change.Field, effort *change.Effort) page.Difference {
	d := page.Difference{Title: f.Title, Path: f.Path, What: russian().Sprint(f.What), Class: changeClass(f.Class), Why: russian().Sprint(f.Why), Look: lookAt(f.Look)}
	switch {
	case len(f.Old)+len(f.New) > maxShown:
		d.Note = "Слишком длинно, чтобы показать рядом. Прочтите это в самих версиях."
	case f.Prose():
		d.Old.Words, d.New.Words, d.Note = words(effort, scalar(f.Old), scalar(f.New))
	default:
		field := fieldAt(root, f.Path)
		d.Old, d.New = c.side(frame, field, f.Old), c.side(frame, field, f.New)
	}
	return d
}

// words are two texts, each with what the other does not have marked, and what is to be
// said of how they were compared.
func words(effort *change.Effort, before, after string) (old, changed []page.Word, note string) {
	segments, grain := effort.Words(before, after)
	for _, s := range segments {
		if s.What != change.Added {
			old = append(old, page.Word{Text: s.Text, Own: s.What == change.Removed})
		}
		if s.What != change.Removed {
			changed = append(changed, page.Word{Text: s.Text, Own: s.What == change.Added})
		}
	}
	return old, changed, grains[grain]
}

var grains = map[change.Grain]string{
	change.ByLine:   "Текст слишком длинный, чтобы сравнить его по словам: сравнены строки.",
	change.AsAWhole: "Текст слишком длинный, чтобы сравнить его по словам: отмечено всё между одинаковыми началом и концом.",
}

// side is a value as one version has it.
func (c Config) side(frame *page.Frame, field *content.Field, raw json.RawMessage) page.Side {
	if len(raw) == 0 {
		return page.Side{None: true}
	}
	name := "value"
	var o content.Object
	if json.Unmarshal(raw, &o) != nil {
		o = content.Object{{Name: name, Value: raw}}
		named := content.Field{Name: name, Title: "Значение"}
		if field != nil {
			named = *field
			named.Name = name
		}
		field = &content.Field{Fields: []*content.Field{&named}}
	}
	d := page.Draw(document.Read(o, field), page.Drawing{Own: c.BaseURL, Root: frame.Root, Bare: true})
	return page.Side{Title: title(o), HTML: d.Whole()}
}

// fieldAt follows a path such as rules[fees].action through a schema.
func fieldAt(f *content.Field, path string) *content.Field {
	for path != "" && f != nil {
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			return f.Field(path)
		}
		if end > 0 {
			f = f.Field(path[:end])
		}
		if path[end] == '[' {
			closing := strings.IndexByte(path, ']')
			if closing < 0 || f == nil {
				return nil
			}
			f, path = f.Items, strings.TrimPrefix(path[closing+1:], ".")
			continue
		}
		path = path[end+1:]
	}
	return f
}

func changeClass(c change.Class) page.Status {
	return page.Status{Code: c.String(), Title: russian().Sprint(c)}
}

var summaries = map[change.Class]string{
	change.None:     "Содержание одинаковое.",
	change.Wording:  "Формулировки другие, смысл задуман прежним.",
	change.Addition: "Добавлено то, чего не было; прежнее осталось.",
	change.Breaking: "Что-то убрано или сужено: кто полагался на прежнюю версию, должен прочесть новую.",
}

// russian writes what content/change says.
var russian = sync.OnceValue(func() *i18n.Printer { return i18n.Russian(change.Russian) })

// lookAt is what a person should look at, in Russian.
func lookAt(looks change.Looks) string {
	all := make([]string, len(looks))
	for i, l := range looks {
		all[i] = capital(russian().Sprint(l))
		if len(l.Lost)+len(l.Came) > 0 {
			all[i] += "."
		}
	}
	return strings.Join(all, " ")
}

// capital begins a sentence.
func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}
