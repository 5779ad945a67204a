package calc

import (
	"cmp"
	"fmt"
)

// Markdown is the answer for people, in Russian: the same values as in JSON, with
// titles and units, in tables that read well on a terminal too.
func (a *Answer) Markdown() []byte {
	p := &page{}
	fmt.Fprintf(p, "# %s\n\n%s\n\n", escaped(a.Tool.Title), a.verdict())
	fmt.Fprintf(p, "Инструмент %s %s, формула %s, округление %s, отпечаток исходных данных %s.\n",
		code(a.Tool.ID), a.Tool.Version, code(a.Tool.Formula), code(RoundingPolicy), code(a.InputsHash()))
	if a.Tool.PSK {
		p.WriteString("Полная стоимость кредита (ПСК) не рассчитывается.\n")
	}
	a.results(p)
	p.heading(2, "Исходные данные")
	p.values(3, a.in.fields, a.echo())
	a.compared(p)
	a.schedule(p)
	a.trace(p)
	a.notes(p)
	return []byte(p.String())
}

// verdict says in a sentence what came of it.
func (a *Answer) verdict() string {
	switch a.Status {
	case StatusComputed:
		return "**Рассчитано.**"
	case StatusDoNotGuess:
		return "**Не рассчитано: не подтверждены факты, которые нельзя угадывать.**"
	}
	return "**Расчёт невозможен:** " + code(a.Reason) + "."
}

func (a *Answer) results(p *page) {
	n := written(a.Tool.Outputs, a.out.values)
	members := written(a.Tool.Members, a.out.members)
	if len(n.members)+len(members.members) == 0 {
		return
	}
	p.heading(2, "Результат")
	p.values(3, a.Tool.Outputs, n)
	for i := range a.Tool.Members {
		f := &a.Tool.Members[i]
		v := members.member(f.Name)
		if v == nil {
			continue
		}
		p.heading(3, f.Title)
		if v.short() {
			p.WriteString(v.printed() + "\n")
		} else {
			p.value(4, f, *v)
		}
	}
}

// written is what was set of some fields, as an object.
func written(fields []Field, values []Value) node {
	n := node{kind: objectNode}
	for i, v := range values {
		if v != nil {
			n.members = append(n.members, member{fields[i].Name, reread(v.appendJSON(nil, &fields[i]))})
		}
	}
	return n
}

// reread reads what this package has written.
func reread(json []byte) node {
	p := newTreeParser(json)
	n, _ := p.value("", p.token(), 1) // as deep as an output is declared
	return n
}

func (a *Answer) echo() node { return reread(appendInputs(nil, a.in, declared)) }

var verdicts = map[string]string{
	WithinTolerance:         "в пределах допуска",
	DeviationDetected:       "расхождение",
	ContractValueOnly:       "есть только в договоре",
	CalculationNotAvailable: "расчёта нет",
}

func (a *Answer) compared(p *page) {
	if len(a.comparison) == 0 {
		return
	}
	var rows [][]string
	for _, c := range a.comparison {
		difference := "—"
		if c.status == DeviationDetected {
			difference = unquoted(c.appendDifference(nil, c.deviation.signed))
		}
		calculated, contract := node{kind: stringNode, text: c.calculated}, node{kind: stringNode, text: c.contract}
		rows = append(rows, []string{escaped(c.field.Title), calculated.printed(), contract.printed(), unit(&c.field), verdicts[c.status], difference})
	}
	p.heading(2, "Сверка с договором")
	p.table([]string{"Показатель", "Расчёт", "Договор", "Единица", "Итог", "Разница"}, rows)
}

func (a *Answer) schedule(p *page) {
	if len(a.out.rows) == 0 {
		return
	}
	var items []node
	for _, r := range a.out.rows {
		items = append(items, reread(r.appendFields(nil, a.Tool.Schedule)))
	}
	p.heading(2, fmt.Sprintf("График: строки %d–%d из %d", a.out.from, a.out.from+len(items)-1, a.out.total))
	p.records(a.Tool.Schedule, items)
}

func (a *Answer) trace(p *page) {
	if len(a.out.steps) == 0 {
		return
	}
	var rows [][]string
	for _, s := range a.out.steps {
		rows = append(rows, []string{code(s.name), escaped(s.formula), escaped(s.substituted), escaped(s.value)})
	}
	p.heading(2, "Ход расчёта")
	p.table([]string{"Шаг", "Формула", "Подстановка", "Значение"}, rows)
}

// notes are what the reader should know of the result.
func (a *Answer) notes(p *page) {
	var warnings, assumptions, sources, missing []string
	for _, w := range a.out.warnings {
		warnings = append(warnings, code(w.code)+": "+escaped(w.detail))
	}
	for _, s := range a.out.assumptions {
		assumptions = append(assumptions, code(s))
	}
	for _, s := range a.out.external {
		sources = append(sources, fmt.Sprintf("%s %s, %s, %s", code(s.ID), s.Version, code(s.SHA256), escaped(cmp.Or(s.Decree, s.stated()))))
	}
	for _, name := range a.notComputed() {
		missing = append(missing, code(name))
	}
	p.list("Предупреждения", warnings)
	p.list("Допущения", assumptions)
	p.list("Внешние данные", sources)
	p.list("Не рассчитано", missing)
}

// list writes what there is under a heading.
func (p *page) list(title string, items []string) {
	if items == nil {
		return
	}
	p.heading(2, title)
	for _, item := range items {
		p.WriteString("- " + item + "\n")
	}
}
