package site

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rulestore/server/page"
)

// formRows is the number of rows of a list that have fields in a form. The others are in one
// hidden field, so that a page stays below 100 KB.
const formRows = 6

// foldedPrefix begins the name of the hidden field of a list: what is behind it is its name.
const foldedPrefix = "folded."

// maxFieldName is the maximum length of the name of a list, or of a field of its rows, in a hidden
// field in bytes. It is there once, and used for each of thousands of rows.
const maxFieldName = 64

// hideRows leaves of a list the rows that are shown, and writes the others into its hidden field:
// first the names of their fields, then a line for each row, its number before its values.
func (in *formField) hideRows(p *page.Input, rows int, sent url.Values) (first int) {
	if rows <= formRows {
		return 0
	}
	if row, ok := strings.CutPrefix(sent.Get(page.ShowRow), p.Name+"."); ok {
		number, _, _ := strings.Cut(row, ".")
		first, _ = strconv.Atoi(number) // what is no number is the beginning
		first = max(0, min(first, rows-1)) / formRows * formRows
	}
	hidden := map[int]map[string]string{}
	fields := map[string]bool{}
	for name, values := range sent {
		row, ok := strings.CutPrefix(name, p.Name+".")
		if !ok {
			continue
		}
		number, field, _ := strings.Cut(row, ".")
		i, err := strconv.Atoi(number)
		if err != nil || first <= i && i < first+formRows {
			continue
		}
		if hidden[i] == nil {
			hidden[i] = map[string]string{}
		}
		hidden[i][field], fields[field] = values[0], true
	}
	names := slices.Sorted(maps.Keys(fields))
	lines := []string{strings.Join(names, "\t")}
	for i := range rows {
		if row, ok := hidden[i]; ok {
			line := []string{strconv.Itoa(i)}
			for _, name := range names {
				line = append(line, strings.Join(strings.Fields(row[name]), " "))
			}
			lines = append(lines, strings.Join(line, "\t"))
		}
	}
	p.Folded, p.FoldedName = strings.Join(lines, "\n"), foldedPrefix+p.Name
	for from := 0; from < rows; from += formRows {
		if from != first {
			p.Others = append(
				p.Others,
				page.Choice{
					Value: rowName(p.Name, from),
					Title: strconv.Itoa(from+1) + "–" + strconv.Itoa(min(from+formRows, rows)),
				},
			)
		}
	}
	return first
}

// restoreRows is what a form sent with the rows of its hidden fields in their places.
func restoreRows(sent url.Values) url.Values {
	all := url.Values{}
	for name, values := range sent {
		list, ok := strings.CutPrefix(name, foldedPrefix)
		if !ok {
			all[name] = values
			continue
		}
		if len(list) > maxFieldName {
			continue // no form has such a list
		}
		lines := strings.Split(strings.ReplaceAll(values[0], "\r\n", "\n"), "\n") // browsers send line ends so
		names := strings.Split(lines[0], "\t")
		for _, line := range lines[1:] {
			number, row, _ := strings.Cut(line, "\t")
			all.Set(list+"."+number, "") // a row is a row, even with nothing in it
			for i, value := range strings.Split(row, "\t") {
				if i < len(names) && value != "" && len(names[i]) <= maxFieldName {
					all.Set(strings.TrimSuffix(list+"."+number+"."+names[i], "."), value)
				}
			}
		}
	}
	return all
}
