package site

import (
	"cmp"
	"iter"
	"maps"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/document"
	"rulestore/content/i18n"
	"rulestore/content/markdown"
	"rulestore/server/api"
)

// Comparison is a request to compare two versions of an item.
type Comparison struct {
	From, To      *content.Entry
	AsOf, InForce string // the as_of by which From was selected, "" if it was given directly
	Only          string // the class of changes to show; "": all
	Section       string // the section to show; "": all
	Offset        int
}

// Compared is a part of a comparison of two versions, the same in every format.
type Compared struct {
	Comparison
	differences
	Item  *content.Item
	Line  *timeline     // by which From was selected, nil if it was given directly
	Shown []*Difference // the requested changes of this part
	Total int           // number of requested changes
	Begin int           // number of those before the part
	Next  int           // where the next part begins; 0 if this is the last one
	now   Stretch       // what applies today, whatever was known then; none if there is no timeline of it
	url   string        // of the page of the part
}

// MaxChanges is the maximum number of changes in a part, and of those that differ in every version.
const MaxChanges = 60

// Compare returns the differences between two versions of an item, for people and for programs.
// If one of them cannot be read, it is what the address of that one answers, nil if there is
// nothing. The error is an [UnknownSection] if neither has the section. Recently requested parts
// are cached.
func (s *Site) Compare(item *content.Item, v Comparison) (r *Resource, err error) {
	for _, e := range []*content.Entry{v.From, v.To} {
		if res, yes := s.unreadable(e); yes {
			return res, nil
		}
	}
	r = remembered(&s.recent, v, func() (*Resource, int) {
		if v.Section != "" && s.Tree(v.From).At(v.Section) == nil {
			if _, err = choose(s.Tree(v.To), []string{v.Section}); err != nil {
				return nil, 0
			}
		}
		part := func() *Compared { return s.compared(item, v) } // much larger than what is made of it
		r := jsonResource(func() Body { return s.compareJSON(part()) })
		r.addText(api.MarkdownType, func() []byte { return s.compareMarkdown(part()) })
		return r.with(ShownComparison{part}), maxComparison
	})
	return r, err
}

// maxComparison is about the maximum size of a part of a comparison in all its forms, in bytes.
const maxComparison = 1 << 20

// compared compares two versions.
func (s *Site) compared(item *content.Item, v Comparison) *Compared {
	m := &Compared{Comparison: v, Item: item}
	m.differences = differencesOf(s.Schemas, item.Kind, item.Name, v.From.Body(), v.To.Body())
	if v.InForce != "" {
		m.Line = s.timeline(item, v.AsOf)
		if known := s.timeline(item, ""); known != nil {
			m.now = Stretch{known, known.At(s.Snapshot.Date)}
		}
	}
	for _, d := range m.All {
		inSection := v.Section == "" || d.Section == v.Section || strings.HasPrefix(d.Section, v.Section+"/")
		if inSection && (v.Only == "" || d.Class.String() == v.Only) {
			m.Shown = append(m.Shown, d)
		}
	}
	m.Total = len(m.Shown)
	m.Begin = min(v.Offset, m.Total)
	end := min(m.Begin+MaxChanges, m.Total)
	if m.Shown = m.Shown[m.Begin:end]; end < m.Total {
		m.Next = end
	}
	pinned := url.Values{
		"from": {v.From.Version.String()}, "as_of": {""}, InForceParameter: {""}, "offset": {NonDefault(m.Begin, 0)},
	}
	m.url = s.URL(Address(api.ComparePath+item.ID(), m.Query(pinned)))
	return m
}

// Numbers lists the numbers of versions.
func Numbers(all []*content.Entry) (versions []string) {
	for _, e := range all {
		versions = append(versions, e.Version.String())
	}
	return versions
}

// ReadableVersions lists the readable versions of an item, the highest first: all that are not redacted.
func ReadableVersions(item *content.Item) (all []*content.Entry) {
	for _, e := range item.Entries {
		if e.Status != content.Redacted {
			all = append(all, e)
		}
	}
	return all
}

// DefaultComparison returns the version of an item that a comparison leads to by default: the current one,
// or else the highest readable one, or the highest one if all are redacted.
func DefaultComparison(item *content.Item) *content.Entry {
	if item.Current != nil {
		return item.Current
	}
	if served := ReadableVersions(item); len(served) > 0 {
		return served[0]
	}
	return item.Entries[0]
}

// ComparedWith returns the version that a version is compared with by default: the readable one
// before it, or itself if there is none.
func ComparedWith(to *content.Entry) *content.Entry {
	from := to.Predecessor
	for from != nil && from.Status == content.Redacted {
		from = from.Predecessor
	}
	return cmp.Or(from, to)
}

// OnDay returns the version of an item that was in force on a day or, without a day, that was
// current, by what was published until asOf or until now; nil if there was none. If the one
// that was current has been redacted since, nothing is known of days: it is returned for all.
func (s *Site) OnDay(item *content.Item, asOf, on string) *content.Entry {
	if on != "" {
		if t := s.timeline(item, asOf); t != nil {
			return t.Timeline[t.At(on)].Entry
		}
	}
	if asOf == "" {
		return item.Current
	}
	return s.Snapshot.On(asOf).Current(item)
}

// StepConflict describes a contradiction between the step of the version and the class of the
// changes; "" if there is none. For versions that are not adjacent only too small a step is
// reported, as changes between them may have been reverted.
func (m *Compared) StepConflict() string {
	from, to := m.From, m.To
	if from.Draft || to.Draft || !to.Version.GreaterThan(from.Version) ||
		to.Version.Prerelease()+from.Version.Prerelease() != "" {
		return ""
	}
	least := change.Next(from.Version, max(m.Class, change.Wording)).String()
	switch fit := change.Fit(from.Version, to.Version, m.Class); {
	case fit < 0:
		return "Между " + from.Version.String() + " и " + to.Version.String() + " — " + Russian().Sprint(m.Class) +
			": по правилам версий это " + least + "."
	case fit > 0 && to.Predecessor == from:
		return "Версия выросла больше, чем изменилось содержание: по правилам версий после " + from.Version.String() +
			" хватило бы " + least + "."
	}
	return ""
}

// count is the number of changes of a class.
func (found differences) count(class change.Class) (n int) {
	for _, d := range found.All {
		if d.Class == class {
			n++
		}
	}
	return n
}

// Gravities are the classes of changes, most severe first, with the plural forms of their names.
var Gravities = []struct {
	change.Class
	forms [3]string
}{
	{change.Breaking, [3]string{"ломающее", "ломающих", "ломающих"}},
	{change.Addition, [3]string{"дополнение", "дополнения", "дополнений"}},
	{change.Wording, [3]string{"формулировка", "формулировки", "формулировок"}},
}

// counts formats the numbers of changes by class: «3 ломающих · 8 дополнений».
func counts(found differences) string {
	var all []string
	for _, c := range Gravities {
		if n := found.count(c.Class); n > 0 {
			all = append(all, i18n.Counted(n, c.forms[0], c.forms[1], c.forms[2]))
		}
	}
	if len(found.Upkeep) > 0 {
		all = append(all, i18n.Counted(len(found.Upkeep), "служебное", "служебных", "служебных"))
	}
	return strings.Join(all, " · ")
}

var Summaries = map[change.Class]string{
	change.None:     "Содержание одинаковое.",
	change.Wording:  "Формулировки другие, смысл задуман прежним.",
	change.Addition: "Добавлено то, чего не было; прежнее осталось.",
	change.Breaking: "Что-то убрано или сужено: кто полагался на прежнюю версию, должен прочесть новую.",
}

// Russian formats texts of content/change.
var Russian = sync.OnceValue(func() *i18n.Printer { return i18n.Russian(change.Russian()) })

// linkTo is the address of a change, which does not depend on the day.
func (m *Compared) linkTo(d *Difference) string {
	return m.url + "#" + (&url.URL{Fragment: d.ID}).EscapedFragment()
}

// Query is the query of the comparison with some parameters replaced; empty values remove
// them.
func (m *Compared) Query(otherwise url.Values) url.Values {
	q := Query(map[string]string{
		"from": m.From.Version.String(), "to": m.To.Version.String(), "class": m.Only,
		"section": m.Section, "offset": NonDefault(m.Offset, 0),
	})
	if m.AsOf+m.InForce != "" {
		q.Del("from")
		maps.Copy(q, Query(map[string]string{"as_of": m.AsOf, InForceParameter: m.InForce}))
	}
	return Merged(q, otherwise)
}

// LookAt is what to review, in Russian; "" if there is nothing.
func LookAt(l change.Look) string {
	switch text := i18n.Capital(Russian().Sprint(l.Doubt)); {
	case l.Doubt == "":
		return ""
	case len(l.Lost)+len(l.Came) == 0:
		return text
	default:
		return text + ": " + l.Words() + "."
	}
}

// compareJSON is a comparison as JSON.
func (s *Site) compareJSON(m *Compared) Body {
	o := object{tells: true}
	o.text("item", m.Item.ID())
	o.optional("title", m.To.Body().Text("title"))
	o.raw("from", s.version(m.From, s.log).Bytes)
	o.raw("to", s.version(m.To, s.log).Bytes)
	o.optional("as_of", m.AsOf)
	o.optional(InForceParameter, m.InForce)
	o.optional("section", m.Section)
	for name, at := range m.Stretches() {
		o.raw(name, append(days(at.Within().Period), at.Stated()...).AppendJSON(nil))
	}
	o.text("class", m.Class.String())
	o.optional("version_step", m.StepConflict())
	var n object
	for _, each := range Gravities {
		n.value(each.String(), m.count(each.Class))
	}
	n.value("upkeep", len(m.Upkeep))
	o.raw("counts", n.end().Bytes)
	o.text("url", s.URL(ComparisonPath(m.From, m.To)))
	o.value("total", m.Total)
	o.count("next_offset", m.Next)
	effort := change.NewEffort()
	asJSON := func(each *Difference) Body { return changeJSON(effort, each, m.linkTo(each)) }
	o.array("changes", bodies(m.Shown, asJSON))
	o.array("upkeep", bodies(m.Upkeep[:min(len(m.Upkeep), MaxChanges)], asJSON))
	o.fetchedAt()
	return o.end()
}

// Stretches yields what applied on a requested day, by what was known then, and what applies now.
func (m *Compared) Stretches() iter.Seq2[string, Stretch] {
	return func(yield func(string, Stretch) bool) {
		if m.Line == nil {
			return
		}
		if yield("applied", Stretch{m.Line, m.Line.At(m.InForce)}) && m.now.timeline != nil {
			yield("applies_now", m.now)
		}
	}
}

func changeJSON(effort *change.Effort, each *Difference, link string) Body {
	var o object
	o.text("id", each.ID)
	o.text("url", link)
	o.optional("section", each.Section)
	o.text("title", strings.Join(each.Titles, " › "))
	o.text("what", string(each.What))
	o.text("class", each.Class.String())
	o.optional("why", Russian().Sprint(each.Why))
	o.optional("look", LookAt(each.Look))
	if each.Old != nil {
		o.raw("old", each.Old)
	}
	if each.New != nil {
		o.raw("new", each.New)
	}
	if isText(each) {
		segments, _ := effort.Phrases(each.Was.Text, each.Is.Text)
		o.array("words", bodies(segments, func(s change.Segment) Body {
			var w object
			w.text(string(cmp.Or(s.What, "same")), s.Text)
			return w.end()
		}))
	}
	return o.end()
}

// isText reports whether a change is of a text for people.
func isText(d *Difference) bool {
	return d.What == change.Changed && d.Was != nil && d.Is != nil && d.Was.Type() == document.Prose &&
		d.Is.Type() == document.Prose
}

// compareMarkdown is a comparison as Markdown.
func (s *Site) compareMarkdown(m *Compared) []byte {
	facts := []string{"`" + m.To.ID() + "`", m.From.Version.String() + " → " + m.To.Version.String()}
	w := markdown.NewPlain("Что изменилось: "+title(m.To.Body()), append(facts, counts(m.differences)))
	w.Text(Summaries[m.Class])
	w.Text(m.StepConflict())
	effort := change.NewEffort()
	for _, each := range m.Shown {
		w.Heading(strings.Join(each.Titles, " › "))
		w.Text(changeLine(each))
		w.Link(each.ID, m.linkTo(each))
		w.Text(LookAt(each.Look))
		changeMarkdown(w, effort, each)
	}
	if m.Next > 0 {
		w.Text("Показаны не все изменения: дальше — offset=" + strconv.Itoa(m.Next) + ".")
	}
	if len(m.Upkeep) > 0 {
		w.Text(
			"Служебное, всего " + strconv.Itoa(len(m.Upkeep)) +
				": даты проверки, контрольные суммы и номер формата; по одному — в JSON.",
		)
	}
	return w.Bytes()
}

// changeLine describes a change and its class.
func changeLine(each *Difference) string {
	p := Russian()
	text := i18n.Capital(p.Sprint(each.Class)) + ", " + p.Sprint(each.What)
	if each.Why != "" {
		text += ": " + p.Sprint(each.Why)
	}
	return text + "."
}

func changeMarkdown(w *markdown.Plain, effort *change.Effort, each *Difference) {
	switch {
	case each.What == change.Moved:
	case isText(each):
		var all []markdown.MarkedText
		segments, _ := effort.Phrases(each.Was.Text, each.Is.Text)
		for _, s := range segments {
			tag := map[change.Verb]string{change.Added: "ins", change.Removed: "del"}[s.What]
			all = append(all, markdown.MarkedText{Text: s.Text, Tag: tag})
		}
		w.Marked(all)
	default:
		if each.Was != nil {
			w.Value("Было", each.Was, each.Unique)
		}
		if each.Is != nil {
			w.Value("Стало", each.Is, each.Unique)
		}
	}
}
