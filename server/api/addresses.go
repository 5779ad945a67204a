package api

import (
	"cmp"
	_ "embed"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/schemas"
)

//go:embed kinds.yaml
var kindsYAML []byte

// kindWords are what the description says of all items of a kind, in kinds.yaml.
type kindWords struct {
	Tag     string
	Plural  string // in the names of operations: Guidelines
	List    string // what it is a list of, in the genitive plural
	About   string // of the list
	Of      string // one item, in the genitive
	Schema  string // of an item, and the beginning of the names of other components
	Param   *Param // of a path, that names an item; name, place and type follow
	Version string // an example
	ID      string // an example
	Items   words  // of the items that have no address of their own
	Own     []own  // the items with an address of their own
}

// own is an item with an address of its own, or with words of its own.
type own struct {
	Item string
	words
}

// words are what the description says of an address.
type words struct {
	Name      string // among the endpoints
	ID        string // in the names of operations: FraudSignals
	Schema    string // the component that its items are
	Title     string
	About     string
	Of        string // what it holds, in the genitive
	OfVersion string `json:"of_version"` // the same for a version, if that is worded differently
	Record    *record
	Filters   []Param // by which records are chosen
	Numbered  string  // a version for examples, if it has no 1.0.0
	Tag       string  // where it is not that of the kind
}

// record is what the records of a registry are called.
type record struct {
	Name         string // among the endpoints
	Found        string // in a search
	ID           string // in the names of operations, and of its component
	Title, About string
	Code         *Param // of a path; place, type and form follow
}

// ofKinds are the words for the kinds, by folder.
var ofKinds = sync.OnceValue(func() map[string]*kindWords {
	all := map[string]*kindWords{}
	ReadYAML("kinds.yaml", kindsYAML, &all)
	for _, k := range content.Kinds {
		if w := all[k.Folder]; w != nil {
			w.complete(k)
		}
	}
	return all
})

// complete adds to parameters of paths what follows from the kind.
func (w *kindWords) complete(k *content.Kind) {
	if w.Param != nil {
		named := itemName(k, w.Param.Key, w.Param.About, w.Param.Example)
		named.Length, named.Pattern = cmp.Or(w.Param.Length, named.Length), cmp.Or(w.Param.Pattern, named.Pattern)
		w.Param = named
	}
	for _, r := range append([]own{{words: w.Items}}, w.Own...) {
		if r.Record != nil {
			c := r.Record.Code
			c.In, c.Type, c.Length, c.Pattern = "path", Text, 120, "^[A-Za-z][A-Za-z0-9_.-]*$"
		}
	}
}

// addressesOf are where the items of a kind are: those that have an address of their own
// first, then all others.
func addressesOf(k *content.Kind, w *kindWords, set *schemas.Set) (all []itemAddress) {
	for _, own := range w.Own {
		s := itemAddress{of: w, set: set, kind: k, item: own.Item, path: k.ItemPath(own.Item), words: own.words}
		s.Schema = cmp.Or(s.Schema, s.ID)
		all = append(all, s)
	}
	if !k.List {
		return all
	}
	template := itemAddress{of: w, set: set, kind: k, path: k.Path + "/{" + k.Argument() + "}", words: w.Items}
	template.Schema, template.Name = w.Schema, k.Name
	return append(all, template)
}

// wordsOf are the words for a kind; where there are none, its row has to do.
func wordsOf(k *content.Kind) *kindWords {
	if w := ofKinds()[k.Folder]; w != nil {
		return w
	}
	schema := joined(k.Name)
	return &kindWords{
		Tag: k.Title, Plural: joined(k.Folder), List: "документов: " + strings.ToLower(k.Title), Of: "документа",
		Schema: schema, ID: k.Name + ".001", Version: "1.0.0",
		About: k.About + " Действующие версии кратко.",
		Param: itemName(k, schema+"Name", "Идентификатор или имя документа.", ""),
		Items: words{
			ID: schema, Title: k.Title + ": документ", About: "Действующая версия. " + k.About, Of: "документа",
		},
	}
}

// joined writes the words of a name together, each with a capital: court_fee becomes CourtFee.
func joined(name string) (all string) {
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' }) {
		all += strings.ToUpper(word[:1]) + word[1:]
	}
	return all
}

// itemName is the parameter of a path that names an item of a kind.
func itemName(k *content.Kind, key, about, example string) *Param {
	p := &Param{Name: k.Argument(), In: "path", Type: Text, About: about, Example: example, Key: key}
	if !k.NameIsID {
		p.Length, p.Pattern = 160, "^[a-z0-9][a-z0-9._-]*$"
	}
	return p
}
