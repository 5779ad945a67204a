package calc

import "fmt"

// Markdown is the answer for people, in Russian: the same values as in JSON, with
// titles and units, in tables that read well on a terminal too.
func (a *Answer) Markdown() []byte {
	p := &page{}
	fmt.Fprintf(p, "# %s\n\n", escaped(a.Tool.Title))
	fmt.Fprintf(p, "**%s.**", a.Verdict())
	if a.Reason != "" {
		p.WriteString(" " + code(a.Reason))
	}
	p.WriteString("\n\n")
	fmt.Fprintf(p, "Инструмент %s %s, формула %s, округление %s, отпечаток исходных данных %s, квитанция %s.\n",
		code(a.Tool.ID), a.Tool.Version, code(a.Tool.Formula), code(RoundingPolicy), code(a.InputsHash()),
		code(a.Receipt()))
	if a.Tool.PSK {
		p.WriteString("Полная стоимость кредита (ПСК) не рассчитывается.\n")
	}
	for _, s := range a.Sections() {
		p.section(2, s)
	}
	return []byte(p.String())
}

// Verdict states the status and the reason in Russian, without a full stop.
func (a *Answer) Verdict() string {
	switch a.Status {
	case StatusComputed:
		return "Рассчитано"
	case StatusDoNotGuess:
		return "Не рассчитано: не подтверждены факты, которые нельзя угадывать"
	}
	return "Расчёт невозможен: " + words().Reasons[Reason(a.Reason)]
}
