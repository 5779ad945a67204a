package api

import (
	"net/http"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/schemas"
)

// An Operation is one thing that a client may ask for.
type Operation struct {
	Name   string // of its address among the endpoints; "" if another's template has it
	ID     string // names it in the description: getGuideline
	Path   string // with the names of parameters in braces
	Method string // "" is GET, with HEAD and OPTIONS
	Tag    string // the group that it is in
	Title  string
	About  string
	Params []*Param // of the path in its order, then of the query

	Answer      Answer
	Body        *Body
	Missing     string // the component that says what is missing; "" if nothing can be
	Lenient     bool   // parameters of a query that it does not know mean nothing
	AnyAccept   bool   // the header Accept has no say
	Redacted    bool   // what is there may be taken away
	Deprecated  bool
	Unready     string // the component for 503, where that says more than NotReady
	Does        Deed
	Undescribed bool   // OpenAPI says nothing of it
	Route       string // what the router matches, where names may have slashes; "": the path

	Kind *content.Kind // of what is at the address; nil if that is no item's
	Item string        // the name of the one item that the address is of; "" if it is a parameter
}

// An Answer is what a client gets that asks right.
type Answer struct {
	Key     string // what it is called among the components; "" if no other has the same
	About   string
	Headers []string // their names, with =component where that is called otherwise
	Forms   []Form   // in the order of the server's preference
}

// A Form is a media type that an answer comes in.
type Form struct {
	Type     string
	Schema   string // a component; several, of any of which it is; or a JSON Schema
	Examples []string
}

// A Body is what a client posts.
type Body struct {
	About    string
	Schema   string
	Examples []string
}

// Operations lists everything that a client may ask for, in the order of the description.
var Operations = sync.OnceValue(func() []*Operation { return operations(content.Kinds, schemas.Embedded()) })

func operations(kinds []*content.Kind, set *schemas.Set) (all []*Operation) {
	all = append(all, navigation()...)
	all = append(all, finding()...)
	all = append(all, proving()...)
	for _, k := range kinds {
		all = append(all, ofKind(k, set)...)
	}
	all = append(all, calculating()...)
	all = append(all, formats()...)
	return all
}

// reads reports whether it is asked by GET.
func (o *Operation) reads() bool { return o.Method == "" }

func (o *Operation) method() string {
	if o.reads() {
		return http.MethodGet
	}
	return o.Method
}

// has reports whether the answer has a header.
func (o *Operation) has(header string) bool {
	for _, h := range o.Answer.Headers {
		if name, _, _ := strings.Cut(h, "="); name == header {
			return true
		}
	}
	return false
}

// Query lists the parameters of the query: those that programs give, and for a page those
// that only people's pages have.
func (o *Operation) Query(forPage bool) (all []*Param) {
	for _, p := range o.Params {
		if p.In == "query" && (forPage || !p.Page) {
			all = append(all, p)
		}
	}
	return all
}

// Param returns a parameter by its name, nil if there is none.
func (o *Operation) Param(name string) *Param {
	for _, p := range o.Params {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Filters lists the parameters that choose records.
func (o *Operation) Filters() (all []*Param) {
	for _, p := range o.Params {
		if p.Filter {
			all = append(all, p)
		}
	}
	return all
}
