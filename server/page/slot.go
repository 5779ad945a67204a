package page

import (
	"bytes"
	"html/template"
)

const slotOpen, slotEnd = "<!--findings ", "-->"

// Slot keeps a place on the page of a file free for the findings about it, which
// only the moment of the answer knows; nothing but in a preview.
func Slot(f *Frame, file string) template.HTML {
	if !f.Draft {
		return ""
	}
	return template.HTML(slotOpen + template.HTMLEscapeString(file) + slotEnd)
}

// Fill puts findings into the slot of a page. Text from content cannot look like a
// slot, because it is escaped.
func Fill(html []byte, findings func(file string) []Finding) []byte {
	before, rest, ok := bytes.Cut(html, []byte(slotOpen))
	if !ok {
		return html
	}
	file, after, _ := bytes.Cut(rest, []byte(slotEnd))
	var list bytes.Buffer
	if found := findings(string(file)); len(found) > 0 {
		if err := templates()["item"].ExecuteTemplate(&list, "slot-findings", found); err != nil {
			panic(err) // a template that does not fit its data
		}
	}
	return bytes.Join([][]byte{before, showDirection(list.Bytes()), after}, nil)
}
