package site

import (
	"bytes"
	"encoding/csv"
	"net/url"
	"strings"

	"rulestore/server/calc"
)

// CalculatedCSV returns the answer to a calculation form as a table: the values, then the
// schedule, if there is one. It is nil if the inputs are invalid, and the page shows the faults
// instead.
func (s *Site) CalculatedCSV(t *calc.Tool, posted url.Values) []byte {
	request := inputOf(t)
	answer, err := t.Calculate(request.json(request.received(posted), t.Schedule != nil), s.Facts())
	if err != nil {
		return nil
	}
	var out bytes.Buffer
	out.WriteString("\uFEFF") // spreadsheets need it to recognize UTF-8
	w := csv.NewWriter(&out)
	w.Comma, w.UseCRLF = ';', true
	for _, section := range answer.Sections() {
		for _, f := range section.Figures {
			_ = w.Write([]string{f.Title, csvCell(f), calc.Unit(f.Unit)}) // writing to a buffer does not fail
		}
		if section.ID == "schedule" || section.ID == "comparison" {
			writeTable(w, section.Table)
		}
	}
	w.Flush()
	return out.Bytes()
}

func writeTable(w *csv.Writer, t *calc.Table) {
	row := make([]string, len(t.Head))
	for i, h := range t.Head {
		row[i] = h.Head()
	}
	_ = w.Write(row)
	for _, figures := range t.Rows {
		for i, f := range figures {
			row[i] = csvCell(f)
		}
		_ = w.Write(row)
	}
}

// csvCell formats a figure for a spreadsheet in Russian. A text that would be a formula is
// quoted.
func csvCell(f calc.Figure) string {
	text := f.Words()
	switch f.Type {
	case "money", "percent", "ratio", "count":
		return strings.Replace(text, ".", ",", 1)
	}
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
