package lsp

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/check"
	"rulestore/schemas"
)

// offer is a code or an id that may stand at the cursor.
type offer struct{ text, title string }

// maxOffers is the maximum number of offers in an answer.
const maxOffers = 200

// kindReference is the kind of all offers.
const kindReference = 18

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

type completionItem struct {
	Label      string   `json:"label"`
	Kind       int      `json:"kind"`
	Detail     string   `json:"detail,omitempty"`
	FilterText string   `json:"filterText"`
	TextEdit   textEdit `json:"textEdit"`
}

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

// completion answers textDocument/completion: the codes and ids that the value at the cursor may refer to. If
// they are too many, those that fit what is typed; then the client asks again when more is typed.
func (s *server) completion(d *document, p params) any {
	c := s.cursor(d, p.Position)
	list := completionList{Items: []completionItem{}}
	if c.target == (check.Target{}) {
		return list
	}
	all := s.offers(d.folder.latest(), c.target)
	if list.IsIncomplete = len(all) > maxOffers; list.IsIncomplete {
		typed := strings.ToLower(word{c.line, c.from, max(c.from, d.text.column(p.Position))}.of(d.text))
		all = slices.DeleteFunc(all, func(o offer) bool {
			return !strings.Contains(strings.ToLower(o.text+" "+o.title), typed)
		})
		all = all[:min(len(all), maxOffers)]
	}
	for _, o := range all {
		list.Items = append(list.Items, completionItem{
			Label: content.Printable(o.text), Kind: kindReference, Detail: o.title,
			FilterText: strings.TrimSpace(o.text + " " + o.title),
			TextEdit:   textEdit{c.rangeIn(d.text), c.spelled(d.text[c.line][:c.from], o.text)},
		})
	}
	return list
}

// spelled is a code as it has to be written after the beginning of a line: in quotes if YAML reads it as
// something else.
func (c cursor) spelled(before, code string) string {
	switch {
	case strings.HasSuffix(before, `"`), strings.HasSuffix(before, "'"):
		return code
	case strings.HasSuffix(before, ":"), strings.HasSuffix(before, "-"):
		return " " + c.spelled("", code)
	}
	raw, err := yaml.Marshal(code)
	if err != nil {
		return code
	}
	return strings.TrimSpace(string(raw))
}

// offers lists the records of a list in its order, or the items by path.
func (s *server) offers(in *state, to check.Target) (all []offer) {
	if to.List != "" {
		for _, u := range in.uses(func(n check.Name) bool { return n.Defines && n.List == to.List }) {
			all = append(all, offer{u.Text, s.title(u)})
		}
		return all
	}
	for _, u := range in.uses(func(n check.Name) bool { return n.Defines && n.Item != "" }) {
		name := u.item.Item()
		if !to.Items && u.item.Kind.Folder != to.Folder {
			continue
		}
		if !to.Items {
			name = u.item.Name
		}
		all = append(all, offer{name, s.title(u)})
	}
	return all
}

// title returns the title of a definition, or what it says first to readers.
func (s *server) title(u use) string {
	at := u.Pointer[:len(u.Pointer)-1]
	record, _ := u.item.Value(at...).(map[string]any)
	if title, ok := record["title"].(string); ok {
		return oneLine(title)
	}
	if f := s.schema(u.path).At(at...); f != nil {
		for _, g := range f.Fields {
			if text, ok := record[g.Name].(string); ok && g.Prose {
				return oneLine(text)
			}
		}
	}
	return ""
}

// oneLine is a text on one line.
func oneLine(text string) string { return content.Printable(strings.Join(strings.Fields(text), " ")) }

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type hover struct {
	Contents markup    `json:"contents"`
	Range    textRange `json:"range"`
}

// hover answers textDocument/hover: the title of the code or id at the cursor, and of an item its published version.
func (s *server) hover(d *document, p params) any {
	c := s.cursor(d, p.Position)
	what := s.symbol(d, c)
	if what == (symbol{}) {
		return nil
	}
	in := d.folder.latest()
	says := ""
	for _, u := range in.named(what) {
		if u.Defines {
			says = fmt.Sprintf("%s — %s", content.Printable(c.of(d.text)), s.title(u))
		}
	}
	switch it := in.publishedItem(what.item); {
	case what.item == "" && says == "":
		return nil
	case what.item == "":
	case says == "" && it == nil:
		says = s.say("%s is neither in the folder nor published", what.item)
	default:
		says = strings.TrimSpace(says + "\n\n" + s.publishedVersion(in, what.item))
	}
	return hover{markup{"plaintext", says}, c.rangeIn(d.text)}
}

// publishedVersion describes the published version of an item and its status.
func (s *server) publishedVersion(in *state, id string) string {
	it := in.publishedItem(id)
	switch {
	case in.published == nil:
		return s.say("what is published cannot be seen")
	case it == nil || change.Published(it, false) == nil:
		return s.say("not published yet")
	}
	e := it.Current
	if e == nil {
		e = it.Entries[0]
	}
	status := string(e.Status)
	if !s.printer.IsEnglish() {
		status = schemas.Embedded().Derived().Field("status").Labels[status]
	}
	return s.say("published: v%s, %s", e.Version, status)
}
