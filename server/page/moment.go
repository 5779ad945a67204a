package page

import (
	"bytes"
	"html/template"
)

// momentSlot is replaced by [Fill] in the head of a page of a preview.
const momentSlot = "<!--moment-->"

// Fill completes a page of a preview: it inserts the state of the page, so that the script can
// detect a newer one.
func Fill(html []byte, moment string) []byte {
	return bytes.Replace(
		html, []byte(momentSlot), []byte(`<meta name="moment" content="`+template.HTMLEscapeString(moment)+`">`), 1,
	)
}
