package calc

import (
	"fmt"
	"slices"
	"strings"
)

// Out records the results of a tool. Setting a value that is not declared, or of another
// type, panics: it is a bug of the tool.
type Out struct {
	tool    *Tool
	values  []Value // by the tool's outputs
	members []Value // by the tool's members

	tracing bool // the request includes the trace
	steps   []step

	paging      bool // the request includes the schedule
	from, limit int  // the page of the schedule
	total       int  // rows of the whole schedule
	rows        []Row

	assumptions []string
	warnings    []warning

	facts    Facts
	years    map[int]bool // those whose calendar is in external
	external []External
	refused  error // the Reason that reading the request found, if any
}

// step is a step of the trace: the formula, with the numbers in it, and its value.
type step struct {
	name, formula      string
	substituted, value phrase
}

type warning struct{ code, pointer, detail string }

// refuse records why there is no result. The first reason counts.
func (o *Out) refuse(reason error) {
	if o.refused == nil {
		o.refused = reason
	}
}

// Set gives an output its value. Outputs that are never set are listed in
// not_computed.
func (o *Out) Set(name string, v Value) { set(o.values, o.tool.Outputs, name, v) }

// Member sets a member of the answer that only this tool has.
func (o *Out) Member(name string, v Value) { set(o.members, o.tool.Members, name, v) }

func set(values []Value, fields []Field, name string, v Value) {
	i := indexOf(fields, name)
	if i < 0 {
		panic(fmt.Sprintf("calc: output %q is not declared", name))
	}
	if !v.fits(&fields[i]) {
		panic(fmt.Sprintf("calc: output %q is not set to what it is declared: %T", name, v))
	}
	values[i] = v
}

// Row adds a row to the schedule, by the tool's Schedule. Only rows on the requested page
// are kept.
func (o *Out) Row(values ...Value) {
	if !Row(values).fit(o.tool.Schedule) {
		panic("calc: a row of the schedule is not as declared")
	}
	o.total++
	if o.paging && o.total >= o.from && o.total < o.from+o.limit {
		o.rows = append(o.rows, slices.Clone(values))
	}
}

// Paging reports whether the request includes the schedule: if not, a tool need not make
// its rows.
func (o *Out) Paging() bool { return o.paging }

// Step adds a step to the trace: the formula in symbols, its value, and the formula with
// the numbers, made with a format. Values are printed by their String methods.
func (o *Out) Step(name, formula string, value any, format string, args ...any) {
	if o.tracing {
		o.steps = append(o.steps, step{name, formula, phrase{format, args}, phrase{"%v", []any{value}}})
	}
}

// Derive sets an output, and adds the step that leads to it: see [Out.Step]. A fraction has the decimals of the
// output there, too.
func (o *Out) Derive(name string, v Value, formula, format string, args ...any) {
	o.Set(name, v)
	if !o.tracing {
		return
	}
	var shown any = v
	if x, ok := v.(interface{ Fixed(places int) string }); ok {
		shown = x.Fixed(o.tool.output(name).places)
	}
	o.Step(name, formula, shown, format, args...)
}

// Assume records assumptions of the calculation by their codes.
func (o *Out) Assume(codes ...string) {
	for _, code := range codes {
		if !slices.Contains(o.assumptions, code) {
			o.assumptions = append(o.assumptions, code)
		}
	}
}

// Warn adds a warning by its name in words.yaml, which is a code, or a code with the name of one of its texts after a
// colon; with the JSON pointer of the input that it concerns or "", and the values in its text.
func (o *Out) Warn(name, pointer string, values ...any) {
	text, known := words().Warnings[name]
	if !known {
		panic("calc: words.yaml has no warning " + name)
	}
	if values != nil {
		text = fmt.Sprintf(text, values...)
	}
	code, _, _ := strings.Cut(name, ":")
	o.warnings = append(o.warnings, warning{code, pointer, text})
}

// WarnIf is [Out.Warn] on a condition.
func (o *Out) WarnIf(applies bool, name, pointer string, values ...any) {
	if applies {
		o.Warn(name, pointer, values...)
	}
}
