package api

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/schemas"
)

// An Operation is one operation of the interface, see operations.yaml.
type Operation struct {
	Name   string // of its address among the endpoints; "" if another operation has it
	ID     string // operationId: getGuideline
	Path   string // with parameters in braces
	Method string // "" is GET, with HEAD and OPTIONS
	Tag    string // the group that it is in
	Title  string
	About  string
	Params []*Param `json:"-"` // of the path in its order, then of the query

	Answer      Response `json:"-"`
	Body        *Body
	Missing     string // the component for 404; "" if it cannot occur
	Lenient     bool   // unknown query parameters are ignored
	AnyAccept   bool   `json:"any_accept"` // the header Accept is ignored
	Redacted    bool   // the resource may be redacted
	Deprecated  bool
	Unready     string // the component for 503, if it says more than NotReady
	Action      Action
	Undescribed bool   // not in OpenAPI
	Route       string // the pattern of the router, if names may have slashes; "": the path

	Kind *content.Kind `json:"-"` // of the item at the address; nil if there is none
	Item string        `json:"-"` // the name of the one item of the address; "" if it is a parameter
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
	Schema   string // a component, or a JSON Schema
	Examples []string
}

// UnmarshalText reads a form of operations.yaml: the short name of a media type, the schema, examples.
func (f *Form) UnmarshalText(text []byte) error {
	words := strings.Fields(string(text))
	switch words[0] {
	case "page":
		*f = Form{Type: HTMLType, Schema: "Page"}
	case "titled":
		*f = Form{Type: MarkdownType, Schema: `{"type":"string","pattern":"^# "}`}
	default:
		*f = Form{mediaTypes[words[0]], words[1], words[2:]}
	}
	return nil
}

// A Body is a request body.
type Body struct {
	About    string
	Schema   string
	Examples []string
}

//go:embed operations.yaml
var operationsYAML []byte

// declarations are operations.yaml: operations as they are written, and what several of them have.
type declarations struct {
	Headers                   map[string][]string
	Answers                   map[string]json.RawMessage
	First, Kinds, Items, Last []json.RawMessage
}

var declared = sync.OnceValue(func() (d declarations) {
	ReadYAML("operations.yaml", operationsYAML, &d)
	return d
})

// ReadYAML reads an embedded file, which tests read too.
func ReadYAML(name string, text []byte, into any) {
	raw, err := schemas.FromYAML(text)
	if err == nil {
		err = strictly(angles.Replace(string(raw)), into)
	}
	if err != nil {
		panic("embedded " + name + ": " + err.Error())
	}
}

// angles are the brackets that JSON for HTML escapes.
var angles = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">")

func strictly(raw string, into any) error {
	d := json.NewDecoder(strings.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// Operations lists all operations, in the order of the description.
var Operations = sync.OnceValue(func() []*Operation { return operations(content.Kinds, schemas.Embedded()) })

func operations(kinds []*content.Kind, set *schemas.Set) (all []*Operation) {
	d := declared()
	for _, raw := range d.First {
		all = append(all, operation(raw, itemAddress{}))
	}
	for _, k := range kinds {
		all = append(all, ofKind(k, set)...)
	}
	for _, raw := range d.Last {
		all = append(all, operation(raw, itemAddress{}))
	}
	return all
}

// operation is a declaration with the words of its address, which is that of no item if it is of no kind.
func operation(raw json.RawMessage, at itemAddress) *Operation {
	d, words := declared(), at.fill()
	row := struct {
		Operation
		For, Kind string
		Params    []string
		Answer    json.RawMessage
	}{}
	read := func(raw json.RawMessage, into any) {
		if err := strictly(words.Replace(string(raw)), into); err != nil {
			panic("embedded operations.yaml: " + err.Error() + ": " + string(raw))
		}
	}
	read(raw, &row)
	o := row.Operation
	o.Kind = content.KindOf(row.Kind)
	for _, name := range row.Params {
		o.Params = append(o.Params, at.param(name)...)
	}
	var shared string
	if json.Unmarshal(row.Answer, &shared) == nil && shared != "" {
		row.Answer = d.Answers[at.answer(shared)]
	}
	if row.Answer != nil {
		read(row.Answer, &o.Answer)
	}
	o.Answer.Headers = d.headers(o.Answer.Headers, words)
	return &o
}

// headers are those named, with the ones of each named set in its place.
func (d declarations) headers(names []string, words *strings.Replacer) (all []string) {
	for _, name := range names {
		if set := d.Headers[name]; set != nil {
			all = append(all, d.headers(set, words)...)
		} else {
			all = append(all, words.Replace(name))
		}
	}
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
	return o.those(func(p *Param) bool { return p.In == "query" })
}

// Filters lists the parameters that filter records.
func (o *Operation) Filters() (all []*Param) { return o.those(func(p *Param) bool { return p.Filter }) }

func (o *Operation) those(are func(*Param) bool) (all []*Param) {
	for _, p := range o.Params {
		if are(p) {
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
