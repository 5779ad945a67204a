package calc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Markdown is the manual of the tool in Russian: its inputs, its outputs and an example
// request.
func (t *Tool) Markdown() []byte {
	p := &page{}
	fmt.Fprintf(p, "# %s\n\n%s\n\n", escaped(t.Title), escaped(t.Description))
	fmt.Fprintf(p, "Инструмент %s %s, формула %s, округление %s.\n",
		code(t.ID), t.Version, code(t.Formula), code(RoundingPolicy))
	for _, e := range t.Earlier {
		fmt.Fprintf(p, "\nПрежняя версия %s отвечает на запрос с полем %s: %s\n",
			e.Version, code(versionName+`: "`+e.Version+`"`), escaped(e.Description))
	}
	p.heading(2, "Исходные данные")
	p.table([]string{"Поле inputs", "Что это", "Единица", "Значение", "Нужно"}, described("", t.Inputs))
	for _, c := range t.Choices {
		fmt.Fprintf(p, "\nОдна из групп полей: %s.\n", escaped(c.describe()))
	}
	p.outputs("Результат", "Поле outputs", t.Outputs)
	if t.Members != nil {
		p.outputs("Другие поля ответа", "Поле", t.Members)
	}
	if t.Schedule != nil {
		p.outputs("Строка графика", "Поле schedule.rows", t.Schedule)
	}
	p.heading(2, "Примеры")
	for _, e := range t.Examples {
		var request bytes.Buffer
		_ = json.Indent(&request, []byte(e.Request), "", "  ") // an example is JSON
		fmt.Fprintf(p, "%s:\n\n```json\n%s\n```\n\n", escaped(e.Title), request.Bytes())
	}
	return bytes.TrimSuffix([]byte(p.String()), []byte("\n"))
}

// described are the fields and those within them for people: path, title, unit, allowed values, and whether a
// request needs it. Codes are between backticks.
func described(prefix string, fields []Field) (rows [][]string) {
	for i := range fields {
		f := &fields[i]
		rows = append(rows, []string{code(prefix + f.Name), escaped(f.Title), Unit(f.Unit), f.allowed(), f.needed()})
		rows = append(rows, described(f.below(prefix), f.inner())...)
	}
	return rows
}

// outputs writes a table of fields of an answer.
func (p *page) outputs(title, path string, fields []Field) {
	p.heading(2, title)
	rows := each(described("", fields), func(row []string) []string { return row[:3] })
	p.table([]string{path, "Что это", "Единица"}, rows)
}

// inner are the fields of an object, or of the objects of a list.
func (f *Field) inner() []Field {
	if f.item != nil {
		return f.item.fields
	}
	return f.fields
}

// below is the prefix of the names of inner fields.
func (f *Field) below(prefix string) string {
	if f.kind == listKind {
		return prefix + f.Name + "[]."
	}
	return prefix + f.Name + "."
}

// allowed describes the values of an input in words.
func (f *Field) allowed() string {
	switch f.kind {
	case moneyKind, pctKind, coefKind, intKind:
		return "от " + f.bound(f.min) + " до " + f.bound(f.max)
	case dateKind:
		return "ГГГГ-ММ-ДД"
	case enumKind:
		return "`" + strings.Join(f.enum, "`, `") + "`"
	case textKind:
		return code(f.pattern.String())
	case boolKind:
		return "`true`, `false`"
	case listKind:
		return fmt.Sprintf("список, от %d до %d", f.minItems, f.maxItems)
	}
	return "объект"
}

// needed describes whether an input is required, in Russian.
func (f *Field) needed() string {
	switch {
	case f.preset != "":
		return "нет, по умолчанию " + code(f.preset)
	case f.governed:
		return "зависит от группы"
	case f.optional:
		return "нет"
	}
	return "да"
}
