package api

import (
	"net/http"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/schemas"
)

// An Operation is one operation of the interface.
type Operation struct {
	Name   string // of its address among the endpoints; "" if another operation has it
	ID     string // operationId: getGuideline
	Path   string // with parameters in braces
	Method string // "" is GET, with HEAD and OPTIONS
	Tag    string // the group that it is in; this, title and about may be in openapi.yaml instead
	Title  string
	About  string
	Params []*Param // of the path in its order, then of the query

	Answer      Response
	Body        *Body
	Missing     string // the component for 404; "" if it cannot occur
	Lenient     bool   // unknown query parameters are ignored
	AnyAccept   bool   // the header Accept is ignored
	Redacted    bool   // the resource may be redacted
	Deprecated  bool
	Unready     string // the component for 503, if it says more than NotReady
	Action      Action
	Undescribed bool   // not in OpenAPI
	Route       string // the pattern of the router, if names may have slashes; "": the path

	Kind *content.Kind // of the item at the address; nil if there is none
	Item string        // the name of the one item of the address; "" if it is a parameter
}

// A Response is the response to a successful request.
type Response struct {
	Key     string // its name among the components; "" if it is not shared
	About   string
	Headers []string // their names, with =component if that has another name
	Forms   []Form   // in the server's order of preference
}

// A Form is a media type of a response.
type Form struct {
	Type     string
	Schema   string // a component; several alternatives; or a JSON Schema
	Examples []string
}

func newAnswer(about string, headers []string, forms ...Form) Response {
	return Response{About: about, Headers: headers, Forms: forms}
}

func newForm(mediaType, schema string, examples ...string) Form {
	return Form{mediaType, schema, examples}
}

// The forms of pages, and of Markdown with a title.
var (
	pageForm   = newForm(HTMLType, "Page")
	titledForm = newForm(MarkdownType, titled)
)

// A Body is a request body.
type Body struct {
	About    string
	Schema   string
	Examples []string
}

// Operations lists all operations, in the order of the description.
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

// Query lists the query parameters.
func (o *Operation) Query() (all []*Param) {
	for _, p := range o.Params {
		if p.In == "query" {
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

// Filters lists the parameters that filter records.
func (o *Operation) Filters() (all []*Param) {
	for _, p := range o.Params {
		if p.Filter {
			all = append(all, p)
		}
	}
	return all
}
