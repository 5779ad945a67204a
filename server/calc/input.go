package calc

// An Input is what a field of a request takes, as forms and the schemas of assistants need it.
type Input struct {
	Type               string // as of a [Figure]
	Required, Nullable bool
	Preset             string   // the literal of the default
	Words              []string // of an enumeration
	To                 int      // maximum number of elements of a list
	Item               *Field   // of a list
	Fields             []Field
	Choices            [][][]string // between the fields: of each variant of each, the required ones
}

// Request declares the requests to the tool: an object.
func (t *Tool) Request() *Field { return &t.request }

// Input is what the field takes.
func (f *Field) Input() Input {
	in := Input{
		Type: kinds[f.kind].name, Required: f.required(), Nullable: f.nullable, Preset: f.preset, Words: f.enum,
		To: f.maxItems, Item: f.item, Fields: f.fields,
	}
	for _, c := range f.choices {
		in.Choices = append(in.Choices, each(c, func(v Variant) []string { return v.required(f.fields) }))
	}
	return in
}

// required reports whether each request has the field, whatever its other fields.
func (f *Field) required() bool { return !f.optional && f.preset == "" && !f.implied && !f.governed }

// required are the fields that the variant requires: also the one that selects it, unless that is its
// default.
func (v Variant) required(fields []Field) []string {
	all := []string{}
	if preset(fields, v.By) != v.Is {
		all = append(all, v.By)
	}
	for _, n := range v.Needs {
		if preset(fields, n) == "" {
			all = append(all, n)
		}
	}
	return all
}
