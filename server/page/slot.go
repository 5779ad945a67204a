package page

import (
	"bytes"
	"html/template"
)

const slotOpen, slotEnd = "<!--findings ", "-->"

// Slot keeps a place on the page of a file free for the findings about it, which
// only the moment of the answer knows; nothing but in a preview. Without a file
// they are about everything.
func Slot(f *Frame, file string) template.HTML {
	if !f.Draft {
		return ""
	}
	return template.HTML(slotOpen + template.HTMLEscapeString(file) + slotEnd)
}

// momentSlot stands in the head of a page of a preview.
const momentSlot = "<!--moment-->"

// Fill completes a page of a preview: it says of which moment the page is, so that
// the script can tell when there is a newer one, and puts findings into the slot.
// Text from content cannot look like a slot, because it is escaped.
func Fill(html []byte, moment string, findings func(file string) []Finding) []byte {
	html = bytes.Replace(html, []byte(momentSlot), []byte(`<meta name="moment" content="`+template.HTMLEscapeString(moment)+`">`), 1)
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
