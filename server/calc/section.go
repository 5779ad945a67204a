package calc

import (
	"cmp"
	"fmt"
	"slices"
)

// A Section is a part of an answer for people. Markdown and HTML pages are rendered from
// it.
type Section struct {
	ID      string // outputs, inputs, schedule, …, or the name of the field that it shows
	Title   string
	Figures []Figure // values that fit in a line
	Table   *Table
	Points  []Point
	Within  []Section
}

// A Figure is a value with its title and unit.
type Figure struct {
	Name, Title string
	Unit        string // RUB, percent, months …; "" if there is none
	Type        string // money, percent, date … as in an answer
	Text        string // a value without parts, as in the JSON answer without quotes; "" if there is none
	Label       string // the words for a text that is a code, "" if the text is none
	Parts       []Figure

	null   bool    // the value is null, not empty
	fields []Field // the fields of a list's objects
}

// A Table has a column, and in each row a figure, for each figure of its head.
type Table struct {
	Head []Figure
	Rows [][]Figure
}

// A Point is a code and its text; of a source also its version and checksum.
type Point struct{ Code, Version, Checksum, Text string }

// Sections are the answer as a tree.
func (a *Answer) Sections() []Section {
	all := []Section{a.resultSection(), section("inputs", "Исходные данные", a.Tool.labelled(a.in.figures()))}
	if all[0].Figures == nil && all[0].Within == nil {
		all = all[1:]
	}
	if len(a.comparison) > 0 {
		all = append(all, a.comparisonSection())
	}
	if len(a.out.rows) > 0 {
		all = append(all, a.scheduleSection())
	}
	if len(a.out.steps) > 0 {
		all = append(all, a.traceSection())
	}
	return append(all, a.noteSections()...)
}

// section makes a section of the values of an object: short ones as figures, each list and
// each other object as a section within it.
func section(id, title string, figures []Figure) Section {
	s := Section{ID: id, Title: title}
	for _, f := range figures {
		if f.short() {
			s.Figures = append(s.Figures, f)
		} else {
			s.Within = append(s.Within, f.section())
		}
	}
	return s
}

// section makes a section of a value that has parts.
func (f Figure) section() Section {
	if f.Type != kinds[listKind].name {
		return section(f.Name, f.Title, f.Parts)
	}
	return Section{
		ID: f.Name, Title: f.Title, Table: tableOf(f.fields, each(f.Parts, func(p Figure) []Figure { return p.Parts })),
	}
}

// tableOf makes a table of objects with a column for each field that any of them has, and for each
// field of the objects in them.
func tableOf(fields []Field, objects [][]Figure) *Table {
	t := &Table{Rows: make([][]Figure, len(objects))}
	for j := range t.Rows {
		t.Rows[j] = make([]Figure, 0, len(fields))
	}
	for i := range fields {
		if fields[i].kind == objectKind {
			parts := each(objects, func(o []Figure) []Figure { return partsOf(o, fields[i].Name) })
			t.add(tableOf(fields[i].fields, parts))
			continue
		}
		any := false
		for j, o := range objects {
			cell := Figure{}
			if k := slices.IndexFunc(o, func(f Figure) bool { return f.Name == fields[i].Name }); k >= 0 {
				cell = o[k]
				any = any || !cell.null
			}
			t.Rows[j] = append(t.Rows[j], cell)
		}
		if any {
			t.Head = append(t.Head, fields[i].figure())
			continue
		}
		for j, row := range t.Rows {
			t.Rows[j] = row[:len(row)-1]
		}
	}
	return t
}

// add appends the columns of another table with as many rows.
func (t *Table) add(columns *Table) {
	t.Head = append(t.Head, columns.Head...)
	for j := range t.Rows {
		t.Rows[j] = append(t.Rows[j], columns.Rows[j]...)
	}
}

// partsOf are the parts of the figure with that name, nil if there is none.
func partsOf(all []Figure, name string) []Figure {
	if i := slices.IndexFunc(all, func(f Figure) bool { return f.Name == name }); i >= 0 {
		return all[i].Parts
	}
	return nil
}

// short reports whether a value fits in a line.
func (f Figure) short() bool {
	return !slices.ContainsFunc(f.Parts, func(p Figure) bool {
		return p.Parts != nil || f.Type != kinds[listKind].name
	})
}

// figures are the values that are set, in the order of declaration.
func (in In) figures() (all []Figure) {
	for i := range in.fields {
		if v := in.values[i]; v != nil {
			fig := figureOf(v, &in.fields[i])
			if unit := in.fields[i].unitOf; unit != nil {
				fig.Unit = unit(in)
			}
			all = append(all, fig)
		}
	}
	return all
}

// figure is a field without a value.
func (f *Field) figure() Figure {
	fig := Figure{Name: f.Name, Title: f.Title, Unit: f.Unit, Type: kinds[f.kind].name}
	if f.kind == listKind {
		fig.fields = f.item.fields
	}
	return fig
}

// figures are the values of fields that are set.
func figures(fields []Field, values []Value) (all []Figure) {
	for i, v := range values {
		if v == nil {
			continue
		}
		if all == nil {
			all = make([]Figure, 0, len(values)) // a schedule has thousands
		}
		all = append(all, figureOf(v, &fields[i]))
	}
	return all
}

func figureOf(v Value, f *Field) Figure {
	fig := f.figure()
	switch v := v.(type) {
	case null:
		fig.null = true
	case List:
		fig.Parts = each(v, func(item Value) Figure { return figureOf(item, f.item) })
	case Row:
		fig.Parts = figures(f.fields, v)
	case In:
		fig.Parts = v.figures()
	case Entries:
		for _, e := range v {
			own := figureOf(e.Value, f.item)
			own.Name, own.Title = e.Name, e.Name
			fig.Parts = append(fig.Parts, own)
		}
	case Text:
		fig.Text, fig.Label = string(v), f.labels[string(v)]
		if slices.Contains(f.usual, fig.Text) {
			fig.Type = kinds[enumKind].name
		}
	default:
		fig.Text = unquoted(v.appendJSON(nil, f))
	}
	return fig
}

// resultSection has the outputs, then the members that only this tool has.
func (a *Answer) resultSection() Section {
	s := section("outputs", "Результат", a.Tool.labelled(figures(a.Tool.Outputs, a.out.values)))
	for _, f := range a.Tool.labelled(figures(a.Tool.Members, a.out.members)) {
		if f.short() {
			s.Within = append(s.Within, Section{ID: f.Name, Title: f.Title, Figures: []Figure{f}})
		} else {
			s.Within = append(s.Within, f.section())
		}
	}
	return s
}

// comparisonSection has the comparison with the contract.
func (a *Answer) comparisonSection() Section {
	t := &Table{Head: []Figure{
		{Title: "Показатель"}, {Title: "Расчёт"}, {Title: "Договор"}, {Title: "Единица"}, {Title: "Итог"},
		{Title: "Разница"},
	}}
	for _, c := range a.comparison {
		calculated, contract, difference := c.field.figure(), c.field.figure(), c.field.figure()
		calculated.Text, contract.Text = c.calculated, c.contract
		if c.status == DeviationDetected {
			difference.Text = unquoted(c.appendDifference(nil, c.deviation.signed))
		}
		t.Rows = append(t.Rows, []Figure{
			{Text: c.field.Title}, calculated, contract, {Type: UnitType, Text: Unit(c.field.Unit)},
			{Name: c.status, Text: words().States[c.status]}, difference,
		})
	}
	return Section{ID: "comparison", Title: "Сверка с договором", Table: t}
}

func (a *Answer) scheduleSection() Section {
	rows := each(a.out.rows, func(r Row) []Figure { return figures(a.Tool.Schedule, r) })
	title := fmt.Sprintf("График: строки %d–%d из %d", a.out.from, a.out.from+len(rows)-1, a.out.total)
	return Section{ID: "schedule", Title: title, Table: tableOf(a.Tool.Schedule, rows)}
}

// traceSection has the steps of the calculation, and what their symbols mean.
func (a *Answer) traceSection() Section {
	t := &Table{Head: []Figure{{Title: "Шаг"}, {Title: "Формула"}, {Title: "Подстановка"}, {Title: "Значение"}}}
	var formulas []string
	for _, s := range a.out.steps {
		formulas = append(formulas, inWords(s.formula))
		t.Rows = append(
			t.Rows,
			[]Figure{
				{Title: a.Tool.stepTitle(s.name), Type: CodeType, Text: s.name}, {Text: inWords(s.formula)},
				{Text: s.substituted.words()}, {Text: s.value.words()},
			},
		)
	}
	return Section{ID: "trace", Title: "Ход расчёта", Table: t, Points: a.Tool.legend(formulas)}
}

// Types of figures that only tables of sections have.
const (
	CodeType = "code"
	UnitType = "unit"
)

// noteSections are the warnings, assumptions, external data and missing outputs.
func (a *Answer) noteSections() (all []Section) {
	add := func(id, title string, points []Point) {
		if points != nil {
			all = append(all, Section{ID: id, Title: title, Points: points})
		}
	}
	var warnings, sources, assumptions, missing []Point
	for _, c := range a.out.assumptions {
		assumptions = append(assumptions, Point{Code: c, Text: assumption(c)})
	}
	for _, name := range a.notComputed() {
		title := "Полная стоимость кредита"
		if name != "psk" {
			title = a.Tool.output(name).Title
		}
		missing = append(missing, Point{Code: name, Text: title})
	}
	for _, w := range a.out.warnings {
		warnings = append(warnings, Point{Code: w.code, Text: w.detail})
	}
	for _, s := range a.out.external {
		sources = append(sources, Point{s.ID, s.Version, s.SHA256, cmp.Or(s.Decree, s.describe())})
	}
	add("warnings", "Предупреждения", warnings)
	add("assumptions", "Допущения", assumptions)
	add("external_data", "Внешние данные", sources)
	add("not_computed", "Не рассчитано", missing)
	return all
}
